"""Rules of policy.yaml and of places: they deny, ask, and redact."""
