"""Where people are: the platforms that are served, and the way to each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.assembly.platforms import build_platforms
from bot.domain.chat import ChatAdapter
from bot.sessions.inbox.catch_up import Recoveries
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.opening.attachments import Attachments, FileRoom
from bot.sessions.outbox.cards import Cards
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.people.contacts import Contacts
from bot.sessions.search.chat_search import ChatSearch
from bot.sessions.search.index import MessageIndex
from bot.sessions.settings import CatchUpSettings, SessionSettings
from bot.sessions.upkeep.checkup import Checkup
from bot.storage.blobs import Blobs
from bot.tools.permission.approvals import ApprovalStore


@dataclass(frozen=True)
class Chats:
    """The platforms of one app, what goes to them, and who looks after them."""

    adapters: Sequence[ChatAdapter]
    by_platform: Mapping[str, ChatAdapter]
    platforms: Platforms
    checkup: Checkup
    outbox: Outbox
    cards: Cards
    attachments: Attachments
    index: MessageIndex
    search: ChatSearch


def build_chats(
    ground: Ground,
    approvals: ApprovalStore,
    contacts: Contacts,
    given: Sequence[ChatAdapter],
    *,
    served: bool,
) -> Chats:
    """`given` adapters belong to who opens the app; with `served` the settings' platforms too.

    Raises SettingsError.
    """
    settings, database, clock = ground.settings, ground.database, ground.clock
    blobs = Blobs(settings.home / "data" / "blobs")
    recovery = Recoveries(database, clock, settings.get(CatchUpSettings), lambda: outbox)
    adapters = [
        *given,
        *(build_platforms(settings, database, blobs, clock, recovery) if served else []),
    ]
    by_platform = {adapter.platform: adapter for adapter in adapters}
    cards = Cards(database, clock, ground.engine, approvals, by_platform, contacts.person)
    outbox = Outbox(database, clock, adapters, cards.sent)
    platforms = Platforms(adapters, clock)
    checkup = Checkup(database, ground.engine, platforms, clock)
    sessions = settings.get(SessionSettings)
    room = FileRoom(sessions.files_person_mb * 1024 * 1024, sessions.files_total_mb * 1024 * 1024)
    attachments = Attachments(blobs, by_platform, database, clock, room)
    index = MessageIndex(database, clock)
    search = ChatSearch(database, index, by_platform, lambda: contacts, ground.engine)
    return Chats(
        adapters, by_platform, platforms, checkup, outbox, cards, attachments, index, search
    )
