"""Reports for people: why something happened, their rights, and what is kept of them."""
