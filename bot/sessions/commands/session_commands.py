"""/new, /compact and /stop end sessions and running work; /plan tells about it; /undo takes back.

/plan also changes the plan of this conversation while it runs. /undo lists a person's own changes
of the last hour.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.agents.delegation.background import Background
from bot.agents.planner.orders_store import Order, OrderKind
from bot.agents.planner.running import RunningPlan, RunningPlans
from bot.clock import parse_utc
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, Completing, words
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.languages import Language, Phrase, joined, number
from bot.domain.native_commands import Completion
from bot.domain.plans import FAILURES, MOST_TASKS, STRUCK, PlanTask, TaskState, note_said
from bot.domain.privacy import left_out
from bot.domain.sessions import SessionKey
from bot.domain.turns import OpenTurn
from bot.domain.work import CompactionWork, DelegationWork, dump_work, find_work
from bot.errors import UnitRejected
from bot.sessions.inbox.session_names import elsewhere, place_of, reached
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.session_store import Sessions
from bot.sessions.wording import phrases as said
from bot.sessions.wording.phrases import change_in_words
from bot.tools.running import undo_store
from bot.tools.running.undo_store import Change, UndoableRows
from bot.turns.engine import TurnEngine

STATES: Mapping[TaskState, Phrase] = {
    TaskState.PENDING: Phrase("waits"),
    TaskState.IN_PROGRESS: Phrase("at work", context="plan task"),
    TaskState.COMPLETED: Phrase("done", context="plan task"),
    TaskState.FAILED: Phrase("failed", context="plan task"),
}
PLAN_OVER = Phrase("The plan ended before I could change it.")


@dataclass(frozen=True)
class SessionCommands:
    """Ends sessions, and stops the turns that a command means."""

    sessions: Sessions
    engine: TurnEngine
    background: Background

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand("new", self.new, ("end",)),
            ChatCommand("compact", self.compact),
            ChatCommand("stop", self.stop),
        )

    async def new(self, asked: Asked) -> str:
        meant = await self.reached_by(asked)
        turns = [turn for turn in meant if not isinstance(find_work(turn.body), DelegationWork)]
        await self._stop_all(turns)
        before = parse_utc(asked.at) if asked.at else None
        places = {(asked.key, asked.message.conversation.key)}
        places |= {(SessionKey.parse(turn.session), place_of(turn)) for turn in turns}
        ended = [await self.sessions.end(key, place, "new", before) for key, place in places]
        threads = elsewhere(turns, asked.message.conversation, asked.language)
        if threads:
            places = joined(threads, asked.language)
            return Phrase("Started afresh in {places}.").said(asked.language, places=places)
        fresh = any(ended) or asked.again
        said = Phrase("Started afresh.") if fresh else Phrase("This is a fresh start already.")
        return said.said(asked.language)

    async def compact(self, asked: Asked) -> str:
        """Queue a turn in the session itself, so that no message is answered meanwhile."""
        engine, session = self.engine, str(asked.key)
        if not asked.again:
            if await engine.open_question(asked.message.conversation.key, asked.person.id):
                return Phrase(
                    "I am waiting for your answer; answer first, or /stop, then /compact."
                ).said(asked.language)
            if await engine.under_way(session) or await engine.waiting(session):
                return Phrase(
                    "I am busy with your last message; try /compact again when I have answered, "
                    "or /stop first."
                ).said(asked.language)
        body = dump_work(CompactionWork(incoming_to_json(asked.message)))
        await engine.submit(session, f"compact:{asked.message.key}", body)
        return ""

    async def stop(self, asked: Asked) -> str:
        # Background agents that wait for an earlier one go first: one of them that begins meanwhile
        # is among the running ones.
        here = asked.message.conversation
        waiting = [
            one
            for one in await self.background.open_of(asked.person.id)
            if one.waits and one.turn < asked.turn.id and one.is_in(here)
        ]
        ended = [await self.background.stop(one) for one in waiting]
        turns = await self.reached_by(asked)
        stopped = any([*ended, await self._stop_all(turns)])
        threads = elsewhere(turns, asked.message.conversation, asked.language)
        if stopped and threads:
            places = joined(threads, asked.language)
            return Phrase("Stopping in {places}.").said(asked.language, places=places)
        if stopped or (asked.again and asked.ran):
            return Phrase("Stopping.").said(asked.language)
        return Phrase("Nothing is running or waiting here.").said(asked.language)

    async def reached_by(self, asked: Asked) -> list[OpenTurn]:
        """The turns that the command means: accepted earlier, and running when it was given."""
        turns = [turn for turn in await self.engine.open_turns() if turn.id < asked.turn.id]
        if asked.again:
            turns = [turn for turn in turns if turn.id in asked.ran]
        return reached(turns, asked.message.conversation, asked.person.id)

    async def _stop_all(self, turns: Sequence[OpenTurn]) -> bool:
        stopped = [await self.engine.stop_turn(turn.session, [turn.id]) for turn in turns]
        return any(stopped)


PLAN_USAGE = "[strike NUMBER|add TASK]"
STRIKE = "strike NUMBER"
ADDED_CHARS = 2000


@dataclass(frozen=True)
class PlanCommands:
    """A plan belongs to one person: the text is for them, and nobody else can change it."""

    plans: RunningPlans

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("plan", self.run, usage=PLAN_USAGE, offers=self.offered),)

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """The tasks of the plan that can still be struck."""
        running = self.plans.of(asks.session)
        tasks = running.tasks if running is not None else ()
        return [
            Completion(f"strike {one.id}: {one.title}", f"strike {one.id}")
            for one in tasks
            if not one.settled
        ]

    async def run(self, asked: Asked) -> CommandReply:
        """One command about the plan that runs in the asker's session.

        It is answered to them alone once the plan's answer will be, too.
        """
        running = self.plans.of(str(asked.key))
        if running is None:
            return CommandReply(Phrase("No plan of yours runs here.").said(asked.language))
        return CommandReply(await self._told(asked, running), alone=running.alone())

    async def _told(self, asked: Asked, running: RunningPlan) -> str:
        verb, _, rest = asked.args.partition(" ")
        match verb.casefold(), rest.strip():
            case "", _:
                return "\n".join(
                    [
                        f"**{running.plan.goal}**",
                        *(_task_line(task, asked.language) for task in running.tasks),
                        f"`/plan {PLAN_USAGE if running.grows else STRIKE}`",
                    ]
                )
            case "strike", task_id if task_id:
                return await self._strike(asked, running, task_id.removesuffix("."))
            case "add", description if description:
                return await self._add(asked, running, description)
            case _:
                return f"`/plan {PLAN_USAGE}`"

    async def _strike(self, asked: Asked, running: RunningPlan, task_id: str) -> str:
        found = running.find(task_id)
        if found is None:
            return Phrase("There is no task {task} in the plan. /plan shows it.").said(
                asked.language, task=task_id[:40]
            )
        of, task = found
        if task.settled:
            state = STRUCK if task.struck else STATES[task.state]
            return f"{task_id}. {task.title}: {state.said(asked.language)}"
        if not await self.plans.order(of, _key(asked), Order(OrderKind.STRIKE, task.id)):
            return PLAN_OVER.said(asked.language)
        return Phrase("Struck: {task}. Tasks that needed it go on without its result.").said(
            asked.language, task=f"{task_id}. {task.title}"
        )

    async def _add(self, asked: Asked, running: RunningPlan, description: str) -> str:
        if not running.grows:
            return Phrase(
                "Only the queen of this plan adds tasks. /plan strike NUMBER takes one out."
            ).said(asked.language)
        if len(running.plan.tasks) >= MOST_TASKS:
            return Phrase("The plan is full: it has {most} tasks.").said(
                asked.language, most=MOST_TASKS
            )
        if len(description) > ADDED_CHARS:
            return Phrase("A task has at most {most} characters, and this has {count}.").said(
                asked.language,
                most=number(ADDED_CHARS, asked.language),
                count=number(len(description), asked.language),
            )
        if not await self.plans.order(running, _key(asked), Order(OrderKind.ADD, description)):
            return PLAN_OVER.said(asked.language)
        title = PlanTask("", description).title
        return Phrase("Added: {task}").said(asked.language, task=title)


def _key(asked: Asked) -> str:
    return f"turn {asked.turn.id}"


def _task_line(task: PlanTask, language: Language) -> str:
    if task.struck:
        return f"- ~~{task.id}. {task.title}~~"
    why = FAILURES[task.failure].said(language) if task.failure else ""
    note = note_said(task.note, language) if task.note else ""
    told = [STATES[task.state].said(language), *filter(None, (why, note))]
    return f"{'  ' * task.id.count('.')}- {task.id}. {task.title}: {', '.join(told)}"


UNDONE_ALREADY = Phrase("Taken back already: {change}.")

UNDO_USAGE = "[NUMBER|all]"
NAME_CHARS = 80


class UndoCommand:
    """Takes back what tools changed for a person, without a model."""

    def __init__(self, database: Database, clock: Clock, rescheduled: Callable[[], None]) -> None:
        """`rescheduled` is called after a change that may have moved a due time."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._changes = UndoableRows(database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand("undo", self.run, usage=UNDO_USAGE, offers=words("all", "1", "2", "3")),
        )

    async def run(self, asked: Asked) -> str:
        """One command. A change from a more private place is neither shown nor taken back."""
        wanted, viewer = asked.args.casefold().lstrip("#"), await asked.viewer()
        now, language = self._clock.now(), asked.language
        if not wanted or wanted == "all":
            every = await self._changes.newest(viewer.person, now)
            seen = [one for one in every if viewer.sees(one.person, one.learned)]
            hidden = len(every) - len(seen)
            if not wanted:
                return _listed(seen, hidden, language)
            lines = [await self._take_back(one, language) for one in seen]
            lines += [f"{left_out(hidden, language)}."] if hidden else []
            return "\n".join(lines) or Phrase("There is nothing to take back.").said(language)
        if not wanted.isdecimal():
            return Phrase(
                "Say `/undo {usage}`. Without arguments it lists what can be taken back."
            ).said(language, usage=UNDO_USAGE)
        found = await self._changes.find(viewer.person, int(wanted[:18]), now)
        if found is None or not viewer.sees(found.person, found.learned):
            return Phrase(
                "There is no such change of yours in the last hour. `/undo` lists them."
            ).said(language)
        return await self._take_back(found, language)

    async def _take_back(self, change: Change, language: Language) -> str:
        named = _named(change, language)
        if change.undone:
            return UNDONE_ALREADY.said(language, change=named)
        try:
            await self._database.write(undo_store.undo(change, self._clock.now()))
        except UnitRejected:
            newest = await self._changes.find(change.person, change.id, self._clock.now())
            if newest is not None and newest.undone:
                return UNDONE_ALREADY.said(language, change=named)
            return Phrase("Not taken back, because it was changed since: {change}.").said(
                language, change=named
            )
        self._rescheduled()
        return Phrase("Taken back: {change}.").said(language, change=named)


def _listed(changes: list[Change], hidden: int, language: Language) -> str:
    lines = [f"- {one.id}: {_named(one, language)}" for one in changes]
    lines += [f"{left_out(hidden, language)}."] if hidden else []
    if not changes:
        nothing = Phrase("There is nothing to take back from the last hour.").said(language)
        return "\n".join([nothing, *lines])
    head = Phrase("Changes of the last hour, the newest first:").said(language)
    how = Phrase("`/undo NUMBER` takes one back, `/undo all` all of them.").said(language)
    return "\n".join([head, *lines, how])


def _named(change: Change, language: Language) -> str:
    name = " ".join(change.name.split())
    shown = f"{name[: NAME_CHARS - 1]}…" if len(name) > NAME_CHARS else name
    what = change_in_words(change.noun, change.done, language)
    return f"{what}, {said.TITLED.said(language, title=shown)}"
