"""What Bellhop itself says to a model: system prompts, notes, quotation marks around data."""
