"""What time it is, and sums."""
