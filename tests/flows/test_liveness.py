"""Whether it works, told to monitors, admins and waiting people."""

import asyncio
import errno
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics import parser
from prometheus_client.samples import Sample

from bot.domain.health import HealthStatus
from bot.domain.models import ModelReply, ModelRequest
from bot.errors import ModelError, ModelTrouble, SettingsError
from bot.sessions.inbox.platforms import DEAF_AFTER_S, RESTART_S
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.free_port import free_port, until_listening
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


async def test_health_tells_what_runs_and_a_deaf_platform_makes_it_503(home: Path):
    port = free_port()
    (home / "bellhop.yaml").write_text(f"console: {{port: {port}}}\n")
    clock, chat = FakeClock(), FakeChat()
    url = f"http://127.0.0.1:{port}/health"
    async with (
        running_app(home, ScriptedModel([say("Hi.")]), chat, clock=clock) as house,
        aiohttp.ClientSession() as client,
    ):
        await house.ask("ann", "hello")
        await until_listening(port)
        good = await client.get(url)
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


KEY = "k" * 40
HAS_KEY = {"Authorization": f"Bearer {KEY}"}
DEPLOY = Path(__file__).parents[2] / "deploy"


def listening(home: Path, key: str = KEY) -> int:
    """The port where figures are, if there is a key."""
    (home / ".env").write_text(f"BELLHOP_METRICS_KEY={key}\n")
    port = free_port()
    with (home / "bellhop.yaml").open("a") as file:
        file.write(f"console: {{port: {port}}}\n")
    return port


async def scraped(port: int, path: str = "/metrics", **headers: str) -> tuple[int, str]:
    await until_listening(port)
    async with (
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client,
        client.get(path, headers=headers) as answer,
    ):
        return answer.status, await answer.text()


def samples(text: str) -> dict[str, float]:
    """Each value, by its name and its labels."""
    parse: Callable[[str], Iterable[Metric]] = vars(parser)["text_string_to_metric_families"]
    read: list[Sample] = [one for family in parse(text) for one in family.samples]
    return {
        " ".join([one.name, *(f"{name}={value}" for name, value in sorted(one.labels.items()))]): (
            one.value
        )
        for one in read
    }


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\bbellhop_[a-z_]+", text))


def expressions(given: Any) -> Iterator[str]:
    """All of a dashboard's or a rules file's."""
    match given:
        case {"expr": str(found)}:
            yield found
        case {**parts}:
            for one in parts.values():
                yield from expressions(one)
        case [*parts]:
            for one in parts:
                yield from expressions(one)
        case _:
            return


@pytest.mark.parametrize("name", ["bellhop-alerts.yaml", "bellhop-grafana.json"])
async def test_what_monitors_are_given_reads_figures_that_a_running_house_has(
    home: Path, name: str
):
    port = listening(home)
    trouble = ModelError(ModelTrouble("auth", "refused"))
    model = ScriptedModel(
        [call("find_tools", {"query": "notes"}), say("Ann Smith said so."), trouble]
    )
    async with running_app(home, model, clock=FakeClock()) as at:
        first = await scraped(port, **HAS_KEY)
        await at.ask("ann", "Whisper about the strawberries")
        await at.ask("ben", "And now?")
        again = await scraped(port, **HAS_KEY)
        assert again == await scraped(port, **HAS_KEY)
    assert (first[0], again[0]) == (200, 200)
    assert not {"ann", "ben", "owner"} & set(re.findall(r"\w+", again[1].lower()))
    assert "strawberries" not in again[1]
    text = (DEPLOY / name).read_text()
    parsed = json.loads(text) if name.endswith("json") else yaml.safe_load(text)
    asked = list(expressions(parsed))
    assert len(asked) >= 9
    found = samples(again[1])
    served = {key.split()[0] for key in found}
    missing = {name for one in asked for name in names_in(one)} - served
    assert not missing, f"{name} reads {missing}, which /metrics does not have"
    assert samples(first[1])["bellhop_turns_total outcome=done"] == 0
    assert found["bellhop_turns_total outcome=done"] == 2
    assert found["bellhop_answer_seconds_count"] == 2
    assert found["bellhop_errors_total kind=model"] == 1
    assert found["bellhop_platform_up platform=discord"] == 1
    (calls,) = [value for key, value in found.items() if key.startswith("bellhop_model_calls_t")]
    assert calls == 2
    (out,) = [value for key, value in found.items() if "model_tokens_total kind=output" in key]
    assert out == 30


async def test_figures_are_off_without_a_key(home: Path):
    port = listening(home, "")
    async with running_app(home, ScriptedModel()):
        assert (await scraped(port, "/health"))[0] == 200
        assert (await scraped(port))[0] == 404


async def test_a_key_that_could_be_guessed_ends_the_start(home: Path):
    listening(home, "secret")
    with pytest.raises(SettingsError, match="BELLHOP_METRICS_KEY is too short"):
        async with running_app(home, ScriptedModel()):
            raise AssertionError("it must not start")


async def test_figures_are_for_who_has_the_key(home: Path):
    port = listening(home)
    async with running_app(home, ScriptedModel()):
        assert (await scraped(port))[0] == 401
        assert (await scraped(port, Authorization=f"Bearer {KEY}x"))[0] == 401
        status, text = await scraped(port, **HAS_KEY)
    assert status == 200
    assert text.endswith("# EOF\n")


CONTACTS = '- {id: owner, name: Olga, role: MasterAdmin, ids: {discord: ["owner"]}}\n'


def no_descriptor_left(_request: ModelRequest) -> ModelReply:
    raise OSError(errno.EMFILE, "Too many open files")


async def test_a_shortage_is_told_once_and_the_operator_sees_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    chat, clock = FakeChat(), FakeClock()
    model = ScriptedModel([*[no_descriptor_left] * 12, say("an answer")])
    async with running_app(tmp_path, model, chat, clock) as house:
        await house.until_idle()
        with caplog.at_level(logging.INFO, "bot.turns"):
            await chat.say("ann", "hello")
            await until(clock, lambda: len(chat.posts) == 1)
            assert [post.text for post in chat.posts] == [
                "The machine that I run on is short of memory or open files at the moment. Your "
                "request is not lost:"
                " I keep trying."
            ]
            assert "short of open files" in await house.command("owner", "status")
            assert "short of" not in await house.command("ann", "status")
            await until(clock, lambda: len(chat.posts) == 4)
        assert chat.posts[-1].text == "an answer"
        await house.until_idle()
        for _ in range(30):
            if "short of" in await house.command("owner", "status"):
                await clock.advance(1)
        assert "short of" not in await house.command("owner", "status")
    said = [record.getMessage() for record in caplog.records if "short_of=" in record.getMessage()]
    assert len(said) == 2
    assert "file descriptors" in said[0]
    assert said[1].endswith("over")


async def until(clock: FakeClock, condition: Callable[[], bool]) -> None:
    """Let time pass second by second, with time for the database in between."""
    for _ in range(300):
        for _ in range(100):
            if condition():
                return
            await asyncio.to_thread(os.sched_yield)
        await clock.advance(1)
