"""Text for people, in one place: sentences, and the text of a card."""
