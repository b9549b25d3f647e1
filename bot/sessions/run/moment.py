"""The operator's note beside a message: what is true at this moment.

It stands behind the person's words, so it changes no byte of what was sent before.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime

from bot.connections.services import Service
from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.characters import plain_name
from bot.domain.messages import IncomingMessage
from bot.domain.tool_context import ToolsetView
from bot.domain.work import MessageWork, Work

_TERMINAL = "terminal"
"""Where whoever writes is the local operator's choice."""
_TOOLS_NAMED = 12
_SERVICES_NAMED = 6
_COMMANDS = " Commands: /files PATH, /undo."
"""What nobody would guess in a first conversation: how to get a file, and to take back a change."""


def moment_note(
    local: datetime, person: Person, message: IncomingMessage, zone: str, formatting: str
) -> str:
    """The local time, who speaks with which role, and where.

    `local` is the time in `zone`; `formatting` says what the platform can show.
    """
    conversation = message.conversation
    seen = "only they read it" if message.private else "everybody here reads it"
    return (
        f"Now {local:%Y-%m-%d %H:%M} {local:%z} ({zone}, {local:%A})."
        f" Speaker: {_speaker(person, message)}."
        f" Place: {conversation.place}, {seen}.{_surface(message, formatting)}"
    )


def _speaker(person: Person, message: IncomingMessage) -> str:
    """The name and role; where others speak as well, the id too, as two may have one name.

    A name that contacts.yaml doesn't have is their own choice on a chat platform: it is cleaned,
    quoted and said to be only what they are called.
    """
    name = " ".join(plain_name(person.name.translate(_NO_BRACKETS)).split())
    about = str(person.role) if message.private else f"{person.role}, id {person.id}"
    vouched = person.known or message.conversation.platform == _TERMINAL
    return f"{name} ({about})" if vouched else f'somebody called "{name}" ({about})'


_NO_BRACKETS = str.maketrans("()", "  ")


def _surface(message: IncomingMessage, about: str) -> str:
    return f"{about[:-1]}, {message.columns} columns wide." if about and message.columns else about


def first_note(services: Mapping[str, Service], usable: Set[str]) -> str:
    """For the first message of a session: the services that can be used, and commands."""
    titles = [service.title for id_, service in services.items() if id_ in usable]
    more = f" and {len(titles) - _SERVICES_NAMED} more" if len(titles) > _SERVICES_NAMED else ""
    connected = f" Connected: {', '.join(titles[:_SERVICES_NAMED])}{more}." if titles else ""
    return f"{connected}{_COMMANDS}"


def skills_note(active: Sequence[str]) -> str:
    """The skills whose tools are callable; empty if none is active."""
    return f" Active: {', '.join(active)} (deactivate_skill ends it)." if active else ""


def waiting_note(waiting: Sequence[Approval]) -> str:
    """The calls that wait for the speaker; empty if none does."""
    named = ", ".join(f"{one.ref} ({one.tool})" for one in waiting)
    return (
        f" Not done, waiting for this person's yes: {named}. These words gave none: they press "
        "Approve, reply to the card, or send /approve REF."
        if named
        else ""
    )


def connected_note(
    work: Work, services: Mapping[str, Service], compose: Callable[[], ToolsetView]
) -> str:
    """A service that was just connected, and its tools; empty for other messages."""
    service = services.get(work.connected) if isinstance(work, MessageWork) else None
    if service is None:
        return ""
    toolset = compose()
    listed = toolset.describe(tuple(tool.name for tool in toolset.listing()))
    names = [tool.name for tool in listed if service.id in tool.requires][:_TOOLS_NAMED]
    where = (
        f"get_capabilities unlocks its tools: {', '.join(names)}"
        if names
        else "tool_search finds its tools"
    )
    return f" The person has connected {service.title} since they wrote this; {where}."
