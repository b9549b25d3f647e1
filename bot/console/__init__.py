"""Where a running Bellhop is reached from outside a chat platform: the control socket."""
