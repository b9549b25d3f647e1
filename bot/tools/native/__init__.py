"""Tools that are Python functions: connectors register them, the registry serves them."""
