"""Moving in from Hermes Agent."""
