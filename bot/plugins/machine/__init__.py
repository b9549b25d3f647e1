"""The state of the machine that Bellhop runs on."""
