"""A whole Bellhop on a temporary home with a scripted model and a fake chat, for flow tests."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.app import App, AppOptions, open_app
from bot.assembly.ground import HOUSE_LIMITS, HouseLimits
from bot.domain.clock import Clock
from bot.domain.database import Row
from bot.domain.models import Model
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import settle
from bot.testing.people_acts import PeopleActs
from bot.testing.running import at_work
from bot.testing.waiting import until

_PATIENCE_S = 120.0
"""Longer than all turns of any test take."""
_DRAIN_S = 0.1
"""Real seconds that turns get at the end: a test waits for those that it wants to end."""


@dataclass
class Harness(PeopleActs):
    """A running app, and the people's side of its one platform."""

    app: App
    chat: FakeChat
    home: Path

    async def ask(self, who: str, text: str, **options: object) -> str:
        """Say something and wait until no turn runs; return the first post since."""
        first = await self.meanwhile(self.chat.say(who, text, **options))
        await self.until_idle()
        return first

    async def command(self, who: str, name: str, args: str = "", **options: object) -> str:
        """Give a command and wait until no turn runs; return the first post since."""
        first = await self.meanwhile(self.chat.command(who, name, args, **options))
        await self.until_idle()
        return first

    async def meanwhile(self, act: Awaitable[object]) -> str:
        """The first post since an act, while turns of others may go on."""
        before = len(self.chat.posts)
        await act
        return (await self.chat.until(before + 1))[before].text

    async def quiet(self) -> None:
        await self.until_idle()

    async def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """What the database holds."""
        return await self.app.database.read(sql, params)

    async def change_contacts(self, old: str, new: str) -> None:
        """Write something else into contacts.yaml, which holds from the next message."""
        path = self.home / "contacts.yaml"
        path.write_text(path.read_text().replace(old, new))
        await self.app.contacts.reload_if_changed()

    async def until_idle(self) -> None:
        """Wait until no turn runs: everything accepted is settled, or waits for a person.

        Before the engine starts, messages are only accepted. The wait includes follow-up tasks of
        the last turn. Raises TimeoutError that names what runs: what is held back, for one.
        """
        await self._until(lambda: self.app.engine.started and not self.app.engine.busy)
        await settle()
        while self.app.engine.busy:
            await self._until(lambda: not self.app.engine.busy)
            await settle()

    async def _until(self, quiet: Callable[[], bool]) -> None:
        try:
            await until(quiet, _PATIENCE_S)
        except TimeoutError:
            running = [turn.session for turn in await self.app.engine.open_turns()]
            raise TimeoutError(f"still at work: {running}; posted: {self.chat.texts}") from None

    async def until_found(self, sql: str) -> list[Row]:
        """Wait until a query finds rows. Raises TimeoutError."""
        found: list[Row] = []

        async def look() -> list[Row]:
            found[:] = await self.app.database.read(sql)
            return found

        await until(look)
        return found

    async def ask_own(self, who: str, text: str) -> str:
        """Say something as one of many people; return the next post in that conversation."""
        return await self.chat.say_and_wait(who, text)


@asynccontextmanager
async def running_app(
    home: Path,
    model: Model | None,
    chat: FakeChat | None = None,
    clock: Clock | None = None,
    limits: HouseLimits = HOUSE_LIMITS,
) -> AsyncGenerator[Harness]:
    """Open an app on `home` and run it until the block ends.

    Pass the same chat again to restart after a crash.
    """
    chat = chat or FakeChat()
    async with open_app(AppOptions(home, [chat], model, clock, limits=limits)) as app:
        chat.attach(app.accept)
        vars(app.engine)["_drain_s"] = _DRAIN_S
        async with at_work(app):
            yield Harness(app, chat, home)
