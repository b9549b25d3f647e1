"""The command parser: what is a command, and what stays text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.commands import parse_command
from bot.domain.messages import Command

NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789_-", min_size=1, max_size=32)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/help", Command("help")),
        ("!help", Command("help")),
        ("  /HELP  ", Command("help")),
        ("/approve a7", Command("approve", "a7")),
        ("!standup notes for\nMonday", Command("standup", "notes for\nMonday")),
        ("/new\nwhat is next?", Command("new", "what is next?")),
    ],
)
def test_reads_commands(text: str, expected: Command) -> None:
    assert parse_command(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "!",
        "//",
        "// a comment",
        "//help",
        "/documents/x.md",
        "/etc/hosts is a file",
        "hello /help",
        "!?",
        "/é",
        "/a.b",
    ],
)
def test_leaves_text_alone(text: str) -> None:
    assert parse_command(text) is None


def test_a_name_of_33_characters_is_text() -> None:
    assert parse_command("/" + "a" * 32) is not None
    assert parse_command("/" + "a" * 33) is None


@given(NAMES, st.text(), st.sampled_from("/!"))
def test_name_and_arguments_come_back(name: str, args: str, mark: str) -> None:
    assert parse_command(f"{mark}{name.upper()} {args}") == Command(name, args.strip())


@given(st.text())
def test_never_raises_and_names_are_always_well_formed(text: str) -> None:
    command = parse_command(text)
    if command is not None:
        assert 1 <= len(command.name) <= 32
        assert set(command.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")
