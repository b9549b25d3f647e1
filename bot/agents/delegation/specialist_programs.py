"""Agents that run as programs of their own, and how to start them."""

import asyncio
import logging
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bot.specialist
from bot.agents.delegation.specialist_process import ProgramStart
from bot.agents.settings import AgentOverride, AgentSettings
from bot.domain.agents import AgentDefinition, RunsIn
from bot.errors import ToolError
from bot.tools.running.sandbox import SCRIPT_PATH, Sandbox, workspace

log = logging.getLogger(__name__)

OWN = ("bellhop", "specialist")
"""The command of the program that Bellhop ships."""
_MEMORY = 'ulimit -d "$1" && shift && exec "$@"'
"""In kilobytes, for memory that a process writes to: a runtime may reserve far more."""


@dataclass(frozen=True)
class ProgramBounds:
    """What the program of an agent may take."""

    patience_s: float = 90.0
    """For a step of its own."""
    memory_mb: int = 1_024
    """For each of its processes."""


PROGRAM_BOUNDS = ProgramBounds()


@dataclass(frozen=True)
class SpecialistProgram:
    """The program that an agent runs as."""

    command: tuple[str, ...]
    reads: tuple[Path, ...] = ()


@dataclass(frozen=True)
class SpecialistPrograms:
    """Finds an agent's program in `agents.overrides` and puts it into the script sandbox."""

    settings: AgentSettings
    sandbox: Sandbox
    bounds: ProgramBounds = PROGRAM_BOUNDS

    async def of(self, agent: AgentDefinition) -> SpecialistProgram | None:
        """The program that runs this agent; None if it runs in this process.

        Looked for each time.
        """
        given = self.settings.overrides.get(agent.name)
        if given is None or not given.command or agent.runs_in is RunsIn.PROCESS:
            return None
        found = await asyncio.to_thread(self._found, given)
        if found is None:
            command = given.command
            log.warning(
                "agent=<%s>, command=<%s> | not on PATH; the agent runs in this process",
                agent.name,
                command,
            )
        return found

    def _found(self, given: AgentOverride) -> SpecialistProgram | None:
        """Blocking."""
        reads = tuple(Path(path) for path in given.reads)
        words = tuple(shlex.split(given.command))
        if words == OWN:
            # Run as a file and without packages: it starts in a tenth of the time, and the sandbox
            # needs little of the disk.
            python, loop = (
                Path(sys.executable).resolve(),
                Path(bot.specialist.__file__).with_name("loop.py").resolve(),
            )
            reads = (*reads, Path(sys.base_prefix).resolve(), loop)
            return SpecialistProgram((str(python), "-I", "-S", str(loop)), reads)
        found = (
            shutil.which(words[0], path=f"{SCRIPT_PATH}:{os.environ.get('PATH', '')}")
            if words
            else None
        )
        if found is None:
            # A whole path means that very program; the start says that it is not there.
            named = bool(words) and Path(words[0]).is_absolute()
            return SpecialistProgram(words, reads) if named else None
        executable = Path(found).resolve()
        return SpecialistProgram((str(executable), *words[1:]), (*reads, executable))

    async def problems(self) -> list[str]:
        """Overrides without effect, one sentence each, with the remedy."""
        return await asyncio.to_thread(lambda: list(self._problems()))

    def _problems(self) -> Iterator[str]:
        """Blocking."""
        for name, given in self.settings.overrides.items():
            key = f"agents.overrides.{name}"
            for path in _missing(given):
                yield (
                    f"{key}.command: {path} does not exist, so {name} can't be run; correct the "
                    "path"
                )
            if given.command and self._found(given) is None:
                yield (
                    f"{key}.command: {shlex.split(given.command)[0]!r} is not on PATH, so {name} "
                    "runs in Bellhop's own process; install the program or correct its name"
                )
            for path in given.reads:
                if not Path(path).exists():
                    yield (
                        f"{key}.reads: {path} does not exist, so its program can't be started; "
                        "correct the path"
                    )

    async def start(self, program: SpecialistProgram, folder: Path) -> tuple[ProgramStart, str]:
        """The start of the program, and its folder from its own point of view.

        Raises ToolError if the sandbox doesn't work here, or if a path that it may read does not
        exist.
        """
        await self.sandbox.probe()
        if not await asyncio.to_thread(_runs, program.command[0]):
            raise ToolError(
                f"can't be started: {program.command[0]} is no program of this machine; its "
                "operator corrects agents.overrides"
            )
        try:
            command = await asyncio.to_thread(
                self.sandbox.program, program.command, folder, program.reads
            )
        except OSError as error:
            raise ToolError(
                f"can't be started: what it may read is not there ({error.filename})"
            ) from error
        command = ("/bin/sh", "-c", _MEMORY, "sh", str(self.bounds.memory_mb * 1024), *command)
        inside = workspace(program.reads) if self.sandbox.wanted else str(folder)
        environment = {"PATH": SCRIPT_PATH, "HOME": inside, "TMPDIR": inside, "LANG": "C.UTF-8"}
        return ProgramStart(command, folder, environment), inside


def _missing(given: AgentOverride) -> Iterator[str]:
    """Whole paths in a command that lead nowhere: its program, and files among its arguments."""
    for number, word in enumerate(shlex.split(given.command)):
        path = Path(word)
        if path.is_absolute() and (number == 0 or path.suffix) and not path.exists():
            yield word


def _runs(program: str) -> bool:
    """Whether there is such a program; names without a path were found before."""
    return not Path(program).is_absolute() or os.access(program, os.X_OK)
