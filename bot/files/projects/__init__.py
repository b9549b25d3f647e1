"""Projects of people on the disk: their folders, who may see them, and snapshots."""
