"""Agents that work for another agent: in this process, in their own, in the background."""
