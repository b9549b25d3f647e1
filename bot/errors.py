"""Every deliberate error of the house, and who receives it.

    BotError
    ├── SettingsError          operator: a setting or a hand-written file is wrong (names file,
    field, remedy)
    │   └── DefinitionError    operator: one tool, agent or skill file is wrong; the others keep
    working
    ├── ModelError             the loop: a model could not answer, after our own retries
    ├── ToolError              the model: a tool call failed in a way it can act on
    ├── StorageError           operator: the database or a markdown file could not be read or
    written
    │   ├── UnitRejected       caller of one unit: a write of it met a row count it did not expect
    │   └── HomeInUse          operator: another process runs turns on this home
    ├── TurnError              the engine
    │   ├── ClaimLost          the claim on a session has moved to another owner; this turn must
    stop
    │   └── UnreadableWork     the engine, which gives the turn up at once: its person is told with
    a reference
    └── DeliveryError          the outbox: a platform did not take a message

Receivers have one place each: `tools.executor` turns ToolError into a tool result, `sessions` turns
whatever ends a turn into a short sentence with a reference, and everything else reaches the door
(cli, or the engine's supervisor) and is logged with context.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass


class BotError(Exception):
    """Base of every error that Bellhop raises on purpose."""


class SettingsError(BotError):
    """A settings or data file that a person wrote is wrong.

    The message is one sentence that names the file, the line or field, and the remedy.
    """


class DefinitionError(SettingsError):
    """A tool, agent or skill file is invalid; it is left out, the rest keeps working."""


class ToolError(BotError):
    """A tool call failed; the text is written for the model, which sees it as an error result."""


class NeedsYes(ToolError):
    """The person has to say yes to this very call first.

    The text is the reason, for the card; it begins with `it`.
    """


class StorageError(BotError):
    """The database or a file of the home folder could not be read or written."""


class UnitRejected(StorageError):
    """A write changed an unexpected number of rows; the whole unit was rolled back."""

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index
        """Position of the write in its unit."""


class HomeInUse(StorageError):
    """Another process runs turns on this home folder."""


class TurnError(BotError):
    """The turn engine could not go on with a turn."""


class ClaimLost(TurnError):
    """Another owner took over the session's claim; this turn may write nothing more."""


class UnreadableWork(TurnError):
    """A turn is about something unknown or unreadable here; a retry would not help."""


class DeliveryError(BotError):
    """A platform did not take a message; `retryable`: a retry with the same key may help."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


@dataclass(frozen=True)
class ModelTrouble:
    """What went wrong with a model, in words for the log and a kind for the person."""

    kind: str
    """What went wrong, in a word.

    One of auth, rate_limit, overloaded, unreachable, timeout, bad_request, too_long, cut, nonsense.
    """
    detail: str
    """For the operator; never holds a key."""
    retry_after_s: float | None = None
    tries: int = 1
    """How many times it was asked in a row, without an answer."""
    status: int = 0
    """The HTTP status of a response that was an error; 0 for other failures."""


class DocumentError(BotError):
    """A document can't be read or kept. Says which, why, and what its person can do."""


class TranscriptionError(BotError):
    """A recording could not be written down. Says why, for the person who sent it."""


class EmbedderError(BotError):
    """An embedder could not be asked.

    For the operator: what is remembered is found by its words without it.
    """


class ModelError(BotError):
    """A model could not answer, after our own retries of whole samples."""

    def __init__(self, trouble: ModelTrouble) -> None:
        super().__init__(f"{trouble.kind}: {trouble.detail}")
        self.trouble = trouble


@contextmanager
def raised_as(kind: type[Exception], *caught: type[Exception], about: str = "") -> Generator[None]:
    """Raise what the block raises as another error, in the same words behind what it is about."""
    try:
        yield
    except caught as error:
        why = getattr(error, "strerror", None) or error
        raise kind(f"{about}: {why}" if about else str(why)) from error
