"""The official "everything" MCP server with Bellhop's client, by stdio and HTTP, killed.

    npm install --prefix /tmp/everything @modelcontextprotocol/server-everything
    python bench/foreign/mcp_everything.py /tmp/everything

Prints each call's result and time; ends with 1 if something required fails.
"""

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.domain.access import Role
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.tools import McpImplementation
from bot.plugins.mcp.fleet import McpServers
from bot.testing.contexts import NoTools
from bot.testing.free_port import free_port
from bot.testing.mcp_house import running_servers
from bot.testing.tools import a_call, a_context, a_scope
from bot.tools.native.registry import NativeTools
from bot.tools.running.executor import ToolExecutor

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
PROMISED = 13
"""Tools that a client without special abilities is offered."""


@dataclass
class Person:
    """Somebody who answers every question of a server with its first choice."""

    asked: list[str] = field(default_factory=list[str])
    waited_s = 0.0

    async def __call__(self, text: str, *, seconds: float) -> str | None:
        self.asked.append(text)
        line = text.splitlines()[-1]
        if choices := re.search(r"one of ([^,]+?)(?:,| —|$)", line):
            return choices[1]
        known = {"whole number": "3", "number": "2.5", "yes or no": "yes"}
        plain = next(
            (answer for kind, answer in known.items() if f"a {kind}" in line), "Ann Example"
        )
        if "mail" in line:
            return "ann@example.org"
        return "2026-11-21" if "date" in line.casefold() else plain


def unseen(line: str) -> None:
    """Nobody watches the progress of this call."""


@dataclass
class Tour:
    """Calls of one server, with a line for each."""

    fleet: McpServers
    failed: int = 0
    person: Person = field(default_factory=Person)

    def names(self) -> list[str]:
        return sorted(tool.name for tool in self.fleet.definitions(a_scope(Role.PARTNER)))

    async def call(
        self,
        name: str,
        timeout_s: float = 20.0,
        progress: Callable[[str], None] = unseen,
        **given: Any,
    ) -> ToolOutcome:
        found = self.fleet.definitions(a_scope(Role.PARTNER, since=LONG_AGO))
        definition = next(
            tool for tool in found if tool.implementation == McpImplementation("every", name)
        )
        executor = ToolExecutor(
            NativeTools(routes={McpImplementation: self.fleet.call}), SystemClock()
        )
        context = replace(
            a_context(NoTools(), a_call(definition.name, **given)),
            progress=progress,
            ask_now=self.person,
        )
        return await executor.execute(replace(definition, timeout_s=timeout_s), context)

    async def expect(
        self, name: str, wanted: str, *, error: bool = False, timeout_s: float = 20.0, **given: Any
    ) -> None:
        started = time.monotonic()
        outcome = await self.call(name, timeout_s, **given)
        assert isinstance(outcome, ToolResult)
        told = outcome.content + " ".join(str(block.get("type")) for block in outcome.blocks)
        good = outcome.is_error is error and re.search(wanted, told) is not None
        self.failed += not good
        mark = "ok  " if good else "FAIL"
        print(
            f"  {mark} {name:<32} {time.monotonic() - started:6.3f} s  "
            f"{' '.join(outcome.content.split())[:90]}"
        )

    def say(self, what: str, *, good: bool) -> None:
        self.failed += not good
        print(f"  {'ok  ' if good else 'FAIL'} {what}")


async def usual(tour: Tour) -> None:
    """Everything that a well server does."""
    tour.say(f"{len(tour.names())} tools listed", good=len(tour.names()) >= PROMISED)
    await tour.expect("echo", "Echo: hi", message="hi")
    await tour.expect("get-sum", "3", a=1, b=2)
    await tour.expect("get-sum", "", error=True, a="x", b=2)
    await tour.expect("get-tiny-image", "image")
    await tour.expect("get-structured-content", "temperature", location="New York")
    await tour.expect("get-annotated-message", "", messageType="error", includeImage=True)
    await tour.expect("get-resource-links", "", count=3)
    await tour.expect("get-resource-reference", "", resourceType="Text", resourceId=1)
    lines: list[str] = []
    await tour.call("trigger-long-running-operation", progress=lines.append, duration=1, steps=4)
    tour.say(f"progress: {len(lines)} lines, the last {lines[-1:]}", good=len(lines) >= 4)
    await tour.expect(
        "trigger-long-running-operation",
        "did not finish within 1",
        error=True,
        timeout_s=1,
        duration=10,
        steps=4,
    )
    await tour.expect("echo", "still here", message="still here")
    started = time.monotonic()
    await asyncio.gather(
        *(tour.call("trigger-long-running-operation", duration=1, steps=2) for _ in range(5))
    )
    took = time.monotonic() - started
    tour.say(f"five calls of 1 s side by side took {took:.2f} s", good=took < 3)
    await asks(tour)


async def asks(tour: Tour) -> None:
    """Its questions during a call reach the person and back; a stopped call leaves it usable."""
    await tour.expect("trigger-elicitation-request", "accept|provided|User inputs", timeout_s=5)
    tour.say(
        f"the person was asked {len(tour.person.asked)} questions", good=len(tour.person.asked) > 0
    )
    task = asyncio.create_task(tour.call("trigger-long-running-operation", duration=30, steps=60))
    await asyncio.sleep(0.5)
    task.cancel()
    await asyncio.wait({task})
    await tour.expect("echo", "after a stop", message="after a stop")


async def killed(
    tour: Tour, kill: Callable[[], Awaitable[None]], start: Callable[[], Awaitable[None]]
) -> None:
    """The server dies during a call: the call reports it, is not repeated, and the next works."""
    begun = asyncio.Event()

    def on_progress(_line: str) -> None:
        begun.set()

    call = tour.call("trigger-long-running-operation", progress=on_progress, duration=20, steps=40)
    task = asyncio.create_task(call)
    async with asyncio.timeout(15):
        await begun.wait()
    await kill()
    started = time.monotonic()
    outcome = await task
    took = time.monotonic() - started
    good = isinstance(outcome, ToolResult) and "unknown" in outcome.content
    tour.say(f"killed in mid-call: told so after {took:.2f} s", good=good)
    await start()
    await tour.expect("echo", "after the kill", message="after the kill", timeout_s=30)


def children() -> list[int]:
    """Processes of the server that this one started."""
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            command = (status.parent / "cmdline").read_text()
        except (OSError, ValueError):
            continue
        if parent == os.getpid() and "everything" in command:
            found.append(int(status.parent.name))
    return found


async def as_program(binary: Path) -> int:
    print("as a program (stdio)")
    async with running_servers({"every": {"command": str(binary), "args": ["stdio"]}}) as fleet:
        tour = Tour(fleet)
        await usual(tour)

        async def kill() -> None:
            for child in children():
                os.kill(child, signal.SIGKILL)

        async def nothing() -> None:
            return

        await killed(tour, kill, nothing)
    return tour.failed


@asynccontextmanager
async def at_address(binary: Path, port: int) -> AsyncGenerator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        str(binary), "streamableHttp", env={**os.environ, "PORT": str(port)},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def as_address(binary: Path) -> int:
    print("on an address (streamable HTTP)")
    port = free_port()
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(at_address(binary, port))
        await reachable(port)
        fleet = await stack.enter_async_context(
            running_servers({"every": {"url": f"http://127.0.0.1:{port}/mcp"}})
        )
        tour = Tour(fleet)
        await usual(tour)

        async def kill() -> None:
            first.kill()
            await first.wait()

        async def start() -> None:
            await stack.enter_async_context(at_address(binary, port))
            await reachable(port)

        await killed(tour, kill, start)
    return tour.failed


async def reachable(port: int) -> None:
    """Wait until somebody listens there."""
    async with asyncio.timeout(30):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
                continue
            writer.close()
            return


async def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    binary = Path(sys.argv[1]) / "node_modules" / ".bin" / "mcp-server-everything"
    failed = await as_program(binary) + await as_address(binary)
    print("all as expected" if not failed else f"{failed} NOT as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
