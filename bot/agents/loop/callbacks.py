"""The callbacks of a run outside its own room: to its person, and to work beside it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.chat import LiveUpdate, TextDelta, TextReset, Thinking
from bot.domain.origins import Trust
from bot.domain.sessions import StoredBlock
from bot.domain.tool_context import AskNow, Send
from bot.domain.tools import ToolCall
from bot.domain.turns import Answer, Turn, Waiting

Blocks: TypeAlias = tuple[StoredBlock, ...]


@dataclass(frozen=True)
class Asking:
    """A question of a run to its person; others trust it as far as the asking run."""

    text: str
    options: tuple[str, ...]
    trust: Trust
    files: bool = False
    """Whether files are asked for."""


async def _nothing_waits(_waited_s: float) -> None:
    return None


@dataclass(frozen=True)
class Callbacks:
    """The sessions create them, and a run passes them to the agents that it calls.

    None disables one: nobody is present to answer, or nobody may steer.
    """

    send: Send
    live: Callable[[LiveUpdate], None]
    person_now: Callable[[], Person]
    """The person with their current role: tightened access applies from the next call.

    See docs/rules.md#finding-tools.
    """
    on_rescheduled: Callable[[], None] = lambda: None
    """Called when a call changed due times."""
    on_approval: Callable[[Turn, Approval, Trust], Awaitable[None]] | None = None
    """A call waits for a yes: its card is shown to those who may decide by `show_cards`.

    The card is trusted as far as the run that asks.
    """
    asked: Callable[[int], Awaitable[tuple[str, ...]]] | None = None
    """Names the people who are asked for a yes of this rank."""
    ask: Callable[[Turn, str, Asking], Awaitable[Answer]] | None = None
    """Asks the person (turn, step key, question) and returns the answer."""
    ask_now: Callable[[Turn, ToolCall], AskNow] | None = None
    """Questions that arise while a call runs."""
    on_steer: Callable[[Waiting], Awaitable[Blocks]] | None = None
    """Converts a message that arrived meanwhile to blocks."""
    show_cards: "Callable[[float], Awaitable[None]]" = _nothing_waits
    """Posts the cards of `on_approval`, if one has waited for these seconds; at the end, all."""
    still_writing: Callable[[Turn, int], Awaitable[Blocks]] | None = None
    """The continuation of the answered message, taken as step `steer:<n>`."""

    def for_specialist(self) -> "Callbacks":
        """The callbacks for a delegated agent: nobody steers it, and it asks nobody.

        Its actions are shown. Its text is for its caller, not a part of the person's answer.
        """

        def live(update: LiveUpdate) -> None:
            if not isinstance(update, TextDelta | TextReset | Thinking):
                self.live(update)

        return Callbacks(
            self.send,
            live,
            self.person_now,
            self.on_rescheduled,
            self.on_approval,
            show_cards=self.show_cards,
        )
