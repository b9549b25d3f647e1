"""The answer of every route for a house whose every word is one of hundreds of hostile texts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.plugin.site import PageAnswer, PageRequest
from bot.plugins.console.session_store import KeptLogin
from bot.plugins.console.sessions import Opened
from bot.plugins.console.visits import Desk, Visit
from bot.plugins.console.website import Route
from bot.testing.fake_clock import FakeClock
from bot.testing.hostile_views import HostileHouse
from bot.testing.markup_attacks import markup_attacks

ATTACKS = markup_attacks()


@dataclass(frozen=True)
class Said(Mapping[str, str]):
    """A query or form whose every field has one text, but for those with a closed list."""

    text: str
    chosen: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.chosen.get(name, self.text)

    def __iter__(self) -> Iterator[str]:
        return iter(self.chosen)

    def __len__(self) -> int:
        return len(self.chosen)


def harmless(text: str) -> str:
    """As long, with the same lines, and without a character that markup is made of."""
    return re.sub(r"[^\w\s+-]", "x", text)


async def answer_of(route: Route, texts: Sequence[str], *, decidable: bool) -> PageAnswer:
    house, clock = HostileHouse(texts, decidable), FakeClock()
    request = PageRequest(
        Said(texts[0], {}), Said(texts[0], {}), Said(texts[0], {"say": "reject"}), {}, True
    )
    kept = KeptLogin("", "", texts[0], "", "", clock.now() + timedelta(hours=1))

    async def still() -> bool:
        return True

    desk = Desk(house.house_views(), "/console", clock, "UTC")
    visit = Visit(desk, Opened(kept, "0" * 64), house.looker(), request, still)
    return await route.handle(visit)
