"""Skills in each foreign format, as our fixtures have them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.domain.access import Role
from bot.errors import BotError
from bot.skills.skill_file import skill_from
from bot.testing.import_home import ImportHome
from bot.tools.definitions.definition import parse_tool_file
from bot.workshop.review.findings import ImportRefused, ImportReport

Write = Callable[[str, str | bytes], Path]


def texts(report: ImportReport, number: int = 0) -> str:
    return "\n".join(str(finding) for finding in report.items[number].findings)


async def test_an_openclaw_skill_is_staged_with_what_it_wants_shown(
    home: ImportHome, fixtures: Path
):
    report = await home.take(fixtures / "openclaw" / "tag-notes")
    (item,) = report.items
    assert (item.name, item.status, item.format, item.roles) == (
        "tag-notes",
        "staged",
        "openclaw",
        "MasterAdmin",
    )
    told = texts(report)
    for words in (
        "needs: bins gh",
        "wants to install",
        "darwin, linux",
        "wants the key",
        "draft_notes directly",
    ):
        assert words in told
    text = (home.path / "skills/.staged/tag-notes/SKILL.md").read_text()
    assert "roles: MasterAdmin\ncommand: tag_notes\n" in text
    assert "/skills/tag-notes/references/headings.md" in text
    assert "{baseDir}" not in text
    (staged,) = await home.desk.staged()
    assert staged.x_source["metadata"]["openclaw"]["requires"]["bins"] == ["gh"]
    assert staged.x_source["homepage"] == "https://example.org/tag-notes"


async def test_a_hermes_skill_md_keeps_its_keys_as_provenance(home: ImportHome, fixtures: Path):
    report = await home.take(fixtures / "hermes" / "arxiv-digest")
    assert report.items[0].format == "hermes"
    assert "environment variables, which no skill gets" in texts(report)
    (staged,) = await home.desk.staged()
    assert staged.x_source["version"] == "1.2.0"
    assert staged.x_source["metadata"]["hermes"]["tags"] == ["research", "reading"]


async def test_a_hermes_export_gives_skills_and_tools(home: ImportHome, fixtures: Path):
    report = await home.take(fixtures / "hermes" / "export.json")
    assert [(item.name, item.tools) for item in report.items] == [
        ("board-retro", ("retro_board",)),
        ("kind-reminder", ()),
    ]
    assert "export.json, line 6" in texts(report) or "names tools" in texts(report)
    staged = await home.desk.find("board-retro")
    assert staged.x_source == {"tags": ["meetings"], "author": "somebody", "tools": ["web_search"]}
    path = home.path / "prompts/tools/readytools/retro_board.md"
    tool = parse_tool_file(path.read_text(), path=path, folder="readytools")
    assert tool.access.roles == {Role.MASTER_ADMIN}
    assert tool.parameters["required"] == ["column", "text"]


async def test_a_plain_markdown_file_takes_its_heading_and_first_paragraph(
    home: ImportHome, fixtures: Path
):
    report = await home.take(fixtures / "github" / "pairing.md")
    (item,) = report.items
    assert (item.name, item.format) == ("pair-programming-notes", "github")
    text = (home.path / "skills/.staged/pair-programming-notes/SKILL.md").read_text()
    assert 'description: "How we take notes while two people work on one piece of code."' in text


async def test_gemini_declarations_become_tool_files(home: ImportHome, fixtures: Path):
    report = await home.take(fixtures / "gemini" / "tools.json", roles="Partner, Friend")
    (item,) = report.items
    assert (item.format, item.tools, item.roles) == (
        "gemini",
        ("set_light", "room_list"),
        "Friend, Partner",
    )
    assert "broken_one must be the schema of an object" in texts(report)
    path = home.path / "prompts/tools/readytools/set_light.md"
    tool = parse_tool_file(path.read_text(), path=path, folder="readytools")
    assert tool.access.roles == {Role.PARTNER, Role.FRIEND}
    assert tool.parameters["properties"] == {
        "room": {"type": "string", "description": "Which room."},
        "level": {"type": ["integer", "null"], "minimum": 0, "maximum": 100},
        "colours": {
            "type": "array",
            "items": {"type": "string", "enum": ["WARM", "COLD"]},
            "minItems": 1,
        },
    }
    assert "propertyOrdering" not in tool.parameters


@pytest.mark.parametrize(
    "wrapped",
    [
        '[{"name": "ping", "parameters": {"type": "OBJECT", "properties": {}}}]',
        '{"functionDeclarations": [{"name": "ping"}]}',
        '{"function_declarations": [{"name": "ping", "description": "Ping."}]}',
        '{"name": "ping", "parameters": {"type": "OBJECT", "properties": {}}}',
        '[{"functionDeclarations": [{"name": "ping"}]}]',
    ],
)
async def test_declarations_may_be_wrapped_in_any_of_the_known_ways(
    home: ImportHome, written: Write, wrapped: str
):
    report = await home.take(written("tools.json", wrapped))
    assert report.items[0].tools == ("ping",)


async def test_a_folder_of_many_is_taken_as_a_whole(home: ImportHome, fixtures: Path):
    report = await home.take(fixtures / "openclaw")
    assert [item.name for item in report.items] == ["tag-notes"]
    both = await home.take(fixtures / "hermes")
    assert {item.name for item in both.items} == {"arxiv-digest", "board-retro", "kind-reminder"}


async def test_a_format_that_is_asked_for_is_the_only_one_that_is_read(
    home: ImportHome, fixtures: Path
):
    with pytest.raises(ImportRefused, match="holds no skill"):
        await home.take(fixtures / "github" / "pairing.md", "gemini")
    with pytest.raises(ImportRefused, match="holds no skill"):
        await home.take(fixtures / "gemini" / "tools.json", "openclaw")


async def test_a_dry_run_says_everything_and_writes_nothing(home: ImportHome, fixtures: Path):
    report = await home.take(fixtures / "hermes", dry_run=True)
    assert {item.status for item in report.items} == {"would be staged"}
    assert home.files() == {}
    assert home.steps == []


async def test_missing_sources_and_non_skills_are_explained(
    home: ImportHome, written: Write, tmp_path: Path
):
    for source in (
        tmp_path / "missing",
        written("notes.txt", "only words"),
        "http://example.org/x.git",
        "ext::sh -c x",
    ):
        with pytest.raises(BotError, match=r"name a|use https"):
            await home.take(source)


@pytest.mark.parametrize(
    ("front", "words"),
    [
        ("words: feed owls, owls hungry", ("feed owls", "owls hungry")),
        ("metadata:\n  words: [feed owls, 3, '']", ("feed owls",)),
        ("words: {a: b}", ()),
        (f"words: [{'x' * 90}, owls]", ("owls",)),
    ],
)
async def test_phrases_that_find_a_skill_and_its_play_come_along(
    front: str, words: tuple[str, ...], home: ImportHome, tmp_path: Path
):
    source = tmp_path / "owls"
    source.mkdir()
    (source / "SKILL.md").write_text(
        f"---\nname: owls\ndescription: Feed owls.\n{front}\n---\nGive mice.\n"
    )
    (source / "play.yaml").write_text("asked: feed the owls\n")
    await home.take(source)
    staged = home.path / "skills/.staged/owls"
    read = skill_from(staged / "SKILL.md", (staged / "SKILL.md").read_text()).skill
    assert read is not None
    assert read.words == words
    assert (staged / "play.yaml").read_text() == "asked: feed the owls\n"
