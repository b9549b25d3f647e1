"""What people ask afterwards: why something happened, what their rights are, what is kept of them."""
