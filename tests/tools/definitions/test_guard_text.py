"""Lines of tool files: access and roles in one, and what makes things that last."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.lasting import Lasting
from bot.domain.tools import ToolDefinition
from bot.errors import DefinitionError
from bot.tools.definitions import guard_text
from bot.tools.definitions.definition import parse_tool_file
from bot.tools.definitions.guard_text import gives_roles
from tests.thoroughness import examples

TITLES = st.sampled_from(["Access: ", "Acess ", "access", "Allowed roles:", "## Access -", "Who: "])
WORDS = st.sampled_from([*Role, "Partnr", "frend", "anybody", "a", "the reader", "1,2", "."])


@st.composite
def lines(draw: st.DrawFn) -> str:
    words = draw(st.lists(WORDS, min_size=1, max_size=9))
    gap = " " * draw(st.integers(0, 24))
    return draw(TITLES) + gap + draw(st.sampled_from(["", " ", ", ", "; "])).join(words)


def always(_line: str) -> bool:
    return True


@settings(max_examples=examples(60))
@given(lines())
def test_the_quick_look_at_the_end_of_a_line_overlooks_nothing(line: str):
    found = gives_roles(line)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard_text, "_perhaps_ends_with_role", always)
        assert gives_roles(line) is found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Access: Partner", True),
        ("AccessPartner", True),
        ("Allowed roles:           Partner, MasterAdmin and Frend", False),
        ("Allowed roles:           Partner, MasterAdmin, Frend", True),
        ("Access is what a partner of the team asks for in a channel that is open", False),
    ],
)
def test_a_line_gives_roles_only_when_roles_are_all_that_follows(line: str, expected: bool):
    assert gives_roles(line) is expected


# `## Lasting` in tool files: which calls make what outlasts their conversation.


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
