"""A connector: where the team eats."""
