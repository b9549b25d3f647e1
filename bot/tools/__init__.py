"""Tools: their files, the toolset of a request, permission, and running a call."""
