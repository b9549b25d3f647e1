"""A person's page: what they have open, what runs for them, and what waits for their yes.

It is read from the same rows, and by the same rules, as the commands in their direct messages.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from bot.connections.access import Connections
from bot.connectors.due_dates import due_in_words
from bot.connectors.todos.store import TodoRows
from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.home import HomeItem, HomeSection, Prompt
from bot.domain.messages import Choice, Conversation, PlatformPerson
from bot.domain.privacy import IN_DM, Viewer, left_out
from bot.domain.schedules import ScheduledTask
from bot.memory import choices_store
from bot.sessions.commands.reports import SPANS, used_in_words
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.wording.card_text import asked_for
from bot.skills.commands import SkillCommands
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.schedules.showing import next_in_words
from bot.turns.schedules.tasks_store import ScheduledTasks

TODOS, TASKS, APPROVALS, SERVICES = 8, 5, 5, 6
PROMPTS = 4
_USUAL = (
    Prompt("What can you do?", "What can you do for me?"),
    Prompt("My todos", "What is on my todo list?"),
    Prompt("Take a note", "Take a note: "),
)


@dataclass(frozen=True)
class HomePages:
    """Reads the sections of a page, and what suggests a request."""

    database: Database
    clock: Clock
    approvals: ApprovalStore
    connections: Connections
    meter: Meter

    async def of(self, person: Person, viewer: Viewer) -> tuple[HomeSection, ...]:
        """The page of somebody who is answered; they alone read it. Raises StorageError."""
        parts: Sequence[Callable[[Person, Viewer], Awaitable[HomeSection]]] = (
            self._waiting,
            self._todos,
            self._schedules,
            self._services,
            self._memory,
            self._usage,
        )
        return tuple([await part(person, viewer) for part in parts])

    async def prompts(self, person: Person, viewer: Viewer) -> Sequence[Prompt]:
        """What is asked about things that the person has now."""
        found: list[Prompt] = []
        if await self.approvals.open_for(person):
            found.append(Prompt("What waits for my yes?", "!approvals"))
        todos = TodoRows(self.database)
        if await todos.active(await todos.seen(viewer), 1):
            found.append(Prompt("What is open?", "What is on my todo list?"))
        if await self._tasks(person, viewer):
            found.append(Prompt("What runs for me?", "!schedule"))
        return found

    # --- sections ---

    async def _waiting(self, person: Person, _viewer: Viewer) -> HomeSection:
        waiting = await self.approvals.open_for(person)
        items = [
            HomeItem(f"{one.ref}: {asked_for(one)}", (Choice("Show", one.ref, "approvals"),))
            for one in waiting[:APPROVALS]
        ]
        return _section("Waiting for your yes", items, len(waiting), "Nothing waits for you.")

    async def _todos(self, _person: Person, viewer: Viewer) -> HomeSection:
        todos = TodoRows(self.database)
        seen = await todos.seen(viewer)
        found = await todos.active(seen, TODOS)
        counts = await todos.counts(seen)
        every = sum(count for status, count in counts.items() if not status.closed)
        items = [
            HomeItem(
                todo.title
                + (f", due {due_in_words(todo.due_date, todo.zone)}" if todo.due_date else ""),
                (
                    Choice("Done", todo.id, "todo_done"),
                    Choice("Tomorrow", todo.id, "todo_tomorrow"),
                ),
            )
            for todo in found
        ]
        hidden = f" {left_out(seen.left_out)}." if seen.left_out else ""
        section = _section("Todos", items, every, "Nothing is open.")
        return HomeSection(section.title, section.items, f"{section.more}{hidden}".strip())

    async def _tasks(self, person: Person, viewer: Viewer) -> list[ScheduledTask]:
        found = await ScheduledTasks(self.database).of(person.id)
        return [one for one in found if not one.over and viewer.sees(one.owner, one.learned)]

    async def _schedules(self, person: Person, viewer: Viewer) -> HomeSection:
        tasks, now = await self._tasks(person, viewer), self.clock.now()
        items = [
            HomeItem(
                f"{task.name}: {next_in_words(task, now)}",
                (
                    Choice("Go on", f"resume {task.ref}", "schedule")
                    if task.paused
                    else Choice("Pause", f"pause {task.ref}", "schedule"),
                    Choice("Run now", f"run {task.ref}", "schedule"),
                ),
            )
            for task in tasks[:TASKS]
        ]
        return _section("Schedules", items, len(tasks), "Nothing is scheduled.")

    async def _services(self, person: Person, _viewer: Viewer) -> HomeSection:
        own, usable = self.connections.connected(person.id), self.connections.usable(person)
        items = [
            HomeItem(
                f"{self.connections.services[one].title}: connected",
                (Choice("Disconnect", one, "disconnect"),),
            )
            if one in own
            else HomeItem(f"{self.connections.services[one].title}: by the workspace's account")
            for one in sorted(usable)
        ]
        items += [
            HomeItem(f"{one.title}: {one.what}", (Choice("Connect", one.id, "connect"),))
            for one in self.connections.connectable(person)
        ]
        nothing = "Nothing can be connected here."
        return _section("Connections", items[:SERVICES], len(items), nothing)

    async def _memory(self, person: Person, _viewer: Viewer) -> HomeSection:
        off = await choices_store.is_off(self.database, person.id)
        item = (
            HomeItem("I learn nothing from you.", (Choice("Learn again", "on me", "memory"),))
            if off
            else HomeItem(
                "I learn from what you tell me.", (Choice("Stop learning", "off me", "memory"),)
            )
        )
        return HomeSection("Memory", (item,), "/memory shows what I know of you, and forgets it.")

    async def _usage(self, person: Person, _viewer: Viewer) -> HomeSection:
        lines = [
            HomeItem(f"{name}: {used_in_words(await self.meter.of_person(person.id, days))}")
            for name, days in SPANS
        ]
        return HomeSection("What your requests used", tuple(lines))


@dataclass(frozen=True)
class HomeFront:
    """Implements `domain.home.HomeDesk`."""

    pages: HomePages
    contacts: Contacts
    channels: Channels
    skills: SkillCommands
    answers_strangers: bool
    """Whether people whom nobody named are answered (`access.unknown_people`)."""

    async def page(
        self, sender: PlatformPerson, place: Conversation
    ) -> tuple[HomeSection, ...] | None:
        person = self._answered(sender, place)
        return (
            None
            if person is None
            else await self.pages.of(person, await self._viewer(person, place))
        )

    async def prompts(self, sender: PlatformPerson, place: Conversation) -> tuple[Prompt, ...]:
        """Fixed phrases and names of skills: what is clicked counts as the person's own words."""
        person = self._answered(sender, place)
        if person is None:
            return ()
        found = [*await self.pages.prompts(person, await self._viewer(person, place))]
        runnable = await self.skills.runnable(person, place)
        own = [one for one in runnable if one.private]
        found += [Prompt(f"/{one.command.name}", f"!{one.command.name}") for one in own]
        known = {prompt.message for prompt in found}
        return (*found, *(one for one in _USUAL if one.message not in known))[:PROMPTS]

    def _answered(self, sender: PlatformPerson, place: Conversation) -> Person | None:
        platform, workspace = place.platform, place.workspace
        person = self.contacts.resolve(platform, workspace, sender)
        stranger = self.contacts.is_stranger(platform, workspace, sender)
        if person.role is Role.BANNED or (stranger and not self.answers_strangers):
            return None
        return person

    async def _viewer(self, person: Person, place: Conversation) -> Viewer:
        there = await self.channels.locate_for(person.id, place)
        return replace(Viewer.at(there, person), place=IN_DM)


def _section(title: str, items: Sequence[HomeItem], every: int, nothing: str) -> HomeSection:
    rest = every - len(items)
    more = f"And {rest} more." if rest > 0 else "" if items else nothing
    return HomeSection(title, tuple(items), more)
