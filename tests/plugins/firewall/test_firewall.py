"""csf's command line: each option as csf knows it, and no argument that it reads as another."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.domain.clock import Clock
from bot.domain.languages import Language
from bot.errors import ToolError
from bot.plugins.firewall.plugin import (
    CALLS,
    LOOK,
    CsfAction,
    CsfArguments,
    FirewallConnector,
    FirewallSettings,
    command_words,
)
from bot.settings import SettingsError
from bot.testing.contexts import make_person
from bot.testing.desk import Desk
from bot.tools.running.shell import ProgramRunner
from bot.tools.settings import ShellSettings

WORD = re.compile(r"-[a-z]+|[0-9a-f.:/]+|[0-9,]+|[A-Za-z0-9][A-Za-z0-9 .,:_/()-]*")
OPTIONS = {"-l", "-t", "-g", "-a", "-ar", "-d", "-dr", "-ta", "-td", "-tr", "-p"}
ACTIONS = get_args(CsfAction)


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"action": "status"}, ["-l"]),
        ({"action": "list"}, ["-t"]),
        ({"action": "search", "address": "10.0.0.1"}, ["-g", "10.0.0.1"]),
        (
            {"action": "deny", "address": "203.0.113.7", "comment": "spam"},
            ["-d", "203.0.113.7", "spam"],
        ),
        ({"action": "undeny", "address": "203.0.113.0/24"}, ["-dr", "203.0.113.0/24"]),
        ({"action": "allow", "address": "2001:DB8::1"}, ["-a", "2001:db8::1"]),
        ({"action": "unallow", "address": "203.0.113.7"}, ["-ar", "203.0.113.7"]),
        ({"action": "temp_remove", "address": "203.0.113.7"}, ["-tr", "203.0.113.7"]),
        (
            {"action": "temp_allow", "address": "203.0.113.7", "seconds": 600, "ports": [22]},
            ["-ta", "203.0.113.7", "600", "-p", "22"],
        ),
    ],
)
def test_each_action_is_the_option_that_csf_has(given_: dict[str, Any], words: list[str]):
    assert command_words(CsfArguments.model_validate(given_)) == words


@pytest.mark.parametrize(
    "given_",
    [
        {"action": "deny"},
        {"action": "deny", "address": "0.0.0.0/0"},
        {"action": "allow", "address": "10.0.0.0/8"},
        {"action": "deny", "address": "127.0.0.1"},
        {"action": "deny", "address": "::1"},
        {"action": "deny", "address": "-f"},
        {"action": "deny", "address": "203.0.113.7; reboot"},
        {"action": "deny", "address": "example.org"},
        {"action": "deny", "address": "fe80::1%eth0"},
        {"action": "temp_deny", "address": "203.0.113.7"},
        {"action": "deny", "address": "203.0.113.7", "seconds": 60},
        {"action": "temp_deny", "address": "203.0.113.7", "seconds": 60, "ports": [0]},
        {"action": "deny", "address": "203.0.113.7", "comment": "-p 22"},
        {"action": "deny", "address": "203.0.113.7", "comment": "a\nInclude /etc/shadow"},
        {"action": "undeny", "address": "203.0.113.7", "comment": "why"},
    ],
)
def test_what_csf_would_take_in_another_way_is_refused(given_: dict[str, Any]):
    with pytest.raises(ToolError):
        command_words(CsfArguments.model_validate(given_))


@given(
    st.sampled_from(ACTIONS),
    st.none() | st.text(max_size=50) | st.ip_addresses().map(str),
    st.none() | st.integers(),
    st.none() | st.lists(st.integers(), max_size=20),
    st.none() | st.text(max_size=80),
)
def test_no_argument_becomes_an_option(
    action: str, address: str | None, seconds: int | None, ports: list[int] | None, comment: str
):
    given_ = {"address": address, "seconds": seconds, "ports": ports, "comment": comment}
    try:
        words = command_words(CsfArguments.model_validate({"action": action, **given_}))
    except (ToolError, ValidationError):
        return
    assert all(WORD.fullmatch(word) for word in words)
    assert {word for word in words if word.startswith("-")} <= OPTIONS


def connector(command: tuple[str, ...], clock: Clock) -> FirewallConnector:
    runner = ProgramRunner(ShellSettings(), 4_000, clock)
    return FirewallConnector(command, runner)


async def test_a_failure_of_csf_is_an_error_with_its_words(desk: Desk, tmp_path: Path):
    script = tmp_path / "csf"
    script.write_text("#!/bin/sh\necho 'Insecure permissions' >&2\nexit 3\n")
    script.chmod(0o755)
    tool = desk.tool(connector((str(script),), desk.clock), "csf_management", make_person("owner"))
    result = await desk.result(tool, {"action": "status"})
    assert result.is_error
    assert "csf ended with status 3\nInsecure permissions" in result.content


async def test_a_csf_that_is_not_there_is_told(desk: Desk):
    tool = desk.tool(connector(("/nowhere/csf",), desk.clock), "csf_management")
    with pytest.raises(ToolError, match="can't be started"):
        await desk.result(tool, {"action": "status"})


def test_the_program_is_named_by_its_whole_path():
    with pytest.raises((ValidationError, SettingsError)):
        FirewallSettings(csf=("sudo", "csf"))


@pytest.mark.parametrize("action", ACTIONS)
def test_a_card_has_words_for_each_action_in_each_language(action: CsfAction):
    said = CALLS.get(action, LOOK).filled(address="`203.0.113.7`", seconds=600)
    assert len({*said.words.values()}) == len(Language)
    if action in CALLS:
        assert all("203.0.113.7" in words for words in said.words.values())
    else:
        assert action in {"status", "list", "search"}
