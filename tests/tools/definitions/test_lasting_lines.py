"""`## Lasting` in tool files: which calls make what outlasts their conversation."""

from pathlib import Path

import pytest

from bot.domain.lasting import Lasting
from bot.domain.tools import ToolDefinition
from bot.errors import DefinitionError
from bot.tools.definitions.definition import parse_tool_file

KEEPER = """# tracker
## Description
Read and write tickets.
## Parameters
{
  "type": "object",
  "properties": {
    "action": {"type": "string", "enum": ["list", "close"]},
    "note": {"type": "string"}
  },
  "required": ["action"]
}
## Lasting
"""


def parse(text: str, name: str) -> ToolDefinition:
    return parse_tool_file(text, path=Path("prompts/tools/shared", name), folder="shared")


def test_a_tool_says_which_calls_last():
    tool = parse(KEEPER + "replaces: action: close\nacts-later\n", "tracker.md")
    replaces, later = tool.lasting
    assert (replaces.kind, later.kind) == (Lasting.REPLACES, Lasting.ACTS_LATER)
    covered = [replaces.covers({"action": one}) for one in ("close", "list", None, ["list"])]
    assert covered == [True, False, True, True]
    assert replaces.covers({})
    assert later.covers({"action": "list"})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "write a kind"),
        ("forever", "'forever' is none of"),
        ("replaces: close", "write the argument and its values"),
        ("replaces: note: x", "must be an argument with an enum"),
        ("replaces: action: close, drop", "no value 'drop'"),
    ],
)
def test_lasting_names_a_kind_and_known_calls(body: str, words: str):
    with pytest.raises(DefinitionError, match=words):
        parse(KEEPER + body, "tracker.md")


def test_a_misspelt_heading_of_what_lasts_opens_nothing():
    with pytest.raises(DefinitionError, match="Lasting"):
        parse(KEEPER.replace("## Lasting", "## Lastings") + "replaces", "tracker.md")
