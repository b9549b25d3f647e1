"""A gateway and a process that runs turns, as an operator starts them."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.loopback.discord import DiscordPlatform, Message, Person
from bot.testing.postgres_server import PostgresServer

pytestmark = pytest.mark.slow


@asynccontextmanager
async def bellhop(
    home: Path, part: str, environment: dict[str, str]
) -> AsyncGenerator[tuple[Process, list[str]]]:
    """From the moment at which it is ready; with what it says from then on."""
    line = [sys.executable, "-m", "bot", "run", "--home", str(home), "--only", part]
    process = await asyncio.create_subprocess_exec(*line, stderr=PIPE, env=environment)
    assert process.stderr is not None
    said: list[str] = []

    async def read(stream: asyncio.StreamReader) -> None:
        said.extend([text.decode() async for text in stream])

    try:
        while b"| ready" not in (text := await process.stderr.readline()):
            assert text, "it ended before it was ready"
        reading = asyncio.create_task(read(process.stderr))
        yield process, said
        if process.returncode is None:
            process.terminate()
            assert await process.wait() == 0
        await reading
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_gateway_that_is_killed_is_followed_by_another(
    tmp_path: Path, postgres: PostgresServer, environment: dict[str, str]
):
    async with DiscordPlatform() as platform:
        platform.channel(platform.guild())
        ann = platform.person("Ann")
        (tmp_path / ".env").write_text(f"DISCORD_TOKEN={platform.options.token}\n")
        (tmp_path / "bellhop.yaml").write_text(
            f"database: {{url: '{postgres.url(postgres.database())}'}}\n"
            "model: {provider: offline}\n"
            f"discord: {{enabled: true, api_base: '{platform.api_base}'}}\n"
        )

        def answer(text: str) -> Message | None:
            return next((one for one in ann.sees(ann.dm) if text in one.content), None)

        async def asks(person: Person, question: str, answered: str) -> None:
            person.say(person.dm, question)
            await platform.until(lambda: answer(answered))

        async with (
            bellhop(tmp_path, "gateway", environment) as (first, _),
            bellhop(tmp_path, "gateway", environment) as (_, second),
            bellhop(tmp_path, "turns", environment),
        ):
            await platform.ready()
            await asks(ann, "what is 17 % of 249?", "42.33")
            first.kill()
            await first.wait()
            await asks(ann, "what is 18 % of 200?", "36")
        assert len(ann.sees(ann.dm)) == 2
    waits = [line for line in second if "line=<discord> | another gateway serves it" in line]
    assert len(waits) == 1
