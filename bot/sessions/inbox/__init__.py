"""What platforms hand in: adapters are supervised, every event is decided and recorded, gaps are noticed."""
