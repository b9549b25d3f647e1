"""Posts of a forum: their tags, and whether they are solved."""
