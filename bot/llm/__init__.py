"""Language models: one client for everything that speaks the Messages API, and the offline model behind it."""
