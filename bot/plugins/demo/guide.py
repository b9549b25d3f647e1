"""Carries out the steps of tours."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, assert_never

from bot.plugins.demo.bellhop_process import BellhopProcess
from bot.plugins.demo.sides import ActRefused, Press, Side
from bot.plugins.demo.tours import ClickNewest, DoAs, Kill, Look, Start, tour_named
from bot.plugins.demo.views import PlaceView, SideView

T = TypeVar("T")
LOOK_S = 0.05
"""Seconds between two looks at what a step waits for."""
PATIENCE_S = 20.0
"""Of a step whose visitor was quicker than Bellhop."""


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
