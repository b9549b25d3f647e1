"""The shipped prompts: small enough for the first request, valid even if switched off."""

from pathlib import Path

import pytest

from bot.agents.definitions.agent_file import parse_agent_file
from bot.assembly.own_plugins import OWN
from bot.shipped import shipped_dir
from bot.testing.shipped_tools import AGENT_ROOTS

PROMPTS = shipped_dir("prompts")
PERSONA_CHARS = 1200
RULES_CHARS = 1800
RUN_CHARS = 500


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize(
    "path",
    sorted(path for root in AGENT_ROOTS for path in root.glob("*.md")),
    ids=lambda path: path.stem,
)
def test_a_persona_is_short_and_its_file_valid_once_switched_on(path: Path):
    agent = parse_agent_file(path, text_of(path).replace("disabled: true\n", "")).definition
    assert agent is not None
    assert len(agent.prompt) <= PERSONA_CHARS
    assert len(agent.description) <= 300


def test_rules_and_run_parts_are_short():
    assert len(text_of(PROMPTS / "system" / "rules.md")) <= RULES_CHARS
    for part in ("run_chat", "run_autonomous", "run_research"):
        assert 0 < len(text_of(PROMPTS / "system" / f"{part}.md")) <= RUN_CHARS


def test_an_agent_is_switched_on_only_with_its_tools():
    folder = next(plugin.folder for plugin in OWN if plugin.name == "making")
    path = folder / "agents" / "mrtool.md"
    switched_on = parse_agent_file(path, text_of(path)).definition is not None
    assert switched_on == any((folder / "tools" / "mrtool").glob("*.md"))
