"""A chat platform: messages are files in a folder."""
