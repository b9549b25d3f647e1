"""PostgreSQL behind the `Database` protocol. Only this package uses the driver."""
