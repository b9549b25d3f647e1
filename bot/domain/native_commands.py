"""The interface for platforms with native commands and forms.

See docs/rules.md#skills.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeAlias, runtime_checkable

from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.messages import FILES_READ, Conversation, PlatformPerson
from bot.domain.skills import SlashCommand

Fields: TypeAlias = Mapping[str, str]
"""The entered values of a form, by field name."""


@dataclass(frozen=True)
class FormField:
    """One field of a form.

    `most` is in characters. With `choices`, the first one is the default. With `files` it takes up
    to so many files, and no words.
    """

    name: str
    label: str
    hint: str
    most: int
    required: bool = True
    long: bool = False
    choices: tuple[str, ...] = ()
    files: int = 0
    labels: tuple[str, ...] = ()
    """What people read for each of the choices, which come back as they are."""

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Each choice with its label."""
        return tuple(zip(self.choices, self.labels or self.choices, strict=True))


@dataclass(frozen=True)
class Form:
    """A dialogue on a platform, and the command that submits it."""

    name: str
    title: str
    command: str
    args: str
    fields: tuple[FormField, ...]
    language: Language = Language.EN
    """That of its words, and of the platform's buttons below it."""


def skill_form(language: Language) -> Form:
    """The form of `/skill new`."""
    say = partial(Phrase.said, language=language)
    return Form(
        "skill_new",
        say(Phrase("A new skill")),
        "skill",
        "new",
        (
            FormField("name", say(Phrase("Name")), say(Phrase("Such as weekly_report")), 64),
            FormField(
                "instructions",
                say(Phrase("What to do")),
                say(Phrase("The steps, one a line")),
                3000,
                long=True,
            ),
            FormField(
                "command",
                say(Phrase("Command")),
                say(Phrase("What follows the slash; nothing: the name")),
                32,
                required=False,
            ),
            FormField(
                "description",
                say(Phrase("When to use it")),
                say(Phrase("A sentence; needed where it is used by itself")),
                300,
                required=False,
            ),
            FormField(
                "auto_invoke",
                say(Phrase("May I use it by myself?")),
                say(Phrase("no: only the command runs it")),
                3,
                choices=("no", "yes"),
                labels=(say(Phrase("no", context="button")), say(Phrase("yes", context="button"))),
            ),
        ),
        language,
    )


SKILL_FORM = skill_form(Language.EN)


def opens_form(command: str, args: str, language: Language = Language.EN) -> Form | None:
    """The form to show instead of running a command: for `/skill new` without instructions."""
    verb, _, rest = args.strip().partition(" ")
    asks = command == SKILL_FORM.command and verb.casefold() == SKILL_FORM.args and ":" not in rest
    return skill_form(language) if asks else None


@dataclass(frozen=True)
class Completion:
    """Something that may stand behind a command: what a person reads, and what is filled in."""

    label: str
    value: str


@dataclass(frozen=True)
class FormRefusal:
    """Why a form is refused; `field` is the one to change."""

    field: str
    reason: str


class NativeCommands(Protocol):
    """Commands for native registration and completion; `build_app` hands them to adapters."""

    def watch(self, conversation: Conversation) -> AsyncGenerator[tuple[SlashCommand, ...], None]:
        """Yield the commands of a workspace: now, and within seconds after each change.

        May raise StorageError.
        """
        ...

    async def complete(
        self, sender: PlatformPerson, conversation: Conversation, typed: str, locale: str
    ) -> tuple[SlashCommand, ...]:
        """Skills with matching names that this person may run in the place.

        What they do is said in the language of this locale, where it has words.
        """
        ...

    async def offers(
        self, sender: PlatformPerson, conversation: Conversation, command: str, typed: str
    ) -> tuple[Completion, ...]:
        """What this person may write behind a built-in command here, most fitting first."""
        ...

    async def knows(self, sender: PlatformPerson, conversation: Conversation, name: str) -> bool:
        """Whether this person has a command of this name. May raise StorageError."""
        ...

    @property
    def built_in(self) -> frozenset[str]:
        """Names of the built-in commands, without the slash."""
        ...

    async def review(
        self, sender: PlatformPerson, conversation: Conversation, fields: Fields, locale: str
    ) -> FormRefusal | None:
        """Check a new skill before it is submitted; nothing is saved.

        `locale` is that of the sender's app. May raise StorageError.
        """
        ...

    async def registered(self, scope: str) -> JsonObject | None:
        """The last value that `keep` stored for a scope. May raise StorageError."""
        ...

    async def keep(self, scope: str, record: JsonObject) -> None:
        """Store what was registered with a platform. May raise StorageError."""
        ...


@runtime_checkable
class NativePlatform(Protocol):
    """An adapter whose platform has native commands or forms."""

    def offer(self, native: NativeCommands) -> None:
        """Called once by build_app, before `run`."""
        ...


SEND_FILES = "send_files"
"""The verb of the click, and the name of the form."""
FILES = "files"
_NOTE = "note"
_NOTE_CHARS = 2000
ATTACH = Phrase("Attach files")
"""The label of the button, and the title of the form: at most 24 characters, Slack's limit."""


def file_field(language: Language, *, required: bool) -> FormField:
    """The field that takes as many files as are read of one message.

    Both platforms would let ten through.
    """
    label, hint = (
        Phrase("Files").said(language),
        Phrase("Up to {most}").said(language, most=FILES_READ),
    )
    return FormField(FILES, label, hint, 0, required, files=FILES_READ)


def files_form(language: Language) -> Form:
    """Asks for the files that a question wants, and lets words be said about them.

    A click on the question opens it, where the platform has such forms. The files then come like
    those of a message. Elsewhere, and where no form can be opened, they come with a message.
    """
    note = FormField(
        _NOTE,
        Phrase("What you say about it").said(language),
        Phrase("May stay empty.").said(language),
        _NOTE_CHARS,
        required=False,
        long=True,
    )
    fields = (file_field(language, required=True), note)
    return Form(SEND_FILES, ATTACH.said(language), SEND_FILES, "", fields, language)


def note_in(fields: Fields) -> str:
    """What was said about the files."""
    return fields.get(_NOTE, "").strip()
