"""Local sites of kinds that break browser tools, each with a task and what its server must get."""
