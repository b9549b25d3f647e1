"""Chat platforms whose connection another process holds: calls go there and answers come back."""
