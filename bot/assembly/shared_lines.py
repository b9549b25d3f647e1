"""The lines to platforms that several processes, or several adapters of one platform, share."""

from collections.abc import AsyncGenerator, Mapping, Sequence

from bot.assembly.platforms import Lines, ServedLine, platforms_wanted
from bot.chat.remote.adapter import LineOf, Remote, RemoteChat, RemoteTerminal
from bot.chat.remote.caller import Caller
from bot.chat.remote.held import CallDesk, HeldLine, Shares
from bot.chat.terminal.platform import TRAITS as TERMINAL
from bot.domain.chat import ChatAdapter
from bot.domain.processes import Processes
from bot.plugin.chat import AnyPlatform
from bot.settings import Settings
from bot.storage.blobs import Blobs


def lines_of_gateways(settings: Settings, processes: Processes, blobs: Blobs) -> Lines:
    """The way to every platform, for a process that holds no line itself."""
    caller = Caller(processes.notices, processes.name)
    return Lines((), _ways(settings, [TERMINAL.name], caller, blobs, None), ())


def held_lines(
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
