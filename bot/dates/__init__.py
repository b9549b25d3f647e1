"""Dates and times as people write them, in five languages, read in the person's own time zone."""
