"""Sessions, conversations and messages as they are kept."""
