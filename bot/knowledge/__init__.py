"""Collections of documents that a team searches: read in a process with limits, kept in parts, found by words."""
