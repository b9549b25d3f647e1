"""What summaries teach: which of it enters which tier of memory."""
