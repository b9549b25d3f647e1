"""Sets up a turn's run: session, opening message, toolset, facts; the same on replay."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from bot.agents.loop.callbacks import Callbacks
from bot.agents.loop.history import History
from bot.agents.loop.run import LIMITS, Budget, Run, RunContext
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage
from bot.domain.places import Location
from bot.domain.runs import RunKind
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolScope
from bot.domain.turns import Recorded, Turn, Waiting
from bot.domain.work import ScheduleWork, envelope_of, load_work
from bot.errors import TurnError
from bot.files.incoming import IncomingFiles
from bot.sessions.house import House
from bot.sessions.opening.opening import file_blocks, said_blocks
from bot.sessions.records.envelope import incoming_from_json, message_of
from bot.sessions.records.session_store import StoredSession
from bot.sessions.run.incoming import KeepsIncoming
from bot.sessions.run.opening_step import OpeningStep, cycle_key
from bot.sessions.run.run_kinds import run_kind
from bot.tools.budget.budgets import Payer


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


BETWEEN = timedelta(seconds=1)
"""Longest time between two lines of one message."""
MOST_CHARS = 50_000
"""Of all lines together."""


class Burst:
    """The message that a turn answers, with the lines received so far.

    One person's quick lines are one message, answered together once.
    """

    def __init__(self, first: IncomingMessage) -> None:
        self._last = first.sent_at

    def joined(self, message: IncomingMessage) -> None:
        """The turn has taken this line, whenever it was written."""
        self._last = max(self._last, message.sent_at)

    def lines(self, waiting: Sequence[Waiting]) -> int:
        """The number of first waiting messages that continue it.

        Messages that need their own kind of answer do not.
        """
        last, chars, count = self._last, 0, 0
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


class RunSetup:
    """Prepares runs for turns of people's sessions."""

    def __init__(self, house: House) -> None:
        self._house = house
        files = IncomingFiles(house.files, house.clock)
        self._incoming = KeepsIncoming(files, house.attachments, house.channels, house.person)
        self.opening = OpeningStep(house)

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
            recorded, stored = await self.opening.open(turn, message, person, agent, scope)
            found.extend([stored] if stored else [])
            return recorded

        opened: JsonObject = await turn.step(step_key(StepKind.OPEN), open_session)
        if opened.get("tells"):
            house.outbox.retries.wake()
        stored = found[0] if found else await house.sessions.load(opened["session"])
        if stored is None:
            raise TurnError(f"session {opened['session']} is gone from the database")
        burst = burst or Burst(message)
        run = await self.run_in(turn, message, location, stored, callbacks, burst)
        context = tuple(StoredBlock.from_json(item) for item in opened["context"])
        return Prepared(
            run, stored, len(run.history.messages), opened["seen"], context, opened["note"]
        )

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
            history=History(
                stored.session.system,
                stored.session.tools,
                await house.transcripts.load(stored),
            ),
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
            cycle=house.crew.cycles.of(cycle_key(turn, stored.session.id, scope)),
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
        prepared.run.history.append_user(
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

    async def may_use(self, tool: str, person: Person, message: IncomingMessage) -> bool:
        """Whether this person, asking there now, would have the tool."""
        location = await self._house.channels.locate(message.conversation)
        agent = self._agent(location)
        toolset = self._house.crew.compose(agent, self._scope(person, agent, message, location))
        return toolset.find(tool) is not None

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


def _fetch_number(key: str) -> int:
    """A journal number for a steering message's files, unique in the turn."""
    return 1000 + sum(ord(char) * (index + 1) for index, char in enumerate(key)) % 1_000_000 * 10
