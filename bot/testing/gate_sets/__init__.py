"""Sets of everyday and hostile requests in five languages, for the gate."""
