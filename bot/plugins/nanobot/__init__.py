"""Moving in from nanobot."""
