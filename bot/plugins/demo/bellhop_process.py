"""The demo's Bellhop: a process of its own, which can be killed and asked what it does."""

import asyncio
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bot.plugin.models import JsonObject

KEPT_LINES = 200
STOP_S = 15.0
PATIENCE_S = 10.0
NEWEST = 6
_MOST_BYTES = 4 * 2**20
_ASKED = {"id": 1, "method": "cycles.newest", "params": {"limit": NEWEST}}
_OURS = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "PYTHONPATH", "VIRTUAL_ENV", "SSL_CERT_FILE")
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")


class BellhopProcess:
    """`bellhop run` on the demo's home."""

    def __init__(self, home: Path, *, with_keys: bool) -> None:
        self._home = home
        names = (*_OURS, *_KEYS) if with_keys else _OURS
        self._environment = {name: os.environ[name] for name in names if name in os.environ}
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        """The newest lines of its log."""
        self._told: Sequence[JsonObject] = ()

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start it, unless it runs."""
        if self.runs:
            return
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            "--home",
            str(self._home),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
        )
        self._reader = asyncio.create_task(self._read(self._process))

    async def kill(self) -> None:
        """End it at once, as `kill -9` does: nothing is written, nobody is told."""
        if self._process is not None and self.runs:
            self._process.kill()
            await self._process.wait()
            self.lines.append("demo: Bellhop was killed (SIGKILL)")

    async def stop(self) -> None:
        """End it as an operator would."""
        if self._process is None:
            return
        if self.runs:
            self._process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(STOP_S):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        if self._reader is not None:
            await self._reader

    async def newest_runs(self) -> Sequence[JsonObject]:
        """Its newest runs, newest first: who asked what, and the tree of `bellhop cycles show`.

        While it doesn't run, they are what it said last.
        """
        with suppress(OSError, ValueError):  # it starts, or was killed within its answer
            async with asyncio.timeout(PATIENCE_S):
                self._told = await self._ask_runs()
        return self._told

    async def _ask_runs(self) -> Sequence[JsonObject]:
        socket = self._home / "data" / "bellhop.sock"
        reader, writer = await asyncio.open_unix_connection(socket, limit=_MOST_BYTES)
        try:
            writer.write(f"{json.dumps(_ASKED)}\n".encode())
            return json.loads(await reader.readline()).get("result", self._told)
        finally:
            writer.close()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None  # noqa: S101 - a pipe was asked for
        async for line in process.stderr:
            self.lines.append(line.decode(errors="replace").rstrip())
