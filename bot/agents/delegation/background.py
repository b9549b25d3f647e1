"""Agents that work in the background: `call_agent` with `async`, and `cancel_agent`.

Such a task is a turn of its own, accepted before the call returns. So it survives everything that a
message survives, and its answer is posted once, in the conversation where it started.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Self

from bot.agents.arguments import CancelArguments
from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.loop.run import LIMITS
from bot.domain.access import Role
from bot.domain.agents import Brief
from bot.domain.characters import short_line
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import Learned, Viewer
from bot.domain.runs import RunKind, RunShape
from bot.domain.sessions import SessionKey
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import Fact, ToolOutcome, ToolResult, Unlocked
from bot.domain.work import DelegationWork, dump_work, find_work
from bot.errors import ToolError
from bot.memory.facts_store import fact_from_json, fact_to_json
from bot.turns.engine import TurnEngine
from bot.turns.unsettled_store import unsettled

PREFIX = "delegation:"
"""The prefix of the keys of such work; the reference follows."""
OPEN_AT_ONCE = 32
"""Open tasks per person; those of one agent in one conversation run one after another."""
SHOWN_CHARS = 80
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True)
class BackgroundTask:
    """A background agent's work, with everything that its run needs from the caller."""

    ref: str
    agent: str
    brief: Brief
    caller: str
    """The agent that called."""
    role: Role
    """The person's role when the task began.

    The run has no more rights than that, and no more than the person has when it runs.
    """
    session_id: str
    cycle: tuple[int, str]
    """Turn and scope of the calling cycle: the run's own cycle is shown below it."""
    depth: int
    run: RunKind
    trust: Trust
    """The least trust of the texts that the caller had read when it wrote the brief."""
    learned: Learned
    facts: tuple[Fact, ...]

    def to_work(self, envelope: JsonObject) -> DelegationWork:
        """The subject of its turn; `envelope` is the message that it was started for."""
        task: JsonObject = {
            "brief": asdict(self.brief),
            "caller": self.caller,
            "role": self.role.value,
            "session": self.session_id,
            "cycle": list(self.cycle),
            "depth": self.depth,
            "shape": self.run.shape.value,
            "event": self.run.event,
            "trust": self.trust.value,
            "learned": {"reach": self.learned.reach.value, "channel": self.learned.channel},
            "facts": [fact_to_json(fact) for fact in self.facts],
        }
        return DelegationWork(envelope, self.ref, self.agent, task)

    @classmethod
    def from_work(cls, work: DelegationWork) -> Self:
        body = work.task
        turn, scope = body["cycle"]
        return cls(
            ref=work.ref,
            agent=work.agent,
            brief=Brief(**body["brief"]),
            caller=str(body["caller"]),
            role=Role(body["role"]),
            session_id=str(body["session"]),
            cycle=(int(turn), str(scope)),
            depth=int(body["depth"]),
            run=RunKind(RunShape(body["shape"]), body["event"]),
            trust=Trust(body["trust"]),
            learned=Learned(Reach(body["learned"]["reach"]), str(body["learned"]["channel"])),
            facts=tuple(fact_from_json(fact) for fact in body["facts"]),
        )


@dataclass(frozen=True)
class OpenTask:
    """A task that is running or waits for an earlier one."""

    turn: int
    session: str
    task: BackgroundTask
    waits: bool

    def is_in(self, conversation: Conversation) -> bool:
        key = SessionKey.parse(self.session)
        return (key.platform, key.workspace, key.conversation) == (
            conversation.platform,
            conversation.workspace,
            conversation.id,
        )

    def about(self, viewer: Viewer) -> str:
        """The subject; empty where it may not be shown."""
        seen = viewer.sees(SessionKey.parse(self.session).person, self.task.learned)
        return short_line(self.task.brief.instruction, SHOWN_CHARS) if seen else ""

    def line(self, viewer: Viewer) -> str:
        """For models; people read `/status`."""
        about = self.about(viewer)
        return (
            f"agent {self.task.agent} ({self.task.ref}, "
            f"{'waits' if self.waits else 'at work'}){f': {about}' if about else ''}"
        )


class Background:
    """Starts, lists and cancels tasks in the background."""

    def __init__(self, database: Database, engine: TurnEngine) -> None:
        self._database = database
        self._engine = engine

    def tool(self) -> NativeTool[CancelArguments]:
        return control_tool("cancel_agent", CancelArguments, self.cancel, listed=False)

    async def begin(self, agent: str, brief: Brief, context: ControlContext) -> ToolResult:
        """Accept a task for the asker.

        A repetition after a crash accepts nothing twice. Raises ToolError.
        """
        run, turn, ref = context.caller, context.turn, _ref(context)
        earlier = await self.open_of(context.person.id)
        if len(earlier) >= OPEN_AT_ONCE and all(one.task.ref != ref for one in earlier):
            raise ToolError(
                f"{OPEN_AT_ONCE} agents work in the background already, which is the most; cancel "
                "one (cancel_agent) or wait for an answer"
            )
        task = BackgroundTask(
            ref=ref,
            agent=agent,
            brief=brief,
            caller=run.agent.name,
            role=run.scope.person.role,
            session_id=run.context.session_id,
            cycle=(turn.id, turn.prefix),
            depth=run.scope.depth,
            run=run.scope.run,
            trust=context.origin.trust,
            learned=context.learned,
            facts=tuple(run.facts.values()),
        )
        there = context.conversation
        line = SessionKey(
            there.platform, there.workspace, there.id, context.person.id, f"agent:{agent}"
        )
        limits = [one.to_json() for one in run.scope.confinements]
        envelope: JsonObject = {**context.later, "attachments": [], LIMITS: limits}
        await self._engine.submit(str(line), f"{PREFIX}{ref}", dump_work(task.to_work(envelope)))
        cancel = run.toolset.find("cancel_agent")
        unlocked = (Unlocked((cancel.declaration(),)),) if cancel is not None else ()
        return ToolResult(
            f"started: agent {agent} works in the background (reference {ref}). Its answer will be "
            "posted in this conversation by itself. Don't wait for it and don't guess it; tell "
            "the person that it comes. cancel_agent stops it.",
            effects=unlocked,
        )

    async def cancel(self, context: ControlContext, given: CancelArguments) -> ToolOutcome:
        """Cancel one of the asker's own tasks (cancel_agent)."""
        ours = await self.open_of(context.person.id)
        found = next((one for one in ours if one.task.ref == given.ref), None)
        if found is None:
            known = "; ".join(one.line(context.viewer) for one in ours) or "none"
            return ToolResult(
                f"no agent works in the background as {given.ref[:40]!r}; open: {known}",
                is_error=True,
            )
        await self.stop(found)
        return ToolResult(f"cancelled: agent {found.task.agent} ({found.task.ref})")

    async def stop(self, one: OpenTask) -> bool:
        """Withdraw a waiting task or stop a running one; False when it is over."""
        key = f"{PREFIX}{one.task.ref}"
        if one.waits and await self._engine.withdraw(f"cancel-{key}", key):
            return True
        return await self._engine.stop_turn(one.session, [one.turn])

    async def open_of(self, person: str) -> Sequence[OpenTask]:
        """A person's tasks that aren't settled, oldest first."""
        found = await unsettled(self._database, PREFIX)
        return [
            OpenTask(row.turn, row.session, BackgroundTask.from_work(work), row.state == "new")
            for row in found
            if SessionKey.parse(row.session).person == person
            and isinstance(work := find_work(row.body), DelegationWork)
        ]


def _ref(context: ControlContext) -> str:
    """A key that stays the same each time that this call runs."""
    turn = context.turn
    place = f"{turn.id}:{turn.prefix}:{context.call.key}"
    number = int.from_bytes(hashlib.sha256(place.encode()).digest()[:5])
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(35, -5, -5))
