"""The tools of one request: what exists for its person, role and run, and what is unlocked."""
