"""What a run needs before the model: its session, opening message, toolset and facts; and a fresh epoch."""
