"""The seam for platforms with commands and forms of their own: offering, completing, submitting.

See docs/rules.md#skills.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, PlatformPerson
from bot.domain.skills import SlashCommand

Fields: TypeAlias = Mapping[str, str]
"""What somebody entered into a form, by the names of its fields."""


@dataclass(frozen=True)
class FormField:
    """One thing to fill in.

    `most` in characters; with `choices` one of them is chosen, the first unless said.
    """

    name: str
    label: str
    hint: str
    most: int
    required: bool = True
    long: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A dialogue that a platform shows, and the command with which it is handed in."""

    name: str
    title: str
    command: str
    args: str
    fields: tuple[FormField, ...]


SKILL_FORM = Form(
    "skill_new",
    "A new skill",
    "skill",
    "new",
    (
        FormField("name", "Name", "Such as weekly_report", 64),
        FormField("instructions", "What to do", "The steps, one a line", 3000, long=True),
        FormField(
            "command", "Command", "What follows the slash; nothing: the name", 32, required=False
        ),
        FormField(
            "description",
            "When to use it",
            "A sentence; needed where it is used by itself",
            300,
            required=False,
        ),
        FormField(
            "auto_invoke",
            "May I use it by myself?",
            "no: only the command runs it",
            3,
            choices=("no", "yes"),
        ),
    ),
)
"""How `/skill new` asks where there are forms."""


def opens_form(command: str, args: str) -> Form | None:
    """The form to show instead of running a command: for `/skill new` without instructions."""
    verb, _, rest = args.strip().partition(" ")
    asks = command == SKILL_FORM.command and verb.casefold() == SKILL_FORM.args and ":" not in rest
    return SKILL_FORM if asks else None


@dataclass(frozen=True)
class FormRefusal:
    """Why a form can't be taken as it is; `field` is the one to change."""

    field: str
    reason: str


class NativeCommands(Protocol):
    """Handed to adapters by build_app."""

    def watch(self, conversation: Conversation) -> AsyncGenerator[tuple[SlashCommand, ...], None]:
        """What to register for a workspace: now, and again within seconds after a change.

        May raise StorageError.
        """
        ...

    async def complete(
        self, sender: PlatformPerson, conversation: Conversation, typed: str
    ) -> tuple[SlashCommand, ...]:
        """Skills with matching names that this person may run there."""
        ...

    async def knows(self, sender: PlatformPerson, conversation: Conversation, name: str) -> bool:
        """Whether there is such a command for this person. May raise StorageError."""
        ...

    @property
    def built_in(self) -> frozenset[str]:
        """Names of the built-in commands, as hints write them behind a slash."""
        ...

    async def review(
        self, sender: PlatformPerson, conversation: Conversation, fields: Fields
    ) -> FormRefusal | None:
        """What is wrong with a new skill, before it is handed in; nothing is saved.

        May raise StorageError.
        """
        ...

    async def registered(self, scope: str) -> JsonObject | None:
        """What `keep` was told of a scope last, also before a restart. May raise StorageError."""
        ...

    async def keep(self, scope: str, record: JsonObject) -> None:
        """Note durably what a platform has been told. May raise StorageError."""
        ...


@runtime_checkable
class NativePlatform(Protocol):
    """An adapter, too, whose platform has commands or forms of its own."""

    def offer(self, native: NativeCommands) -> None:
        """Called once by build_app, before `run`."""
        ...
