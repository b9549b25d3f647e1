"""Search over messages, limited to the asker's reading rights."""
