"""The connectors that Bellhop ships; the only module that knows several of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.connectors.accounts import PersonAccounts
from bot.connectors.calendar.connector import CalendarConnector
from bot.connectors.calendar.events import CalendarAccount
from bot.connectors.connect import ConnectConnector
from bot.connectors.mailboxes.connector import MailboxesConnector
from bot.connectors.mailboxes.emails import MailboxAccount
from bot.connectors.search import SearchConnector
from bot.connectors.surfaces import (
    AutomationsConnector,
    CustomSkillsConnector,
    DailyNotesConnector,
    DocumentsConnector,
    PreferencesConnector,
    SkillsConnector,
)
from bot.connectors.todos import TodosConnector
from bot.domain.access import Person
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.search import KnowsWhatHappened, SearchSource
from bot.knowledge.file_readers import NO_READERS, FileReaders
from bot.tools.native.connector import Connector
from bot.web.settings import WebSettings

_SURFACES = (
    PreferencesConnector,
    DocumentsConnector,
    DailyNotesConnector,
    CustomSkillsConnector,
    SkillsConnector,
    AutomationsConnector,
)
RESERVED = frozenset({"get_calendar"})
"""The reserved tools of connectors; their names stay reserved where the connector is absent."""


@dataclass(frozen=True)
class KeptElsewhere:
    """What people keep at services that they connected."""

    mailboxes: PersonAccounts[MailboxAccount]
    calendars: PersonAccounts[CalendarAccount]
    readers: FileReaders = NO_READERS
    """Of files that are attached to mails."""

    @property
    def services(self) -> frozenset[str]:
        """Empty where nobody can connect any."""
        return self.mailboxes.services | self.calendars.services


def build_connectors(  # noqa: PLR0913 - each is what one of them stands on
    database: Database,
    *,
    files: Mapping[str, FileSource],
    ours: Sequence[Connector] = (),
    kept: KeptElsewhere | None = None,
    limits: WebSettings | None = None,
    could_connect: Callable[[Person], bool] = lambda _person: False,
    searched: Sequence[SearchSource] = (),
    happened: KnowsWhatHappened | None = None,
) -> list[Connector]:
    """All shipped connectors in the order of prompt sections, except those that lack a part.

    `files` maps connector ids to sources: `preferences`, `documents`, `custom-skills`, `skills`,
    `automations`. `ours` are those of our own plug-ins, which follow the todos. `kept` are the
    mailboxes and calendars that people connect; where nobody can, they have no connector.
    `searched` is what `search` looks through beside what these connectors keep,
    `happened` knows what people missed in chats.
    """
    plain: list[Connector] = [
        TodosConnector(database),
        *ours,
        *_mail_and_calendar(kept, limits),
        ConnectConnector(could_connect),
    ]
    plain += [surface(files[surface.id]) for surface in _SURFACES if surface.id in files]
    own = [one for one in plain if isinstance(one, SearchSource)]
    return [*plain, SearchConnector([*own, *searched], happened)]


def _mail_and_calendar(kept: KeptElsewhere | None, limits: WebSettings | None) -> list[Connector]:
    if kept is None or not kept.services:
        return []
    mailboxes = MailboxesConnector(kept.mailboxes, limits, kept.readers)
    return [CalendarConnector(kept.calendars), mailboxes]
