"""People: a file about each person, from their public profile and from edits by hand."""
