"""The platforms for the page: what it is told, as plain data for JSON, and what it can do."""

from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True)
class ActorView:
    """Somebody whom the visitor can be."""

    id: str
    name: str
    role: str


@dataclass(frozen=True)
class PlaceView:
    """A channel, a thread or the direct conversation with Bellhop."""

    id: str
    name: str
    kind: str
    """`channel`, `thread` or `dm`."""
    parent: str = ""
    """Of a thread: the channel that it is in."""
    newest: str = ""
    """The id of its newest message, to mark what is unread."""


@dataclass(frozen=True)
class FileView:
    name: str
    url: str
    """Relative to the page."""
    picture: bool
    size: int
    """In bytes."""


@dataclass(frozen=True)
class ControlView:
    """A button, or a select with options."""

    label: str
    options: tuple[str, ...] = ()
    style: str = "plain"
    """`plain`, `primary`, `good` or `bad`."""
    disabled: bool = False


@dataclass(frozen=True)
class TaskView:
    """A step that Slack shows while an answer is written."""

    title: str
    status: str


@dataclass(frozen=True)
class MessageView:
    id: str
    author: str
    bot: bool
    html: str
    """Made from the message's text; it holds no tag of the author's."""
    at: str
    """`09:41`, in the time zone of this machine."""
    edited: bool = False
    only_you: bool = False
    framed: bool = False
    """Whether its text and buttons stand in one frame."""
    reply_to: str = ""
    """The first words of the message that this one answers."""
    files: tuple[FileView, ...] = ()
    controls: tuple[ControlView, ...] = ()
    tasks: tuple[TaskView, ...] = ()
    reactions: dict[str, int] = field(default_factory=dict[str, int])
    thread: str = ""
    """The id of the thread that began here."""
    replies: int = 0


@dataclass(frozen=True)
class FieldView:
    """One input of a form."""

    name: str
    label: str
    value: str = ""
    options: dict[str, str] = field(default_factory=dict[str, str])
    """Of a select: value to label."""
    long: bool = False
    required: bool = False
    most: int = 4000
    """Characters."""


@dataclass(frozen=True)
class FormView:
    """A form that Bellhop opened for the person."""

    id: str
    title: str
    fields: tuple[FieldView, ...]


@dataclass(frozen=True)
class CommandView:
    """A slash command, with the names of its options."""

    name: str
    about: str
    options: tuple[str, ...] = ()
    completes: tuple[str, ...] = ()
    """The options that Bellhop completes while they are typed."""


@dataclass(frozen=True)
class SideView:
    """A platform as one person sees it, with the messages of one place."""

    platform: str
    connected: bool
    place: str
    status: str
    """What Bellhop says it is doing there; empty if nothing."""
    places: tuple[PlaceView, ...]
    messages: tuple[MessageView, ...]
    commands: tuple[CommandView, ...]
    form: FormView | None = None


MOST_CHARS = 4000
Text = Annotated[str, Field(max_length=MOST_CHARS)]
Id = Annotated[str, Field(max_length=100)]


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Speak(_Act):
    """Write a message; in a channel, `mention` addresses it to Bellhop."""

    do: Literal["say"]
    text: Text
    mention: bool = False
    reply_to: Id = ""


class Press(_Act):
    """Press a button, or choose an option of a select, by its label."""

    do: Literal["click"]
    message: Id
    label: Text


class React(_Act):
    do: Literal["react"]
    message: Id
    emoji: Id


class Edit(_Act):
    do: Literal["edit"]
    message: Id
    text: Text


class Delete(_Act):
    do: Literal["delete"]
    message: Id


class Slash(_Act):
    """Use a slash command."""

    do: Literal["slash"]
    name: Id
    options: dict[Id, Text] = Field(default_factory=dict)


class Submit(_Act):
    """Send the form that is open."""

    do: Literal["submit"]
    form: Id
    values: dict[Id, Text]


class Dismiss(_Act):
    """Close the form that is open."""

    do: Literal["dismiss"]
    form: Id


class OpenThread(_Act):
    """Open a thread below a message."""

    do: Literal["thread"]
    message: Id


Act = Annotated[
    Speak | Press | React | Edit | Delete | Slash | Submit | Dismiss | OpenThread,
    Field(discriminator="do"),
]


class ActRefused(Exception):
    """Raised for what the platform would not let this person do; the text says why."""


PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What the page shows; every other file is handed over."""


@dataclass(frozen=True)
class HandedFile:
    name: str
    mime: str
    data: bytes


class Side(Protocol):
    """One platform with its people; `who` is the id of a `ActorView`."""

    @property
    def name(self) -> str:
        """`discord` or `slack`."""
        ...

    @property
    def title(self) -> str: ...

    def view(self, who: str, place: str) -> SideView:
        """What this person sees; an unknown or forbidden place gives the first one."""
        ...

    def act(self, who: str, place: str, act: Act) -> None:
        """Raises ActRefused."""
        ...

    def upload(
        self, who: str, place: str, text: str, mention: bool, files: list[HandedFile]
    ) -> None:
        """Write a message with files. Raises ActRefused."""
        ...

    async def complete(
        self, who: str, place: str, command: str, option: str, text: str
    ) -> list[str]:
        """What Bellhop offers while somebody types an option of a command."""
        ...

    def file(self, who: str, id_: str) -> HandedFile | None:
        """A file that this person sees."""
        ...
