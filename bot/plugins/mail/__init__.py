"""Mail of agents that have an address: sending and reading it.

Ask the modules themselves: a home without a service's key imports only settings and store.
"""
