"""Sets up a turn's run: session, opening message, toolset, facts; the same on replay."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from bot.agents.callbacks import Callbacks
from bot.agents.cycle_events import Cycle, CycleKey
from bot.agents.history import append_user
from bot.agents.notes import quote
from bot.agents.run import LIMITS, Budget, Run, RunContext
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.confinement import Confinement
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, Delivery, IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.domain.runs import RunKind
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolContext, ToolScope, ToolsetView
from bot.domain.tools import ToolCall
from bot.domain.turns import Recorded, Turn, Waiting
from bot.domain.work import ScheduleWork, envelope_of, load_work
from bot.errors import TurnError
from bot.files.database_files import GLOBAL_PREFERENCES, PRIVATE_PREFERENCES
from bot.files.store import Owner, learned_of
from bot.memory.facts import KnownFacts
from bot.memory.summaries.store import last_summary
from bot.memory.summaries.words import in_words
from bot.sessions.house import House
from bot.sessions.inbox.router import session_key
from bot.sessions.opening.opening import (
    facts_block,
    file_blocks,
    moment_note,
    said_blocks,
    visible_block,
)
from bot.sessions.records.conversation_store import VisibleMessage, message_id, visible_since
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.records.session import SessionForTurn, SessionPlace
from bot.sessions.records.store import StoredSession
from bot.sessions.run.bursts import Burst
from bot.sessions.run.connected_note import connected_note
from bot.sessions.run.day_notes import changed_notes, day_notes, note_blocks, seen_unit
from bot.sessions.run.handover import Handover
from bot.sessions.run.incoming import KeepsIncoming
from bot.sessions.run.moved_preferences import moved_notice
from bot.sessions.run.run_kinds import run_kind, runs_in
from bot.tools.budget.budgets import Payer

CUSTOM_SKILLS = "skills of people here, to be read with read_file before a task that matches"


@dataclass(frozen=True)
class Prepared:
    """A run that is ready for the loop, and the state to save at its end."""

    run: Run
    session: StoredSession
    before: int
    """The number of messages in the history before this turn."""
    seen: int
    context: tuple[StoredBlock, ...]
    note: str


class RunSetup:
    """Prepares runs for turns of people's sessions."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._incoming = KeepsIncoming(house)

    async def prepare(
        self, turn: Turn, message: IncomingMessage, callbacks: Callbacks, burst: Burst | None = None
    ) -> Prepared:
        """Find or open the session and set up a run; `begin` then adds the opening message.

        `burst`: the message with the lines taken so far.
        """
        house = self._house
        person = house.person(message)
        location = await house.channels.locate(message.conversation)
        agent = self._agent(location)
        scope = self._scope(person, agent, message, location, run_kind(load_work(turn.body)))
        found: list[StoredSession] = []

        async def open_session() -> Recorded:
            recorded, stored = await self._open(turn, message, person, agent, scope)
            found.extend([stored] if stored else [])
            return recorded

        opened: JsonObject = await turn.step(step_key(StepKind.OPEN), open_session)
        if opened.get("tells"):
            house.outbox.wake()
        stored = found[0] if found else await house.sessions.load(opened["session"])
        if stored is None:
            raise TurnError(f"session {opened['session']} is gone from the database")
        burst = burst or Burst(message)
        run = await self.run_in(turn, message, location, stored, callbacks, burst)
        context = tuple(StoredBlock.from_json(item) for item in opened["context"])
        return Prepared(run, stored, len(run.history), opened["seen"], context, opened["note"])

    async def run_in(
        self,
        turn: Turn,
        message: IncomingMessage,
        location: Location,
        stored: StoredSession,
        callbacks: Callbacks,
        burst: Burst,
    ) -> Run:
        """A run at the end of a session's transcript, with the session's role."""
        house = self._house
        person = house.person(message)
        agent = self._agent(location)
        work = load_work(turn.body)
        scope = self._scope(
            replace(person, role=stored.session.role), agent, message, location, run_kind(work)
        )
        skills, role = stored.session.active_skills, scope.person.role
        limits = tuple(Confinement.from_json(one) for one in work.envelope.get(LIMITS, ()))
        scope = replace(
            scope,
            since=stored.session.opened_at,
            active_tools=house.manifests.tools_of(skills, role),
            confinements=tuple(
                dict.fromkeys((*house.manifests.confinements_of(skills, role), *limits))
            ),
        )
        toolset = house.crew.compose(agent, scope)
        if not house.rules.forget_unlocked:
            toolset.unlock(stored.session.unlocked)
        payer = Payer.of(scope.person, message.conversation, house.rights.at(location).limits)
        return Run(
            agent=agent,
            scope=scope,
            toolset=toolset,
            system=stored.session.system,
            tools=stored.session.tools,
            history=await house.transcripts.load(stored),
            facts=await house.facts.load(stored.session.id),
            context=RunContext(
                stored.session.id,
                message.conversation,
                message.private,
                house.zone(person),
                replace(payer, schedule=work.task if isinstance(work, ScheduleWork) else ""),
                work.envelope,
            ),
            callbacks=replace(
                callbacks,
                on_steer=partial(self.steering, turn, burst=burst),
                still_writing=partial(self.lines, burst=burst),
            ),
            cycle=self._cycle(turn, stored.session.id, person, agent, scope.location),
            budget=Budget(calls=agent.turns, wall_s=house.rules.turn_s),
            active_skills=list(stored.session.active_skills),
        )

    def acting(self, run: Run, name: str) -> Run:
        """The same run with the tools of the calling agent, if it was a delegated one."""
        agent = self._house.agents.get(name)
        if agent is None or name == run.agent.name:
            return run
        scope = replace(
            run.scope,
            agent=name,
            folders=agent.folders,
            specialists=agent.specialists,
            tools=agent.tools,
            agent_email=agent.email,
            depth=1,
            active_tools=frozenset(),
        )
        toolset = self._house.crew.compose(agent, scope)
        return replace(run, agent=agent, scope=scope, toolset=toolset)

    def begin(self, prepared: Prepared, words: Sequence[StoredBlock]) -> None:
        """Append the opening message: context, then `words` (a message or a decision's outcome)."""
        blocks = [*prepared.context, *words]
        old = prepared.session.session.unlocked if self._house.rules.forget_unlocked else ()
        removed = [str(declaration["name"]) for declaration in old]
        append_user(
            prepared.run,
            self._house.model.capabilities,
            blocks,
            notes=[prepared.note],
            removed=removed,
        )

    async def lines(self, turn: Turn, n: int, burst: Burst) -> tuple[StoredBlock, ...]:
        """The lines that continue the answered message, as blocks; taken as step `steer:<n>`."""
        taken = await turn.take(n, burst.lines)
        return tuple([block for item in taken for block in await self.steering(turn, item, burst)])

    async def steering(self, turn: Turn, waiting: Waiting, burst: Burst) -> tuple[StoredBlock, ...]:
        """A message that arrived while the turn ran, as blocks for the next user message."""
        message = incoming_from_json(envelope_of(waiting.body))
        burst.joined(message)
        files = await self.files(turn, message, _fetch_number(waiting.key))
        said = said_blocks(message, self._house.person(message), self._house.author(message))
        return (*said, *files)

    async def files(
        self, turn: Turn, message: IncomingMessage, first: int = 0
    ) -> list[StoredBlock]:
        """A message's files as blocks, numbered from `first`; cut texts are stored whole."""
        if not message.attachments:
            return []
        fetched = await self._house.attachments.fetch(turn, message, first)
        return file_blocks(
            await self._incoming.keep(turn, message, fetched, first), message.private
        )

    # --- the opening step ---

    async def _open(
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
            context, seen = await self.opening_quotes(person, message.conversation), found.seen
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
        started = self._cycle(turn, found.session.id, person, agent, scope.location).start(
            message.text
        )
        notice = await moved_notice(house, message, person) if found.fresh else Unit()
        value = {
            "session": found.session.id,
            "context": [block.to_json() for block in context],
            "note": note + budget,
            "seen": seen,
            "tells": bool(notice),
        }
        unit = (
            found.unit
            + house.cycle_log.unit([started])
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
            blocks += await self.opening_quotes(person, message.conversation)
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
            await Handover(house.database).block(
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

    async def may_use(self, tool: str, person: Person, message: IncomingMessage) -> bool:
        """Whether this person, asking there now, would have the tool."""
        location = await self._house.channels.locate(message.conversation)
        agent = self._agent(location)
        toolset = self._house.crew.compose(agent, self._scope(person, agent, message, location))
        return toolset.find(tool) is not None

    async def opening_quotes(self, person: Person, conversation: Conversation) -> list[StoredBlock]:
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

    # --- who and what ---

    def _agent(self, location: Location) -> AgentDefinition:
        """The agent that answers there.

        Raises TurnError for an unknown agent: another one might have more rights.
        """
        there = self._house.rights.at(location)
        name = there.agent or self._house.rules.default_agent
        agent = self._house.agents.get(name)
        if agent is None:
            rule = there.source("agent")
            raise TurnError(
                f"{rule.source if rule else 'agents.default'}: there is no agent {name!r}"
            )
        return agent

    async def scope_of(
        self,
        turn: Turn,
        person: Person,
        agent: AgentDefinition,
        message: IncomingMessage,
        kind: RunKind,
    ) -> ToolScope:
        """The permissions of a run without its own session, within its turn's limits."""
        location = await self._house.channels.locate(message.conversation)
        limits = tuple(
            Confinement.from_json(one) for one in load_work(turn.body).envelope.get(LIMITS, ())
        )
        return replace(self._scope(person, agent, message, location, kind), confinements=limits)

    def _scope(
        self,
        person: Person,
        agent: AgentDefinition,
        message: IncomingMessage,
        location: Location,
        kind: RunKind = RunKind(),
    ) -> ToolScope:
        scope = ToolScope(
            person=person,
            agent=agent.name,
            run=kind,
            folders=agent.folders,
            specialists=agent.specialists,
            tools=agent.tools,
            private=message.private,
            agent_email=agent.email,
            location=location,
        )
        return replace(scope, integrations=self._house.integrations(scope))

    def _cycle(
        self, turn: Turn, session: str, person: Person, agent: AgentDefinition, location: Location
    ) -> Cycle:
        key = CycleKey(turn.id, session, person.id, agent.name, learned=Learned.at(location))
        return self._house.cycle_log.cycle(key)


async def _send_nothing(text: str, *, key: str, trust: Trust, to: str | None = None) -> Delivery:
    raise TurnError("nothing is sent while a session opens")


def _others(item: VisibleMessage, person: str, agent: str) -> bool:
    """Events that the session missed: others' messages, answers to them, and others' answers."""
    return item.author != person and (item.addressee != person or item.author != f"agent:{agent}")


def _fetch_number(key: str) -> int:
    """A journal number for a steering message's files, unique in the turn."""
    return 1000 + sum(ord(char) * (index + 1) for index, char in enumerate(key)) % 1_000_000 * 10
