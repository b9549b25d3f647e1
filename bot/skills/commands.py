"""SkillCommands: the slash commands of each person, their names, and their skills.

See docs/rules.md#skills.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import PUBLICLY, Learned
from bot.domain.skills import Skill, SkillScope, SlashCommand
from bot.skills.custom import CustomSkill, CustomSkills
from bot.skills.library import SkillLibrary
from bot.skills.names import command_name, free_name

POLL_S = 2.0
"""How often `watch` checks for skills that were changed as files."""
USAGE = "[TASK]"
_DESCRIPTION_CHARS = 100
"""The most characters of a command's description that Discord shows."""


@dataclass(frozen=True)
class SkillRef:
    """The skill that a turn runs: journalled, so that it is the same after a crash."""

    scope: SkillScope
    name: str

    def to_json(self) -> JsonObject:
        return {"scope": self.scope.value, "name": self.name}

    @classmethod
    def from_json(cls, data: JsonObject) -> "SkillRef":
        return cls(SkillScope(str(data["scope"])), str(data["name"]))


@dataclass(frozen=True)
class SkillText:
    """The instructions of a skill as they are now, with their author as origin."""

    text: str
    origin: Origin
    learned: Learned = PUBLICLY
    confinement: Confinement | None = None


@dataclass(frozen=True)
class SkillCommand:
    """One command that runs a skill."""

    command: SlashCommand
    ref: SkillRef
    private: bool = False
    """Written in a direct message: its name is not shown in front of others."""


class SkillCommands:
    """The source of slash command names; built-ins win, then library, workspace, person.

    Names are assigned over all skills, whatever their roles, so that a command has one name for
    everybody. For its person alone, a skill of their own goes before one that ships.
    """

    def __init__(
        self,
        library: SkillLibrary,
        custom: CustomSkills,
        built_in: Sequence[SlashCommand],
        reserved: Iterable[str],
        connected: Callable[[Person], Container[str]] = lambda _person: (),
    ) -> None:
        """`connected`: ids of a person's connectors; a connector's skills exist only with it."""
        self._connected = connected
        self._library = library
        self._custom = custom
        self._built_in = tuple(built_in)
        self._reserved = frozenset({*reserved, *(command.name for command in built_in)})
        self._version = 0
        self._waiting: set[asyncio.Event] = set()
        library.subscribe(self._tell)
        custom.subscribe(self._tell)

    # --- listing ---

    async def shared(self, conversation: Conversation) -> tuple[SlashCommand, ...]:
        """A workspace's commands for registration: built-ins, the library's, the workspace's.

        Everybody sees them there, so it has only those that guests may use; others run with `/skill
        NAME`.
        """
        hidden = await self._hidden(Role.GUEST, (), conversation)
        visible = [one for one in await self._of_workspace(conversation) if one.ref not in hidden]
        return (*self._built_in, *(one.command for one in visible))

    async def knows(self, name: str, person: Person, conversation: Conversation) -> bool:
        """Whether `/name` is a command for this person here."""
        return (
            name.casefold() in self._reserved
            or await self.find(name, person, conversation) is not None
        )

    @property
    def reserved(self) -> frozenset[str]:
        """Names and aliases of built-in commands."""
        return self._reserved

    async def of_person(
        self, person: Person, conversation: Conversation
    ) -> tuple[SlashCommand, ...]:
        """All commands of this person here, their own skills last: for completion and /help."""
        return (
            *self._built_in,
            *(one.command for one in await self.runnable(person, conversation)),
        )

    async def runnable(
        self, person: Person, conversation: Conversation
    ) -> tuple[SkillCommand, ...]:
        """The commands of skills that this person can run here."""
        workspace = await self._of_workspace(conversation)
        shared = [one for one in workspace if one.ref.scope is not SkillScope.LIBRARY]
        taken = {*self._reserved, *(one.command.name for one in shared)}
        own = _named(await self._custom.own(person), taken)
        theirs = {one.command.name for one in own}
        hidden = await self._hidden(person.role, self._connected(person), conversation)
        visible = [one for one in workspace if one.ref not in hidden]
        return (*(one for one in visible if one.command.name not in theirs), *own)

    def by_name(self, person: Person) -> tuple[tuple[SlashCommand, str], ...]:
        """What `/skill NAME` runs and no command of its own does, each with its family."""
        return tuple(
            (SlashCommand(one.name, _short(one.description), USAGE, SkillScope.LIBRARY), one.family)
            for one in self._library.visible(person.role, self._connected(person))
            if one.command is None and one.family
        )

    async def _of_workspace(self, conversation: Conversation) -> list[SkillCommand]:
        taken = {*self._reserved}
        return _named([*self._library.all(), *await self._custom.shared(conversation)], taken)

    async def _hidden(
        self, role: Role, connected: Container[str], conversation: Conversation
    ) -> set[SkillRef]:
        """Library and workspace skills that this role and these connectors exclude."""
        library = {
            _ref(skill) for skill in self._library.all() if not skill.is_open(role, connected)
        }
        shared = await self._custom.shared(conversation)
        return library | {_ref(skill) for skill in shared if not skill.text.access.allows(role)}

    # --- finding ---

    async def find(
        self, name: str, person: Person, conversation: Conversation
    ) -> SkillCommand | None:
        """The skill that `/name` runs for this person; None if there is none for their role."""
        wanted = command_name(name)
        found = await self.runnable(person, conversation)
        return next((one for one in found if one.command.name == wanted), None)

    async def find_by_name(
        self, name: str, person: Person, conversation: Conversation
    ) -> SkillRef | None:
        """A skill for `/skill NAME`, by its command, else its own name, also without a command."""
        if (found := await self.find(name, person, conversation)) is not None:
            return found.ref
        library = self._library.visible(person.role, self._connected(person))
        skills = [*reversed(await self._custom.visible(person, conversation)), *library]
        wanted = command_name(name)
        return next(
            (_ref(skill) for skill in skills if command_name(_ref(skill).name) == wanted), None
        )

    async def near(
        self, name: str, person: Person, conversation: Conversation, *, alone: bool = True
    ) -> str | None:
        """The command that `name` probably means, of this person's; private ones if `alone`."""
        skills = await self.runnable(person, conversation)
        names = [one.name for one in self._built_in]
        names += [one.command.name for one in skills if alone or not one.private]
        return next(iter(get_close_matches(command_name(name), names, n=1)), None)

    async def read(
        self, ref: SkillRef, person: Person, conversation: Conversation
    ) -> SkillText | None:
        """The instructions; None when the skill is gone, or not for this person's role any more."""
        if ref.scope is SkillScope.LIBRARY:
            skill, body = self._library.get(ref.name), self._library.body(ref.name)
            if (
                skill is None
                or body is None
                or not skill.is_open(person.role, self._connected(person))
            ):
                return None
            return SkillText(
                body, Origin(Trust.OPERATOR, f"skill:{ref.name}"), confinement=skill.confinement
            )
        visible = await self._custom.visible(person, conversation)
        custom = next((one for one in visible if _ref(one) == ref), None)
        if custom is None:
            return None
        return SkillText(custom.text.body, custom.origin, custom.learned, custom.text.confinement)

    # --- changes ---

    @property
    def version(self) -> int:
        """Increases when the library, /skill or a form changes a skill; `watch` also sees files."""
        return self._version

    def _tell(self) -> None:
        self._version += 1
        for event in self._waiting:
            event.set()

    async def watch(
        self, conversation: Conversation, clock: Clock, person: Person | None = None
    ) -> AsyncGenerator[tuple[SlashCommand, ...], None]:
        """The commands of `shared` now and after each change, at most POLL_S seconds late.

        For registration with a platform; with `person` those of `of_person`, for completion. Never
        ends; a failing database raises StorageError.
        """
        last: tuple[SlashCommand, ...] | None = None
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            while True:
                event.clear()
                now = await (
                    self.of_person(person, conversation) if person else self.shared(conversation)
                )
                if now != last:
                    last = now
                    yield now
                await _either(event, clock)
        finally:
            self._waiting.discard(event)


async def _either(event: asyncio.Event, clock: Clock) -> None:
    """Wait until the event is set, at most POLL_S."""
    told, late = asyncio.ensure_future(event.wait()), asyncio.ensure_future(clock.sleep(POLL_S))
    try:
        await asyncio.wait((told, late), return_when=asyncio.FIRST_COMPLETED)
    finally:
        told.cancel()
        late.cancel()
        await asyncio.wait((told, late))


def _ref(skill: Skill | CustomSkill) -> SkillRef:
    if isinstance(skill, Skill):
        return SkillRef(SkillScope.LIBRARY, skill.name)
    return SkillRef(skill.scope, skill.slug)


def _named(skills: Iterable[Skill | CustomSkill], taken: set[str]) -> list[SkillCommand]:
    """The skills' commands, each with a name not taken before; `taken` grows."""
    found: list[SkillCommand] = []
    for skill in skills:
        ref = _ref(skill)
        wanted = skill.command if isinstance(skill, Skill) else skill.text.command
        if not wanted or not (wanted := command_name(wanted)):
            continue
        name = free_name(wanted, taken)
        taken.add(name)
        said = (
            skill.description
            if isinstance(skill, Skill)
            else skill.text.description or skill.text.title
        )
        private = isinstance(skill, CustomSkill) and skill.learned.private
        found.append(SkillCommand(SlashCommand(name, _short(said), USAGE, ref.scope), ref, private))
    return found


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return (
        folded
        if len(folded) <= _DESCRIPTION_CHARS
        else folded[: _DESCRIPTION_CHARS - 1].rstrip() + "…"
    )
