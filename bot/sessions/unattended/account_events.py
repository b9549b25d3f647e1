"""Mail and calendar events from people's connected accounts start their own automations.

Each mailbox and calendar is checked once a minute, for its owner alone. A cursor in the database
marks the position. It moves in one unit with the found events, so a restart repeats and loses
nothing.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import partial
from typing import TypeAlias, TypeVar

from bot.automations.matching import fits_mail, fits_text
from bot.automations.store import AccountCursors, forget_cursor, move_cursor
from bot.automations.watching import NOTHING, Noted
from bot.clock import format_utc, parse_utc
from bot.connections.access import Connections
from bot.connectors.accounts import PersonAccounts, plain_line, shown_time
from bot.connectors.calendars import CalendarAccount, CalendarEvent, in_window
from bot.connectors.mailboxes import Box, Email, MailboxAccount
from bot.domain.access import Person
from bot.domain.automations import EventKind
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM
from bot.errors import ToolError
from bot.sessions.unattended.own_events import AutomationEvents, AutomationReader

log = logging.getLogger(__name__)

EVERY_S = 60.0
REST = timedelta(minutes=15)
"""The pause for an account that can't be read."""
_FIRST_BACK = timedelta(minutes=20)
"""How far back a first look reaches at most; it may come after a rest."""
_MOST_BACK = timedelta(days=14)
"""How far back a later look reaches at most, where it goes by the time of the last one."""
_OVERLAP = timedelta(minutes=10)
"""The overlap between looks that go by time: the service's clock may differ from ours."""

Readers: TypeAlias = Sequence[AutomationReader]
AccountT = TypeVar("AccountT")


@dataclass(eq=False)
class AccountEvents:
    """Events in accounts, for their owners' automations that answer in a direct message."""

    events: AutomationEvents
    connections: Connections
    mailboxes: PersonAccounts[MailboxAccount]
    calendars: PersonAccounts[CalendarAccount]

    def __post_init__(self) -> None:
        self._cursors = AccountCursors(self.events.database)
        self._resting: dict[tuple[str, str], datetime] = {}
        self._looked: set[tuple[str, str, EventKind]] = set()

    async def watch(self) -> None:
        """One look each minute, until cancelled. Raises StorageError."""
        while True:
            await self.look()
            await self.events.clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Look at every account that an automation waits for. Raises StorageError."""
        self._looked = set()
        for kind, box in ((EventKind.EMAIL_RECEIVED, Box.INBOX), (EventKind.EMAIL_SENT, Box.SENT)):
            await self._each(kind, self.mailboxes, partial(self._letters, kind, box))
        await self._each(EventKind.EVENT_ADDED, self.calendars, self._added)
        await self._each(EventKind.MEETING_PREP, self.calendars, self._soon)
        # Events from a time without an automation, or from another account, start nothing later.
        for person, account, kind in await self._cursors.all() - self._looked:
            await self.events.database.write(forget_cursor(person, account, kind))

    async def _each(
        self,
        kind: EventKind,
        accounts: PersonAccounts[AccountT],
        look: Callable[[str, AccountT, Readers], Awaitable[None]],
    ) -> None:
        by_owner: dict[str, list[AutomationReader]] = {}
        for reader in await self.events.readers(kind):
            if reader.person.role.rank and reader.sees(reader.person.id, IN_DM):
                by_owner.setdefault(reader.person.id, []).append(reader)
        for owner, readers in by_owner.items():
            for name, account in self._own(accounts, readers[0].person).items():
                self._looked.add((owner, name, kind))
                now = self.events.clock.now()
                if now < self._resting.get((owner, name), now):
                    continue
                try:
                    await look(name, account, readers)
                except ToolError as error:
                    self._resting[owner, name] = self.events.clock.now() + REST
                    log.warning(
                        "person=<%s>, account=<%s>, error=<%s> | an account can't be read now",
                        owner,
                        name,
                        error,
                    )

    def _own(self, accounts: PersonAccounts[AccountT], person: Person) -> Mapping[str, AccountT]:
        """Without the workspace's account: its events belong to nobody."""
        own = self.connections.connected(person.id)
        return {name: account for name, account in accounts.usable(person).items() if name in own}

    async def _letters(
        self, kind: EventKind, box: Box, name: str, account: MailboxAccount, readers: Readers
    ) -> None:
        person, now, noted = readers[0].person, self.events.clock.now(), NOTHING
        # Earlier versions stored no time before the cursor.
        looked, _, cursor = (await self._cursors.find(person.id, name, kind)).rpartition(" ")
        since = self._begin(readers, name, looked)
        arrived = await account.arrived(person, cursor, since, box)
        for email in arrived.emails:
            others, key, text = [parseaddr(email.sender)[1]], "mail", _mail_text(name, email)
            if box is Box.SENT:
                others, key = email.receivers, "sent"
                text = f"Sent to {plain_line(', '.join(others), 300)}. {text}"
            for reader in readers:
                if fits_mail(reader.rule, others, email.subject, email.snippet, email.labels):
                    noted += await self._note(reader, f"{key}:{name}:{email.id}", text)
        looked = format_utc(max(since, now - _OVERLAP))
        await self._keep(noted, person, name, kind, f"{looked} {arrived.cursor}")

    async def _added(self, name: str, account: CalendarAccount, readers: Readers) -> None:
        person, kind, now = readers[0].person, EventKind.EVENT_ADDED, self.events.clock.now()
        looked, noted = await self._cursors.find(person.id, name, kind), NOTHING
        since = self._begin(readers, name, looked)
        for event in await account.added(person, since):
            for reader in readers:
                old = event.created is None or event.created < reader.automation.created_at
                said = f"{event.summary}\n{event.location}"
                if not event.own and not old and fits_text(reader.rule, said):
                    told = _event_text(event, reader.zone)
                    text = f"An event was added to the calendar ({name}). {told}"
                    noted += await self._note(reader, f"added:{name}:{event.id}", text)
        await self._keep(noted, person, name, kind, format_utc(max(since, now - _OVERLAP)))

    def _begin(self, readers: Readers, name: str, looked: str) -> datetime:
        """From when on an account is looked at, where that goes by time.

        A first look reaches back: an automation that was made, changed or resumed waits since then.
        """
        now = self.events.clock.now()
        if not looked:
            since = min(reader.automation.updated_at for reader in readers)
            return max(since, now - _FIRST_BACK)
        since = max(parse_utc(looked), now - _MOST_BACK)
        if since > parse_utc(looked):
            log.warning(
                "person=<%s>, account=<%s>, days=<%d> | an account was not read for long: what came"
                " earlier is passed over, unless its service still tells it",
                readers[0].person.id,
                name,
                _MOST_BACK.days,
            )
        return since

    async def _soon(self, name: str, account: CalendarAccount, readers: Readers) -> None:
        person, now = readers[0].person, self.events.clock.now()
        ahead = timedelta(minutes=max(reader.rule.minutes for reader in readers))
        noted = NOTHING
        for event in (await account.events(person, now, now + ahead)).events:
            for reader in readers:
                near = in_window(event, now, now + timedelta(minutes=reader.rule.minutes))
                if near and not event.declined and fits_text(reader.rule, event.summary):
                    told = _event_text(event, reader.zone)
                    text = f"An event of the calendar ({name}) begins soon. {told}"
                    key = f"event:{name}:{event.id}:{event.start.isoformat()}"
                    noted += await self._note(reader, key, text)
        await self.events.store(noted)

    async def _note(self, reader: AutomationReader, key: str, text: str) -> Noted:
        if await self.events.knows(reader, key):
            return NOTHING
        origin = Origin(Trust.EXTERNAL, key.rpartition(":")[0] if key.startswith("event:") else key)
        return self.events.noted(reader, key, text, origin)

    async def _keep(
        self, noted: Noted, person: Person, name: str, kind: EventKind, cursor: str
    ) -> None:
        await self.events.store(
            Noted(noted.unit + move_cursor(person.id, name, kind, cursor), noted.comes_due)
        )


def _mail_text(name: str, email: Email) -> str:
    sender, subject = plain_line(email.sender, 200), plain_line(email.subject, 200)
    lines = [f"The mail {email.id} ({name}) from {sender}: {subject}"]
    lines.append(plain_line(email.snippet, 300))
    if email.attachments:
        names = ", ".join(plain_line(one, 100) for one in email.attachments[:20])
        lines.append(f"Attached: {names}")
    return "\n".join(lines)


def _event_text(event: CalendarEvent, zone: str) -> str:
    told = event.told(zone)
    times = f"{shown_time(event.start, zone)} to {shown_time(event.end, zone)} ({zone})"
    place = f" At {told['location']}." if told["location"] else ""
    people = f" With {', '.join(told['attendees'])}." if told["attendees"] else ""
    return f"“{told['summary']}”: {times}.{place}{people}"
