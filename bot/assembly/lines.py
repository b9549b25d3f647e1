"""The lines to platforms: those that this process may hold, and the way to the others."""

from collections.abc import Sequence

from bot.assembly.ground import Ground
from bot.assembly.platforms import Lines, ServedLine, build_served
from bot.domain.chat import ChatAdapter, Recovery
from bot.domain.processes import OneProcess, Processes, ProcessRole
from bot.storage.blobs import Blobs


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
