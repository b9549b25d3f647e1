"""Where an automation watches and answers: its person's channels; private stays private."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.domain.places import Location, Reach
from bot.errors import ToolError

Locate: TypeAlias = Callable[[str], Awaitable[Location | None]]
"""Finds the channel with this id among all known channels."""

PUBLIC = frozenset({Reach.PUBLIC})


async def watched_channel(named: str, here: Location, locate: Locate) -> str:
    """The key of the channel that a file watches.

    Raises ToolError for one that its person may not have watched.

    A person may watch channels in which they write, and public ones.
    """
    if not named or named == here.channel:
        if Reach.DM in here.reaches:
            raise ToolError(
                "filter.channel: name the channel to watch; in a direct message there is none"
            )
        return here.channel_key if named else here.audience_key
    return (await _other_channel(named, here, locate, "filter.channel")).channel_key


async def require_answer_place(named: str, here: Location, watched: str, locate: Locate) -> None:
    """Raises ToolError if answers would show a private channel's text elsewhere."""
    answers = (
        here
        if not named or named == here.channel
        else await _other_channel(named, here, locate, "channel")
    )
    if not watched or watched in {answers.channel_key, answers.audience_key}:
        return
    ours = watched in {here.channel_key, here.audience_key}
    source = here if ours else await locate(watched.split(":", 2)[2])
    if source is None or source.reaches != PUBLIC:
        raise ToolError("channel: what is said in a private channel stays there; leave channel out")


def require_direct_message(named: str, here: Location) -> None:
    """Raises ToolError if answers would show a person's mail or calendar to others."""
    if Reach.DM not in here.reaches or (named and named != here.channel):
        raise ToolError(
            "answers about your own mailbox or calendar go only to a direct message; "
            "write this file there,"
            " without channel"
        )


async def _other_channel(named: str, here: Location, locate: Locate, field: str) -> Location:
    found = await locate(named)
    same = found is not None and (found.platform, found.workspace) == (
        here.platform,
        here.workspace,
    )
    if found is None or not same or found.reaches != PUBLIC:
        raise ToolError(
            f"{field}: {named[:40]!r} is no public channel of this workspace that I know; ask the "
            "person to say this in the channel itself, or give the id of one in which somebody has "
            "written since I came"
        )
    return found
