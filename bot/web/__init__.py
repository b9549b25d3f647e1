"""The web: the one guarded HTTP client.

No other package opens connections to addresses from outside.
"""
