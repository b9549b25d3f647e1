"""PostgreSQL for homes that several processes share. Only this package uses its driver."""
