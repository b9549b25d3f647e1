"""Collections of documents that a team searches, and the program's own logs for a MasterAdmin."""
