"""read_skill: bodies for runs without file tools."""

from pathlib import Path

import pytest

from bot.domain.origins import Trust
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.skills.library import ReadSkillArguments, SkillLibrary
from bot.testing.contexts import make_context


@pytest.fixture
async def library(tmp_path: Path) -> SkillLibrary:
    for name, agents in (
        ("sources", "researcher"),
        ("common", "all_specialists"),
        ("standup", "cognitive"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: d\nagents: {agents}\n---\nHow to {name}.\n"
        )
    library = SkillLibrary([tmp_path])
    await library.load()
    return library


async def read(library: SkillLibrary, name: str, agent: str = "researcher") -> ToolResult:
    outcome = await library.read_skill_tool().run(
        make_context(agent=agent), ReadSkillArguments(name=name)
    )
    assert isinstance(outcome, ToolResult)
    return outcome


@pytest.mark.parametrize("name", ["sources", "/skills/sources/SKILL.md", " sources "])
async def test_the_body_comes_without_front_matter_and_is_trusted(name: str, library: SkillLibrary):
    result = await read(library, name)
    assert result.content == "How to sources."
    assert result.origin.trust is Trust.OPERATOR


@pytest.mark.parametrize("name", ["nope", "", "../sources", "sources\0"])
async def test_an_unknown_name_lists_what_there_is(name: str, library: SkillLibrary):
    with pytest.raises(ToolError, match="there is common, sources"):
        await read(library, name)


async def test_another_agents_skill_is_neither_read_nor_named(library: SkillLibrary):
    with pytest.raises(ToolError) as caught:
        await read(library, "sources", agent="observer")
    assert "there is common, standup" in str(caught.value)
