"""Where PostgreSQL is missing, what needs it is left out; tests/conftest.py says so in a line."""

from bot.testing.postgres_server import postgres_programs

collect_ignore_glob = [] if postgres_programs() else ["test_postgresql*.py"]
