"""Access to a running Bellhop apart from chat platforms: control socket and HTTP server."""
