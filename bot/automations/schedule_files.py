"""/automations/schedules: the scheduled tasks of a person, as files.

They share the store of schedule_task.
"""

import hashlib
from collections.abc import Generator
from contextlib import contextmanager

from bot.agents.arguments import ScheduleArguments
from bot.agents.control_tools.scheduling import ScheduleTask, first_time
from bot.automations.schedule_file import (
    ScheduleText,
    local_time,
    read_schedule,
    read_slug,
    slug_of,
    write_schedule,
)
from bot.dates.reading import Moment
from bot.domain.database import Database, Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.schedules import ScheduledTask
from bot.domain.tool_context import ToolContext
from bot.errors import DefinitionError, ToolError
from bot.skills.front_matter import read_front_matter
from bot.turns.schedules import tasks_store
from bot.turns.schedules.tasks_store import ScheduledTasks

SCHEDULES = "/automations/schedules"


class ScheduleFiles:
    """Implements `FileSource`. Ended schedules have no file."""

    prefix = SCHEDULES
    writable = True

    def __init__(self, database: Database, tasks: ScheduleTask) -> None:
        self._rows = ScheduledTasks(database)
        self._tasks = tasks

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        task = await self._find(context, path)
        if task is None:
            return None
        text = write_schedule(task)
        return FileText(path, text, _version(text), origin=task.origin, private=task.private)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        slug = read_slug(path, SCHEDULES)
        try:
            said = read_schedule(text, path, context.person.id)
        except DefinitionError as error:
            raise ToolError(f"{error}. Nothing was saved") from None
        before = await self._find(context, path)
        if (_version(write_schedule(before)) if before else None) != version:
            raise ToolError(
                f"{path} was changed meanwhile; read it again and repeat the change on its present "
                "text"
            )
        if before is not None:
            with _placed(text, path):
                return await self._change(context, before, said)
        if slug_of(said.name) != slug:
            raise ToolError(
                f"{path}: the file of “{said.name}” is {SCHEDULES}/{slug_of(said.name)}.md; write "
                "that one"
            )
        if not said.enabled:
            raise ToolError(
                f"{path}: a new schedule can't begin paused; leave enabled out, or write it later"
            )
        with _placed(text, path):
            return (await self._tasks.create(context, arguments_of(said))).unit

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        task = await self._find(context, path)
        if task is None or _version(write_schedule(task)) != version:
            raise ToolError(f"{path} was changed meanwhile; read it again")
        return tasks_store.cancel(task)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        return tuple(
            FileEntry(
                f"{SCHEDULES}/{slug}.md",
                size=len(write_schedule(task).encode()),
                note=f"{task.cron or 'once'}, {'paused' if task.paused else 'on'}, id {task.ref}",
                origin=task.origin,
                private=_hidden(context, task),
            )
            for slug, task in (await self._own(context)).items()
        )

    async def began(self, context: ToolContext, path: str, text: str) -> str:
        """What is true once this text is there."""
        said = read_schedule(text, path)
        if not said.enabled:
            return "It is saved and switched off."
        _, zone, due = await first_time(arguments_of(said), context.timezone, context.now)
        return f"It is on from now; next {Moment(due, zone.key).spoken()}."

    async def _own(self, context: ToolContext) -> dict[str, ScheduledTask]:
        """Schedules by slug; of two with the same name, the newer one has its id added."""
        tasks = sorted(
            await self._rows.of(context.person.id), key=lambda task: (task.created_at, task.ref)
        )
        found: dict[str, ScheduledTask] = {}
        for task in tasks:
            slug = slug_of(task.name)
            found[slug if slug not in found else f"{slug}-{task.ref}"] = task
        return found

    async def _find(self, context: ToolContext, path: str) -> ScheduledTask | None:
        own = await self._own(context)
        task = (
            own.get(path.removeprefix(f"{SCHEDULES}/").removesuffix(".md"))
            if path.endswith(".md")
            else None
        )
        if task is not None and _hidden(context, task):
            raise ToolError(f"{path} was written in private; ask for it there")
        return task

    async def _change(
        self, context: ToolContext, before: ScheduledTask, said: ScheduleText
    ) -> Unit:
        if slug_of(said.name) != slug_of(before.name):
            raise ToolError(
                f"name: a schedule keeps its name, {before.name!r}; to rename it, delete the file "
                "first"
            )
        unchanged = said.cron == (before.cron or "") and said.timezone == before.zone
        if said.at and before.next_due is not None:
            unchanged = (
                said.at == local_time(before.next_due, before.zone) and said.timezone == before.zone
            )
        given = arguments_of(said)
        if unchanged and not (before.cron and before.paused):
            given = ScheduleArguments(action="update", prompt=said.prompt)
        changed = await self._tasks.change(context, before, given, paused=not said.enabled)
        return changed.unit


@contextmanager
def _placed(text: str, path: str) -> Generator[None]:
    """Errors of the tool name the line and the field of the file."""
    try:
        yield
    except ToolError as error:
        raise read_front_matter(text, path).placed(error, {"execute_at": "at"}) from None


def arguments_of(said: ScheduleText) -> ScheduleArguments:
    """As schedule_task takes what a file says."""
    return ScheduleArguments(
        action="create",
        name=said.name,
        prompt=said.prompt,
        cron=said.cron,
        execute_at=said.at,
        timezone=said.timezone,
    )


def _hidden(context: ToolContext, task: ScheduledTask) -> bool:
    return not context.viewer.sees(task.owner, task.learned)


def _version(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
