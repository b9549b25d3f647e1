"""Slack's session status through slack-bolt: `suspended` while somebody is awaited."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.app import AppOptions, open_app
from bot.chat.limits import Limiter
from bot.clock import SystemClock
from bot.domain.drafts import OpenDraft
from bot.domain.models import Model
from bot.loopback.slack import TEAM, Channel, Message, Person, SlackPlatform
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.places import Spot
from bot.plugins.slack_chat.settings import SlackSettings
from bot.plugins.slack_chat.status import Statuses
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.home_files import contact, know
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say
from bot.testing.slack_house import TOKENS, slack_house

RISKY = """\
# publish

## Description
Publish something when somebody asks for it.

## Access
Friend+

## Risk
external-write

## Implementation
shell: publish.sh
"""
ASK = call("ask_user_for_clarification", {"question": "Which?", "options": ["red", "blue"]})
PLANS = {
    "publish": [call("tool_search", {"pattern": "publish"}), call("publish"), say("It waits.")],
    "ask": [ASK, say("Thanks.")],
    "ask-freely": [call("ask_user_for_clarification", {"question": "Which?"}), say("Thanks.")],
}


@pytest.fixture
def home(tmp_path: Path, ann: Person, bob: Person) -> Path:
    folder = tmp_path / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "publish.md").write_text(RISKY)
    (folder / "publish.sh").write_text("echo published")
    know(tmp_path, *(contact(one.name, "Partner", slack=f"{TEAM}:{one.id}") for one in (ann, bob)))
    (tmp_path / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    return tmp_path


class Bellhop:
    """Lives of the program on one home, whose time is moved by hand."""

    def __init__(self, home: Path, slack: SlackPlatform) -> None:
        self.clock = FakeClock()
        self.model: Model = PlanModel(PLANS)
        self._home = home
        self._slack = slack

    @asynccontextmanager
    async def life(self) -> AsyncGenerator[None]:
        settings = SlackSettings(enabled=True, api_base=self._slack.api_base)
        connection = SlackConnection(
            TOKENS, settings, SystemClock(), ping_s=0.2, limits=Limiter(self.clock)
        )
        chat = SlackChat(settings, TOKENS, ChatServices(self.clock), connection=connection)
        async with open_app(AppOptions(self._home, [chat], self.model, self.clock)) as app:
            vars(app.engine)["_drain_s"] = 0.0
            running = asyncio.create_task(app.run())
            try:
                await self._slack.delivery.wait_connected()
                yield
            finally:
                running.cancel()
                while not running.done():
                    await self.clock.advance(0.1)
                with suppress(asyncio.CancelledError):
                    await running

    async def until(self, slack: SlackPlatform, root: Message, status: str) -> None:
        """Let time go on until Slack shows this of the thread."""
        async with asyncio.timeout(60):
            while (
                shown := slack.world.sessions.get((root.channel, root.ts))
            ) is None or shown.status != status:
                await self.clock.advance(0.05)
                await slack.until(lambda: True)


@pytest.fixture
def bellhop(home: Path, slack: SlackPlatform) -> Bellhop:
    return Bellhop(home, slack)


async def card_of(slack: SlackPlatform) -> Message:
    return await slack.until(
        lambda: next((m for m in slack.said if "'type': 'actions'" in str(m.blocks)), None)
    )


@pytest.mark.parametrize("plan", ["ask", "publish"])
async def test_it_is_suspended_until_the_card_is_answered_and_a_restart_keeps_it(
    plan: str, bellhop: Bellhop, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    async with bellhop.life():
        root = ann.mention(f"do:{plan}", office)
        await bellhop.until(slack, root, "suspended")
        card = await card_of(slack)
    assert slack.world.sessions[office.id, root.ts].status == "suspended"
    async with bellhop.life():
        done = len(slack.world.sessions[office.id, root.ts].past)
        # Somebody else's turn there ends, and the card still waits.
        bob.mention("good morning", office, root.ts)
        await slack.until(lambda: any(m.text == "Done." for m in slack.said))
        await bellhop.until(slack, root, "suspended")
        assert "active" not in slack.world.sessions[office.id, root.ts].past[done:]
        title = slack.world.sessions[office.id, root.ts].title
        assert title == f"do:{plan}", "the session is named after the message that opened it"
        ann.click(card, "red" if plan == "ask" else card.blocks[-1]["elements"][0]["text"]["text"])
        await bellhop.until(slack, root, "active")


@pytest.mark.parametrize("plan", ["ask", "ask-freely"])
@pytest.mark.parametrize("again", [False, True])
async def test_it_ends_with_a_stop(
    plan: str, again: bool, bellhop: Bellhop, slack: SlackPlatform, ann: Person, office: Channel
):
    async with bellhop.life():
        root = ann.mention(f"do:{plan}", office)
        await bellhop.until(slack, root, "suspended")
        if not again:
            ann.reply(root, "!stop")
            await bellhop.until(slack, root, "active")
            return
    async with bellhop.life():
        ann.reply(root, "!stop")
        await bellhop.until(slack, root, "active")


@pytest.mark.parametrize("plan", ["ask", "ask-freely", "publish"])
async def test_it_ends_when_nobody_answers(
    plan: str, bellhop: Bellhop, slack: SlackPlatform, ann: Person, office: Channel
):
    async with bellhop.life():
        root = ann.mention(f"do:{plan}", office)
        await bellhop.until(slack, root, "suspended")
    async with bellhop.life():
        for _ in range(400):
            await bellhop.clock.advance(300)
            if slack.world.sessions[office.id, root.ts].status == "active":
                break
            await slack.until(lambda: True)
        await bellhop.until(slack, root, "active")


async def test_a_check_mark_on_the_card_of_its_owner_decides_it(
    bellhop: Bellhop, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    async with bellhop.life():
        root = ann.mention("do:publish", office)
        await bellhop.until(slack, root, "suspended")
        card = await card_of(slack)
        bob.react(card, "white_check_mark")
        await slack.settled()
        assert slack.world.sessions[office.id, root.ts].status == "suspended"
        ann.react(card, "white_check_mark")
        await bellhop.until(slack, root, "active")


@dataclass
class Setter:
    """Statuses of one connection, whose tasks end with it."""

    statuses: Statuses
    connection: SlackConnection
    tasks: list[asyncio.Task[None]]

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.connection.close()


def setter(slack: SlackPlatform, clock: FakeClock, drafts: FakeDrafts) -> Setter:
    settings, tasks = SlackSettings(enabled=True, api_base=slack.api_base), list[Any]()
    connection = SlackConnection(TOKENS, settings, SystemClock(), limits=Limiter(clock))

    def spawn(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        tasks.append(asyncio.create_task(work))
        return tasks[-1]

    return Setter(Statuses(connection, lambda _: False, spawn, drafts), connection, tasks)


def statuses_of(slack: SlackPlatform, office: Channel, spots: Sequence[Spot]) -> list[str]:
    found = (slack.world.sessions.get((office.id, spot.thread or "")) for spot in spots)
    return ["" if session is None else session.status for session in found]


async def test_ends_that_waited_are_said_by_the_next_connection(
    slack: SlackPlatform, ann: Person, office: Channel
):
    clock, drafts = FakeClock(), FakeDrafts()
    first, second = (setter(slack, clock, drafts) for _ in range(2))
    spots = [Spot(office.id, ann.say(f"{number}", office).ts) for number in range(200)]
    for spot in spots:
        await first.statuses.processing(spot)
    for spot in spots:
        await first.statuses.idle(spot)
    await settle()
    await first.close()
    assert statuses_of(slack, office, spots) == ["active"] * 180 + ["processing"] * 20
    assert len(drafts.noted) == 20
    try:
        await second.statuses.waits(spots[199], "card")
        await second.statuses.resume()
        await second.statuses.resume()
        while not all(task.done() for task in second.tasks):
            await clock.advance(1)
        assert statuses_of(slack, office, spots) == ["active"] * 199 + ["suspended"]
        assert drafts.noted == {}
    finally:
        await second.close()


async def test_an_adapter_that_connects_says_the_ends_on_record(
    slack: SlackPlatform, ann: Person, office: Channel
):
    drafts = FakeDrafts()
    root = ann.say("hello", office).ts
    end = OpenDraft(f"status:{office.id}:{root}", office.id, root, root)
    drafts.noted = {end.id: end}
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: (office.id, root) in slack.world.sessions)
        await slack.until(lambda: not drafts.noted)
    assert slack.world.sessions[office.id, root].status == "active"


async def test_signs_of_work_come_before_ends_of_work_while_many_people_write(
    slack: SlackPlatform, ann: Person, office: Channel
):
    clock, drafts = FakeClock(), FakeDrafts()
    set_by = setter(slack, clock, drafts)
    statuses, ends = set_by.statuses, set_by.tasks
    spots = [Spot(office.id, ann.say(f"{number}", office).ts) for number in range(330)]

    def shown() -> list[str]:
        return statuses_of(slack, office, spots)

    try:
        for spot in spots[:200]:
            await statuses.processing(spot)
        for spot in spots[:200]:
            await statuses.idle(spot)
        assert shown()[:200] == ["active"] * 180 + ["processing"] * 20, "these wait"
        for spot in spots[200:]:
            await statuses.processing(spot)
        assert shown()[200:] == ["processing"] * 120 + [""] * 10, "the rest of what Slack takes"
        await statuses.processing(spots[199])
        for spot in spots[320:]:
            await statuses.idle(spot)
        assert shown()[320:] == [""] * 10, "where nothing tells of work, nothing tells of its end"
        while not all(end.done() for end in ends):
            await clock.advance(1)
        assert shown()[:200] == ["active"] * 199 + ["processing"], "a new turn works in the last"
        assert drafts.noted == {}
    finally:
        await set_by.close()
