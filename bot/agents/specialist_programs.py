"""Which agents run as programs of their own, and how those are started."""

import asyncio
import logging
import os
import shlex
import shutil
import sys
from pathlib import Path

import bot.specialist
from bot.agents.settings import AgentOverride, AgentSettings
from bot.agents.specialist_process import Start
from bot.agents.subprocess_runner import Program
from bot.domain.agents import AgentDefinition, RunsIn
from bot.tools.sandbox import WORKSPACE, Sandbox

log = logging.getLogger(__name__)

OWN = ("bellhop", "specialist")
"""The command of the program that Bellhop ships."""


class SpecialistPrograms:
    """Finds the program of an agent in `agents.overrides`, and puts it into the sandbox of scripts."""

    def __init__(self, settings: AgentSettings, sandbox: Sandbox, path: str) -> None:
        self._settings = settings
        self._sandbox = sandbox
        self._path = path
        """PATH of the programs, and where their commands are looked for."""

    async def of(self, agent: AgentDefinition) -> Program | None:
        """The program that runs this agent; None when it runs in this process. Looked for each time."""
        given = self._settings.overrides.get(agent.name)
        if given is None or not given.command or agent.runs_in is RunsIn.PROCESS:
            return None
        found = await asyncio.to_thread(self._found, given)
        if found is None:
            command = given.command
            log.warning("agent=<%s>, command=<%s> | not on PATH; the agent runs in this process", agent.name, command)
        return found

    def _found(self, given: AgentOverride) -> Program | None:
        """Blocking."""
        reads = tuple(Path(path) for path in given.reads)
        words = tuple(shlex.split(given.command))
        if words == OWN:
            # As a file and without packages it starts in a tenth of the time, and the sandbox needs little of the disk.
            python, loop = Path(sys.executable).resolve(), Path(bot.specialist.__file__).with_name("loop.py").resolve()
            reads = (*reads, Path(sys.base_prefix).resolve(), loop)
            return Program((str(python), "-I", "-S", str(loop)), given.timeout_s, reads)
        found = shutil.which(words[0], path=f"{self._path}:{os.environ.get('PATH', '')}") if words else None
        if found is None:
            return None
        executable = Path(found).resolve()
        return Program((str(executable), *words[1:]), given.timeout_s, (*reads, executable))

    async def start(self, program: Program, folder: Path) -> tuple[Start, str]:
        """How it is started, and its folder as it sees it. Raises ToolError when the sandbox doesn't work here."""
        await self._sandbox.probe()
        command = await asyncio.to_thread(self._sandbox.program, program.command, folder, program.reads)
        inside = WORKSPACE if self._sandbox.wanted else str(folder)
        environment = {"PATH": self._path, "HOME": inside, "TMPDIR": inside, "LANG": "C.UTF-8"}
        return Start(command, folder, environment), inside
