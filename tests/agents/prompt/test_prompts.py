"""The shipped prompts: small enough for the first request, valid even if switched off."""

from pathlib import Path

import pytest

from bot.agents.definitions.registry import parse_agent_file
from bot.agents.prompt.system_prompt import PromptParts
from bot.assembly.own_plugins import OWN
from bot.regular_file import TEXT_BYTES
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


async def test_a_part_that_cannot_be_read_is_named_and_the_shipped_one_stands_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    rules = tmp_path / "system" / "rules.md"
    rules.parent.mkdir()
    rules.write_bytes(b" " * (TEXT_BYTES + 1))
    parts = PromptParts([tmp_path, PROMPTS])
    assert await parts.read("rules.md") == [text_of(PROMPTS / "system" / "rules.md")]
    (problem,) = parts.problems()
    assert problem.startswith(f"{rules}: cannot be read (it is larger than 1,024 KB); make it")
    assert problem in caplog.text
    rules.write_bytes(b"Be kind.\r\nNo caf\xe9.\n")
    assert await parts.read("rules.md") == ["Be kind.\nNo caf\ufffd."]
    assert parts.problems() == [f"{rules}, line 2: is not UTF-8 text; save it as UTF-8"]
