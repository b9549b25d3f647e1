"""Ways into a running Bellhop beside the chat platforms: its HTTP server and control socket."""
