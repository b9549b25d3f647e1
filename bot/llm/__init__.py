"""Language models: one client for all servers of the Messages API."""
