"""A home for each flow test: contacts with every role, and the shipped prompts."""

from pathlib import Path

import pytest

from bot.testing.postgres_server import postgres_programs
from bot.testing.tools import NO_SANDBOX

# tests/conftest.py says in a line that these were left out.
collect_ignore_glob = [] if postgres_programs() else ["test_postgresql*.py"]

CONTACTS = """\
- {id: ann, name: Ann, role: Friend, timezone: Europe/Berlin, ids: {discord: ["ann"]}}
- {id: ben, name: Ben, role: Partner, ids: {discord: ["ben"]}}
- {id: owner, name: Olga, role: MasterAdmin, ids: {discord: ["owner"]}}
- {id: troll, name: Troll, role: Banned, ids: {discord: ["troll"]}}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
    return tmp_path
