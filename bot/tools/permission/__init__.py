"""Decides whether a call may run: the gate, origins of targets, grants and approvals."""
