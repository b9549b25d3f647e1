"""Notes on two boards: the person's own and the agent's workspace."""
