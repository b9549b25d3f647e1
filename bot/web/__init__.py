"""The web: the one guarded HTTP client.

Nothing else of the house opens a connection to an address it was given.
"""
