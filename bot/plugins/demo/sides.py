"""What the page can do on a platform, the same for each."""

from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from bot.plugins.demo.views import SideView

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
