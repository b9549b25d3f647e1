"""The demo as its page uses it: real clients, a real process, over sockets."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bot.domain.json_types import JsonObject
from bot.plugins.demo import discord_side
from bot.plugins.demo.demo import running_demo
from bot.plugins.demo.tours import TOURS

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
WAIT_S = 60.0


@dataclass
class Visitor:
    """A page without a browser."""

    http: aiohttp.ClientSession
    published: list[str]

    async def post(self, path: str, **body: Any) -> JsonObject:
        async with self.http.post(path, json=body) as answer:
            return await answer.json()

    async def act(self, side: str, who: str, place: str, **act: Any) -> JsonObject:
        return await self.post("act", side=side, who=who, place=place, act=act)

    async def sees(
        self, side: str, who: str, place: str, found: Callable[[JsonObject], Any]
    ) -> JsonObject:
        """Wait until what this person sees there holds it."""
        query = {"side": side, "who": who, "place": place}
        async with asyncio.timeout(WAIT_S), self.http.get("live", params=query) as stream:
            async for line in stream.content:
                if line.startswith(b"data: ") and found(view := json.loads(line[6:])):
                    return view
        raise AssertionError("the stream ended")

    async def place(self, side: str, who: str, name: str) -> str:
        view = await self.sees(side, who, "", lambda _: True)
        return next(one["id"] for one in view["places"] if one["name"] == name)

    async def tour(self, name: str, step: int) -> JsonObject:
        return await self.post("tour", tour=name, step=step)

    async def answered(self, side: str, who: str, place: str, words: str) -> JsonObject:
        """Wait until the bot said these words there, or in the thread of the newest message."""

        def says(view: JsonObject) -> bool:
            return any(one["bot"] and words in one["html"] for one in view["messages"])

        def thread(view: JsonObject) -> str:
            return next((one["thread"] for one in view["messages"][-1:]), "")

        view = await self.sees(side, who, place, lambda view: says(view) or thread(view))
        return view if says(view) else await self.sees(side, who, thread(view), says)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Visitor]:
    home = tmp_path_factory.mktemp("demo")
    async with (
        running_demo(home, word_s=0.01) as running,
        aiohttp.ClientSession(
            running.address, read_bufsize=2**22, timeout=aiohttp.ClientTimeout(total=None)
        ) as http,
    ):
        visitor = Visitor(http, running.server.published)
        for side in ("discord", "slack"):
            await visitor.sees(side, "olivia", "", lambda view: view["connected"])
        yield visitor


@pytest.mark.parametrize("side", ["discord", "slack"])
async def test_a_direct_message_is_answered(demo: Visitor, side: str):
    assert await demo.act(side, "gwen", await demo.place(side, "gwen", "Bellhop"), do="say",
                          text="what is 6 times 7?") == {}  # fmt: skip
    await demo.answered(side, "gwen", "", "42")


async def test_a_card_is_decided_by_the_owner_alone(demo: Visitor):
    before = len(demo.published)
    at = await demo.tour("card", 0)
    thread = (await demo.answered("slack", "marek", at["place"], "asks to run"))["place"]
    assert (await demo.tour("card", 1))["place"] == thread
    assert len(demo.published) == before, "his own yes doesn't count"
    await demo.tour("card", 2)
    await demo.answered("slack", "olivia", thread, "was approved by olivia; it ran")
    assert demo.published[before:] == ["new prices"]


async def test_what_was_told_in_private_reaches_nobody_else(demo: Visitor):
    for step, words in enumerate(("remember", "nothing stored", "nothing stored", "4,200")):
        at = await demo.tour("memory", step)
        await demo.answered(at["side"], at["who"], at["place"], words)


async def test_an_answer_comes_after_the_process_was_killed(
    demo: Visitor, caplog: pytest.LogCaptureFixture
):
    at = await demo.tour("kill", 0)
    await demo.answered("discord", "gwen", at["place"], "The lighthouse")
    await demo.tour("kill", 1)
    await demo.sees("discord", "gwen", at["place"], lambda view: not view["connected"])
    await demo.tour("kill", 2)
    ending = "somebody answered"
    view = await demo.answered("discord", "gwen", at["place"], ending)
    assert [ending in one["html"] for one in view["messages"] if one["bot"]].count(True) == 1
    assert "Error handling request" not in caplog.text, "the terminal shows no traceback"


async def test_a_plan_goes_around_what_fails(demo: Visitor):
    at = await demo.tour("plan", 0)
    view = await demo.answered("slack", "olivia", at["place"], "you can leave each month")
    assert "Failed (not_found)" in view["messages"][-1]["html"]
    assert (await demo.tour("plan", 1))["place"] == view["place"]


async def test_a_file_is_read_and_given_back_to_those_who_see_it(demo: Visitor):
    place = await demo.place("slack", "marek", "Bellhop")
    form = aiohttp.FormData({"side": "slack", "who": "marek", "place": place, "text": "keep this"})
    form.add_field("file", b"north, east", filename="<b>list.txt", content_type="text/plain")
    async with demo.http.post("upload", data=form) as answer:
        assert await answer.json() == {}
    view = await demo.answered("slack", "marek", place, "kept it")
    url = next(file["url"] for one in view["messages"] for file in one["files"])
    for who, status in (("marek", 200), ("olivia", 404)):
        async with demo.http.get(url, params={"who": who}) as answer:
            assert answer.status == status
    async with demo.http.get(url, params={"who": "marek"}) as answer:
        assert await answer.read() == b"north, east"
        assert answer.headers["Content-Disposition"] == "attachment"


async def test_commands_and_their_options_are_offered(demo: Visitor):
    def offered(view: JsonObject) -> list[str]:
        return [one["name"] for one in view["commands"]]

    view = await demo.sees("discord", "olivia", "", lambda view: "status" in offered(view))
    done = await demo.act("discord", "olivia", view["place"], do="slash", name="status")
    assert done == {}
    shown = await demo.sees(
        "discord", "olivia", "", lambda view: any(one["only_you"] for one in view["messages"])
    )
    assert shown["messages"]


async def test_no_choices_for_an_option_come_at_once(
    demo: Visitor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(discord_side, "_COMPLETION_S", 10 * WAIT_S)
    place = (await demo.sees("discord", "olivia", "", lambda _: True))["place"]
    query = {"side": "discord", "who": "olivia", "place": place, "command": "todo"}
    query |= {"option": "text", "text": "no todo has these words"}
    async with asyncio.timeout(WAIT_S), demo.http.get("complete", params=query) as answer:
        assert await answer.json() == []


async def test_nobody_acts_or_looks_where_they_are_not(demo: Visitor):
    leads = await demo.place("slack", "olivia", "leads")
    refused = await demo.act("slack", "marek", leads, do="say", text="hello")
    assert refused == {"error": "this place is not yours"}
    view = await demo.sees("slack", "marek", leads, lambda _: True)
    assert view["place"] != leads
    dm = await demo.place("discord", "olivia", "Bellhop")
    refused = await demo.act("discord", "gwen", dm, do="say", text="hello")
    assert refused == {"error": "this place is not yours"}


async def test_the_runs_are_shown_with_what_they_did(demo: Visitor):
    await demo.act("slack", "olivia", await demo.place("slack", "olivia", "Bellhop"),
                   do="say", text="what is 9 times 7?")  # fmt: skip
    trees: list[str] = []
    async with asyncio.timeout(WAIT_S), demo.http.get("inside") as stream:
        async for line in stream.content:
            if line.startswith(b"data: "):
                told = json.loads(line[6:])
                trees = [one["tree"] for one in told["cycles"] if "9 times 7" in one["asked"]]
            if any("answered" in tree for tree in trees):
                break
    assert "tool calculate" in trees[0]


@pytest.mark.parametrize("path", ["act", "process", "tour"])
async def test_only_json_of_the_page_itself_is_taken(demo: Visitor, path: str):
    async with demo.http.post(path, data={"do": "kill"}) as answer:
        assert answer.status == 400
    root = str(demo.http._base_url)  # pyright: ignore[reportPrivateUsage]
    elsewhere = root.replace(root.rstrip("/").rpartition("/")[2], "guessed")
    async with aiohttp.ClientSession() as stranger:
        for way in (stranger.get(f"{elsewhere}about"), stranger.post(f"{elsewhere}{path}")):
            async with way as answer:
                assert answer.status == 404


async def test_the_page_loads_nothing_from_elsewhere(demo: Visitor):
    for name in ("", "demo.css", "demo.js", "icon.svg"):
        async with demo.http.get(name) as answer:
            assert answer.status == 200
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            text = (await answer.text()).replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in text
            assert "https://" not in text


async def test_a_reminder_is_kept_until_it_rings(demo: Visitor):
    at = await demo.tour("reminder", 0)
    await demo.answered("slack", "marek", at["place"], "stretch")
    assert [tour.id for tour in TOURS] == ["card", "memory", "kill", "reminder", "plan"]
