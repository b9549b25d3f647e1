"""Sets up a turn's run: session, opening message, toolset, facts; the same on replay."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from bot.agents.cycle_log.events import CycleKey, Cycles
from bot.agents.loop.history import History
from bot.agents.loop.run import Budget, Callbacks, Run, RunContext
from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, IncomingMessage
from bot.domain.sessions import Session, StoredBlock
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolScope
from bot.domain.turns import Turn, Waiting
from bot.domain.work import ScheduleWork, envelope_of
from bot.errors import TurnError
from bot.memory.facts import KnownFacts
from bot.memory.facts_store import FactsStore
from bot.sessions.opening.attachments import Attachments
from bot.sessions.opening.blocks import file_blocks
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.envelope import incoming_from_json, message_of
from bot.sessions.records.session_store import SessionForTurn, Sessions, StoredSession
from bot.sessions.records.transcript_store import Transcripts
from bot.sessions.run.circumstances import Circumstances, TurnResolver
from bot.sessions.run.incoming import KeepsIncoming
from bot.sessions.run.opening_step import OpeningStep, said_blocks
from bot.skills.manifests import SkillManifests


@dataclass(frozen=True)
class Prepared:
    """A run that is ready for the loop, and the state to save at its end."""

    run: Run
    session: StoredSession
    before: int
    """The number of messages in the history before this turn."""
    context: tuple[StoredBlock, ...]
    note: str
    burst: "Burst"
    opens: tuple[str, ...] = ()
    """Tools that its opening message names, so they are unlocked with it."""


BETWEEN = timedelta(seconds=1)
"""Longest time between two lines of one message."""
MOST_CHARS = 50_000
"""Of all lines together."""


@dataclass
class Burst:
    """The message that a turn answers, with the lines received so far.

    One person's quick lines are one message, answered together once.
    """

    last: datetime
    """When its last line was sent."""
    covers: list[str] = field(default_factory=list[str])
    """The platform's ids of the messages that joined it."""
    seen: int = 0
    """The newest row of its place that its run was shown."""
    named: bool = False
    """Whether one of the messages that joined it is for the assistant for certain."""

    def joined(self, message: IncomingMessage) -> None:
        """The turn has taken this line, whenever it was written."""
        self.last = max(self.last, message.sent_at)
        self.named = self.named or message.addressed is not Addressed.FOLLOWED
        if (id_ := message.reply_to.message) is not None and id_ not in self.covers:
            self.covers.append(id_)

    def lines(self, waiting: Sequence[Waiting]) -> int:
        """The number of first waiting messages that continue it.

        Messages that need their own kind of answer do not.
        """
        last, chars, count = self.last, 0, 0
        for item in waiting:
            message = message_of(item.body)  # the turn of a damaged message reports it
            if message is None or not message.text.strip() or not _soon(last, message.sent_at):
                break
            chars += len(message.text)
            if chars > MOST_CHARS:
                break
            last, count = message.sent_at, count + 1
        return count


def _soon(earlier: datetime, later: datetime) -> bool:
    return abs(later - earlier) <= BETWEEN


@dataclass(frozen=True)
class ShownFiles:
    """The files of a message as blocks, and the tools that the blocks name."""

    blocks: Sequence[StoredBlock] = ()
    opens: tuple[str, ...] = ()


@dataclass(frozen=True)
class SaidWords:
    """Reads what a person said for a run: lines that follow, messages that join, and files."""

    contacts: Contacts
    attachments: Attachments
    incoming: KeepsIncoming

    async def lines(self, turn: Turn, n: int, burst: Burst) -> tuple[StoredBlock, ...]:
        """The lines that continue the answered message, as blocks; taken as step `steer:<n>`."""
        taken = await turn.take(n, burst.lines)
        return tuple([block for item in taken for block in await self.steering(turn, item, burst)])

    async def steering(self, turn: Turn, waiting: Waiting, burst: Burst) -> tuple[StoredBlock, ...]:
        """A message that arrived while the turn ran, as blocks for the next user message."""
        message = incoming_from_json(envelope_of(waiting.body))
        burst.joined(message)
        files = (await self.files(turn, message, _fetch_number(waiting.key))).blocks
        person = self.contacts.sender_of(message)
        return (*said_blocks(message, person, self.contacts.seen_in), *files)

    async def files(self, turn: Turn, message: IncomingMessage, first: int = 0) -> ShownFiles:
        """The files of a message, and of those that it refers to, numbered from `first`.

        Cut texts are stored whole.
        """
        if not message.files:
            return ShownFiles()
        fetched = await self.attachments.fetch(turn, message, first)
        kept = await self.incoming.keep(turn, message, fetched, first)
        opens = ("search",) if any(file.kept and file.shown for file in kept) else ()
        sender = self.contacts.sender_of(message).id
        return ShownFiles(file_blocks(kept, message.private, sender), opens)


@dataclass(frozen=True)
class SessionRecords:
    """What is stored of a session: its row, its transcript and its facts."""

    sessions: Sessions
    transcripts: Transcripts
    facts: FactsStore


@dataclass(frozen=True)
class RunSetup:
    """Prepares runs for turns of people's sessions."""

    opening: OpeningStep
    said: SaidWords
    records: SessionRecords
    resolver: TurnResolver
    manifests: SkillManifests
    cycles: Cycles
    turn_s: float
    forget_unlocked: bool
    """Whether unlocked tools are locked again at the end of a run (`tools.unlock_scope: run`)."""

    async def prepare(
        self, turn: Turn, about: Circumstances, callbacks: Callbacks, burst: Burst
    ) -> Prepared:
        """Find or open the session and set up a run, which has no opening message yet.

        `burst`: the message with the lines taken so far.
        """
        found: list[SessionForTurn] = []  # stays empty when the step is replayed
        opened: JsonObject = await turn.step(
            step_key(StepKind.OPEN), lambda: self.opening.open(turn, about, found)
        )
        stored = found[0].stored if found else await self.records.sessions.load(opened["session"])
        fresh = bool(found) and found[0].fresh
        if stored is None:
            raise TurnError(f"session {opened['session']} is gone from the database")
        run = await self.run_in(turn, about, stored, callbacks, burst, fresh=fresh)
        context = tuple(StoredBlock.from_json(item) for item in opened["context"])
        before, burst.seen = len(run.history.messages), opened["seen"]
        return Prepared(run, stored, before, context, opened["note"], burst)

    async def run_in(
        self,
        turn: Turn,
        about: Circumstances,
        stored: StoredSession,
        callbacks: Callbacks,
        burst: Burst,
        *,
        fresh: bool = False,
    ) -> Run:
        """A run at the end of a session's transcript, with the session's role.

        `fresh`: the session was opened just now, with the toolset of `about`.
        """
        session, work = stored.session, about.work
        if session.role is not about.scope.person.role:
            person = replace(about.scope.person, role=session.role)
            about = await self.resolver.resolve(work, about.message, person)
        scope = self._scope(about, session)
        if fresh and not scope.confinements:
            toolset = about.toolset()
            toolset.scope = scope
        else:
            toolset = self.resolver.compose(about.agent, scope)
        if not self.forget_unlocked:
            toolset.unlock(session.unlocked)
        facts = self.records.facts
        earlier = await self.records.transcripts.load(stored)
        return Run(
            agent=about.agent,
            scope=scope,
            toolset=toolset,
            history=History(session.system, session.tools, earlier),
            turn_from=len(earlier),
            facts=await facts.load(session.id) if stored.has_facts else KnownFacts(),
            context=RunContext(
                session.id,
                about.message.conversation,
                about.message.private,
                about.zone,
                replace(about.payer, schedule=work.task)
                if isinstance(work, ScheduleWork)
                else about.payer,
                work.envelope,
            ),
            callbacks=replace(
                callbacks,
                on_steer=partial(self.said.steering, turn, burst=burst),
                still_writing=partial(self.said.lines, burst=burst),
                named=lambda: burst.named,
            ),
            cycle=self.cycles.of(CycleKey.of(turn, session.id, scope)),
            budget=Budget(calls=about.agent.turns, wall_s=self.turn_s),
            active_skills=list(session.active_skills),
        )

    def _scope(self, about: Circumstances, session: Session) -> ToolScope:
        """The scope within the session: the tools of its skills, and the limits of the work.

        An active skill limits the turn that activated it, so it adds no limits here.
        """
        return replace(
            about.scope,
            since=session.opened_at,
            active_tools=self.manifests.tools_of(session.active_skills, session.role),
            confinements=tuple(dict.fromkeys(about.limits)),
        )

    def acting(self, run: Run, name: str) -> Run:
        """The same run with the tools of the calling agent, if it was a delegated one."""
        agent = self.resolver.agents.get(name)
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
        toolset = self.resolver.compose(agent, scope)
        return replace(run, agent=agent, scope=scope, toolset=toolset)


def _fetch_number(key: str) -> int:
    """A journal number for a steering message's files, unique in the turn."""
    return 1000 + sum(ord(char) * (index + 1) for index, char in enumerate(key)) % 1_000_000 * 10
