"""What runs by itself: schedules and automations, with their last and next runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.automations.showing import standing
from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.clock import format_utc
from bot.domain.automations import Automation
from bot.domain.database import Database
from bot.domain.schedules import ScheduledTask, ScheduleTick
from bot.errors import DefinitionError
from bot.plugin.views import ActionTold, Looker, Rows, UnattendedRow
from bot.sessions.commands.automations import AutomationCommands, ScheduleCommands, UnattendedWish
from bot.turns.schedules.showing import repeats
from bot.turns.schedules.store import read_of_session
from bot.turns.schedules.tasks_store import ScheduledTasks
from bot.views.sight import RowKind, may_see

TICKS = 5
PAGE = 50
_TASK, _AUTOMATION = "s", "a"
"""What a page begins behind."""
_OF_SCHEDULES = ("pause", "resume", "run", "cancel")
_OF_AUTOMATIONS = ("pause", "resume")


@dataclass(frozen=True)
class HouseUnattended:
    """Implements `bot.plugin.views.ShowsUnattended`."""

    database: Database
    schedules: ScheduleCommands
    automations: AutomationCommands

    async def look(self, who: Looker, *, behind: str = "") -> Rows[UnattendedRow]:
        owner = None if who.operator else who.person.id
        kind, place = _place(behind)
        tasks: Sequence[ScheduledTask] = ()
        if kind != _AUTOMATION:
            tasks = await ScheduledTasks(self.database).page(owner, place, PAGE)
            place = ("", "")
        rows = [
            await self._of_task(one)
            for one in tasks
            if may_see(who, RowKind.WORK, one.owner, one.learned)
        ]
        if len(tasks) == PAGE and (due := tasks[-1].next_due) is not None:
            return Rows(rows, f"{_TASK}|{format_utc(due)}|{tasks[-1].ref}")
        files = await Automations(self.database).page(owner, place, PAGE)
        rows += [
            await self._of_automation(one)
            for one in files
            if may_see(who, RowKind.WORK, one.owner, one.learned)
        ]
        last = files[-1] if len(files) == PAGE else None
        return Rows(rows, f"{_AUTOMATION}|{format_utc(last.created_at)}|{last.ref}" if last else "")

    async def change(self, who: Looker, verb: str, ref: str, once: str) -> ActionTold:
        """As the commands change it, which look again whose it is."""
        wish = UnattendedWish(
            f"{verb} {''.join(ref.split())}", who.person, who.viewer, f"console:{once}"
        )
        if await ScheduledTasks(self.database).find(ref) is not None and verb in _OF_SCHEDULES:
            told = await self.schedules.run(wish)
        elif verb in _OF_AUTOMATIONS:
            told = await self.automations.run(wish)
        else:
            return ActionTold(f"There is nothing called {ref[:40]} here.", done=False)
        return ActionTold(told.text, told.done)

    async def _of_task(self, task: ScheduledTask) -> UnattendedRow:
        ticks = await ScheduledTasks(self.database).ticks(task, TICKS)
        return UnattendedRow(
            task.ref,
            "schedule",
            task.name,
            task.owner,
            task.prompt,
            repeats(task),
            None if task.paused else task.next_due,
            task.paused,
            task.paused_why,
            ticks,
        )

    async def _of_automation(self, one: Automation) -> UnattendedRow:
        schedule = await read_of_session(self.database, one.session)
        ticks: Sequence[ScheduleTick] = ()
        if schedule is not None:
            ticks = await ScheduledTasks(self.database).ticks_of(schedule.id, TICKS)
        name, what = one.slug, ""
        try:
            trigger = stored_trigger(one.text, one.slug)
            name, what = trigger.name, trigger.prompt
        except DefinitionError as error:
            what = str(error)
        return UnattendedRow(
            one.ref,
            one.event,
            name,
            one.owner,
            what,
            standing(one),
            one.due,
            not one.enabled,
            one.paused_why,
            ticks,
        )


def _place(behind: str) -> tuple[str, tuple[str, str]]:
    kind, _, rest = behind.partition("|")
    moment, _, ref = rest.partition("|")
    return kind, (moment, ref)
