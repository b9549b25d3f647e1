"""What a run calls outside its own room: its person, and what goes on beside it."""

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


@dataclass(frozen=True)
class Callbacks:
    """The sessions make them, and a run hands them to the agents that it calls.

    One that is None can't be used: nobody is there to answer, or nobody may steer.
    """

    send: Send
    live: Callable[[LiveUpdate], None]
    person_now: Callable[[], Person]
    """The person with the role of this very moment: tightened access holds from the next call.

    See docs/rules.md#finding-tools.
    """
    on_rescheduled: Callable[[], None] = lambda: None
    """Told that a call changed what comes due later."""
    on_approval: Callable[[Turn, Approval, Trust], Awaitable[None]] | None = None
    """Shows the person (or who may decide) that a call waits for a yes.

    The card is trusted as far as the run that asks.
    """
    asked: Callable[[int], Awaitable[tuple[str, ...]]] | None = None
    """Names those who are asked for a yes of this rank."""
    ask: Callable[[Turn, str, Asking], Awaitable[Answer]] | None = None
    """Asks the person (turn, step key, what) and gives the answer."""
    ask_now: Callable[[Turn, ToolCall], AskNow] | None = None
    """Questions that come up while a call runs."""
    on_steer: Callable[[Waiting], Awaitable[Blocks]] | None = None
    """Turns a message that came in meanwhile into blocks."""
    still_writing: Callable[[Turn, int], Awaitable[Blocks]] | None = None
    """What goes on with the message that is answered, taken as step `steer:<n>`."""

    def for_specialist(self) -> "Callbacks":
        """Those of a delegated agent: nobody steers it, and it asks nobody.

        What it does is shown. What it writes is for its caller, not a part of the person's answer.
        """

        def live(update: LiveUpdate) -> None:
            if not isinstance(update, TextDelta | TextReset | Thinking):
                self.live(update)

        return Callbacks(self.send, live, self.person_now, self.on_rescheduled, self.on_approval)
