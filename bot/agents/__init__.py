"""The agents: agent files, the loop with its control tools, delegation, and the cycle log."""
