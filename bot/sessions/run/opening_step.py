"""The opening step of a turn: its session, and what its opening message holds and quotes.

See docs/rules.md#conversations-and-sessions.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.agents.cycle_log.events import CycleKey, Cycles
from bot.agents.cycle_log.store import events_unit
from bot.agents.prompt.notes import quote
from bot.connections.services import Service
from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.characters import one_entry, plain_name
from bot.domain.clock import Clock
from bot.domain.database import Database, Row, Unit
from bot.domain.messages import (
    Conversation,
    Delivery,
    IncomingMessage,
    OutgoingFile,
    Place,
    PlatformPerson,
    QuotedMessage,
)
from bot.domain.origins import ANSWERED_CONVERSATION, CONVERSATION, Origin, Trust, escape
from bot.domain.privacy import Viewer
from bot.domain.sessions import StoredBlock, text_block
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Fact
from bot.domain.tools import ToolCall
from bot.domain.turns import Recorded, Turn
from bot.domain.work import DecisionWork, SkillWork, Work, is_overheard
from bot.errors import TurnError
from bot.files.daily_notes import notes_in, notes_read
from bot.memory.facts import render_facts
from bot.memory.facts_store import FactsStore
from bot.sessions.inbox.session_names import session_key
from bot.sessions.opening.blocks import OpeningRecall
from bot.sessions.people.contacts import zone_of
from bot.sessions.records.answer_length_store import reads_beginnings_read
from bot.sessions.records.conversation_store import (
    Unseen,
    VisibleMessage,
    answered_since_read,
    author_trust,
    unseen_in,
    unseen_read,
    visible_before,
    visible_in,
)
from bot.sessions.records.session_store import (
    SessionForTurn,
    Sessions,
    newest_in,
    newest_read,
    seen_read,
)
from bot.sessions.run.circumstances import Circumstances
from bot.sessions.run.handover import Handover
from bot.sessions.run.opening_quotes import (
    ANSWERED_NOTE,
    LENGTH_NOTE,
    OVERHEARD_NOTE,
    EpochQuotes,
    changed_notes,
    connected_note,
    first_note,
    moment_note,
    note_blocks,
    notes_seen,
    skills_note,
    waiting_note,
)
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import open_in, open_read

CONTEXT_MESSAGES = 20
"""The most visible messages of others that are quoted to a session."""
CONTEXT_CHARS = 8_000
"""Their most characters."""
QUOTED_CHARS = 2_000
"""Characters of a message that is replied to."""
_CHANNEL = re.compile(r"<#(\w+)>")
"""The form in which adapters write a channel into typed text."""


@dataclass(frozen=True)
class OpeningStep:
    """Finds or opens the session, and gathers what became visible since its last turn."""

    database: Database
    clock: Clock
    sessions: Sessions
    quotes: EpochQuotes
    meter: Meter
    cycles: Cycles
    services: Mapping[str, Service]
    """All services that can be connected, by id."""
    recall: OpeningRecall
    agent: str
    """Who speaks in answers."""

    async def open(
        self, turn: Turn, about: Circumstances, sessions: list[SessionForTurn]
    ) -> Recorded:
        """The work of the step; adds the session to `sessions`."""
        message, scope, person = about.message, about.scope, about.scope.person
        present = scope.run.shape.person_present
        # Each run without a person present has a session of its own, never a chat's.
        key = session_key(message, person)
        key = key if present else replace(key, run=turn.key)
        now = self.clock.now()
        local = now.astimezone(zone_of(about.zone))
        viewer = Viewer.at(scope.location, person)
        session, seen_by_it, heard = newest_read(key), seen_read(key), _heard(message, about.work)
        most = 3 * CONTEXT_MESSAGES if present else 0
        newest, notes, messages, waiting, length, answered = await self.database.read_all(
            session,
            notes_read(viewer, local.date()),
            unseen_read(message.conversation.key, heard, seen_by_it, most),
            open_read(message.conversation.key, now),
            reads_beginnings_read(person.id),
            answered_since_read(
                message.conversation.key, heard, person.id, CONTEXT_MESSAGES if present else 0
            ),
        )
        unseen = unseen_in(messages)
        found = await self.sessions.find(
            key, about.agent, newest_in(newest), turn.id, scope, about.toolset
        )
        notes = notes_in(notes, viewer, local.date())
        if present:
            context, seen = await self._context(found, about, notes, unseen)
            context += await self._found_out(found, about, context)
        else:
            quotes = self.quotes.of(person, message.conversation, scope.location, notes)
            context, seen = await quotes, found.seen
        if answered:
            block = visible_block([visible_in(row) for row in answered], person, message.private)
            context += [block] if block is not None else []
        if notes and not found.fresh:  # opening quotes hold them
            notes = await changed_notes(self.database, found.stored.session.id, notes)
            context = [*context, *note_blocks(notes)]
        waits = open_in(waiting, person) if present else ()
        gist = present and bool(length)
        note = await self._note(about, found, local, waits, answered=bool(answered), gist=gist)
        if present and is_overheard(about.work) and _among_people(unseen, person.id):
            note += OVERHEARD_NOTE
        value = {
            "session": found.stored.session.id,
            "context": [block.to_json() for block in context],
            "note": note,
            "seen": seen,
        }
        cycle = self.cycles.of(CycleKey.of(turn, found.stored.session.id, scope))
        unit = (
            found.unit
            + events_unit([cycle.start(message.text)])
            + (notes_seen(found.stored.session.id, notes) if notes else Unit())
        )
        sessions.append(found)
        return Recorded(value, unit)

    async def _note(
        self,
        about: Circumstances,
        found: SessionForTurn,
        local: datetime,
        waits: Sequence[Approval],
        *,
        answered: bool,
        gist: bool,
    ) -> str:
        """What the run should know of this moment.

        `waits`: what the person may decide here. `answered`: somebody else here was answered while
        their message waited. `gist`: they read the beginning of a long answer first.
        """
        message, scope, person = about.message, about.scope, about.scope.person
        note = moment_note(local, person, message, about.zone, about.formatting)
        note += ANSWERED_NOTE if answered else ""
        note += LENGTH_NOTE if gist else ""
        note += skills_note(found.stored.session.active_skills)
        note += waiting_note(waits)
        if scope.run.shape.person_present and found.fresh:
            note += first_note(self.services, scope.integrations)
        note += connected_note(about.work, self.services, about.toolset)
        note += await self.meter.note(about.payer)
        if isinstance(about.work, SkillWork | DecisionWork):
            return note
        words = message.own_words or message.text
        fitting = about.toolset().fitting_skill(words)
        return note + await self.quotes.fitting(
            fitting, words, person, message.conversation, scope.location, whole=found.fresh
        )

    async def _context(
        self, found: SessionForTurn, about: Circumstances, notes: Sequence[Row], unseen: Unseen
    ) -> tuple[list[StoredBlock], int]:
        """Quoted data before the person's words, and the last visible row that it covers.

        `unseen`: what the person's newest session has not seen.
        """
        message, person, location = about.message, about.scope.person, about.scope.location
        agent = found.stored.session.agent
        blocks: list[StoredBlock | None] = []
        if found.fresh:
            blocks += await self.quotes.of(person, message.conversation, location, notes)
        if found.fresh and not found.seen:
            blocks.append(await self.quotes.last_time(person, agent, message, location))
        own, earlier = unseen.own, unseen.messages
        if unseen.after != found.seen:  # a new session, which sees earlier ones
            there, most = message.conversation.key, 3 * CONTEXT_MESSAGES
            heard = _heard(message, about.work)
            own, earlier = await visible_before(self.database, there, heard, found.seen, most)
        seen = max([found.seen, own or 0, *(item.id for item in earlier)])
        if found.fresh and not message.sees_past:
            earlier = []
        # after /new, no earlier message with this person returns
        whole = found.fresh and not found.seen
        visible = [item for item in earlier if whole or is_missed(item, person.id, self.agent)]
        if visible:
            blocks.append(visible_block(visible, person, message.private))
        if untold := found.stored.untold_facts:
            known = await FactsStore(self.database).load(found.stored.session.id)
            blocks.append(facts_block([known[key] for key in untold if key in known]))
        return [block for block in blocks if block is not None], seen

    async def _found_out(
        self, found: SessionForTurn, about: Circumstances, told: Sequence[StoredBlock]
    ) -> list[StoredBlock]:
        """The thread's handed-over facts, and memories that match the first message."""
        message, person = about.message, about.scope.person
        blocks: list[StoredBlock | None] = []
        if message.conversation.place is Place.THREAD and message.sees_past:
            since = None if found.fresh else found.stored.session.last_at
            handover = Handover(self.database).block(
                message.conversation, person.id, about.toolset, since, private=message.private
            )
            blocks.append(await handover)
        if found.fresh and not found.seen:
            system = found.stored.session.system
            known = [str(block["text"]) for block in system if block.get("text")]
            known += [str(stored.block.get("text", "")) for stored in told]
            context = ToolContext(
                person=person,
                agent=about.scope.agent,
                run=about.scope.run,
                session_id=found.stored.session.id,
                conversation=message.conversation,
                location=about.scope.location,
                private=message.private,
                cycle_id="",
                call=ToolCall("", "remember", {}, ""),
                tools=about.toolset(),
                now=self.clock.now(),
                timezone=about.zone,
                send=_send_nothing,
                progress=lambda _text: None,
                envelope=about.work.envelope,
            )
            words = message.own_words or message.text
            blocks.append(await self.recall.block(context, words, known))
        return [block for block in blocks if block is not None]


async def _send_nothing(
    text: str,
    *,
    key: str,
    trust: Trust,
    to: str | None = None,
    files: tuple[OutgoingFile, ...] = (),
) -> Delivery:
    raise TurnError("nothing is sent while a session opens")


def _heard(message: IncomingMessage, work: Work) -> str:
    """The key of the message that a turn answers: what was said later is not for it.

    Empty for what goes on after a yes or no, long behind its message.
    """
    return "" if isinstance(work, DecisionWork) else message.key


def _among_people(unseen: Unseen, person: str) -> bool:
    """Whether somebody else wrote there since the person's last turn."""
    return any(
        one.author != person and not one.author.startswith("agent:") for one in unseen.messages
    )


def is_missed(item: VisibleMessage, person: str, agent: str) -> bool:
    """Events that the session missed: what was said to others, and what it did not say itself."""
    said = item.addressee == person and item.author == f"agent:{agent}" and not item.beside
    return item.unasked or (item.author != person and not said)


def visible_block(
    messages: Sequence[VisibleMessage], person: Person, private: bool
) -> StoredBlock | None:
    """Others' messages and the assistant's answers to them, newest kept, as one quoted block."""
    lines: list[str] = []
    used = 0
    worst, source = Trust.PERSON, CONVERSATION
    for message in reversed(messages[-CONTEXT_MESSAGES:]):
        line = _line(message)
        if used + len(line) > CONTEXT_CHARS:
            break
        used += len(line)
        lines.append(line)
        if message.author != person.id:
            worst = max(worst, message.origin.trust)
        if message.author.startswith("agent:") and message.origin.untrusted:
            source = ANSWERED_CONVERSATION
    if not lines:
        return None
    text = "\n".join(reversed(lines))
    return quote("messages in this conversation", text, Origin(worst, source), private=private)


def _line(message: VisibleMessage) -> str:
    text = message.text if len(message.text) <= 2000 else message.text[:2000] + " …"
    if message.author.startswith("agent:"):
        return f"[you, to {message.addressee or 'all'}] {one_entry(text)}"
    return f"[{plain_name(message.author_name)} ({message.author})] {one_entry(text)}"


def facts_block(facts: Sequence[Fact]) -> StoredBlock | None:
    """Facts that delegated agents found and that are new to this agent."""
    if not facts:
        return None
    worst = max((fact.origin for fact in facts), key=lambda origin: origin.trust)
    private = any(fact.private for fact in facts)
    return quote("new known facts", render_facts(facts), worst, private=private)


def said_blocks(
    message: IncomingMessage,
    person: Person,
    seen_in: Callable[[Conversation, PlatformPerson], Person],
) -> list[StoredBlock]:
    """A message's content: the messages it refers to, quoted, then the person's own words."""
    read = {one.name for one in message.files}
    quoted = [
        _quoted_block(one, person, seen_in(message.conversation, one.author), message.private, read)
        for one in message.quoted
    ]
    if not message.text.strip():
        return quoted
    return [*quoted, *_named_channels(message, person), words_block(message, person)]


def _named_channels(message: IncomingMessage, person: Person) -> list[StoredBlock]:
    """Ids of mentioned channels: the text shows names, which others chose."""
    ids = list(dict.fromkeys(_CHANNEL.findall(message.typed or "")))
    if not ids:
        return []
    kind, origin = "ids of the channels named below, in order", f"person:{person.id}"
    listed = ", ".join(ids)
    return [quote(kind, listed, Origin(Trust.PERSON, origin), private=message.private)]


def _quoted_block(
    quoted: QuotedMessage, person: Person, author: Person, private: bool, read: Collection[str]
) -> StoredBlock:
    """A quote, even if the person wrote it: a reference is no request."""
    origin = Origin(author_trust(author, is_bot=quoted.author.is_bot), f"person:{author.id}")
    if author.id == person.id:
        origin = Origin(Trust.PERSON, CONVERSATION)
    text = quoted.text if len(quoted.text) <= QUOTED_CHARS else quoted.text[:QUOTED_CHARS] + " …"
    said = f"[{plain_name(author.name)} ({author.id})] {one_entry(text)}"
    names = [" ".join(name.split()) for name in quoted.files]
    for told, some in (
        ("attached", [name for name in names if name in read]),
        ("attached, not read", [name for name in names if name not in read]),
    ):
        said += f"\n    ({told}: {', '.join(some)})" if some else ""
    return quote("message that they refer to", said, origin, private=private)


def words_block(message: IncomingMessage, person: Person) -> StoredBlock:
    """The person's own words, which can't pose as a note of Bellhop either: guests write, too."""
    origin = Origin(Trust.PERSON, f"person:{person.id}")
    return StoredBlock(text_block(escape(message.text)), origin, message.private, message.own_words)
