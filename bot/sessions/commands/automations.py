"""Work that runs by itself: `/schedule` and `/automations`, also as commands of the terminal.

Schedules are shown with their outcomes; automations with the channels that are open to them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from bot.automations import store as automations
from bot.automations.showing import line, name_of, problem_of
from bot.automations.showing import shown as automation_shown
from bot.automations.store import Automations
from bot.domain.access import Person, Role
from bot.domain.automations import Automation
from bot.domain.card_words import in_words
from bot.domain.chat_commands import Asked, ChatCommand, Completing, only_called, words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation, OutgoingMessage, Place, ReplyTarget
from bot.domain.native_commands import Completion
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Viewer, left_out
from bot.domain.schedules import ScheduledTask
from bot.sessions.outbox.outbox_store import notice_key, say_unit
from bot.sessions.wording import phrases
from bot.tools.budget.budgets import BudgetStanding, amount_of
from bot.tools.budget.usage import Meter
from bot.turns.engine import TurnEngine
from bot.turns.schedules import store as schedules
from bot.turns.schedules import tasks_store
from bot.turns.schedules.cron import next_due
from bot.turns.schedules.showing import listed, paused_by, ticks_shown
from bot.turns.schedules.showing import shown as task_shown
from bot.turns.schedules.store import read_of_session
from bot.turns.schedules.tasks_store import ScheduledTasks

IS_PAUSED = Phrase("{name} is paused.")
GOES_ON = Phrase("{name} goes on.")
NOT_STARTED = Phrase("Nothing has started it yet.")

SCHEDULE_USAGE = "[show|pause|resume|cancel|run ID]"


@dataclass(frozen=True)
class Told:
    """The text, and whether the request was carried out."""

    text: str
    done: bool = True


@dataclass(frozen=True)
class UnattendedWish:
    """What somebody wants done about what runs for them: `pause s12`."""

    args: str
    person: Person
    viewer: Viewer
    key: str
    """The same when it comes again after a crash, so that nothing runs twice."""
    language: Language = Language.EN

    @classmethod
    async def of(cls, asked: Asked) -> Self:
        viewer = await asked.viewer()
        return cls(asked.args, asked.person, viewer, asked.message.key, asked.language)

    @property
    def verb(self) -> str:
        return self.args.strip().partition(" ")[0].casefold() or "list"

    @property
    def ref(self) -> str:
        return self.args.strip().partition(" ")[2].strip()

    def done(self, phrase: Phrase, **parts: object) -> Told:
        return Told(phrase.said(self.language, **parts))

    def refused(self, phrase: Phrase, **parts: object) -> Told:
        return Told(phrase.said(self.language, **parts), done=False)


@dataclass(eq=False)
class ScheduleCommands:
    """Lists and changes scheduled tasks; the text is for people."""

    database: Database
    engine: TurnEngine
    clock: Clock
    meter: Meter

    def __post_init__(self) -> None:
        self._tasks = ScheduledTasks(self.database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("schedule", self.typed, usage=SCHEDULE_USAGE, offers=self.offered),)

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """Each of the person's schedules with what can be done about it."""
        found = await self._tasks.of(asks.person.id)
        return [
            Completion(f"{verb} {task.name}", f"{verb} {task.ref}")
            for verb in ("show", "pause", "resume", "run", "cancel")
            for task in found
            if _may_be_shown(task, asks.viewer)
        ]

    async def typed(self, asked: Asked) -> str:
        return (await self.run(await UnattendedWish.of(asked))).text

    async def run(self, wish: UnattendedWish) -> Told:
        """It shows a task only to the people who may have seen its creation."""
        if wish.verb == "list":
            return Told(await self._list(wish))
        if wish.verb not in {"show", "pause", "resume", "cancel", "run"} or not wish.ref:
            how = Phrase("Say /schedule {usage}. Without arguments it lists what is scheduled.")
            return wish.refused(how, usage=SCHEDULE_USAGE)
        task = await self.find(wish)
        if task is None:
            none = Phrase("There is no schedule {ref} here. /schedule lists them.")
            return wish.refused(none, ref=wish.ref[:40])
        match wish.verb:
            case "show":
                language = wish.language
                ticks = ticks_shown(await self._tasks.ticks(task), task.zone, language)
                budgets = budgets_shown(await self.meter.of_schedule(task.ref), language)
                shown = task_shown(task, self.clock.now(), language)
                return Told("\n".join([shown, *budgets, ticks]))
            case "pause":
                unit = tasks_store.pause(task, paused_by(wish.person.id))
                return await self._change(wish, task, unit, IS_PAUSED)
            case "resume":
                return await self._resume(wish, task)
            case "cancel":
                over = Phrase("{name} is cancelled.")
                return await self._change(wish, task, tasks_store.cancel(task), over)
            case _:
                return await self._run_now(wish, task)

    async def _list(self, wish: UnattendedWish) -> str:
        everybody = wish.person.role is Role.MASTER_ADMIN and wish.viewer.place.reach is Reach.DM
        found = await self._tasks.of(None if everybody else wish.person.id)
        visible = [task for task in found if _may_be_shown(task, wish.viewer)]
        hidden = len(found) - len(visible)
        return listed(visible, self.clock.now(), hidden=hidden, language=wish.language)

    async def find(self, wish: UnattendedWish) -> ScheduledTask | None:
        """By its id; the person's own by its name, too.

        The same answer for another person's task and for one that never existed.
        """
        task, person = await self._tasks.find(wish.ref), wish.person
        if task is None:
            own = await self._tasks.of(person.id)
            seen = [(one.name, one) for one in own if _may_be_shown(one, wish.viewer)]
            task = only_called(wish.ref, seen)
        if task is None or not _may_be_shown(task, wish.viewer):
            return None
        return task if task.owner == person.id or person.role is Role.MASTER_ADMIN else None

    async def _resume(self, wish: UnattendedWish, task: ScheduledTask) -> Told:
        """Typed by its owner, it also confirms a prompt to which text from outside led."""
        if task.next_due is None:
            return wish.refused(Phrase("{name} is over: it ran once."), name=_named(task))
        now = self.clock.now()
        due = task.next_due if task.cron is None else next_due(task.cron, task.zone, now)
        if due is None:
            return wish.refused(Phrase("{name} is over."), name=_named(task))
        unit = tasks_store.resume(task, due)
        if task.origin.untrusted and task.owner == wish.person.id:
            unit += tasks_store.confirm(task, wish.person.id)
        return await self._change(wish, task, unit, GOES_ON)

    async def _change(
        self, wish: UnattendedWish, task: ScheduledTask, unit: Unit, what: Phrase
    ) -> Told:
        await self.database.write(unit)
        self.engine.rescheduled()
        return wish.done(what, name=_named(task))

    async def _run_now(self, wish: UnattendedWish, task: ScheduledTask) -> Told:
        """Run it once more, now; refused while it is at work."""
        if await self.engine.under_way(task.session) or await self.engine.waiting(task.session):
            return wish.refused(Phrase("{name} is running already."), name=_named(task))
        schedule = await schedules.read(self.database, task.schedule)
        if schedule is None:
            return wish.refused(Phrase("There is no schedule {ref} any more."), ref=task.ref)
        now, key = self.clock.now(), f"schedule:{task.schedule}:run:{wish.key}"
        beside = now + timedelta(microseconds=1)  # never equal to the time of a tick
        claim = Unit.of(schedules.claim_tick(schedule, beside, key, now))
        await self.engine.submit(task.session, key, schedule.body, unit=claim)
        runs = Phrase(
            "{name} runs now; its answer is posted where it was made. If it has nothing to say, "
            "`/schedule show {ref}` says so."
        )
        return wish.done(runs, name=_named(task), ref=task.ref)


def _named(one: ScheduledTask) -> str:
    return f"{one.name} ({one.ref})"


def _may_be_shown(task: ScheduledTask, viewer: Viewer) -> bool:
    """Treats every task as the person's own: a MasterAdmin asks as the operator."""
    return viewer.sees(viewer.person, task.learned)


def budgets_shown(
    standings: Sequence[BudgetStanding], language: Language = Language.EN
) -> list[str]:
    """A line for each budget: `used this month: 12 model calls of 1,000`."""
    return [
        Phrase("used this month: {spent} of {allowed}").said(
            language,
            spent=amount_of(one.limit.measure, one.spent, language),
            allowed=amount_of(one.limit.measure, one.allowed, language),
        )
        for one in standings
    ]


AUTOMATIONS_USAGE = "[show|pause|resume ID, on, off]"


@dataclass(eq=False)
class AutomationCommands:
    """Lists and changes automations; those of schedules are the same as `/schedule` has."""

    database: Database
    clock: Clock
    schedules: ScheduleCommands
    told: Callable[[], None] = lambda: None
    """Called after a message to people entered the outbox."""

    def __post_init__(self) -> None:
        self._automations = Automations(self.database)
        self._tasks = ScheduledTasks(self.database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "automations", self.typed, usage=AUTOMATIONS_USAGE, offers=words("on", "off")
            ),
        )

    async def typed(self, asked: Asked) -> str:
        verb = asked.args.casefold()
        if verb in {"on", "off"}:
            answer = await self.open_or_close(asked, opens=verb == "on")
            self.told()
            return answer
        return (await self.run(await UnattendedWish.of(asked))).text

    async def run(self, wish: UnattendedWish) -> Told:
        """Hidden automations are only counted."""
        if wish.verb == "list":
            return Told(await self._list(wish))
        if wish.verb not in {"show", "pause", "resume"} or not wish.ref:
            how = Phrase(
                "Say /automations {usage}. Without arguments it lists what runs by itself."
            )
            return wish.refused(how, usage=AUTOMATIONS_USAGE)
        automation = await self._find(wish)
        if automation is None:
            if await self.schedules.find(wish) is not None:
                return await self.schedules.run(wish)
            none = Phrase("There is no automation {ref} here. /automations lists them.")
            return wish.refused(none, ref=wish.ref[:40])
        match wish.verb:
            case "show":
                now = self.clock.now()
                return Told(await shown_whole(self.database, automation, now, wish.language))
            case "pause":
                unit = automations.pause(automation, paused_by(wish.person.id))
                await self.database.write(unit)
                return wish.done(IS_PAUSED, name=_slug(automation))
            case _:
                return await self._resume(wish, automation)

    async def _list(self, wish: UnattendedWish) -> str:
        person, viewer, language = wish.person, wish.viewer, wish.language
        found = await self._automations.of(person.id)
        seen = [one for one in found if viewer.sees(one.owner, one.learned)]
        lines = [line(one, await is_open(self.database, one), language) for one in seen]
        if len(found) > len(seen):
            lines.append(f"{left_out(len(found) - len(seen), language)}.")
        tasks = await self._tasks.of(person.id)
        shared = [task for task in tasks if viewer.sees(task.owner, task.learned)]
        if tasks:
            hidden, now = len(tasks) - len(shared), self.clock.now()
            lines.append(listed(shared, now, hidden=hidden, language=language))
        return "\n".join(lines) or Phrase("Nothing runs by itself.").said(language)

    async def _find(self, wish: UnattendedWish) -> Automation | None:
        """By its id; the person's own by its name or that of its file, too.

        The same answer for another person's automation and for one that never existed.
        """
        found = await self._automations.find(wish.ref)
        if found is None:
            own = await self._automations.of(wish.person.id)
            mine = [one for one in own if wish.viewer.sees(one.owner, one.learned)]
            named, filed = [(name_of(one), one) for one in mine], [(one.slug, one) for one in mine]
            found = only_called(wish.ref, named) or only_called(wish.ref, filed)
        if found is None:
            return None
        theirs = found.owner == wish.person.id and wish.viewer.sees(found.owner, found.learned)
        operator = wish.person.role is Role.MASTER_ADMIN and wish.viewer.place == IN_DM
        return found if theirs or operator else None

    async def _resume(self, wish: UnattendedWish, automation: Automation) -> Told:
        if problem := problem_of(automation, wish.language):
            return Told(f"{_slug(automation)} {problem}", done=False)
        await self.database.write(automations.resume(automation, self.clock.now()))
        return wish.done(GOES_ON, name=_slug(automation))

    # --- channels ---

    async def open_or_close(self, asked: Asked, *, opens: bool) -> str:
        """`/automations on|off`: a Partner says whether automations read and post in a channel."""
        message, person, language = asked.message, asked.person, asked.language
        conversation = message.conversation
        if conversation.place is Place.DM:
            return Phrase("Send this command in the channel itself.").said(language)
        if person.role.rank < Role.PARTNER.rank:
            return phrases.PARTNER_DECIDES.said(language)
        channel, now = conversation.channel_key, self.clock.now()
        if not opens:
            written = await self.database.write(Unit.of(automations.close_channel(channel)))
            was_open = bool(written.returned[0])
            return (
                Phrase("Automations read and post nothing here any more.")
                if was_open
                else Phrase("They are off here already.")
            ).said(language)
        if (by := await self._automations.opened_by(channel)) is not None:
            return Phrase("Automations are on in this channel already; {by} said so.").said(
                language, by=by
            )
        await self.database.write(
            Unit.of(automations.open_channel(channel, person.id, now)) + _told(asked, now)
        )
        return Phrase("Done. I told the channel.").said(language)


def _slug(one: Automation) -> str:
    return f"{one.slug} ({one.ref})"


async def is_open(database: Database, automation: Automation) -> bool:
    """Whether the channel that it watches is open to automations. Raises StorageError."""
    watched = automation.watches
    return bool(watched) and await Automations(database).opened_by(watched) is not None


async def shown_whole(
    database: Database, automation: Automation, now: datetime, language: Language = Language.EN
) -> str:
    """One automation with its latest outcomes."""
    opened = await is_open(database, automation)
    text = automation_shown(automation, opened, now, language)
    schedule = await read_of_session(database, automation.session)
    if schedule is None:
        return f"{text}\n{NOT_STARTED.said(language)}"
    ticks = await ScheduledTasks(database).ticks_of(schedule.id)
    return f"{text}\n{ticks_shown(ticks, 'UTC', language)}"


def _told(asked: Asked, now: datetime) -> Unit:
    """The announcement to everybody in the channel, with the change itself."""
    message, person = asked.message, asked.person
    made = message.conversation
    there = Conversation(made.platform, made.workspace, made.channel or made.id, Place.CHANNEL)
    text = Phrase(
        "{name} switched automations on in this channel. They may read messages here and post. I "
        "announce each one that reads here. `/automations off` switches them off."
    ).said(asked.language, name=in_words(person.name))
    key, notice = notice_key("automations", message.key), OutgoingMessage(ReplyTarget(there), text)
    return say_unit(key, person.id, notice, "automations", now)
