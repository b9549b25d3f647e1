"""Tools for what a place on a platform has beside messages, such as polls."""
