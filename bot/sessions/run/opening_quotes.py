"""What stands around a person's words: the operator's note of this moment, and an epoch's quotes.

The note is true at this moment. It stands behind the person's words, so it changes no byte of what
was sent before. An epoch begins with quotes: preferences, skills, the last session, the day's
notes.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from bot.agents.prompt.notes import quote, system_note
from bot.connections.services import Service
from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.characters import plain_name
from bot.domain.database import Database, Row, Unit
from bot.domain.messages import Conversation, IncomingMessage
from bot.domain.origins import Origin
from bot.domain.places import Location
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.domain.sessions import StoredBlock
from bot.domain.skills import Skill
from bot.domain.tool_context import ToolsetView
from bot.domain.work import MessageWork, Work
from bot.files.database_files import GLOBAL_PREFERENCES, PRIVATE_PREFERENCES
from bot.files.store import FileRows, Owner, SeenFiles, saw
from bot.memory.summaries.recall import in_words
from bot.memory.summaries.store import last_summary
from bot.skills.custom import CustomSkills

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
    surface = formatting
    if formatting and message.columns:
        surface = f"{formatting[:-1]}, {message.columns} columns wide."
    return (
        f"Now {local:%Y-%m-%d %H:%M} {local:%z} ({zone}, {local:%A})."
        f" Speaker: {_speaker(person, message)}."
        f" Place: {conversation.place}, {seen}.{surface}"
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


def first_note(services: Mapping[str, Service], usable: Set[str]) -> str:
    """For the first message of a session: the services that can be used, and commands."""
    titles = [service.title for id_, service in services.items() if id_ in usable]
    more = f" and {len(titles) - _SERVICES_NAMED} more" if len(titles) > _SERVICES_NAMED else ""
    connected = f" Connected: {', '.join(titles[:_SERVICES_NAMED])}{more}." if titles else ""
    return f"{connected}{_COMMANDS}"


ANSWERED_NOTE = (
    " While this message waited you answered somebody else here, see the last quoted lines. If"
    " that answers them too, say so in one line and repeat nothing."
)
OVERHEARD_NOTE = (
    " They don't name you, and others write here: if this is for one of them, finish_task, silent."
)
LENGTH_NOTE = " They read the beginning of a long answer here, the rest apart: gist first."


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


CUSTOM_SKILLS = "skills of people here, to be read with read_file before a task that matches"
UNCONFIRMED = (
    "was changed while text from outside was there, and its person has not confirmed that. The "
    "change is not in force; if it matters, tell them."
)
DAY_NOTE_CHARS = 4_000
"""Characters from the end of one day's note: the day continues there."""


@dataclass(frozen=True)
class EpochQuotes:
    """Finds what an epoch begins with; a turn within an epoch needs none of it."""

    database: Database
    files: FileRows
    custom_skills: CustomSkills
    text_of: Callable[[Skill], str | None]
    """The text of a skill that a note may hold; None for one that is only named."""

    async def of(
        self, person: Person, conversation: Conversation, location: Location, notes: Sequence[Row]
    ) -> list[StoredBlock]:
        """Standing instructions, skills for the agent, and the day's `notes`."""
        kinds = {GLOBAL_PREFERENCES: "this person's standing preferences"}
        if Viewer.at(location, person).place == IN_DM:
            kinds[PRIVATE_PREFERENCES] = "this person's preferences for direct messages"
        owner = Owner("person", person.id)
        quotes: list[StoredBlock] = []
        for row in await self.files.several(owner, tuple(kinds)):
            quotes += await self._preferences(owner, row, kinds[row["path"]])
        listing = await self.custom_skills.listing(person, conversation, location)
        if listing is not None:
            quotes.append(
                quote(CUSTOM_SKILLS, listing.text, listing.origin, private=listing.private)
            )
        return [*quotes, *note_blocks(notes)]

    async def fitting(
        self,
        skill: Skill | None,
        words: str,
        person: Person,
        conversation: Conversation,
        location: Location,
        *,
        whole: bool,
    ) -> str:
        """A note that names the skill for these words; their own goes before the library's.

        Of people's skills it gives the path alone: the rest is their text, which is quoted.
        `whole`: with the text, if it may hold it, which saves the request that reads it.
        """
        if skill is None:
            return ""
        own = await self.custom_skills.in_place_of(skill, words, person, conversation, location)
        if own is not None:
            return f" Skill that may fit: {own.path}"
        named = f" Skill that may fit: {skill.path} ({skill.description})"
        text = self.text_of(skill) if whole else None
        return named if text is None else f"{named} If it does, work by its text:\n\n{text}"

    async def _preferences(self, owner: Owner, row: Row, kind: str) -> list[StoredBlock]:
        """A file of preferences, quoted; of one that outside text changed, its last own version.

        That text would else be followed from now on, and taint every session of its person.
        """
        if not _origin(row).untrusted:
            return [_preferences(row, kind)]
        earlier = await self.files.earlier(owner, row["path"])
        own = [one for one in earlier if not _origin(one).untrusted]
        note = system_note(f"{row['path']} {UNCONFIRMED}")
        return [*(_preferences(one, kind) for one in own[:1]), note]

    async def last_time(
        self, person: Person, agent: str, message: IncomingMessage, location: Location
    ) -> StoredBlock | None:
        """The result of this person's last session with an agent in this conversation."""
        summary = await last_summary(self.database, person.id, message.conversation.key, agent)
        if summary is None or not Viewer.at(location, person).sees(summary.person, summary.learned):
            return None
        origin = Origin(summary.trust, "summary of a conversation")
        kind = "your last session with this person here"
        return quote(kind, in_words(summary), origin, private=message.private)


async def changed_notes(database: Database, session: str, notes: Sequence[Row]) -> list[Row]:
    """The notes that the session has not seen in their current version."""
    known = await SeenFiles(database).versions(session, [note["path"] for note in notes])
    return [note for note in notes if known.get(note["path"]) != note["version"]]


def notes_seen(session: str, notes: Sequence[Row]) -> Unit:
    """The session has seen these notes, as far as they were shown whole."""
    whole = [note for note in notes if len(note["text"]) <= DAY_NOTE_CHARS]
    return Unit.joined(saw(session, note["path"], note["version"]) for note in whole)


def _preferences(row: Row, kind: str) -> StoredBlock:
    return quote(kind, row["text"], _origin(row), private=Learned.of(row).private)


def _origin(row: Row) -> Origin:
    return Origin.parse(row["origin"])


def note_blocks(notes: Sequence[Row]) -> list[StoredBlock]:
    return [_block(note) for note in notes]


def _block(note: Row) -> StoredBlock:
    text = str(note["text"])
    if len(text) > DAY_NOTE_CHARS:
        text = f"[only its end; read_file {note['path']} shows all]\n{text[-DAY_NOTE_CHARS:]}"
    kind = f"this person's note of today, {note['path']}"
    return quote(kind, text, _origin(note), private=Learned.of(note).private)
