"""schedule_task: tasks for later, once or repeated."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.agents.arguments import ScheduleArguments
from bot.agents.loop.calls import control_tool
from bot.connectors.records import lasting_origin, new_id
from bot.dates.phrases import read_when
from bot.dates.reading import Day, Moment, Unclear
from bot.dates.repeats import read_repeat, spoken_repeat
from bot.domain.access import Role
from bot.domain.card_words import coded, titled
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.deeds import Noun, ToolDeed
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase, Translations
from bot.domain.lasting import Kept, Lasting, Makes
from bot.domain.origins import Origin, Trust
from bot.domain.places import Reach
from bot.domain.schedules import ScheduledTask
from bot.domain.sessions import SessionKey
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Rescheduled, ToolOutcome, ToolResult
from bot.domain.work import ScheduleWork, dump_work
from bot.errors import ToolError, TurnError, raised_as
from bot.tools.native.registry import tried
from bot.turns.schedules import tasks_store
from bot.turns.schedules.cron import LEAST_MINUTES, MOST_OF_A_PERSON, find_zone, first_due, next_due
from bot.turns.schedules.showing import listed, shown, ticks_shown
from bot.turns.schedules.tasks_store import ScheduledTasks

CHANGES: Mapping[str, Phrase] = {
    "list": Phrase("list the schedule {name}: {what}"),
    "inspect": Phrase("inspect the schedule {name}: {what}"),
    "update": Phrase("change the schedule {name}: {what}"),
    "pause": Phrase("pause the schedule {name}: {what}"),
    "resume": Phrase("resume the schedule {name}: {what}"),
    "cancel": Phrase("cancel the schedule {name}: {what}"),
}
"""By what is done with a schedule."""

_MORNING = time(9)
"""When a repetition in words comes that names no time of day."""
NAME_CHARS = 80
PROMPT_CHARS = 4_000


class ScheduleTask:
    """The tool; a call sees its person's own tasks, a MasterAdmin's call everybody's."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._tasks = ScheduledTasks(database)
        self._clock = clock

    def tool(self) -> NativeTool[ScheduleArguments]:
        return control_tool(
            "schedule_task",
            ScheduleArguments,
            self._call,
            makes=self._makes,
            check=tried(self._call),
            tells=self._tells,
            deed=ToolDeed(Noun.SCHEDULE, "name"),
            keeps=True,
        )

    async def _tells(self, context: ToolContext, given: ScheduleArguments) -> Translations:
        """For the card of a new task, or of a change to one."""
        if given.action == "create":
            return await _timed(given, context.timezone, context.now, titled(given.prompt, 300))
        task = await self._find(context, given.id)
        name, what = titled(task.name), titled(given.prompt or task.prompt, 300)
        if given.action == "update" and given.name:
            name += f" → {titled(given.name)}"
        change = CHANGES[given.action]
        if given.action != "update" or not (given.cron or given.execute_at):
            return change.filled(name=name, what=what)
        timed = await _timed(given, task.zone, context.now, what)
        return Translations.by(
            lambda language: change.said(language, name=name, what=timed.said(language))
        )

    async def _makes(self, context: ToolContext, given: ScheduleArguments) -> Sequence[Makes]:
        """A new, changed or resumed task acts later; a new prompt, a pause and an end replace."""
        if given.action == "create":
            return (Makes(Lasting.ACTS_LATER, _texts_of(given.prompt, given.name)),)
        if given.action not in {"update", "resume", "pause", "cancel"}:
            return ()
        task = await self._find(context, given.id)
        acts = Makes(Lasting.ACTS_LATER, _texts_of(given.prompt or task.prompt, given.name))
        if given.action == "resume" or (given.action == "update" and not given.prompt):
            return (acts,)
        every = await self._tasks.of(context.person.id)
        others = tuple(Kept(one.ref, (one.name,)) for one in every if one.ref != task.ref)
        gone = Makes(Lasting.REPLACES, replaced=Kept(task.ref, (task.name,)), others=others)
        return (acts, gone) if given.action == "update" else (gone,)

    async def _call(self, context: ToolContext, given: ScheduleArguments) -> ToolOutcome:
        match given.action:
            case "create":
                return await self.create(context, given)
            case "list":
                return await self._list(context)
            case "inspect":
                task = await self._find(context, given.id)
                return ToolResult(
                    f"{shown(task, context.now)}\n"
                    f"{ticks_shown(await self._tasks.ticks(task), task.zone)}",
                    origin=_origin_of(task),
                    private=task.private,
                )
            case "update":
                task = await self._find(context, given.id)
                if task.owner != context.person.id:
                    raise ToolError(
                        "only its owner changes a schedule, since it runs with their role and "
                        "accounts; pause or cancel it"
                    )
                if not any((given.name, given.prompt, given.cron, given.execute_at, given.budget)):
                    raise ToolError("give what is new: name, prompt, cron, execute_at or budget")
                own_zone = given.model_copy(update={"timezone": given.timezone or task.zone})
                return await self.change(context, task, own_zone, paused=task.paused)
            case "pause":
                task = await self._find(context, given.id)
                return _changed(
                    f"paused: {task.name} ({task.ref})",
                    tasks_store.pause(task, "by its owner"),
                    task,
                )
            case "resume":
                task = await self._find(context, given.id)
                return _changed(
                    f"resumed: {task.name} ({task.ref})",
                    tasks_store.resume(task, _upcoming(task, context)),
                    task,
                )
            case "cancel":
                task = await self._find(context, given.id)
                return _changed(
                    f"cancelled: {task.name} ({task.ref})", tasks_store.cancel(task), task
                )

    async def create(self, context: ToolContext, given: ScheduleArguments) -> ToolResult:
        """Schedule a prompt for the asker. Raises ToolError."""
        name, prompt = " ".join(given.name.split()), given.prompt.strip()
        if not name or not prompt:
            raise ToolError(
                "create needs a name and a prompt: what to do when the time comes, in full"
            )
        _require_length(name, prompt)
        if bool(given.cron) == bool(given.execute_at):
            raise ToolError("give exactly one of cron (again and again) and execute_at (once)")
        if await self._tasks.count(context.person.id) >= MOST_OF_A_PERSON:
            raise ToolError(
                f"{context.person.id} has {MOST_OF_A_PERSON} schedules, which is the most; cancel "
                "one first"
            )
        cron, zone, due = await first_time(given, context.timezone, context.now)
        ref = await new_id(context, self._tasks.taken)
        conversation = context.conversation
        session = SessionKey(
            conversation.platform,
            conversation.workspace,
            conversation.id,
            context.person.id,
            f"schedule:{ref}",
        )
        task = ScheduledTask(
            ref=ref,
            schedule=0,
            session=str(session),
            owner=context.person.id,
            name=name,
            prompt=prompt,
            conversation=conversation.key,
            learned=context.learned,
            origin=lasting_origin(context, Lasting.ACTS_LATER, _texts_of(prompt, name)),
            cron=cron,
            zone=zone.key,
            next_due=due,
            paused=False,
            paused_why="",
            failures=0,
            created_at=context.now,
            budget_calls=given.budget or None,
        )
        envelope: JsonObject = {**context.later, "attachments": [], "quoted": []}
        body = dump_work(ScheduleWork(envelope, ref))
        return _changed(shown(task, context.now), tasks_store.create(task, body), task)

    async def change(
        self, context: ToolContext, task: ScheduledTask, given: ScheduleArguments, *, paused: bool
    ) -> ToolResult:
        """What is given replaces what was; its id and its place stay. Raises ToolError.

        Words of a more private place are refused: its runs answer where others read.
        """
        name, prompt = (
            " ".join(given.name.split()) or task.name,
            given.prompt.strip() or task.prompt,
        )
        _require_length(name, prompt)
        if given.cron and given.execute_at:
            raise ToolError("give cron (again and again) or execute_at (once), not both")
        cron, zone, due = task.cron, task.zone, task.next_due
        if given.cron or given.execute_at:
            cron, clocks, due = await first_time(given, context.timezone, context.now)
            zone = clocks.key
        origin = task.origin
        if (name, prompt) != (task.name, task.prompt):
            if task.learned.narrowed(context.learned) != task.learned:
                raise ToolError(
                    "others read where this schedule answers, and this place is more private; "
                    "change its words there, or cancel it and create one here"
                )
            made = lasting_origin(context, Lasting.ACTS_LATER, _texts_of(prompt, name))
            origin = max(origin, made, key=lambda one: one.trust)
        after = replace(
            task,
            name=name,
            prompt=prompt,
            cron=cron,
            zone=zone,
            next_due=due,
            paused=paused,
            paused_why=task.paused_why if paused else "",
            origin=origin,
            budget_calls=given.budget or task.budget_calls,
        )
        return _changed(shown(after, context.now), tasks_store.change(task, after), after)

    async def _list(self, context: ToolContext) -> ToolResult:
        operator = context.person.role is Role.MASTER_ADMIN
        everybody = operator and context.viewer.place.reach is Reach.DM
        found = await self._tasks.of(None if everybody else context.person.id)
        seen = [task for task in found if context.viewer.sees(context.person.id, task.learned)]
        text = listed(seen, context.now, hidden=len(found) - len(seen))
        if not seen and context.tools.describe(("manage_todos",)):
            text += " Reminders are todos with a date: manage_todos, list."
        worst = max((task.origin.trust for task in seen), default=Trust.OPERATOR)
        return ToolResult(
            text,
            origin=Origin(worst, "tool:schedule_task"),
            private=any(task.private for task in seen),
        )

    async def _find(self, context: ToolContext, ref: str) -> ScheduledTask:
        if not ref:
            raise ToolError("give the id of the schedule; call with action list to see the ids")
        task = await self._tasks.find(ref)
        visible = task is not None and (
            task.owner == context.person.id or context.person.role is Role.MASTER_ADMIN
        )
        if task is None or not visible or not context.viewer.sees(context.person.id, task.learned):
            raise ToolError(
                f"there is no schedule {ref[:40]!r} here; call with action list to see the ids"
            )
        return task


async def _timed(given: ScheduleArguments, timezone: str, now: datetime, what: str) -> Translations:
    cron, zone, due = await first_time(given, timezone, now)
    moment = Moment(due, zone.key)

    def said(language: Language) -> str:
        at = moment.spoken(language)
        if not cron:
            return Phrase("have this done once, on {at}: {what}").said(language, at=at, what=what)
        repeat = spoken_repeat(cron, language) or coded(cron)
        return Phrase("have this done again and again, {repeat}, first on {at}: {what}").said(
            language, repeat=repeat, at=at, what=what
        )

    return Translations.by(said)


async def first_time(
    given: ScheduleArguments, timezone: str, now: datetime
) -> tuple[str | None, ZoneInfo, datetime]:
    """The cron expression or rule, the time zone, and the first due time.

    `timezone` is for what names none. Raises ToolError, also for what runs too often.
    """
    zone = _zone_of(given.timezone or timezone)
    if not given.cron:
        return None, zone, await _moment(given, zone, now)
    local = now.astimezone(zone).replace(tzinfo=None)
    cron = await asyncio.to_thread(read_repeat, given.cron, _MORNING, local) or given.cron
    with raised_as(ToolError, TurnError):
        return cron, zone, first_due(cron, zone.key, now, timedelta(minutes=LEAST_MINUTES))


def _require_length(name: str, prompt: str) -> None:
    if len(name) > NAME_CHARS or len(prompt) > PROMPT_CHARS:
        raise ToolError(
            f"the name may have {NAME_CHARS} characters and the prompt {PROMPT_CHARS}; shorten it"
        )


def _upcoming(task: ScheduledTask, context: ToolContext) -> datetime:
    """The next due time of a paused task. Raises ToolError for one that is over."""
    if task.next_due is None:
        raise ToolError(f"{task.name} ({task.ref}) has already run its one time; create it again")
    if task.cron is None:
        return task.next_due
    if (due := next_due(task.cron, task.zone, context.now)) is None:
        raise ToolError(f"{task.name} ({task.ref}) is over; create it again")
    return due


async def _moment(given: ScheduleArguments, zone: ZoneInfo, now: datetime) -> datetime:
    """Read execute_at. Raises ToolError with the possible meanings."""
    text = given.execute_at
    reading = await asyncio.to_thread(read_when, text, now, zone)
    match reading:
        case Moment(at):
            return at
        case Day():
            told = f"{text[:40]!r} is {reading.spoken()}; add the time of day"
            raise ToolError(f"execute_at: {told}")
        case Unclear():
            raise ToolError(f"execute_at: {reading.told(text)}")


def _zone_of(name: str) -> ZoneInfo:
    with raised_as(ToolError, TurnError, about="timezone"):
        return find_zone(name)


def _origin_of(task: ScheduledTask) -> Origin:
    return Origin(task.origin.trust, "tool:schedule_task")


def _changed(text: str, unit: Unit, task: ScheduledTask) -> ToolResult:
    return ToolResult(
        text, origin=_origin_of(task), private=task.private, unit=unit, effects=(Rescheduled(),)
    )


def _texts_of(prompt: str, name: str) -> tuple[str, ...]:
    """What the person has to have said. A name that repeats words of the prompt is a handle."""
    said = {*prompt.casefold().replace(".", " ").replace(",", " ").split()}
    return (prompt,) if said.issuperset(name.casefold().split()) else (prompt, name)
