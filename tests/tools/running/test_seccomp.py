"""The seccomp filter: interpreted as by the kernel, for both machines, and in use."""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.domain.tools import ShellImplementation, ToolDefinition
from bot.testing.tools import ToolFolder, a_call, a_context, a_toolset
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.seccomp import (
    FAMILIES,
    MACHINES,
    TERMINAL_INPUT,
    Architecture,
    filter_of,
    steps_of,
)
from bot.tools.running.shell import ShellRoute
from bot.tools.settings import ShellSettings

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050026, 0x80000000
NAMES = [(machine, name) for machine, table in MACHINES.items() for name in table.denied]


def judged(machine: Architecture, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the kernel's interpreter makes of a call."""
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, machine.audit if audit is None else audit, 0, *given)
    held, at, program = 0, 0, steps_of(machine)
    while True:
        code, yes, no, operand = program[at]
        match code:
            case 0x20:
                held, at = struct.unpack_from("<I", data, operand)[0], at + 1
            case 0x06:
                return operand
            case _:
                holds = {0x15: held == operand, 0x45: bool(held & operand), 0x35: held >= operand}[
                    code
                ]
                at += 1 + (yes if holds else no)


@pytest.mark.parametrize(("machine", "name"), NAMES)
def test_each_call_of_the_table_is_refused(machine: str, name: str):
    assert judged(MACHINES[machine], MACHINES[machine].denied[name]) == REFUSE


@pytest.mark.parametrize("machine", MACHINES.values())
def test_everything_else_is_allowed_but_for_other_architectures(machine: Architecture):
    others = (
        set(range(600))
        - set(machine.denied.values())
        - {machine.clone, machine.ioctl, machine.socket}
    )
    assert {judged(machine, number) for number in others} == {ALLOW}
    assert judged(machine, 0, audit=0x40000003) == KILL
    assert judged(machine, 0x40000000) == REFUSE
    assert len(filter_of(machine)) == 8 * len(steps_of(machine))
    assert len(set(machine.denied.values())) == len(machine.denied)


@pytest.mark.parametrize("machine", MACHINES.values())
def test_some_calls_are_judged_by_an_argument(machine: Architecture):
    assert judged(machine, machine.clone, 0x10000000) == REFUSE
    assert judged(machine, machine.clone, 0x01200011) == ALLOW
    assert [judged(machine, machine.ioctl, 0, code) for code in TERMINAL_INPUT] == [REFUSE, REFUSE]
    assert judged(machine, machine.ioctl, 0, 0x5401) == ALLOW
    assert {judged(machine, machine.socket, family) for family in FAMILIES} == {ALLOW}
    assert {judged(machine, machine.socket, family) for family in (17, 38, 40)} == {REFUSE}


@dataclass(frozen=True)
class Tried:
    said: str
    on: bool


async def tried(tmp_path: Path, script: str) -> Tried:
    files = ToolFolder(tmp_path)
    path = files.put("shared/thing", root="home").with_suffix(".sh")
    path.write_text(script)
    sandbox = Sandbox(ShellSettings(), tmp_path / "elsewhere")
    await sandbox.probe()
    catalog = await files.loaded()
    definition = ToolDefinition(
        "thing", "x", {"type": "object"}, "shared", ShellImplementation(path)
    )
    route = ShellRoute(ShellSettings(), 10_000, SystemClock(), sandbox)
    on = sandbox.hindrance is None
    if not on:
        return Tried(str(sandbox.hindrance), on)
    result = await route(definition, a_context(a_toolset(catalog), a_call("thing")))
    return Tried(result.content, on)


async def test_a_script_that_tries_each_call_is_told_that_there_is_none(tmp_path: Path):
    machine = MACHINES[os.uname().machine]
    numbers = [*machine.denied.values()]
    calls = " ".join(str(number) for number in numbers)
    perl = (
        'for (@ARGV) { $! = 0; syscall($_ + 0, -1, -1, 0, 0, 0); print $_, $! == 38 ? "" : " got " '
        '. $!, "\\n" }'
    )
    outcome = await tried(tmp_path, f"#!/bin/sh\nperl -e '{perl}' {calls}\n")
    if outcome.on:
        assert outcome.said.split("\n") == [str(number) for number in numbers]
    else:
        assert "scripts are off" in outcome.said


async def test_ordinary_programs_run_under_the_filter(tmp_path: Path):
    outcome = await tried(
        tmp_path,
        (
            "#!/bin/sh\nls / | sort | head -1; (echo a; echo b) | tail -1; perl -e 'print fork ? 1 "
            ": 1'\n"
        ),
    )
    assert outcome.on is False or outcome.said.startswith("bin\nb\n1")
