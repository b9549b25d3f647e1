"""What the page is told: plain data, sent as JSON."""

from dataclasses import dataclass, field


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
