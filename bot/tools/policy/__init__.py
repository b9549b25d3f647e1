"""What the operator's policy.yaml and the rules of a place close, ask about and redact."""
