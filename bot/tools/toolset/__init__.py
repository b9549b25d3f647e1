"""The tools of one request: those that its person, role and run have, and the unlocked ones."""
