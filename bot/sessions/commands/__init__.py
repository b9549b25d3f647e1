"""Commands, answered at once beside whatever runs: the built-in ones, then those of skills."""
