"""What was said, found again by who may read it."""
