-- When a service stopped taking a token; the person is asked to connect again, and until then it counts as not connected.
ALTER TABLE credentials ADD COLUMN lapsed_at TEXT;
