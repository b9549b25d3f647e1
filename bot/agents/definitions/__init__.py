"""Agent files and the registry of agents."""
