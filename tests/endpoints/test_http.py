"""The HTTP server on loopback: health, carried routes, a taken port."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.domain.health import Health, Liveness, PlatformState
from bot.domain.json_types import JsonObject
from bot.endpoints.health import health_to_json
from bot.endpoints.http import AGAIN_S, Answer, HttpServer
from bot.testing.fake_clock import FakeClock
from bot.testing.listening import listening
from bot.testing.waiting import until

HOST = "127.0.0.1"
HEALTHY = Health("1.0", 12.34, database_ok=True, running=1, waiting=2, outbox_pending=3)


def platform(state: PlatformState, **options: Any) -> Liveness:
    return Liveness("slack", state, **options)


def with_platforms(*states: PlatformState) -> Health:
    return replace(HEALTHY, platforms=tuple(platform(state) for state in states))


async def fine() -> tuple[int, JsonObject]:
    return 200, {"status": "ok"}


@asynccontextmanager
async def serving(
    answers: Mapping[str, Answer], *routes: web.AbstractRouteDef
) -> AsyncGenerator[str]:
    server = HttpServer(HOST, 0, FakeClock(), answers, lambda: routes)
    async with listening(server) as url:
        yield url


async def test_an_answer_comes_as_json_with_its_status_and_is_not_kept():
    async def down() -> tuple[int, JsonObject]:
        return 503, {"status": "deaf"}

    async with (
        serving({"/health": fine, "/down": down}) as url,
        aiohttp.ClientSession() as client,
        client.get(f"{url}/health") as good,
        client.get(f"{url}/down") as bad,
    ):
        assert (good.status, await good.json()) == (200, {"status": "ok"})
        assert (bad.status, await bad.json()) == (503, {"status": "deaf"})
        assert good.headers["Cache-Control"] == "no-store"
        assert good.headers["Server"] == "bellhop"


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/", 404), ("POST", "/health", 405), ("GET", "/x", 404)]
)
async def test_nothing_else_is_served(method: str, path: str, status: int):
    async with (
        serving({"/health": fine}) as url,
        aiohttp.ClientSession() as client,
        client.request(method, url + path) as answer,
    ):
        assert answer.status == status
        assert "aiohttp" not in answer.headers["Server"]


async def test_internal_errors_are_not_told_outside():
    async def broken() -> tuple[int, JsonObject]:
        raise RuntimeError("password=hunter2")

    async with (
        serving({"/health": broken}) as url,
        aiohttp.ClientSession() as client,
        client.get(f"{url}/health") as answer,
    ):
        assert answer.status == 500
        assert "hunter2" not in await answer.text()


async def test_routes_of_other_rooms_are_carried():
    async def take(request: web.Request) -> web.Response:
        return web.Response(text=(await request.text()).upper())

    async with (
        serving({"/health": fine}, web.post("/slack/events", take)) as url,
        aiohttp.ClientSession() as client,
        client.post(f"{url}/slack/events", data="hello") as answer,
    ):
        assert await answer.text() == "HELLO"


async def test_a_taken_port_is_named_with_the_remedy_and_tried_again(
    caplog: pytest.LogCaptureFixture,
):
    clock = FakeClock()
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        server = HttpServer(HOST, other.getsockname()[1], clock, {"/health": fine})
        task = asyncio.create_task(server.run())
        await until(lambda: clock.sleepers)  # nobody tells of a failed try
    assert "console.port" in caplog.text
    assert not server.listening.is_set()
    await clock.advance(AGAIN_S)
    async with asyncio.timeout(60):
        await server.listening.wait()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


# --- what health is ---


@pytest.mark.parametrize(
    ("health", "status", "fit"),
    [
        (HEALTHY, "ok", True),
        (replace(HEALTHY, database_ok=False), "degraded", False),
        (with_platforms(PlatformState.SERVING), "ok", True),
        (with_platforms(PlatformState.RESTARTING), "degraded", True),
        (with_platforms(PlatformState.DEAF, PlatformState.SERVING), "deaf", False),
    ],
)
def test_one_deaf_platform_makes_the_whole_deaf(health: Health, status: str, fit: bool):
    assert health_to_json(health)["status"] == status
    assert health.fit is fit


def test_health_is_figures_only():
    told = platform(
        PlatformState.DEAF,
        last_frame_age_s=130.06,
        restarts=2,
        unreadable=4,
        trouble="token xoxb-1 was refused",
    )
    health = Health("1.0", 12.34, True, 1, 2, 3, (told,))
    assert health_to_json(health) == {
        "status": "deaf",
        "version": "1.0",
        "uptime_s": 12.3,
        "database": "ok",
        "turns": {"running": 1, "waiting": 2},
        "outbox_pending": 3,
        "platforms": {
            "slack": {
                "state": "deaf",
                "last_frame_age_s": 130.1,
                "last_probe_age_s": None,
                "restarts": 2,
                "unreadable": 4,
            }
        },
    }
