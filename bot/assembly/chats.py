"""Builds the served platforms and their outboxes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.assembly.platforms import Lines, ServedLine, build_served
from bot.domain.chat import ChatAdapter, Recovery
from bot.domain.processes import OneProcess, Processes, ProcessRole
from bot.sessions.inbox.catch_up import Recoveries
from bot.sessions.inbox.platforms import Checkup, Platforms
from bot.sessions.opening.attachments import Attachments
from bot.sessions.outbox.cards import Cards
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.people.contacts import Contacts
from bot.sessions.search.chat_search import ChatSearch
from bot.sessions.search.index import MessageIndex
from bot.sessions.settings import CatchUpSettings
from bot.storage.blobs import Blobs
from bot.tools.permission.approvals import ApprovalStore


@dataclass(frozen=True)
class Chats:
    """The platforms of one app, their outbox and their supervisor."""

    adapters: Sequence[ChatAdapter]
    """Those that this process connects."""
    by_platform: Mapping[str, ChatAdapter]
    platforms: Platforms
    checkup: Checkup
    outbox: Outbox
    cards: Cards
    attachments: Attachments
    index: MessageIndex
    search: ChatSearch
    line_tasks: Sequence[Callable[[], Awaitable[None]]] = ()
    """What a gateway does for the lines that it holds."""


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
    # The one real circle: adapters ask for what they missed, a notice about it needs the outbox,
    # and the outbox sends through adapters.
    recovery = Recoveries(database, clock, settings.get(CatchUpSettings), lambda: outbox)
    lines = _lines(ground, blobs, given, recovery, served=served)
    by_platform = lines.by_platform
    cards = Cards(database, clock, ground.engine, approvals, by_platform, contacts.person)
    outbox = Outbox(database, clock, list(by_platform.values()), cards.sent)
    cards.kept = outbox.retries.wake
    if ground.processes is not None:
        cards.share(ground.processes.notices)
        outbox.retries.share(ground.processes.notices)
    platforms = Platforms(lines.supervised, clock)
    checkup = Checkup(database, ground.engine, platforms, clock)
    attachments = Attachments(blobs, by_platform, database, clock, ground.limits.files)
    index = MessageIndex(database, clock)
    search = ChatSearch(database, index, by_platform, contacts, ground.engine)
    return Chats(
        lines.connected,
        by_platform,
        platforms,
        checkup,
        outbox,
        cards,
        attachments,
        index,
        search,
        lines.tasks,
    )


def _lines(
    ground: Ground,
    blobs: Blobs,
    given: Sequence[ChatAdapter],
    recovery: Recovery,
    *,
    served: bool,
) -> Lines:
    """Build the `given` adapters' lines; with `served`, also those of the settings' platforms.

    Raises SettingsError.
    """
    settings, processes = ground.settings, ground.processes
    own = [ServedLine(adapter.platform, adapter) for adapter in given]
    if processes is not None and processes.role is ProcessRole.TURNS:
        from bot.assembly.shared_lines import lines_of_gateways  # noqa: PLC0415 - few homes share

        return lines_of_gateways(settings, processes, blobs)
    if served:
        own += build_served(settings, ground.database, blobs, ground.clock, recovery)
    adapters = [one.adapter for one in own]
    names = list(dict.fromkeys(adapter.platform for adapter in adapters))
    if processes is None:
        if len(names) == len(adapters):
            return Lines(adapters, {one.platform: one for one in adapters}, adapters)
        alone = OneProcess()
        processes = Processes("alone", ProcessRole.BOTH, alone, alone)
    from bot.assembly.shared_lines import held_lines  # noqa: PLC0415 - few homes share

    return held_lines(settings, processes, own, names, blobs)
