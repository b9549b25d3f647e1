"""Virtual files: one tree of paths over the database and over folders, and the five tools that work on it."""
