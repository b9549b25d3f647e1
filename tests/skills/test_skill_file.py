"""SKILL.md: what a valid one says, how a wrong one is named, and which name a command gets."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import DefinitionError
from bot.skills.names import command_name, free_name, is_name
from bot.skills.skill_file import FILE_BYTES, parse_skill_file, skill_from

PATH = Path("skills/standup/SKILL.md")


def text(front: str, body: str = "Do it.") -> bytes:
    return f"---\n{front}\n---\n{body}\n".encode()


def test_a_whole_file_is_read():
    front = (
        "name: standup\ndescription: >-\n  Write the\n  daily standup.\ncommand: "
        "/Standup\nauto_invoke: false\n"
        "agents: cognitive, Observer\nlicense: MIT\nmetadata: {x: 1}"
    )
    file = parse_skill_file(text(front, "# Standup\n\nAsk three things.\n---\nNot a fence."), PATH)
    skill = file.skill
    assert skill is not None
    assert skill.name == "standup"
    assert skill.description == "Write the daily standup."
    assert skill.path == "/skills/standup/SKILL.md"
    assert skill.command == "standup"
    assert not skill.auto_invoke
    assert skill.agents == ("cognitive", "observer")
    assert skill.source == PATH
    assert file.body == "# Standup\n\nAsk three things.\n---\nNot a fence."


@pytest.mark.parametrize("agents", ["", "agents:", "agents: ''", "agents: []"])
def test_no_agents_means_all(agents: str):
    file = parse_skill_file(text(f"name: standup\ndescription: x\n{agents}"), PATH)
    assert file.skill is not None
    assert file.skill.agents == ()


def test_windows_line_ends_and_a_byte_order_mark_are_read():
    data = b"\xef\xbb\xbf" + text("name: standup\ndescription: x").replace(b"\n", b"\r\n")
    assert parse_skill_file(data, PATH).skill is not None


def test_disabled_switches_off_without_anything_else():
    assert parse_skill_file(b"---\ndisabled: true\n---\n", PATH).skill is None


@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (b"", 1, "front matter is missing"),
        (b"# Standup\n", 1, "front matter is missing"),
        (b"---\nname: standup\n", 1, "no end"),
        (text("- a\n- b"), 2, "not a list of"),
        (text("name: standup\ndescription: [unclosed"), 3, "not valid YAML"),
        (text("name: standup\nname: standup"), 3, "there twice"),
        (text("description: x"), 2, "name is missing"),
        (text("description: x\nname: Stand Up"), 3, "no skill name"),
        (text("description: x\nname: other"), 3, "its folder standup"),
        (text("name: standup"), 2, "description is missing"),
        (text("name: standup\ndescription: 7"), 3, "must be a text"),
        (text(f"name: standup\ndescription: {'x' * 1025}"), 3, "limit is 1024"),
        (text("name: standup\ndescription: x\nauto_invoke: maybe"), 4, "true or false"),
        (text("name: standup\ndescription: x\nauto_invoke: false"), 4, "nothing could ever use"),
        (text("name: standup\ndescription: x\ncommand: two words"), 4, "no command"),
        (text("name: standup\ndescription: x\nagents: a, b!"), 4, "'b!' is no agent"),
        (text("name: standup\ndescription: x\nagents: 7"), 4, "separated by commas"),
        (text("name: standup\ndescription: x", ""), 1, "no instructions"),
        (b"---\nname: st\xffandup\n---\nx", 2, "not UTF-8"),
    ],
)
def test_a_wrong_file_is_named_with_line_and_remedy(data: bytes, line: int, problem: str):
    with pytest.raises(DefinitionError, match=problem) as caught:
        parse_skill_file(data, PATH)
    assert str(caught.value).startswith(f"{PATH}, line {line}:")


def test_a_file_that_is_too_large_is_refused():
    with pytest.raises(DefinitionError, match="larger than 64 KB"):
        parse_skill_file(text("name: standup\ndescription: x", "y" * FILE_BYTES), PATH)


@given(st.one_of(st.binary(max_size=300), st.text(max_size=200).map(text)))
def test_any_bytes_are_read_or_refused_in_a_sentence(data: bytes):
    try:
        parse_skill_file(data, PATH)
    except DefinitionError as error:
        assert str(PATH) in str(error)  # noqa: PT017 - both outcomes are right


def test_our_keys_may_stand_in_metadata_where_the_standard_has_room_for_them():
    text = (
        "---\nname: owls\ndescription: Feed owls.\ncommand: feed\nlicense: MIT\n"
        "metadata:\n  family: team\n  example: feed the owls\n  words: owls, Eulen\n"
        "  command: other\n  author: Ann\n---\nDo it.\n"
    )
    skill = skill_from(Path("owls/SKILL.md"), text).skill
    assert skill is not None
    assert (skill.family, skill.example, skill.words) == (
        "team",
        "feed the owls",
        ("owls", "Eulen"),
    )
    assert skill.command == "feed"


# Names of commands: what any text makes of itself, and what a clash makes of a name.


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
