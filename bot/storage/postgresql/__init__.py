"""PostgreSQL behind the `Database` protocol. Nothing else in the house knows its driver."""
