"""Closed cards as people see them: real clients on loopback platforms, the whole house."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.app import App, AppOptions, open_app
from bot.chat.limits import Limiter
from bot.cli.changes import decide
from bot.clock import SystemClock
from bot.domain.chat import ChatAdapter
from bot.loopback.discord import DiscordPlatform, Fault
from bot.loopback.discord.world import Message as DiscordMessage
from bot.loopback.slack import TEAM, Reset, SlackPlatform
from bot.loopback.slack.world import Message as SlackMessage
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.card_home import PLANS, furnish
from bot.testing.discord_town import PATIENT
from bot.testing.fake_clock import FakeClock
from bot.testing.home_files import contact, know
from bot.testing.plan_model import PlanModel
from bot.testing.running import at_work
from bot.testing.slack_house import TOKENS, HurriedClock
from bot.testing.tools import NO_SANDBOX
from bot.testing.waiting import until

SECONDS = 60
NAMES = ("Fay", "Meg", "Max")


@dataclass(frozen=True)
class Card:
    """A message with choices, or one that had some, as it is seen now."""

    text: str
    labels: tuple[str, ...]


@dataclass
class Town:
    """People of one platform.

    `say`: Fay mentions Bellhop in the channel, or goes on in the thread of that.
    """

    connect: Callable[[], ChatAdapter]
    ids: dict[str, str]
    platform: str
    say: Callable[[str], object]
    click: Callable[[str, str], object]
    """Somebody's name, and the label that they press on a card that they see."""
    cards: Callable[[], list[Card]]
    ready: Callable[[], Awaitable[object]]
    break_edits: Callable[[Callable[[], None]], object]
    """The next edit does not come through; what happens at that moment."""
    sees: Callable[[str], list[str]]
    """What somebody sees in the place where Fay asked, whispered to them or not."""


@asynccontextmanager
async def discord() -> AsyncGenerator[Town]:
    async with DiscordPlatform() as platform:
        people = {name: platform.person(name) for name in NAMES}
        fay, general = people["Fay"], platform.channel(platform.guild())
        seen: dict[int, DiscordMessage] = {}
        asked: list[Any] = []

        def say_it(text: str) -> None:
            thread = fay.thread_of(asked[0]) if asked else None
            asked.append(fay.say(thread or general, text, mention=thread is None))

        def places(name: str) -> list[Any]:
            return [people[name].dm, *filter(None, [fay.thread_of(asked[0]) if asked else None])]

        def look(name: str) -> list[DiscordMessage]:
            return [message for place in places(name) for message in people[name].sees(place)]

        def cards() -> list[Card]:
            seen.update(
                {
                    one.id: one
                    for name in NAMES
                    for one in look(name)
                    if one.labels and one.labels != ["Stop"]
                }
            )
            return [Card(seen[id_].content, tuple(seen[id_].labels)) for id_ in sorted(seen)]

        def click(name: str, label: str) -> None:
            own = people[name].dm
            found = [message for message in look(name) if label in message.labels]
            people[name].click(next((one for one in found if one.channel is own), found[0]), label)

        settings = DiscordSettings(enabled=True, api_base=platform.api_base)
        yield Town(
            lambda: DiscordChat(
                settings, platform.options.token, ChatServices(SystemClock()), pace=PATIENT
            ),
            {name: person.id for name, person in people.items()},
            "discord",
            say_it,
            click,
            cards,
            platform.ready,
            lambda then: platform.faults.add(Fault("PATCH", "/channels/.*", reset=True, then=then)),
            lambda name: [
                seen.content for place in places(name)[1:] for seen in people[name].sees(place)
            ],
        )


@asynccontextmanager
async def slack() -> AsyncGenerator[Town]:
    async with SlackPlatform(manifest(SlackSettings())) as platform:
        people = {name: platform.person(name) for name in NAMES}
        fay, office = people["Fay"], platform.channel("office", *people.values())
        roots: list[Any] = []
        seen: dict[str, SlackMessage] = {}

        def say_it(text: str) -> None:
            if roots:
                fay.reply(roots[0], text)
            else:
                roots.append(fay.mention(text, office))

        def labels(message: SlackMessage) -> tuple[str, ...]:
            actions = [block for block in message.blocks if block["type"] == "actions"]
            return tuple(item["text"]["text"] for block in actions for item in block["elements"])

        def cards() -> list[Card]:
            seen.update({message.ts: message for message in platform.said if labels(message)})
            return [Card(json.dumps(seen[ts].blocks), labels(seen[ts])) for ts in sorted(seen)]

        def click(name: str, label: str) -> None:
            own = [message for message in people[name].sees() if label in labels(message)]
            people[name].click(
                (own or [one for one in people[name].sees(office) if label in labels(one)])[0],
                label,
            )

        settings = SlackSettings(enabled=True, api_base=platform.api_base)

        def connect() -> SlackChat:
            limits = Limiter(HurriedClock())
            connection = SlackConnection(TOKENS, settings, SystemClock(), ping_s=0.2, limits=limits)
            return SlackChat(settings, TOKENS, ChatServices(HurriedClock()), connection=connection)

        yield Town(
            connect,
            {name: f"{TEAM}:{person.id}" for name, person in people.items()},
            "slack",
            say_it,
            click,
            cards,
            platform.delivery.wait_connected,
            lambda then: platform.fail("chat.update", Reset(then)),
            lambda name: [
                f"{message.text} {message.blocks}" for message in people[name].sees(office)
            ],
        )


PLATFORMS = {"discord": discord, "slack": slack}


@dataclass
class House:
    """One process of Bellhop."""

    app: App
    clock: FakeClock
    running: asyncio.Task[None]


@asynccontextmanager
async def serving(home: Path, town: Town) -> AsyncGenerator[House]:
    clock = FakeClock()
    async with open_app(AppOptions(home, [town.connect()], PlanModel(PLANS), clock)) as app:
        vars(app.engine)["_drain_s"] = 0.0
        async with at_work(app) as task:
            await town.ready()
            yield House(app, clock, task)


async def later(holds: Callable[[], object], clock: FakeClock) -> None:
    """Wait for what takes a while: a second passes with each look."""

    async def look() -> object:
        return holds() or await clock.advance(1)

    await until(look, SECONDS)


async def over(house: House, town: Town, count: int, line: str) -> None:
    """Wait for this many cards without clickable choices, each with its outcome."""
    try:
        await later(lambda: _are_over(town, count, line), house.clock)
    except TimeoutError:
        raise AssertionError(f"not {count} cards with {line!r}: {town.cards()}") from None


def _are_over(town: Town, count: int, line: str) -> bool:
    cards = town.cards()
    return len(cards) == count and all(_is_over(card, line) for card in cards)


def _is_over(card: Card, line: str) -> bool:
    how = "reject a"  # the command that decides, with its reference
    return card.labels == () and card.text.count(line) == 1 and how not in card.text


@pytest.fixture(params=list(PLATFORMS))
async def town(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Town]:
    async with PLATFORMS[request.param]() as made:
        contacts = [
            contact(name, "Friend" if name == "Fay" else "MasterAdmin", **{made.platform: id_})
            for name, id_ in made.ids.items()
        ]
        know(tmp_path, *contacts)
        (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
        furnish(tmp_path)
        yield made


async def waiting(house: House, town: Town) -> str:
    """Three cards wait for a decision; gives the reference of the approval."""
    town.say("do:wipe")
    await until(lambda: len(town.cards()) == 3)
    await until(lambda: not house.app.engine.busy)
    meg = house.app.contacts.person("meg")
    assert meg is not None
    return (await house.app.approvals.open_for(meg))[0].ref


async def test_a_click_of_somebody_who_may_not_decide_is_answered_to_them_alone(
    tmp_path: Path, town: Town
):
    async with serving(tmp_path, town) as house:
        await waiting(house, town)
        town.click("Fay", "Approve")
        words = "Only a MasterAdmin can decide this"
        await later(lambda: any(words in text for text in town.sees("Fay")), house.clock)
        assert not any(words in text for text in town.sees("Max"))
        assert all(card.labels for card in town.cards())


@pytest.mark.parametrize(
    ("who", "line"),
    [
        ("an admin", "Approved by Meg"),
        ("nobody", "Expired: nobody decided in time"),
        ("the command line", "Rejected by olga"),
    ],
)
async def test_whoever_decides_or_nobody_everybodys_card_says_so(
    tmp_path: Path, town: Town, who: str, line: str
):
    async with serving(tmp_path, town) as house:
        ref = await waiting(house, town)
        match who:
            case "an admin":
                town.click("Meg", "Approve")
            case "nobody":
                await house.clock.advance(2400)
            case _:
                await decide(house.app, {"person": "olga", "ref": ref, "approve": False})
        await over(house, town, 3, line)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("green, please", "Answered in words"),
        ("/stop", "Stopped"),
        pytest.param("", "Answered: blue", id="a click"),
    ],
)
async def test_a_question_is_closed_by_words_or_a_click(
    tmp_path: Path, town: Town, words: str, line: str
):
    async with serving(tmp_path, town) as house:
        town.say("do:ask")
        await until(lambda: len(town.cards()) == 1)
        await until(lambda: not house.app.engine.busy)
        if words:
            town.say(words.replace("/", "!"))
        else:
            town.click("Fay", "blue")
        await over(house, town, 1, line)


def cancel(running: asyncio.Task[None]) -> None:
    running.cancel()


async def test_a_crash_between_the_decision_and_the_edits_delays_them(tmp_path: Path, town: Town):
    async with serving(tmp_path, town) as house:
        await waiting(house, town)
        town.break_edits(lambda: cancel(house.running))
        town.click("Meg", "Approve")
        await until(house.running.done)
        assert any(card.labels for card in town.cards())
    async with serving(tmp_path, town) as house:
        await over(house, town, 3, "Approved by Meg")


async def asked(house: House, town: Town) -> str:
    """One card waits for Fay; gives its reference."""
    town.say("do:note")
    await until(lambda: len(town.cards()) == 1)
    await until(lambda: not house.app.engine.busy)
    return (await house.app.approvals.newest())[0].ref


async def state(house: House, ref: str) -> str:
    stored = await house.app.approvals.get(ref)
    assert stored is not None
    return stored.state


async def test_the_next_words_decide_the_card_below_the_answer(tmp_path: Path, town: Town):
    async with serving(tmp_path, town) as house:
        ref = await asked(house, town)
        town.say("ja, mach das")
        await over(house, town, 1, "Approved by Fay")
        await until(lambda: not house.app.engine.busy)
        assert await state(house, ref) == "done"


async def test_a_click_on_a_card_leaves_no_other_answer(tmp_path: Path, town: Town):
    async with serving(tmp_path, town) as house:
        await asked(house, town)
        town.click("Fay", "Reject")
        await over(house, town, 1, "Rejected by Fay")
        await until(lambda: not house.app.engine.busy)
        seen = town.sees("Fay")
        assert all(text.strip() for text in seen), seen
        assert not any("rejected." in text for text in seen)


async def test_a_yes_to_another_question_decides_nothing(tmp_path: Path, town: Town):
    async with serving(tmp_path, town) as house:
        ref = await asked(house, town)
        model = house.app.model
        assert isinstance(model, PlanModel)
        for words in ("do:rain", "yes please"):
            asked_before = len(model.requests)
            town.say(words)
            await until(lambda n=asked_before: len(model.requests) > n)
            await until(lambda: not house.app.engine.busy)
        assert await state(house, ref) == "open"
