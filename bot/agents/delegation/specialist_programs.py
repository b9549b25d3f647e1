"""Agents that run as programs of their own: how they are started, spoken with and ended.

See docs/running.md for the lines.
"""

import asyncio
import contextlib
import json
import logging
import os
import shlex
import shutil
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

import bot.specialist
from bot.agents.settings import AgentOverride, AgentSettings
from bot.clock import cut_off_by
from bot.domain.agents import AgentDefinition, RunsIn
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.errors import ToolError, raised_as
from bot.log import redact
from bot.tools.running.sandbox import SCRIPT_PATH, Sandbox, workspace

log = logging.getLogger(__name__)

_LINE_BYTES = 1024 * 1024
"""The longest line in either direction, its end included."""


class SpecialistFailed(Exception):
    """The program failed, not the agent: the reason follows `subprocess <name>: `.

    `own_words`: the program gave the reason, so it is text from outside.
    """

    def __init__(self, reason: str, *, own_words: bool = False) -> None:
        super().__init__(reason)
        self.own_words = own_words


class _Line(BaseModel):
    """Ignores unknown fields: Bellhop measures telemetry itself and needs no timestamps."""

    model_config = ConfigDict(frozen=True, strict=True)

    id: str


class ProgressLine(_Line):
    status: Literal["progress"]
    turn: int = 0
    max_turns: int = 0


class ModelCallLine(_Line):
    status: Literal["model_call"]


class ToolCallLine(_Line):
    status: Literal["tool_call"]
    call: str
    tool_name: str
    tool_input: Any


class CompleteLine(_Line):
    status: Literal["complete"]
    success: bool
    result: str
    artefact_paths: tuple[str, ...] = Field(default=(), strict=False)
    """Files that it made in its `artefact_dir`, for its caller."""


class ErrorLine(_Line):
    status: Literal["error"]
    error: str = Field(min_length=1)


Terminal: TypeAlias = CompleteLine | ErrorLine
_SpecialistLine: TypeAlias = ProgressLine | ModelCallLine | ToolCallLine | Terminal
_LINES: TypeAdapter[_SpecialistLine] = TypeAdapter(
    Annotated[_SpecialistLine, Field(discriminator="status")]
)


def _read_line(line: bytes, request: str) -> _SpecialistLine:
    """One line of the program that serves `request`.

    Raises SpecialistFailed, without a word of the line.
    """
    try:
        found = _LINES.validate_json(line)
    except ValidationError as error:
        where = error.errors(include_url=False, include_input=False)[0]
        what = where["type"].replace("_", " ")
        place = (
            ".".join(str(part) for part in where["loc"])[:80] if where["type"] == "missing" else ""
        )
        raise SpecialistFailed(
            f"sent a line that can't be read ({f'{place} ' if place else ''}{what})"
        ) from None
    if found.id != request:
        raise SpecialistFailed("sent a line with the id of another request")
    return found


def write_line(request: str, kind: str, **fields: Any) -> bytes:
    """A line for the program. Raises SpecialistFailed when it is too long."""
    value: JsonObject = {"id": request, "type": kind, **fields}
    line = json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n"
    if len(line) > _LINE_BYTES:
        raise SpecialistFailed(f"can't be sent its {kind}: the line is longer than 1 MiB")
    return line


MOST_PROGRESS = 200
"""Lines of progress between two answers; more would only keep this process busy."""
_LOGGED_LINES = 200
_LOGGED_CHARS = 500
_END_S = 2.0
"""After its last line: how long a program may take to end before it is killed."""
_CHUNK = 65_536


_T = TypeVar("_T")


@dataclass(frozen=True)
class ProgramStart:
    """The way to start a program."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]


@dataclass(eq=False)
class SpecialistProcess:
    """A running program. Each wait for it ends after `patience_s` seconds, progress or not."""

    transport: asyncio.SubprocessTransport
    process: asyncio.subprocess.Process
    request: str
    agent: str
    clock: Clock
    patience_s: float

    def __post_init__(self) -> None:
        if self.process.stdin is None or self.process.stdout is None or self.process.stderr is None:
            raise RuntimeError("a specialist is started with pipes")
        self._in, self._out = self.process.stdin, self.process.stdout
        self._stderr = asyncio.create_task(
            self._log_stderr(self.process.stderr), name=f"log of {self.agent}"
        )
        self.on_progress: Callable[[ProgressLine], None] = lambda _line: None
        self.watchdog_fired = False

    @property
    def group(self) -> int:
        """Its process group, which it leads."""
        return self.process.pid

    async def send(self, line: bytes) -> None:
        """Send a line. If the program has ended, the next read reports it."""
        self._in.write(line)
        with contextlib.suppress(ConnectionError):
            await self._waiting(self._in.drain())

    async def receive(self) -> _SpecialistLine:
        """The next line that isn't progress. Raises SpecialistFailed."""
        return await self._waiting(self._next())

    async def last(self) -> None:
        """Wait for the end after a terminal line.

        Raises SpecialistFailed on any further line.
        """
        self._in.close()
        with contextlib.suppress(TimeoutError):
            async with cut_off_by(partial(self.clock.after, _END_S)):
                if await self._out.read(1):
                    raise SpecialistFailed("went on after its terminal response")
                await self.process.wait()

    async def kill(self) -> None:
        """End the program and everything in its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.group, signal.SIGKILL)
        await asyncio.shield(self.process.wait())
        self._stderr.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._stderr
        # A process that left the group can hold the pipes open; this end lets go of them.
        self.transport.close()

    async def _next(self) -> _SpecialistLine:
        for _ in range(MOST_PROGRESS):
            line = await self._line()
            if not isinstance(line, ProgressLine):
                return line
            self.on_progress(line)
        raise SpecialistFailed(f"sent {MOST_PROGRESS} lines of progress and did nothing else")

    async def _line(self) -> _SpecialistLine:
        try:
            line = await self._out.readline()
        except ValueError:
            raise SpecialistFailed("sent a line of more than 1 MiB") from None
        if not line.endswith(b"\n"):
            raise SpecialistFailed(f"{await self._how_it_ended()} before a terminal response")
        return _read_line(line, self.request)

    async def _how_it_ended(self) -> str:
        status = await self.process.wait()
        return (
            f"ended with exit status {status}" if status >= 0 else f"was ended by signal {-status}"
        )

    async def _waiting(self, work: Awaitable[_T]) -> _T:
        try:
            async with cut_off_by(partial(self.clock.after, self.patience_s)):
                return await work
        except TimeoutError:
            self.watchdog_fired = True
            raise SpecialistFailed(
                f"did nothing for {self.patience_s:g} seconds and was ended"
            ) from None

    async def _log_stderr(self, stream: asyncio.StreamReader) -> None:
        """Its log; lines after the first ones are read and dropped, so that it never blocks."""
        logged = 0
        while chunk := await stream.read(_CHUNK):
            for line in chunk.decode("utf-8", "replace").splitlines():
                if line.strip() and logged < _LOGGED_LINES:
                    log.info(
                        "agent=<%s>, said=<%s> | a specialist's log",
                        self.agent,
                        redact(line)[:_LOGGED_CHARS],
                    )
                    logged += 1


@asynccontextmanager
async def running(
    start: ProgramStart, request: str, agent: str, clock: Clock, patience_s: float
) -> AsyncGenerator[SpecialistProcess]:
    """Start a program, and end it with all of its children when the block ends.

    Raises SpecialistFailed.
    """
    loop = asyncio.get_running_loop()
    with raised_as(SpecialistFailed, OSError, about="can't be started"):
        transport, protocol = await loop.subprocess_exec(
            lambda: asyncio.subprocess.SubprocessStreamProtocol(limit=_LINE_BYTES, loop=loop),
            *start.command, cwd=start.folder, env=dict(start.environment), start_new_session=True,
        )  # fmt: skip
    process = asyncio.subprocess.Process(transport, protocol, loop)
    program = SpecialistProcess(transport, process, request, agent, clock, patience_s)
    try:
        yield program
    finally:
        await program.kill()


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
