"""Who thinks: agents as files, the loop with its control tools, delegation, and the cycle log."""
