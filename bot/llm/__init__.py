"""Language models: one client for all Messages API servers, and the offline model."""
