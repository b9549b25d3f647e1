"""The opening step of a turn: its session, and what its opening message holds and quotes."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from bot.agents.cycle_log.events import CycleKey
from bot.agents.cycle_log.store import events_unit
from bot.agents.prompt.notes import quote
from bot.connections.services import Service
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.database import Row, Unit
from bot.domain.messages import Conversation, Delivery, IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.domain.sessions import StoredBlock
from bot.domain.tool_context import ToolContext, ToolScope, ToolsetView
from bot.domain.tools import ToolCall
from bot.domain.turns import Recorded, Turn
from bot.domain.work import MessageWork, Work, load_work
from bot.errors import TurnError
from bot.files.daily_notes import notes_of, today
from bot.files.database_files import GLOBAL_PREFERENCES, PRIVATE_PREFERENCES
from bot.files.seen_store import SeenFiles, saw
from bot.files.store import Owner, learned_of
from bot.memory.facts import KnownFacts
from bot.memory.summaries.store import last_summary
from bot.memory.summaries.words import in_words
from bot.sessions.house import House
from bot.sessions.inbox.router import session_key
from bot.sessions.opening.opening import facts_block, moment_note, visible_block
from bot.sessions.records.conversation_store import VisibleMessage, message_id, visible_since
from bot.sessions.records.session_store import SessionForTurn, SessionPlace, StoredSession
from bot.sessions.run.handover import Handover
from bot.sessions.run.moved_preferences import moved_notice
from bot.sessions.run.run_kinds import runs_in
from bot.tools.budget.budgets import Payer

CUSTOM_SKILLS = "skills of people here, to be read with read_file before a task that matches"
DAY_NOTE_CHARS = 4_000
"""Characters from the end of one day's note: the day continues there."""
_TOOLS_NAMED = 12


class OpeningStep:
    """Finds or opens the session, and gathers what became visible since its last turn."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._handover = Handover(house.database)

    async def open(
        self,
        turn: Turn,
        message: IncomingMessage,
        person: Person,
        agent: AgentDefinition,
        scope: ToolScope,
    ) -> tuple[Recorded, StoredSession | None]:
        """The step, and the session's row if it already existed."""
        house = self._house
        key = runs_in(turn, session_key(message, person))
        place = SessionPlace(key, person, agent, message.conversation.key, message.private)
        compose = cache(lambda: house.crew.compose(agent, scope))  # most turns need none here
        found = await house.sessions.find(place, turn.id, scope, compose)
        if scope.run.shape.person_present:
            context, seen = await self._context(found, message, person)
            context += await self._found_out(found, message, scope, compose, context, turn)
        else:
            context, seen = await self.quotes(person, message.conversation), found.seen
        notes = await day_notes(house, person, scope.location)
        if not found.fresh:  # opening quotes hold them
            notes = await changed_notes(house, found.session.id, notes)
            context = [*context, *note_blocks(notes)]
        budget = await house.meter.note(
            Payer.of(person, message.conversation, house.rights.at(scope.location).limits)
        )
        platform = house.contacts().platforms[message.conversation.platform]
        note = moment_note(
            house.clock.now(), person, message, house.zone(person), platform.formatting
        )
        note += connected_note(load_work(turn.body), house.connections.services, compose)
        cycle = house.crew.cycles.of(cycle_key(turn, found.session.id, scope))
        notice = Unit()
        if found.fresh:
            notice = await moved_notice(house.database, house.clock.now(), message, person)
        value = {
            "session": found.session.id,
            "context": [block.to_json() for block in context],
            "note": note + budget,
            "seen": seen,
            "tells": bool(notice),
        }
        unit = (
            found.unit
            + events_unit([cycle.start(message.text)])
            + seen_unit(found.session.id, notes)
            + notice
        )
        return Recorded(value, unit), found.stored

    async def _context(
        self, found: SessionForTurn, message: IncomingMessage, person: Person
    ) -> tuple[list[StoredBlock], int]:
        """Quoted data before the person's words, and the last visible row that it covers."""
        house = self._house
        blocks: list[StoredBlock | None] = []
        if found.fresh:
            blocks += await self.quotes(person, message.conversation)
            blocks.append(await self._last_time(found, message, person))
        conversation = message.conversation.key
        own = await message_id(house.database, message.key)
        whole = (
            found.fresh and not found.seen
        )  # after /new, no earlier message with this person returns
        visible = [
            item
            for item in await visible_since(
                house.database, conversation, found.seen, 3 * house.rules.context.messages
            )
            if (own is None or item.id < own)
            and (whole or _others(item, person.id, house.rules.default_agent))
        ]
        blocks.append(visible_block(visible, person, message.private, house.rules.context))
        known = await house.facts.load(found.session.id) if found.untold_facts else KnownFacts()
        blocks.append(facts_block([known[key] for key in found.untold_facts if key in known]))
        seen = max([found.seen, own or 0, *(item.id for item in visible)])
        return [block for block in blocks if block is not None], seen

    async def _found_out(
        self,
        found: SessionForTurn,
        message: IncomingMessage,
        scope: ToolScope,
        compose: Callable[[], ToolsetView],
        told: Sequence[StoredBlock],
        turn: Turn,
    ) -> list[StoredBlock]:
        """The thread's handed-over facts, and memories that match the first message."""
        house, person = self._house, scope.person
        since = None if found.fresh else found.session.last_at
        blocks = [
            await self._handover.block(
                message.conversation, person.id, compose, since, private=message.private
            )
        ]
        if house.recall is not None and found.fresh and not found.seen:
            known = [str(block["text"]) for block in found.session.system if block.get("text")]
            known += [str(stored.block.get("text", "")) for stored in told]
            context = ToolContext(
                person=person,
                agent=scope.agent,
                run=scope.run,
                session_id=found.session.id,
                conversation=message.conversation,
                location=scope.location,
                private=message.private,
                cycle_id="",
                call=ToolCall("", "remember", {}, ""),
                tools=compose(),
                now=house.clock.now(),
                timezone=house.zone(person),
                send=_send_nothing,
                progress=lambda _text: None,
                envelope=load_work(turn.body).envelope,
            )
            blocks.append(
                await house.recall.block(context, message.own_words or message.text, known)
            )
        return [block for block in blocks if block is not None]

    async def _last_time(
        self, found: SessionForTurn, message: IncomingMessage, person: Person
    ) -> StoredBlock | None:
        """The result of this person's last session here; nothing after /new."""
        if found.seen:
            return None
        database, session = self._house.database, found.session
        summary = await last_summary(database, person.id, message.conversation.key, session.agent)
        if summary is None:
            return None
        location = await self._house.channels.locate(message.conversation)
        if not Viewer.at(location, person).sees(summary.person, summary.learned):
            return None
        origin = Origin(summary.trust, "summary of a conversation")
        return quote(
            "your last session with this person here",
            in_words(summary),
            origin,
            private=message.private,
        )

    async def quotes(self, person: Person, conversation: Conversation) -> list[StoredBlock]:
        """An epoch's opening: standing instructions, skills for the agent, the day's notes."""
        location = await self._house.channels.locate(conversation)
        quotes = [
            await self._preferences(
                person, GLOBAL_PREFERENCES, "this person's standing preferences"
            )
        ]
        if Viewer.at(location, person).place == IN_DM:
            kind = "this person's preferences for direct messages"
            quotes.append(await self._preferences(person, PRIVATE_PREFERENCES, kind))
        listing = await self._house.custom_skills.listing(person, conversation, location)
        if listing is not None:
            quotes.append(
                quote(CUSTOM_SKILLS, listing.text, listing.origin, private=listing.private)
            )
        day = note_blocks(await day_notes(self._house, person, location))
        return [*(block for block in quotes if block is not None), *day]

    async def _preferences(self, person: Person, path: str, kind: str) -> StoredBlock | None:
        """The file as it is now, quoted."""
        row = await self._house.files.read(Owner("person", person.id), path)
        if row is None:
            return None
        return quote(
            kind,
            row["text"],
            Origin.from_json(json.loads(row["origin"])),
            private=learned_of(row).private,
        )


def cycle_key(turn: Turn, session: str, scope: ToolScope) -> CycleKey:
    """The cycle of a turn's own run."""
    person, learned = scope.person.id, Learned.at(scope.location)
    return CycleKey(turn.id, session, person, scope.agent, learned=learned)


async def _send_nothing(text: str, *, key: str, trust: Trust, to: str | None = None) -> Delivery:
    raise TurnError("nothing is sent while a session opens")


def _others(item: VisibleMessage, person: str, agent: str) -> bool:
    """Events that the session missed: others' messages, answers to them, and others' answers."""
    return item.author != person and (item.addressee != person or item.author != f"agent:{agent}")


async def day_notes(house: House, person: Person, location: Location) -> list[Row]:
    """The person's notes of today that are visible there, in their time zone."""
    day = today(house.clock.now(), house.zone(person))
    return await notes_of(house.files, Viewer.at(location, person), day)


async def changed_notes(house: House, session: str, notes: Sequence[Row]) -> list[Row]:
    """The notes that the session has not seen in their current version."""
    if not notes:
        return []
    known = SeenFiles(house.database)
    return [note for note in notes if await known.version(session, note["path"]) != note["version"]]


def seen_unit(session: str, notes: Sequence[Row]) -> Unit:
    """The session has seen these notes, as far as they were shown whole."""
    whole = [note for note in notes if len(note["text"]) <= DAY_NOTE_CHARS]
    return Unit(
        tuple(
            write for note in whole for write in saw(session, note["path"], note["version"]).writes
        )
    )


def note_blocks(notes: Sequence[Row]) -> list[StoredBlock]:
    return [_block(note) for note in notes]


def _block(note: Row) -> StoredBlock:
    text = str(note["text"])
    if len(text) > DAY_NOTE_CHARS:
        text = f"[only its end; read_file {note['path']} shows all]\n{text[-DAY_NOTE_CHARS:]}"
    origin = Origin.from_json(json.loads(note["origin"]))
    return quote(
        f"this person's note of today, {note['path']}",
        text,
        origin,
        private=learned_of(note).private,
    )


def connected_note(
    work: Work, services: Mapping[str, Service], compose: Callable[[], ToolsetView]
) -> str:
    """The operator's note on a connected service and its tools; empty for other messages."""
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
