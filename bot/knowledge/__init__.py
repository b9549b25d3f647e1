"""Collections of documents for a team: read in a limited process, kept in parts, searched."""
