"""Skills and tools from elsewhere: of folders, archives and git addresses."""
