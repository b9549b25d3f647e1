"""The lines to platforms: those that this process may hold, and adapters for the others."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.assembly.platforms import ServedLine, build_served, platforms_wanted
from bot.chat.platform import AnyPlatform
from bot.chat.remote.adapter import LineOf, Remote, RemoteChat, RemoteTerminal
from bot.chat.remote.caller import Caller
from bot.chat.remote.desk import CallDesk
from bot.chat.remote.held import HeldLine, Shares
from bot.chat.terminal.platform import TRAITS as TERMINAL
from bot.domain.chat import ChatAdapter, Recovery
from bot.domain.processes import OneProcess, Processes, ProcessRole
from bot.sessions.inbox.platforms import Supervised
from bot.settings import Settings
from bot.storage.blobs import Blobs


@dataclass(frozen=True)
class Lines:
    """`connected` are this process's own adapters; `by_platform` is the way to every platform."""

    connected: Sequence[ChatAdapter]
    by_platform: Mapping[str, ChatAdapter]
    supervised: Sequence[Supervised]
    tasks: Sequence[Callable[[], Awaitable[None]]] = ()


def build_lines(
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
        caller = Caller(processes.notices, processes.name)
        return Lines((), _ways(settings, [TERMINAL.name], caller, blobs, None), ())
    if served:
        own += build_served(settings, ground.database, blobs, ground.clock, recovery)
    adapters = [one.adapter for one in own]
    names = list(dict.fromkeys(adapter.platform for adapter in adapters))
    if processes is None:
        if len(names) == len(adapters):
            return Lines(adapters, {one.platform: one for one in adapters}, adapters)
        alone = OneProcess()
        processes = Processes("alone", ProcessRole.BOTH, alone, alone)
    return _held(settings, processes, own, names, blobs)


def _held(
    settings: Settings,
    processes: Processes,
    own: Sequence[ServedLine],
    names: Sequence[str],
    blobs: Blobs,
) -> Lines:
    """The lines of a gateway, each served while it holds it."""

    async def keep(pieces: AsyncGenerator[bytes]) -> str:
        return (await blobs.put_pieces(pieces))[0]

    desk = CallDesk(processes.notices, processes.name, keep)
    shares = Shares(processes.notices, processes.name)
    lines = [
        HeldLine(
            one.line,
            one.adapter,
            desk,
            processes.locks,
            shares,
            listens_anyway=one.listens_anyway,
        )
        for one in own
    ]
    caller = Caller(processes.notices, processes.name)
    return Lines(
        [one.adapter for one in own],
        _ways(settings, names, caller, blobs, desk),
        lines,
        (desk.run, shares.run),
    )


def _ways(
    settings: Settings, names: Sequence[str], caller: Caller, blobs: Blobs, desk: CallDesk | None
) -> Mapping[str, ChatAdapter]:
    """Adapters for the platforms with these names, and for those that the settings enable."""
    records = {one.name: one for one in platforms_wanted(settings)}
    return {
        name: (RemoteTerminal if name == TERMINAL.name else RemoteChat)(
            Remote(name, caller, _line_of(settings, name, records.get(name)), blobs.pieces, desk)
        )
        for name in dict.fromkeys([*names, *records])
    }


def _line_of(settings: Settings, name: str, record: AnyPlatform | None) -> LineOf:
    """Which line serves a workspace; a platform that the settings don't enable has one line."""
    if record is None:
        return lambda _workspace: name
    section = settings.get(record.settings)
    return lambda workspace: record.line_of(section, workspace)
