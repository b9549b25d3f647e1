"""Tools and skills that are made in a conversation."""
