"""Virtual files: one tree of paths over the database and folders, and its five tools."""
