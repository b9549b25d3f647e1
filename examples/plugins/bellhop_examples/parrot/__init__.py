"""A model that follows rules, for demonstrations without a language model."""
