"""What people are told, in one place: sentences, and the text of a card."""
