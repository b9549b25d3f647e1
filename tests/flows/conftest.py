"""A home for each flow test: contacts with every role, and the shipped prompts."""

from pathlib import Path

import pytest

CONTACTS = """\
- {id: ann, name: Ann, role: Friend, timezone: Europe/Berlin, ids: {discord: ["ann"]}}
- {id: ben, name: Ben, role: Partner, ids: {discord: ["ben"]}}
- {id: owner, name: Olga, role: MasterAdmin, ids: {discord: ["owner"]}}
- {id: troll, name: Troll, role: Banned, ids: {discord: ["troll"]}}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    return tmp_path
