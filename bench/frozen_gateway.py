"""Two gateways and a process that runs turns, while the gateway with the line stands still.

    python bench/frozen_gateway.py

The gateway gets SIGSTOP just after a question, so its answer may be under way. The other gateway
answers the next question. Then the first goes on, and later the second one is killed, so the first
has to serve again. At the end: seconds until each answer, and answers that came twice.
"""

import asyncio
import os
import signal
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from figures import Figures

from bot.loopback.discord import DiscordPlatform, Person
from bot.testing.postgres_server import PostgresServer, postgres_server

MOST_FROZEN_S = 20.0
MOST_DEAD_S = 10.0
PATIENCE_S = 90.0
WATCHED_S = 5.0
"""So long the first gateway may do harm after it goes on."""


@asynccontextmanager
async def bellhop(home: Path, part: str) -> AsyncGenerator[Process]:
    """A process of Bellhop, from the moment at which it is ready."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", "--home", str(home), "--only", part,
        stdout=DEVNULL, stderr=PIPE, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert process.stderr is not None
    try:
        while b"| ready" not in (line := await process.stderr.readline()):
            assert line, f"the {part} process ended before it was ready"
        reading = asyncio.create_task(process.stderr.read())
        yield process
        if process.returncode is None:
            process.terminate()
        await process.wait()
        await reading
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def answered(platform: DiscordPlatform, ann: Person, answer: str) -> float:
    """Seconds until the answer is there."""
    began = time.monotonic()
    await platform.until(lambda: any(answer in one.content for one in ann.sees(ann.dm)), PATIENCE_S)
    return time.monotonic() - began


async def freeze(platform: DiscordPlatform, home: Path, figures: Figures) -> None:
    ann = platform.person("Ann")
    async with (
        bellhop(home, "gateway") as first,
        bellhop(home, "gateway") as second,
        bellhop(home, "turns"),
    ):
        await platform.ready()
        ann.say(ann.dm, "what is 17 % of 300?")
        await answered(platform, ann, "51")
        ann.say(ann.dm, "what is 50 % of 246?")
        await asyncio.sleep(0.1)
        first.send_signal(signal.SIGSTOP)
        ann.say(ann.dm, "what is 10 % of 770?")
        took = await answered(platform, ann, "77")
        figures.at_most("a frozen gateway: the next answer", took, MOST_FROZEN_S, "s")
        first.send_signal(signal.SIGCONT)
        ann.say(ann.dm, "what is 40 % of 400?")
        took = await answered(platform, ann, "160")
        figures.told("it goes on: the next answer", f"{took:.1f} s")
        await asyncio.sleep(WATCHED_S)
        second.kill()
        await second.wait()
        ann.say(ann.dm, "what is 50 % of 888?")
        took = await answered(platform, ann, "444")
        figures.at_most("the other one is killed: the next answer", took, MOST_DEAD_S, "s")
    said = "\n".join(one.content for one in ann.sees(ann.dm))
    # Each answer of the offline model names its result once, in bold.
    counts = {result: said.count(f"**{result}**") for result in ("51", "123", "77", "160", "444")}
    figures.at_most("answers lost", sum(n == 0 for n in counts.values()), 0)
    figures.at_most("answers doubled", sum(n > 1 for n in counts.values()), 0)


async def measure(server: PostgresServer, home: Path, figures: Figures) -> None:
    async with DiscordPlatform() as platform:
        platform.channel(platform.guild())
        (home / ".env").write_text(f"DISCORD_TOKEN={platform.options.token}\n")
        (home / "bellhop.yaml").write_text(
            f"database: {{url: '{server.url(server.database())}'}}\n"
            "model: {provider: offline}\n"
            f"discord: {{enabled: true, api_base: '{platform.api_base}'}}\n"
        )
        await freeze(platform, home, figures)


def main() -> int:
    figures = Figures()
    with postgres_server() as server, tempfile.TemporaryDirectory() as home:
        assert server is not None, "PostgreSQL is not installed"
        asyncio.run(measure(server, Path(home), figures))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
