"""Runs a tool file's script: arguments as JSON, not on the command line; sandboxed."""

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bot.domain.clock import Clock
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ShellImplementation, ToolDefinition
from bot.errors import ToolError
from bot.tools.definitions.read_paths import SCRATCH
from bot.tools.running.output import ERROR
from bot.tools.running.sandbox import SCRIPT_PATH, Sandbox
from bot.tools.settings import ShellSettings

log = logging.getLogger(__name__)

_ERROR_CHARS = 2_000
_MOST_IN_ENVIRONMENT = 100_000
"""Longer arguments are only on standard input, because of the system's limit per variable."""
_KILL_GRACE_S = 2.0
"""Between asking a script to stop and killing its process group."""
_LATE_OUTPUT_S = 1.0
"""How long to wait for output after the end, if a child process keeps it open."""


@dataclass
class _Kept:
    """The beginning and the end of a stream, whatever its length."""

    head_limit: int
    tail_limit: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def add(self, chunk: bytes) -> None:
        room = self.head_limit - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        if (surplus := len(self.tail) - self.tail_limit) > 0:
            del self.tail[:surplus]
            self.dropped += surplus

    def text(self) -> str:
        head, tail = (bytes(part).decode("utf-8", "replace") for part in (self.head, self.tail))
        return f"{head}\n[… {self.dropped:,} bytes cut …]\n{tail}" if self.dropped else head + tail


class ShellRoute:
    """A `Route` for scripts.

    The script gets a private folder, a bare environment and its own process group.
    """

    def __init__(
        self,
        settings: ShellSettings,
        output_chars: int,
        clock: Clock,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._settings = settings
        self._output_chars = output_chars
        self._clock = clock
        self._sandbox = sandbox or Sandbox(settings)

    async def __call__(self, definition: ToolDefinition, context: ToolContext) -> ToolResult:
        """Run it. Cancellation (a time-out or a stop) ends its whole process group."""
        if not isinstance(definition.implementation, ShellImplementation):
            raise TypeError(f"{definition.name} is no script")
        await self._sandbox.probe()
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="bellhop-tool-"))
        try:
            return await self._run(definition, definition.implementation, context, folder)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _run(
        self,
        definition: ToolDefinition,
        script: ShellImplementation,
        context: ToolContext,
        folder: Path,
    ) -> ToolResult:
        path, command = await asyncio.to_thread(self._command, script)
        arguments = json.dumps(context.call.arguments)
        environment = self._environment(definition, context, arguments, folder)
        programs = ProgramRunner(self._settings, self._output_chars, self._clock)
        try:
            ended = await programs.run(command, folder, environment, arguments.encode())
        except OSError as error:
            log.warning(
                "tool=<%s>, script=<%s>, error=<%s> | a script can't be started",
                definition.name,
                path,
                error,
            )
            raise ToolError(
                f"the script of {definition.name} can't be started: {error.strerror}"
            ) from error
        return _result(definition.name, ended)

    def _command(self, script: ShellImplementation) -> tuple[Path, tuple[str, ...]]:
        """The resolved script, and the command line that runs it.

        Blocking; raises ToolError.
        """
        path = script.script.resolve()
        if self._sandbox.wanted:
            return path, self._sandbox.command(path, script)
        return path, (str(path),) if os.access(path, os.X_OK) else ("/bin/sh", str(path))

    def _environment(
        self, definition: ToolDefinition, context: ToolContext, arguments: str, folder: Path
    ) -> dict[str, str]:
        private = SCRATCH if self._sandbox.wanted else str(folder)
        given = {"BELLHOP_ARGUMENTS": arguments} if len(arguments) <= _MOST_IN_ENVIRONMENT else {}
        return {
            **given,
            "PATH": SCRIPT_PATH,
            "HOME": private,
            "TMPDIR": private,
            "LANG": "C.UTF-8",
            "BELLHOP_TOOL": definition.name,
            "BELLHOP_PERSON": context.person.id,
            "BELLHOP_ROLE": context.person.role.value,
        }


@dataclass(frozen=True)
class Ended:
    """A program's end (a negative status is a signal) and output, cut in the middle."""

    status: int
    out: str
    err: str


class _Process(asyncio.SubprocessProtocol):
    """Collects the output of a script.

    The process may end before its output does, because others may hold that open.
    """

    def __init__(self, out: _Kept, err: _Kept) -> None:
        self.out = out
        self.err = err
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()
        self._open = {1: out, 2: err}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd in self._open:
            self._open[fd].add(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._open.pop(fd, None)
        if not self._open:
            self.closed.set()

    def process_exited(self) -> None:
        self.exited.set()


@dataclass(frozen=True)
class ProgramRunner:
    """Runs single programs, each in a process group that ends with it."""

    settings: ShellSettings
    output_chars: int
    clock: Clock

    async def run(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        data: bytes = b"",
    ) -> Ended:
        """Run it with `data` on its standard input; cancellation ends its whole group.

        Raises OSError.
        """
        process = _Process(
            out=_Kept(self.output_chars * 3, self.output_chars), err=_Kept(0, _ERROR_CHARS)
        )
        transport = await self._start(process, command, folder, environment)
        _feed(transport, data)
        try:
            await process.exited.wait()
            await _first(process.closed.wait(), self.clock.sleep(_LATE_OUTPUT_S))
        except asyncio.CancelledError:
            _signal_group(transport, signal.SIGTERM)
            await _first(process.exited.wait(), self.clock.sleep(_KILL_GRACE_S))
            raise
        finally:
            await self._end(process, transport)
        return Ended(transport.get_returncode() or 0, process.out.text(), process.err.text())

    async def _start(
        self,
        process: _Process,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
    ) -> asyncio.SubprocessTransport:
        starting = asyncio.ensure_future(
            asyncio.get_running_loop().subprocess_exec(
                lambda: process, *command, cwd=folder, env=dict(environment), start_new_session=True
            )
        )
        try:
            transport, _ = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # asyncio leaves the pipes open of a start that is cancelled midway.
            with contextlib.suppress(OSError):
                transport, _ = await starting
                await self._end(process, transport)
            raise
        return transport

    async def _end(self, process: _Process, transport: asyncio.SubprocessTransport) -> None:
        """End it with all that it left in its group."""
        _signal_group(transport, signal.SIGKILL)
        if not process.exited.is_set():
            # A loop that closed before it saw the end would leave a zombie.
            await _first(process.exited.wait(), self.clock.sleep(_KILL_GRACE_S))
        transport.close()


def _feed(transport: asyncio.SubprocessTransport, data: bytes) -> None:
    """Write the arguments to standard input; a script may ignore them."""
    # With uvloop, this is no class of asyncio.
    pipe = cast("asyncio.WriteTransport | None", transport.get_pipe_transport(0))
    if pipe is not None and not pipe.is_closing():
        pipe.write(data)
        pipe.write_eof()


async def _first(*work: Coroutine[Any, Any, Any]) -> None:
    """Wait until one of them is done; the others are cancelled."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _signal_group(transport: asyncio.SubprocessTransport, number: signal.Signals) -> None:
    # The script leads its own session, so its process id is the group's.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(transport.get_pid(), number)


def _result(name: str, ended: Ended) -> ToolResult:
    origin = Origin(Trust.EXTERNAL, f"tool:{name}")
    status, out, err = ended.status, ended.out, ended.err
    if status == 0:
        noted = f"{out}\n[stderr]\n{err}" if err.strip() else out
        return ToolResult(noted.strip("\n"), origin=origin)
    how = f"exit status {status}" if status > 0 else f"signal {-status}"
    parts = [f"{ERROR}the script ended with {how}", err.strip(), out.strip()]
    return ToolResult("\n".join(part for part in parts if part), is_error=True, origin=origin)
