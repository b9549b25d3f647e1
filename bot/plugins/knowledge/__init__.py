"""What people told about themselves and their world, found again by words."""
