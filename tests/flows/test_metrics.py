"""GET /metrics of a running house, and the files under deploy/ that read it."""

import asyncio
import json
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics import parser
from prometheus_client.samples import Sample

from bot.errors import ModelError, ModelTrouble, SettingsError
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

KEY = "k" * 40
DEPLOY = Path(__file__).parents[2] / "deploy"


def switched_on(home: Path, more: str = "") -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with (home / "bellhop.yaml").open("a") as file:
        file.write(f"console: {{port: {port}, metrics: true{more}}}\n")
    return f"http://127.0.0.1:{port}/metrics"


async def scraped(url: str, **headers: str) -> tuple[int, str]:
    async with asyncio.timeout(60):
        while True:
            try:
                async with (
                    aiohttp.ClientSession() as client,
                    client.get(url, headers=headers) as answer,
                ):
                    return answer.status, await answer.text()
            except aiohttp.ClientConnectorError:  # the server does not listen yet
                await asyncio.sleep(0)


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
    url = switched_on(home)
    trouble = ModelError(ModelTrouble("auth", "refused"))
    model = ScriptedModel(
        [call("find_tools", {"query": "notes"}), say("Ann Smith said so."), trouble]
    )
    async with running_app(home, model, clock=FakeClock()) as at:
        first = await scraped(url)
        await at.ask("ann", "Whisper about the strawberries")
        await at.until_idle()
        await at.ask("ben", "And now?")
        await at.until_idle()
        again = await scraped(url)
        assert again == await scraped(url)
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


async def test_figures_are_off_unless_they_are_switched_on(home: Path):
    url = switched_on(home)
    settings = home / "bellhop.yaml"
    settings.write_text(settings.read_text().replace(", metrics: true", ""))
    async with running_app(home, ScriptedModel()):
        assert (await scraped(url.replace("metrics", "health")))[0] == 200
        assert (await scraped(url))[0] == 404


@pytest.mark.parametrize("more", [", host: 0.0.0.0", ", public_url: https://b.example.org"])
async def test_where_others_reach_the_port_figures_need_a_key(home: Path, more: str):
    url = switched_on(home, more)
    with pytest.raises(SettingsError, match="BELLHOP_METRICS_KEY"):
        async with running_app(home, ScriptedModel()):
            raise AssertionError("it must not start")
    (home / ".env").write_text(f"BELLHOP_METRICS_KEY={KEY}\n")
    async with running_app(home, ScriptedModel()):
        assert (await scraped(url))[0] == 401
        assert (await scraped(url, Authorization=f"Bearer {KEY}x"))[0] == 401
        status, text = await scraped(url, Authorization=f"Bearer {KEY}")
    assert status == 200
    assert text.endswith("# EOF\n")
