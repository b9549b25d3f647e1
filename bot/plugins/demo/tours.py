"""Guided tours, and the guide who carries out their steps."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, assert_never

from bot.plugins.demo import scripts
from bot.plugins.demo.bellhop_process import BellhopProcess
from bot.plugins.demo.sides import Act, ActRefused, PlaceView, Press, Side, SideView, Speak
from bot.plugins.demo.town import GUEST, MEMBER, OWNER

T = TypeVar("T")
LOOK_S = 0.05
"""Seconds between two looks at what a step waits for."""
PATIENCE_S = 20.0
"""Of a step whose visitor was quicker than Bellhop."""


@dataclass(frozen=True)
class DoAs:
    """Somebody acts on a platform. `place` is the name of a channel; empty: their own DM."""

    side: str
    who: str
    place: str
    act: Act


@dataclass(frozen=True)
class ClickNewest:
    """Somebody presses a button on the newest message that has it."""

    side: str
    who: str
    place: str
    label: str


@dataclass(frozen=True)
class Kill:
    """`kill -9` of Bellhop, once it has begun to answer somebody's direct message."""

    side: str
    who: str


@dataclass(frozen=True)
class Start:
    """Bellhop starts again."""


@dataclass(frozen=True)
class Look:
    """Only look, as somebody, at a place."""

    side: str
    who: str
    place: str


Does = DoAs | ClickNewest | Kill | Start | Look


@dataclass(frozen=True)
class TourStep:
    says: str
    does: Does


@dataclass(frozen=True)
class Tour:
    id: str
    title: str
    steps: tuple[TourStep, ...]


def _say(text: str, *, mention: bool = False) -> Speak:
    return Speak(do="say", text=text, mention=mention)


TOURS = (
    Tour(
        "card",
        "A card that somebody else approves",
        (
            TourStep(
                "Marek is a member. He asks for something that can't be taken back.",
                DoAs("slack", MEMBER.id, "general", _say(scripts.PUBLISH, mention=True)),
            ),
            TourStep(
                "The call waits. His own click doesn't count: the card is for an owner.",
                ClickNewest("slack", MEMBER.id, "general", "Approve"),
            ),
            TourStep(
                "Olivia is an owner. With her yes the stored call runs, once.",
                ClickNewest("slack", OWNER.id, "general", "Approve"),
            ),
        ),
    ),
    Tour(
        "memory",
        "A memory kept private",
        (
            TourStep(
                "Olivia tells Bellhop something in a direct message.",
                DoAs("discord", OWNER.id, "", _say(scripts.BONUS)),
            ),
            TourStep(
                "Marek asks about it. He learns nothing: what was told there reaches nobody else.",
                DoAs("discord", MEMBER.id, "", _say(scripts.ASK_BONUS)),
            ),
            TourStep(
                "Not even Olivia's own question brings it into a channel that others read.",
                DoAs("discord", OWNER.id, "general", _say(scripts.ASK_BONUS, mention=True)),
            ),
            TourStep(
                "In her direct messages she gets it.",
                DoAs("discord", OWNER.id, "", _say(scripts.ASK_BONUS)),
            ),
        ),
    ),
    Tour(
        "kill",
        "kill -9 in the middle of an answer",
        (
            TourStep(
                "Gwen, a guest, asks for something long. Watch the answer grow.",
                DoAs("discord", GUEST.id, "", _say(scripts.STORY)),
            ),
            TourStep(
                "Bellhop's process is killed. It can't write or tell anything.",
                Kill("discord", GUEST.id),
            ),
            TourStep(
                "It starts again, finds the accepted message in its journal, and answers it: once.",
                Start(),
            ),
        ),
    ),
    Tour(
        "reminder",
        "A reminder that rings",
        (
            TourStep(
                "Marek wants to be reminded. It is a row in the database, not a timer in memory.",
                DoAs("slack", MEMBER.id, "", _say(scripts.REMIND)),
            ),
            TourStep(
                "Even a killed Bellhop rings after its next start.",
                Kill("slack", MEMBER.id),
            ),
            TourStep("It starts again. Within the minute the reminder comes.", Start()),
        ),
    ),
    Tour(
        "plan",
        "A plan with a failing step",
        (
            TourStep(
                "Olivia gives a large goal. The second task of its plan names an unknown agent.",
                DoAs("slack", OWNER.id, "design", _say(scripts.COMPARE, mention=True)),
            ),
            TourStep(
                "The rest is planned anew around the failure. The answer says what was not done.",
                Look("slack", OWNER.id, "design"),
            ),
        ),
    ),
)


def tour_named(name: str) -> Tour | None:
    return next((one for one in TOURS if one.id == name), None)


@dataclass(frozen=True)
class At:
    """What the page should show after a step; empty fields leave it as it is."""

    side: str = ""
    who: str = ""
    place: str = ""


class Guide:
    """Knows the platforms and the process that the steps act on."""

    def __init__(self, sides: Mapping[str, Side], process: BellhopProcess) -> None:
        self._sides = sides
        self._process = process

    async def step(self, name: str, number: int) -> At:
        """Do a step of a tour, and say where it is to be seen.

        Raises ActRefused where that can't be done after `PATIENCE_S`, such as a click on a card
        that isn't there.
        """
        tour = tour_named(name)
        if tour is None or not 0 <= number < len(tour.steps):
            raise ActRefused("there is no such step")
        match tour.steps[number].does:
            case Kill() as does:
                await _once(lambda: self._answers(does), "wait until the answer begins")
                await self._process.kill()
                return At()
            case Start():
                await self._process.start()
                return At()
            case DoAs() as does:
                side, place = self._sides[does.side], self._place(does.side, does.who, does.place)
                side.act(does.who, place, does.act)
                return At(does.side, does.who, place)
            case ClickNewest() as does:
                why = f"nothing says {does.label!r} yet; wait a moment"
                return await _once(lambda: self._click(does), why)
            case Look() as does:
                channel = self._place(does.side, does.who, does.place)
                view = self._sides[does.side].view(does.who, channel)
                return At(does.side, does.who, self._below(view, channel)[0])
            case _ as never:
                assert_never(never)

    def _place(self, side: str, who: str, name: str) -> str:
        """The id of a channel by its name; without a name, of the person's DM."""
        for place in self._sides[side].view(who, "").places:
            if (place.kind == "dm") if not name else (place.kind, place.name) == ("channel", name):
                return place.id
        raise ActRefused(f"there is no #{name}")

    def _answers(self, does: Kill) -> bool:
        """Whether Bellhop has begun to answer the newest message of somebody's DM."""
        newest = self._sides[does.side].view(does.who, "").messages[-1:]
        return any(one.bot or one.thread for one in newest)

    def _click(self, does: ClickNewest) -> At | None:
        """The newest message with the button, in the channel or in its newest thread."""
        side = self._sides[does.side]
        channel = self._place(does.side, does.who, does.place)
        for place in self._below(side.view(does.who, channel), channel):
            for message in reversed(side.view(does.who, place).messages):
                if any(does.label in (one.label, *one.options) for one in message.controls):
                    click = Press(do="click", message=message.id, label=does.label)
                    side.act(does.who, place, click)
                    return At(does.side, does.who, place)
        return None

    def _below(self, view: SideView, channel: str) -> list[str]:
        """The threads of a channel, newest first, and the channel."""
        threads: list[PlaceView] = [one for one in view.places if one.parent == channel]
        threads.sort(key=lambda one: one.newest, reverse=True)
        return [*(one.id for one in threads), channel]


async def _once(look: Callable[[], T | None], why: str) -> T:
    """What `look` gives as soon as it gives something. Raises ActRefused with `why` otherwise."""
    for _ in range(round(PATIENCE_S / LOOK_S)):
        if found := look():
            return found
        await asyncio.sleep(LOOK_S)
    raise ActRefused(why)
