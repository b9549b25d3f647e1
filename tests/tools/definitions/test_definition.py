"""Tool files: what is read, what is tolerated, what is refused and how that is said."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Access, Role
from bot.domain.json_types import JsonObject
from bot.domain.runs import RunShape
from bot.domain.tools import (
    HttpImplementation,
    McpImplementation,
    NativeImplementation,
    Risk,
    ShellImplementation,
    ToolDefinition,
)
from bot.errors import DefinitionError
from bot.tools.definitions.definition import parse_tool_file, read_problems, read_tool_file

HERE = Path("prompts/tools/shared")

MANAGE_NOTES = """# manage_notes
## Description
Manage your user's personal notes, todo lists, and reminders.
**Board Selection Guide:**
- Agent Board (is_agent_note: true): YOUR workspace - full autonomy
- User Board (is_agent_note: false): GUEST - only add when explicitly asked
## Parameters
{
"type": "object",
"properties": {
"action": {"type": "string", "enum": ["add", "list", "update"]},
"title": {"type": "string"},
"is_agent_note": {"type": "boolean"}
},
"required": ["action", "is_agent_note"]
}
## Access
Friend, Partner, Business, MasterAdmin
"""


def parse(text: str, name: str = "thing.md") -> ToolDefinition:
    return parse_tool_file(text, path=HERE / name, folder="shared")


def thing(*sections: str) -> str:
    return "\n".join(["# thing", "## Description", "Does things.", *sections])


def refusal(text: str, name: str = "thing.md") -> str:
    with pytest.raises(DefinitionError) as caught:
        parse(text, name)
    return str(caught.value)


def test_the_seeds_example_is_read_exactly():
    assert parse(MANAGE_NOTES, "manage_notes.md") == ToolDefinition(
        name="manage_notes",
        description=(
            "Manage your user's personal notes, todo lists, and reminders.\n"
            "**Board Selection Guide:**\n"
            "- Agent Board (is_agent_note: true): YOUR workspace - full autonomy\n"
            "- User Board (is_agent_note: false): GUEST - only add when explicitly asked"
        ),
        parameters={
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["add", "list", "update"]},
                "title": {"type": "string"},
                "is_agent_note": {"type": "boolean"},
            },
            "required": ["action", "is_agent_note"],
        },
        folder="shared",
        implementation=NativeImplementation("manage_notes"),
        access=Access(frozenset({Role.FRIEND, Role.PARTNER, Role.BUSINESS, Role.MASTER_ADMIN})),
        source=str(HERE / "manage_notes.md"),
    )


@pytest.mark.parametrize(
    ("description", "liner"),
    [
        (
            "Manage personal notes\n and reminders. Short.",
            "Manage personal notes and reminders. Short.",
        ),
        ("Manage notes without a mark\n\nMore of it.", "Manage notes without a mark"),
        ("Manage notes, in two ways:\n- this one. And that.", "Manage notes, in two ways:"),
        ("Manage notes. **Board Selection Guide:**\n- Agent Board", "Manage notes."),
        ("Reads 3.5 files. Writes " + "many " * 40, "Reads 3.5 files."),
        (f"{'x' * 50}. {'y' * 67}. Cut.", f"{'x' * 50}. {'y' * 67}."),
        ("word " * 40, " ".join(["word"] * 23) + " …"),
        ("x" * 300, "x" * 118 + " …"),
    ],
)
def test_the_one_liner_is_cut_at_a_sentence_or_a_word(description: str, liner: str):
    found = replace(parse(MANAGE_NOTES, "manage_notes.md"), description=description).one_liner
    assert found == liner
    assert len(found) <= 120


def test_every_optional_section_is_read():
    tool = parse(
        thing(
            "## Parameters",
            "```json",
            '{"type": "object", "properties": {"to": {"type": "string"}}}',
            "```",
            "## Access",
            "Friend+",
            "## Aliases",
            "- do_thing",
            "- `thing_do`",
            "## Implementation",
            "shell: thing.sh",
            "## Risk",
            "External-Write",
            "## Requires",
            "google, notion",
            "## Runs",
            "chat, research",
            "## Timeout",
            "2.5 s",
            "## Idempotent",
            "yes",
        )
    )
    assert tool.parameters == {"type": "object", "properties": {"to": {"type": "string"}}}
    assert tool.access.roles == {Role.FRIEND, Role.BUSINESS, Role.PARTNER, Role.MASTER_ADMIN}
    assert tool.aliases == ("do_thing", "thing_do")
    assert tool.implementation == ShellImplementation(HERE / "thing.sh")
    assert tool.risk is Risk.EXTERNAL_WRITE
    assert tool.requires == ("google", "notion")
    assert tool.runs == {RunShape.CHAT, RunShape.RESEARCH}
    assert tool.timeout_s == 2.5
    assert tool.idempotent


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("native: other", NativeImplementation("other")),
        ("internal: other", NativeImplementation("other")),
        ("`Script: run-it.sh`", ShellImplementation(HERE / "run-it.sh")),
        (
            "http: get https://example.org/{id}",
            HttpImplementation("GET", "https://example.org/{id}"),
        ),
        ("mcp: files.read_file", McpImplementation("files", "read_file")),
    ],
)
def test_each_implementation_is_read(line: str, expected: object):
    schema = '{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}'
    assert (
        parse(thing("## Parameters", schema, "## Implementation", line)).implementation == expected
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "thing",
        "python: x",
        "shell: ../x.sh",
        "shell: /bin/sh",
        "shell: .x",
        "http: FETCH https://x",
        "http: GET file:///x",
        "mcp: files",
        "mcp: .read",
        "native: a b",
    ],
)
def test_a_wrong_implementation_is_refused_with_its_line(line: str):
    assert "line " in refusal(thing("## Implementation", line))
    assert "## Implementation" in refusal(thing("## Implementation", line))


def test_windows_line_ends_a_byte_order_mark_and_other_cases_are_tolerated():
    text = "\ufeff" + MANAGE_NOTES.replace("## Parameters", "##parameters:").replace(
        "## Access", "## ACCESS ##"
    )
    assert parse(text.replace("\n", "\r\n"), "manage_notes.md") == parse(
        MANAGE_NOTES, "manage_notes.md"
    )


def test_missing_or_empty_parameters_are_an_empty_object():
    empty: JsonObject = {"type": "object", "properties": {}}
    assert parse(thing()).parameters == empty
    assert parse(thing("## Parameters", "")).parameters == empty
    assert parse(thing("## Parameters", "{}")).parameters == empty


def test_headings_inside_code_are_text():
    tool = parse(thing("Example:", "````", "## Access", "```", "# title", "````", "and more."))
    assert tool.description.endswith("````\nand more.")
    assert tool.access.roles is None


def test_headings_inside_json_strings_are_text():
    tool = parse(thing("## Parameters", '{"type": "object",', '"description": "see ## Access',
                       '"}').replace("Access\n", "Access\\n"))  # fmt: skip
    assert tool.parameters["description"] == "see ## Access\n"


def test_an_allowed_roles_line_is_as_good_as_a_section():
    for text in (
        thing("AllowedRoles: Partner, Friend"),
        "AllowedRoles: Partner, Friend\n" + thing(),
    ):
        tool = parse(text)
        assert tool.access.roles == {Role.PARTNER, Role.FRIEND}
        assert tool.description == "Does things."
    assert parse(thing("## Access", "AllowedRoles: Partner")).access.roles == {Role.PARTNER}
    assert "given twice" in refusal(thing("AllowedRoles: Friend", "## Access", "Partner"))


def test_an_explanation_in_brackets_beside_the_roles_is_ignored():
    assert parse(thing("## Access", "Partner, Friend (who may use it)")).access.roles == {
        Role.PARTNER,
        Role.FRIEND,
    }


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "no name"),
        ("## Description\nx", 1, "no name"),
        ("# bad name\n## Description\nx", 1, "can't be a tool's name"),
        ("# thing", 1, "no description"),
        ("# thing\n## Description\n\n## Access\nFriend", 2, "no description"),
        (thing("## Access", "Friend, Frend"), 5, "unknown role 'Frend'"),
        (thing("## Access", ""), 4, "names no role"),
        (thing("### Access", "Partner"), 4, "must be a heading of level 2"),
        (thing("# Access", "Partner"), 4, "must be a heading of level 2"),
        (thing("## Access", "Friend", "## Access", "Guest"), 6, "appears twice"),
        (
            thing("## Risk", "huge"),
            5,
            ("unknown; use one of external-write, policy-write, destructive"),
        ),
        (thing("## Risk", "destructive"), 4, "add ## Access"),
        (thing("## Risk", "policy-write"), 4, "add ## Access"),
        (thing("## Runs", "chat, never"), 5, "unknown; use one of chat, triggered"),
        (thing("## Timeout", "soon"), 5, "not a number of seconds"),
        (thing("## Timeout", "0"), 5, "not a number of seconds"),
        (thing("## Timeout", "9" * 400), 5, "not a number of seconds"),
        (thing("## Idempotent", "perhaps"), 5, "use yes or no"),
        (thing("## Aliases", "a b"), 5, "'a b' is not a name"),
        (
            thing("## Parameters", "", "{", '"type": "object",', '"properties": {"a": }', "}"),
            8,
            "not valid JSON",
        ),
        (
            thing("## Parameters", "```json", "{", '"type" "object"', "}", "```"),
            7,
            "not valid JSON",
        ),
        (thing("## Parameters", "[]"), 5, "must be a JSON object"),
        (thing("## Parameters", '{"type": "string"}'), 5, '"type": "object"'),
        (
            thing("## Parameters", '{"type": "object", "properties": {"a": {"type": "text"}}}'),
            5,
            "properties.a.type",
        ),
        (thing("## Parameters", '{"type": "object", "type": "object"}'), 5, "'type' appears twice"),
        (
            thing("## Parameters", '{"type": "object", "maxProperties": NaN}'),
            5,
            ("NaN is not a JSON number"),
        ),
        (
            thing("## Parameters", '{"type": "object", "$ref": "https://example.org/x"}'),
            5,
            ("not a part of this schema"),
        ),
        (
            thing(
                "## Parameters",
                ('{"type": "object", "$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}'),
            ),
            5,
            "not a part of this schema",
        ),
        (
            thing("## Parameters", '{"type": "object", "description": "\\ud800"}'),
            5,
            "not valid Unicode",
        ),
        (
            thing("## Parameters", '{"type": "object", "pattern": "("}'),
            5,
            "not a valid JSON Schema",
        ),
        (thing("## Parameters", '{"type": "object", "x":' + "[" * 200_000), 5, "not valid JSON"),
        (
            thing(
                "## Parameters", '{"type": "object", "not": ' + '{"not": ' * 40 + "{}" + "}" * 41
            ),
            5,
            "levels deep",
        ),
        (
            thing("## Parameters", '{"type": "object", "maxProperties": ' + "9" * 5000 + "}"),
            5,
            "not valid JSON",
        ),
    ],
)
def test_a_bad_file_is_refused_naming_file_line_and_remedy(text: str, line: int, words: str):
    message = refusal(text)
    assert message.startswith(f"{HERE / 'thing.md'}, line {line}: ")
    assert words in message


def test_a_name_unlike_the_file_and_unknown_sections_are_warnings():
    found = read_tool_file(thing("## Colour", "blue"), path=HERE / "other.md", folder="shared")
    assert found.definition is not None
    assert [(problem.line, problem.warning) for problem in found.warnings] == [(4, True), (1, True)]


def test_a_file_can_switch_a_tool_off_even_when_the_rest_is_broken():
    assert (
        read_tool_file("# thing\n## Disabled\n", path=HERE / "thing.md", folder="shared").definition
        is None
    )
    assert (
        read_tool_file(
            "## Disabled\nyes\n## Risk\n?", path=HERE / "thing.md", folder="shared"
        ).definition
        is None
    )
    assert parse(thing("## Disabled", "no")).name == "thing"
    assert "switched off" in refusal(thing("## Disabled"))


HEADINGS = [
    "# thing",
    "## Description",
    "## Parameters",
    "## Access",
    "AllowedRoles: Friend",
    "## Aliases",
    "## Runs",
    "## Implementation",
    "## Risk",
    "## Timeout",
    "```",
    "~~~",
    "{",
    "}",
    '{"type": "object"}',
    "destructive",
    "Friend+",
    "shell: x.sh",
    "chat",
    "9",
    "\r",
    "\ufeff",
    "\x00",
    "### Access",
    "#",
]


@given(
    st.lists(st.sampled_from(HEADINGS) | st.text(max_size=12), max_size=30).map("\n".join)
    | st.text()
)
def test_any_text_gives_a_definition_or_a_definition_error(text: str):
    try:
        tool = parse(text)
    except DefinitionError as error:
        assert str(HERE / "thing.md") in str(error)  # noqa: PT017 - either outcome is fine, nothing else is
    else:
        assert tool.one_liner
        assert tool.parameters["type"] == "object"


def test_every_mistake_of_a_file_is_named_with_its_line(tmp_path: Path):
    text = """\
# looker

## Description

## Parameters
{not json

## Acces
Friend+

## Riskk
none

## Timeout
soon

## Extras
nothing

## Idempotent
perhaps
"""
    found = read_problems(text, path=tmp_path / "looker.md", folder="shared")
    assert [(problem.line, problem.warning) for problem in found] == [
        (3, False), (6, False), (8, False), (11, False), (15, False), (17, True), (21, False),
    ]  # fmt: skip
    words = " ".join(problem.message for problem in found)
    for said in (
        "no description",
        "not valid JSON",
        "## Access",
        "## Risk",
        "'soon'",
        "## Extras",
        "'perhaps'",
    ):
        assert said in words


TRACKER = """# tracker
## Description
Read and write tickets.
## Parameters
{
  "type": "object",
  "properties": {
    "action": {"type": "string", "enum": ["list", "close"]},
    "ticket": {"type": "string", "x-target": "id"},
    "note": {"type": "string"}
  },
  "required": ["action"]
}
## Risk
external-write
## Reads
"""


def test_calls_that_only_read_carry_no_risk():
    tracker = parse(TRACKER + "action: list\n", "tracker.md")
    assert tracker.risk is Risk.EXTERNAL_WRITE
    assert tracker.risk_of({"action": "list"}) is None
    for other in ({"action": "close"}, {"action": ["list"]}, {"action": "LIST"}, {}):
        assert tracker.risk_of(other) is Risk.EXTERNAL_WRITE, other


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("list", "write the argument"),
        ("action:", "write the argument"),
        ("note: x", "must be a required argument with an enum"),
        ("action: list, drop", "no value 'drop'"),
    ],
)
def test_reads_names_a_required_argument(body: str, words: str):
    with pytest.raises(DefinitionError, match=words):
        parse(TRACKER + body, "tracker.md")


def test_only_a_risky_tool_says_which_calls_read():
    with pytest.raises(DefinitionError, match="add ## Risk"):
        parse(TRACKER.replace("## Risk\nexternal-write\n", "") + "action: list", "tracker.md")


def test_a_line_of_its_own_stands_in_lists():
    text = thing("## Listed as", "Post  a ticket", "for somebody.")
    tool = parse(text)
    assert tool.one_liner == "Post a ticket for somebody."
    assert tool.declaration()["description"] == tool.description
    assert parse(thing()).one_liner == "Does things."
