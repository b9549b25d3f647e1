"""The interface of a screen for the terminal adapter."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from bot.domain.chat import (
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def safe(text: str) -> str:
    """The text without control characters, so that no message can control the terminal."""
    return _UNSAFE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    "))


@dataclass(frozen=True)
class Typed:
    """The person sent this text."""

    text: str


@dataclass(frozen=True)
class Interrupted:
    """The person pressed Ctrl-C."""


@dataclass(frozen=True)
class Left:
    """The person pressed Ctrl-D, or the input has ended."""

    problem: str | None = None
    """The error that ended the input, if any."""


Entry: TypeAlias = Typed | Interrupted | Left


@dataclass(frozen=True)
class Option:
    """One numbered way to answer."""

    number: int
    label: str


@dataclass(frozen=True)
class TurnProgress:
    """The progress of the running turn, for the live area of a screen."""

    text: str = ""
    status: str = ""
    tools: tuple[ToolStarted, ...] = field(default=())
    """Running calls, in the order of their start."""
    plan: PlanShown | None = None

    def after(self, update: LiveUpdate) -> "TurnProgress":
        """The progress after this update."""
        match update:
            case TextDelta(text):
                return replace(self, text=self.text + text, status="")
            case TextReset():
                return replace(self, text="")
            case Thinking(text) | Status(text):
                return replace(self, status=" ".join(text.split()))
            case PlanShown():
                return replace(self, plan=update)
            case ToolStarted():
                return replace(self, tools=(*self.tools, update), status="")
            case ToolEnded(call=call):
                return replace(self, tools=tuple(tool for tool in self.tools if tool.call != call))
            case WorkShown():  # its tools are named here
                return self


class TerminalView(Protocol):
    """Draws for one person and reads what they type.

    Implementations: prompt, plain, and a fake in tests.
    """

    @property
    def columns(self) -> int | None:
        """The current width of an answer in characters; None if nothing is wrapped."""
        ...

    async def open(self) -> None: ...

    async def close(self) -> None:
        """Clear the live area; all messages are written when it returns."""
        ...

    async def read(self) -> Entry:
        """Wait for the person's next input."""
        ...

    def say(self, text: str, options: Sequence[Option] = ()) -> None:
        """Show one message of the assistant (markdown) permanently, with numbered options."""
        ...

    def aside(self, text: str) -> None:
        """Show a message that answers nothing asked here (an older answer that arrives late)."""
        ...

    def notice(self, text: str) -> None:
        """Show a line of the terminal itself: a hint, or a problem with the input."""
        ...

    def tool_done(self, summary: str, ended: ToolEnded) -> None:
        """Leave one line about a finished tool call."""
        ...

    def progress(self, progress: TurnProgress | None) -> None:
        """Show the current progress; None if no turn runs."""
        ...
