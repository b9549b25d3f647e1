"""Links: gives a stranger's data to the contact whom contacts.yaml now names.

contacts.yaml says who is whom, and rows under an earlier id still have to move. So a crash does no
harm, and removing an id from the file moves nothing. What an account made before it was added to a
contact that had others moves only once somebody has taken it over (`takeovers.py`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from bot.clock import format_utc
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.memory import Keeper
from bot.domain.messages import OutgoingMessage, ReplyTarget
from bot.domain.person_tables import PersonTable
from bot.domain.sessions import SessionKey
from bot.errors import BotError
from bot.sessions.outbox.outbox_store import notice_key, notice_write
from bot.sessions.outbox.retries import until_due
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.people.contact_record import key_of
from bot.sessions.people.contact_store import own_accounts, taken_ids
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import TERMINAL, reserved_for
from bot.sessions.people.person_store import (
    MADE,
    at_work,
    counts_of,
    known_among,
    move_unit,
)
from bot.sessions.records.conversation_store import own_place

BESIDE_ROWS = Phrase("what is in memory, projects or tokens")

log = logging.getLogger(__name__)

AGAIN = timedelta(seconds=5)
"""The retry interval while a turn runs that began under an earlier id."""


Finish = Callable[[], Awaitable[None]]
"""Once at the start: finish a move that an ended process had begun."""


@dataclass(eq=False)
class PersonLinks:
    """Moves rows of earlier ids: at the start, on changes of the file, and after such turns."""

    database: Database
    clock: Clock
    contacts: Contacts
    keepers: Sequence[Keeper]
    told: Callable[[], None] = lambda: None
    """Called after a message to people entered the outbox."""
    tables: Sequence[PersonTable] = ()
    """Tables of plug-ins with rows of people."""
    finish: Sequence[Finish] = ()
    """Finishes what an earlier process left half moved."""
    moved: list[str] = field(default_factory=list[str])
    """A line for each person id moved since the start."""
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _earlier: Mapping[str, str] = field(default_factory=dict[str, str])
    _ran: set[str] = field(default_factory=set[str])
    """Earlier ids that had a turn since the last pass."""

    def __post_init__(self) -> None:
        self.contacts.subscribe(self._wake.set)

    def wake(self) -> None:
        """Look soon: somebody has taken something over."""
        self._wake.set()

    def ran(self, session: str) -> None:
        """A turn of this session has run. Costs nothing unless its person id is an earlier one."""
        person = SessionKey.parse(session).person
        if person in self._earlier:
            self._ran.add(person)
            self._wake.set()

    async def run(self) -> None:
        """Move rows whenever there may be new ones to move, until cancelled.

        Raises StorageError.
        """
        while True:
            self._wake.clear()
            await self.follow()
            busy = await at_work(self.database, self._earlier)
            self._ran |= busy
            await until_due(self.clock, self._wake, self.clock.now() + AGAIN if busy else None)

    async def follow(self) -> list[str]:
        """One pass; returns a line for each person id that had data.

        Raises StorageError.
        """
        async with self._lock:
            finish, self.finish = self.finish, ()
            for begun in finish:
                await _done(begun(), "what was half moved stays so until the next start")
            self._earlier = await self._links()
            ran, self._ran = self._ran, set()
            await self._move_kept()
            here = ran | await known_among(self.database, self._earlier, self.tables)
            found = [
                await self._move_rows(earlier, person)
                for earlier, person in self._earlier.items()
                if earlier in here
            ]
        self.moved += found
        return found

    async def _links(self) -> dict[str, str]:
        """Earlier ids and their owners: of contacts, and taken over."""
        own, known = await own_accounts(self.database), self.contacts.person
        links = {
            one.id: one.person
            for one in self.contacts.earlier_ids()
            if one.platform == TERMINAL or (key_of(one.person), (one.platform, one.account)) in own
        }
        return links | {
            earlier: person
            for earlier, person in await taken_ids(self.database)
            if known(earlier) is None and known(person) is not None
        }

    async def kept_of(self, person: str, language: Language = Language.EN) -> str:
        """What is kept under a person id, in words and without its contents; empty for nothing.

        Raises StorageError.
        """
        counted = await counts_of(self.database, person, more=self.tables, language=language)
        held = [keeper for keeper in self.keepers if await _held(keeper, [person])]
        return ", ".join([*counted, *([BESIDE_ROWS.said(language)] if held else [])])

    async def _move_kept(self) -> None:
        for keeper in self.keepers:
            for earlier in sorted(await _held(keeper, self._earlier)):
                person = self._earlier[earlier]
                await _done(
                    keeper.move(earlier, person),
                    f"{earlier} could not be moved to {person}, tried at the next start",
                )

    async def _move_rows(self, earlier: str, person: str) -> str:
        made = ", ".join(await self._made(earlier))
        now = self.clock.now()
        unit = move_unit(earlier, person, now, self.tables)
        an_accounts = reserved_for(earlier, self.contacts.platforms) is not None
        if made and an_accounts and self.contacts.person(person) is not None:
            unit += await self._notice(earlier, person)
        await self.database.write(unit)
        self.told()
        log.info("from=<%s>, to=<%s>, moved=<%s> | linked", earlier, person, made)
        return f"{earlier} is {person} now: {made or 'nothing but messages'} moved."

    async def _made(self, person: str, language: Language = Language.EN) -> list[str]:
        made = [one for one in self.tables if one.made]
        return await counts_of(self.database, person, MADE, made, language)

    def _name(self, person: str) -> str:
        known = self.contacts.person(person)
        return known.name if known is not None else person

    async def _notice(self, earlier: str, person: str) -> Unit:
        """Tell the person in their last direct conversation, in the moving unit, so only once."""
        place = await own_place(self.database, earlier)
        if place is None:
            return Unit()
        language = await spoken_at(self.database, place)
        made = ", ".join(await self._made(earlier, language))
        text = Phrase(
            "I know you as {name} now. What I kept for you before is yours here too: {moved}."
        ).said(language, name=self._name(person), moved=made)
        now, told = self.clock.now(), OutgoingMessage(ReplyTarget(place), text, language=language)
        key = notice_key("linked", earlier, person, format_utc(now))
        return Unit.of(notice_write(key, person, told, now))


async def _held(keeper: Keeper, persons: Collection[str]) -> Collection[str]:
    try:
        return await keeper.holding(persons)
    except (BotError, OSError):
        log.exception("people with data can't be listed; trying again at the next start")
        return ()


async def _done(work: Awaitable[None], otherwise: str) -> None:
    try:
        await work
    except (BotError, OSError):
        log.exception("%s", otherwise)
