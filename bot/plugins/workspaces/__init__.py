"""Projects of people, and command lines in them."""
