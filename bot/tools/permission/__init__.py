"""Whether one call may run: the gate, where targets come from, grants and approvals."""
