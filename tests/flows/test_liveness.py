"""A running Bellhop says how it is: over HTTP, in /status, and deaf as deaf."""

import asyncio
import socket
from pathlib import Path

import aiohttp

from bot.domain.health import HealthStatus
from bot.sessions.inbox.platforms import DEAF_AFTER_S, RESTART_S
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say


async def test_health_tells_what_runs_and_a_deaf_platform_makes_it_503(home: Path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (home / "bellhop.yaml").write_text(f"console: {{port: {port}}}\n")
    clock, chat = FakeClock(), FakeChat()
    url = f"http://127.0.0.1:{port}/health"
    async with (
        running_app(home, ScriptedModel([say("Hi.")]), chat, clock=clock) as house,
        aiohttp.ClientSession() as client,
    ):
        await house.ask("ann", "hello")
        await house.until_idle()
        async with asyncio.timeout(60):
            while True:
                try:
                    good = await client.get(url)
                except aiohttp.ClientConnectorError:
                    await asyncio.sleep(0)
                    continue
                break
        body = await good.json()
        assert (good.status, body["status"], body["database"]) == (200, "ok", "ok")
        assert body["turns"] == {"running": 0, "waiting": 0}
        assert body["platforms"]["discord"]["state"] == "serving"
        assert "hello" not in str(body)
        chat.frame_age = DEAF_AFTER_S + 10
        bad = await client.get(url)
        body = await bad.json()
        assert (bad.status, body["status"]) == (503, "deaf")
        assert body["platforms"]["discord"]["last_frame_age_s"] == DEAF_AFTER_S + 10


async def test_status_tells_of_deafness_and_a_restart_ends_it(home: Path):
    clock, chat = FakeClock(), FakeChat()
    async with running_app(home, ScriptedModel([]), chat, clock=clock) as house:
        assert "discord: serving, last heard 0 s ago" in await house.command("owner", "status")
        chat.unreadable = 3
        told = (
            "discord: serving, last heard 0 s ago, could not read 3 of its objects (the log says "
            "which)"
        )
        assert told in await house.command("owner", "status")
        assert "discord:" not in await house.command("ann", "status")
        chat.frame_age = DEAF_AFTER_S
        assert (await house.command("ann", "status")).endswith(
            "discord: deaf, last heard 120 s ago"
        )
        await clock.advance(DEAF_AFTER_S + RESTART_S[0])
        assert chat.runs == 2
        await clock.advance(2)  # what is heard now came after the restart
        assert "discord: serving, last heard 0 s ago, restarted once" in await house.command(
            "owner", "status"
        )


async def test_waiting_messages_are_counted(home: Path):
    scripted = ScriptedModel([say("One."), say("Two.")])
    hold = scripted.hold(1)
    async with running_app(home, scripted, clock=FakeClock()) as house:
        await house.chat.say("ann", "first")
        await scripted.asked(1)
        await house.chat.say("ann", "second")
        health = await house.app.house.chats.checkup.look(probe=True)
        assert (health.running, health.waiting, health.outbox_pending) == (1, 1, 0)
        assert health.status is HealthStatus.OK
        assert health.platforms[0].last_probe_age_s == 0
        hold.set()
        await house.chat.until(1)
