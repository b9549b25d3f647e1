"""Chat platforms: each adapter turns its platform's events into the domain's messages, and back."""
