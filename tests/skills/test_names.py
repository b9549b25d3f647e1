"""Names of commands: what any text makes of itself, and what a clash makes of a name."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.skills.names import command_name, free_name, is_name

NAME = re.compile(r"[a-z0-9_]{0,32}")


def test_names_read_as_people_wrote_them():
    written = [
        "Weekly Report",
        "/standup",
        "weekly-report",
        "Übersicht!",
        "a_b",
        "  x  ",
        "日本",
        "__",
    ]
    made = ["weekly_report", "standup", "weekly_report", "ubersicht", "a_b", "x", "", "__"]
    assert [command_name(text) for text in written] == made


@given(st.text(max_size=80))
def test_any_text_makes_a_name_or_none_and_a_name_makes_itself(text: str):
    name = command_name(text)
    assert NAME.fullmatch(name)
    assert command_name(name) == name


@given(st.lists(st.text("abc_", min_size=1, max_size=40), max_size=40))
def test_names_never_clash(wanted: list[str]):
    taken: set[str] = set()
    for text in wanted:
        if name := command_name(text):
            free = free_name(name, taken)
            assert is_name(free)
            assert free not in taken
            assert free == name or name in taken
            taken.add(free)
