"""The web console: what the house does, what it costs, who may do what, what waits for whom."""
