"""A person's page: what they have open, what runs for them, and what waits for their yes.

It is read from the same rows, and by the same rules, as the commands in their direct messages.
`/home` tells it in words, where a platform has no page of its own to show it.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from bot.connections.access import Connections
from bot.connections.services import Service
from bot.connectors.todos.store import TodoRows
from bot.domain.access import Person, Role
from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.home import HomeItem, HomeSection, Prompt
from bot.domain.languages import Language, Phrase, language_of_app
from bot.domain.messages import Choice, Conversation, PlatformPerson
from bot.domain.privacy import IN_DM, Viewer, left_out
from bot.domain.processes import Notices
from bot.domain.schedules import ScheduledTask
from bot.memory import choices_store
from bot.sessions.commands.reports import usage_lines
from bot.sessions.commands.todos import due_words
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.wording.card_text import asked_for
from bot.sessions.wording.phrases import ASK_DIRECTLY
from bot.skills.commands import SkillCommands
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.schedules.showing import NOTHING_SCHEDULED, next_in_words
from bot.turns.schedules.tasks_store import ScheduledTasks

ASKS_TODOS = Phrase("What is on my todo list?")

TODOS, TASKS, APPROVALS, SERVICES = 8, 5, 5, 6
PROMPTS = 4
_CONNECTED = "connected_account"
"""The channel on which processes tell each other whose accounts have changed."""
_USUAL = (
    (Phrase("What can you do?"), Phrase("What can you do for me?")),
    (Phrase("My todos"), ASKS_TODOS),
    (Phrase("Take a note"), Phrase("Take a note: ")),
)


@dataclass(frozen=True)
class HomePages:
    """Reads the sections of a page, and what suggests a request."""

    database: Database
    clock: Clock
    approvals: ApprovalStore
    connections: Connections
    meter: Meter

    async def of(
        self, person: Person, viewer: Viewer, language: Language
    ) -> tuple[HomeSection, ...]:
        """The page of somebody who is answered; they alone read it. Raises StorageError."""
        reader = _Reader(person, viewer, language)
        return (
            await self._waiting(reader),
            await self._todos(reader),
            await self._schedules(reader),
            await self._services(reader),
            await self._memory(reader),
            await self._usage(reader),
        )

    async def prompts(self, person: Person, viewer: Viewer, language: Language) -> Sequence[Prompt]:
        """What is asked about things that the person has now."""
        found: list[Prompt] = []
        if await self.approvals.open_for(person):
            found.append(Prompt(Phrase("What waits for my yes?").said(language), "!approvals"))
        todos = TodoRows(self.database)
        if await todos.active(await todos.seen(viewer), 1):
            found.append(Prompt(Phrase("What is open?").said(language), ASKS_TODOS.said(language)))
        if await self._tasks(person, viewer):
            found.append(Prompt(Phrase("What runs for me?").said(language), "!schedule"))
        return found

    # --- sections ---

    async def _waiting(self, reader: "_Reader") -> HomeSection:
        waiting, language = await self.approvals.open_for(reader.person), reader.language
        items = [
            HomeItem(
                f"{one.ref}: {asked_for(one, language)}",
                (Choice(Phrase("Show").said(language), one.ref, "approvals"),),
            )
            for one in waiting[:APPROVALS]
        ]
        return reader.section(
            Phrase("Waiting for your yes"), items, len(waiting), Phrase("Nothing waits for you.")
        )

    async def _todos(self, reader: "_Reader") -> HomeSection:
        todos, language = TodoRows(self.database), reader.language
        seen = await todos.seen(reader.viewer)
        found = await todos.active(seen, TODOS)
        counts = await todos.counts(seen)
        every = sum(count for status, count in counts.items() if not status.closed)
        items = [
            HomeItem(
                f"{todo.title}{due_words(todo, language)}",
                (
                    Choice(Phrase("Done").said(language), todo.id, "todo_done"),
                    Choice(Phrase("Tomorrow").said(language), todo.id, "todo_tomorrow"),
                ),
            )
            for todo in found
        ]
        hidden = f" {left_out(seen.left_out, language)}." if seen.left_out else ""
        section = reader.section(Phrase("Todos"), items, every, Phrase("Nothing is open."))
        return HomeSection(section.title, section.items, f"{section.more}{hidden}".strip())

    async def _tasks(self, person: Person, viewer: Viewer) -> list[ScheduledTask]:
        found = await ScheduledTasks(self.database).of(person.id)
        return [one for one in found if not one.over and viewer.sees(one.owner, one.learned)]

    async def _schedules(self, reader: "_Reader") -> HomeSection:
        tasks, now = await self._tasks(reader.person, reader.viewer), self.clock.now()
        language = reader.language
        items: list[HomeItem] = []
        for task in tasks[:TASKS]:
            label, verb = (Phrase("Go on"), "resume") if task.paused else (Phrase("Pause"), "pause")
            change = Choice(label.said(language), f"{verb} {task.ref}", "schedule")
            run = Choice(Phrase("Run now").said(language), f"run {task.ref}", "schedule")
            text = f"{task.name}: {next_in_words(task, now, language)}"
            items.append(HomeItem(text, (change, run)))
        return reader.section(Phrase("Schedules"), items, len(tasks), NOTHING_SCHEDULED)

    async def _services(self, reader: "_Reader") -> HomeSection:
        person, language = reader.person, reader.language
        own, usable = self.connections.connected(person.id), self.connections.usable(person)
        end = Phrase("Disconnect").said(language)
        items: list[HomeItem] = []
        for one in sorted(usable):
            how, choices = Phrase("{service}: by the workspace's account"), tuple[Choice, ...]()
            if one in own:
                how, choices = Phrase("{service}: connected"), (Choice(end, one, "disconnect"),)
            service = self.connections.services[one].title
            items.append(HomeItem(how.said(language, service=service), choices))
        items += [
            HomeItem(
                f"{one.title}: {one.gives(language)}",
                (Choice(Phrase("Connect").said(language), one.id, "connect"),),
            )
            for one in self.connections.connectable(person)
        ]
        shown = items[:SERVICES]
        return reader.section(
            Phrase("Connections"), shown, len(items), Phrase("Nothing can be connected here.")
        )

    async def _memory(self, reader: "_Reader") -> HomeSection:
        language = reader.language
        off = await choices_store.is_off(self.database, reader.person.id)
        if off:
            text, label, words = Phrase("I learn nothing from you."), Phrase("Learn again"), "on me"
        else:
            text, label = Phrase("I learn from what you tell me."), Phrase("Stop learning")
            words = "off me"
        item = HomeItem(text.said(language), (Choice(label.said(language), words, "memory"),))
        how = Phrase("/memory shows what I know of you, and forgets it.").said(language)
        return HomeSection(Phrase("Memory").said(language), (item,), how)

    async def _usage(self, reader: "_Reader") -> HomeSection:
        used = await usage_lines(self.meter, reader.person.id, reader.language)
        title = Phrase("What your requests used").said(reader.language)
        return HomeSection(title, tuple(map(HomeItem, used)))


@dataclass(frozen=True)
class HomeFront:
    """Implements `domain.home.HomeDesk`."""

    pages: HomePages
    contacts: Contacts
    channels: Channels
    skills: SkillCommands
    answers_strangers: bool
    """Whether people whom nobody named are answered (`access.unknown_people`)."""
    notices: Notices
    """The process in which an account is connected need not be the one that shows the page."""
    catch_up: Callable[[], Awaitable[object]]
    """Reads again what other processes have changed. Raises StorageError."""

    async def page(
        self, sender: PlatformPerson, place: Conversation, locale: str = ""
    ) -> tuple[HomeSection, ...] | None:
        await self.catch_up()
        person = self._answered(sender, place)
        if person is None:
            return None
        viewer = await self._viewer(person, place)
        return await self.pages.of(person, viewer, language_of_app(locale))

    async def prompts(
        self, sender: PlatformPerson, place: Conversation, locale: str = ""
    ) -> tuple[Prompt, ...]:
        """Fixed phrases and names of skills: what is clicked counts as the person's own words."""
        person = self._answered(sender, place)
        if person is None:
            return ()
        language, viewer = language_of_app(locale), await self._viewer(person, place)
        found = [*await self.pages.prompts(person, viewer, language)]
        runnable = await self.skills.runnable(person, place)
        own = [one for one in runnable if one.private]
        found += [Prompt(f"/{one.command.name}", f"!{one.command.name}") for one in own]
        known = {prompt.message for prompt in found}
        usual = [Prompt(title.said(language), asks.said(language)) for title, asks in _USUAL]
        return (*found, *(one for one in usual if one.message not in known))[:PROMPTS]

    def owner(self, sender: PlatformPerson, place: Conversation) -> str:
        return self.contacts.seen_in(place, sender).id

    def tell(self, changed: Callable[[str], object]) -> None:
        def heard(person: str) -> None:
            changed(person)

        self.notices.listen(_CONNECTED, heard)

    async def connected(self, person: str, service: Service) -> None:
        """A person connected an account, perhaps in their browser: every process hears of it."""
        self.notices.post(_CONNECTED, person)

    def _answered(self, sender: PlatformPerson, place: Conversation) -> Person | None:
        person = self.contacts.seen_in(place, sender)
        stranger = self.contacts.is_stranger(place, sender)
        if person.role is Role.BANNED or (stranger and not self.answers_strangers):
            return None
        return person

    async def _viewer(self, person: Person, place: Conversation) -> Viewer:
        there = await self.channels.locate_for(person.id, place)
        return replace(Viewer.at(there, person), place=IN_DM)


@dataclass(frozen=True)
class _Reader:
    """Whose page it is, and its words."""

    person: Person
    viewer: Viewer
    language: Language

    def section(
        self, title: Phrase, items: Sequence[HomeItem], every: int, nothing: Phrase
    ) -> HomeSection:
        rest = every - len(items)
        more = "" if items else nothing.said(self.language)
        if rest > 0:
            more = Phrase("And {count} more.").said(self.language, count=rest)
        return HomeSection(title.said(self.language), tuple(items), more)


@dataclass(frozen=True)
class HomeCommand:
    pages: HomePages

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("home", self.run),)

    async def run(self, asked: Asked) -> str:
        if not asked.alone:
            return ASK_DIRECTLY.said(asked.language)
        viewer = await asked.viewer()
        return _in_lines(await self.pages.of(asked.person, viewer, asked.language))


def _in_lines(sections: Sequence[HomeSection]) -> str:
    lines: list[str] = []
    for section in sections:
        lines += [
            f"**{section.title}**",
            *(f"- {' '.join(item.text.split())}" for item in section.items),
        ]
        lines += [section.more] if section.more else []
        lines.append("")
    return "\n".join(lines).strip()
