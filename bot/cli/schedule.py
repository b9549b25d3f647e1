"""`bellhop schedule`: tasks that run at a time, once or repeatedly."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import typer

from bot.app import App, open_read_only
from bot.cli.looking import NotDone, decided
from bot.cli.options import NO_HOME, As, AsJson, Home
from bot.cli.printing import facts, inert, print_found
from bot.domain.schedules import ScheduledTask
from bot.turns.schedules.showing import shown, ticks_shown
from bot.turns.schedules.tasks_store import ScheduledTasks

Id = Annotated[str, typer.Argument(metavar="ID", help="Its id, as `list` shows it.")]


async def list_(
    every: Annotated[bool, typer.Option("--all", help="Also schedules that are over.")] = False,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List everybody's schedules, the next first."""
    columns = {
        "id": "id",
        "owner": "for",
        "when": "when",
        "next": "next (UTC)",
        "failures": "failed",
        "name": "name",
    }
    async with open_read_only(home) as house:
        found = await listed(house, every=every)
    print_found(found, columns, as_json=as_json, empty="Nothing is scheduled.")


async def listed(house: App, *, every: bool = False) -> list[dict[str, Any]]:
    """All schedules as rows; `every`: including ended ones."""
    return [_row(task) for task in await ScheduledTasks(house.database).of(None, over=every)]


def _row(task: ScheduledTask) -> dict[str, Any]:
    due = task.next_due.isoformat(sep=" ")[:16] if task.next_due else "over"
    return facts(
        task,
        *("owner", "name", "prompt", "failures", "conversation", "private"),
        id=task.ref,
        when=f"{task.cron} ({task.zone})" if task.cron else "once",
        next=f"paused: {task.paused_why}" if task.paused else due,
    )


async def show(ref: Id, home: Home = NO_HOME) -> None:
    """Show one schedule and its last runs."""
    async with open_read_only(home) as house:
        text = await shown_whole(house, ref)
    if not text:
        raise NotDone(f"there is no schedule {ref}; `bellhop schedule list` shows which there are")
    typer.echo(inert(text))


async def shown_whole(house: App, ref: str) -> str:
    """One schedule in words; empty without one of this id."""
    tasks = ScheduledTasks(house.database)
    task = await tasks.find(ref)
    if task is None:
        return ""
    ticks = ticks_shown(await tasks.ticks(task, 50), task.zone)
    return f"{shown(task, house.clock.now())}\n{ticks}"


def changing(method: str, verb: str, about: str) -> Callable[..., Awaitable[None]]:
    """The command that does one thing with a schedule or an automation. Raises NotDone."""

    async def change(ref: Id, name: As = None, home: Home = NO_HOME) -> None:
        text, later = await decided(home, name, method, {"change": f"{verb} {ref}"}, "done")
        waits = " It begins when Bellhop runs next." if later and verb == "run" else ""
        typer.echo(f"{text}{waits}")

    change.__doc__ = about
    return change


pause = changing("schedules.change", "pause", "Pause a schedule until it is resumed.")
resume = changing("schedules.change", "resume", "Resume a paused schedule.")
cancel = changing("schedules.change", "cancel", "Cancel a schedule.")
run = changing("schedules.change", "run", "Run a schedule once now.")
