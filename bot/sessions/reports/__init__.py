"""Reports for people: why something happened, their rights, and the data stored about them."""
