"""A new epoch of a session: when it is due, the text to summarise, and its opening.

Pure: nothing here asks a model or a database. `bot.sessions.run.epochs` makes the switch.

See docs/rules.md#prefix.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.agents.prompt.notes import closing_text, quote, system_note
from bot.agents.summaries.transcript_text import entries, fitted, has_block
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelReply, ModelRequest, ModelSize
from bot.domain.origins import BELLHOP, Origin, Trust, servers_of
from bot.domain.sessions import StoredBlock, TranscriptMessage, history_chars, text_block

CHARS_PER_TOKEN = 4
SUMMARY_TOKENS = 4_096
KEPT_MESSAGES = 4
KEPT_CHARS = 8_000
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL | re.IGNORECASE)
ACKNOWLEDGED = "I have read the summary and go on from there."
UNANSWERED = "(no answer:"
"""The beginning of the text that stands in for a missing answer."""
NOW = (
    "=== The request that is being worked on now. Its words will stand behind your summary again. "
    "==="
)


# --- when ---


def room(capabilities: ModelCapabilities, max_tokens: int) -> int:
    """Tokens for a request: the window without the answer, but at least half of it."""
    return max(capabilities.context_tokens - max_tokens, capabilities.context_tokens // 2)


@dataclass(frozen=True)
class Load:
    """The size of a request, in tokens."""

    used: int
    history: int
    """The part of it that a summary can replace."""
    room: int
    fixed: int = 0
    """The part that no new epoch can make smaller: the prefix, and the current words."""

    @property
    def excerpt_chars(self) -> int:
        """The amount of history that a new epoch can quote, with half of its room left for work."""
        return max(0, (self.room - self.fixed) // 2 * CHARS_PER_TOKEN)

    def due(self, percent: int) -> bool:
        """Whether a new epoch is due and would help: the history is too long, not the prefix."""
        return self.used * 100 >= self.room * percent and self.history * 8 >= self.room

    @property
    def fits(self) -> bool:
        return self.used <= self.room


def load_of(reported: int, prefix: int, history: int, coming: int, room_tokens: int) -> Load:
    """The load by the provider's last count (`reported` tokens), else by characters.

    `prefix`, `history` and `coming` (new since the count) are characters. If the count is far below
    the characters, the server probably leaves out cached tokens.
    """
    by_chars = (prefix + history) // CHARS_PER_TOKEN
    known = reported if reported * 4 >= by_chars else by_chars
    fixed = (prefix + coming) // CHARS_PER_TOKEN
    return Load(known + coming // CHARS_PER_TOKEN, history // CHARS_PER_TOKEN, room_tokens, fixed)


# --- what is summarised ---


@dataclass(frozen=True)
class Material:
    """A transcript about to be replaced."""

    opening: Sequence[TranscriptMessage]
    """The start of the epoch: an earlier summary, never left out."""
    turns: Sequence[TranscriptMessage]
    now: Sequence[TranscriptMessage] = ()
    """The work done in the running turn."""

    @classmethod
    def of(cls, history: Sequence[TranscriptMessage], before: int, epoch: int) -> Self:
        """Cut a history at the end of its epoch's opening and at the running turn's beginning."""
        opening = 2 if epoch > 1 else 0
        return cls(history[:opening], history[opening:before], without_failure(history[before:]))

    @property
    def messages(self) -> list[TranscriptMessage]:
        return [*self.opening, *self.turns, *self.now]

    @property
    def worth_it(self) -> bool:
        """Whether there is anything that need not come back at once."""
        return bool(self.turns) or any(has_block(message, "tool_use") for message in self.now)

    @property
    def chars(self) -> int:
        return history_chars(self.messages)

    @property
    def origin(self) -> Origin:
        """A summary is as little trusted as the least trusted text in it (docs/rules.md#trust)."""
        return Origin(least_trust(self.messages), "summary of this conversation")

    @property
    def private(self) -> bool:
        return any(stored.private for message in self.messages for stored in message.blocks)

    def render(self, chars: int) -> str:
        """The transcript as text of about `chars` characters, see `transcript_text`."""
        tail = [NOW, *entries(self.now)] if self.now else []
        return fitted(entries(self.opening), [*entries(self.turns), *tail], chars)


# --- the summary ---


def summary_request(
    instructions: str, text: str, origin: Origin, context_tokens: int
) -> ModelRequest:
    """The cheap model's own request: no tools, the transcript as quoted data."""
    quoted = quote("transcript", text, origin).block
    order = text_block("Write the summary of the quoted transcript now, as your instructions say.")
    message: JsonObject = {"role": "user", "content": [quoted, order]}
    tokens = min(SUMMARY_TOKENS, max(context_tokens // 8, 256))
    return ModelRequest((text_block(instructions),), (), (message,), tokens, ModelSize.CHEAP)


def readable_chars(context_tokens: int) -> tuple[int, int]:
    """Characters of transcript for the summariser: at first, and if that was too long."""
    most = max(context_tokens - SUMMARY_TOKENS, context_tokens // 2) * 2
    return most, most // 3


@dataclass(frozen=True)
class CompactionSummary:
    text: str


@dataclass(frozen=True)
class NoSummary:
    """Why a reply is not taken as a summary; the original stays."""

    reason: str


def read_summary(reply: ModelReply, source_chars: int) -> CompactionSummary | NoSummary:
    """The summary in a reply, or a reason for none: no summary beats one that lost most."""
    if reply.stop_reason not in {"end_turn", "stop_sequence", "stop"}:
        return NoSummary(f"the summary ended with {reply.stop_reason}")
    found = _SUMMARY.search(reply.text)
    text = (found[1] if found else reply.text).strip()
    least = min(300, max(40, source_chars // 50))
    if len(text) < least:
        return NoSummary(
            f"the summary has {len(text)} characters for a conversation of {source_chars:,}"
        )
    if len(text) >= source_chars:
        return NoSummary("the summary is no shorter than the conversation")
    return CompactionSummary(text)


# --- the new epoch ---


@dataclass(frozen=True)
class Carried:
    """State that is carried over beside the summary, as blocks and as an operator's note."""

    before: Sequence[StoredBlock] = ()
    """Standing preferences and KnownFacts, quoted."""
    note: str = ""


def epoch_opening(
    summary: str, material: Material, carried: Carried
) -> tuple[TranscriptMessage, TranscriptMessage]:
    """The first two messages of an epoch: everything carried over, quoted, and an acknowledgement.

    Verbatim text is quoted too, so that no old text appears as if it had been said here.
    """
    blocks = [
        *carried.before,
        quote(
            "summary of the conversation so far", summary, material.origin, private=material.private
        ),
    ]
    blocks += kept_words(material.turns)
    if carried.note:
        blocks.append(system_note(carried.note))
    return TranscriptMessage("user", tuple(blocks)), closing_text(ACKNOWLEDGED)


def kept_words(turns: Sequence[TranscriptMessage]) -> list[StoredBlock]:
    """The last exchanges verbatim, each with its origin: whole turns without their tool rounds."""
    kept: list[StoredBlock] = []
    for turn in reversed(_by_turn(turns)):
        said = [block for message in turn for block in _said(message)]
        if (
            len(kept) + len(said) > KEPT_MESSAGES
            or history_chars([TranscriptMessage("user", (*said, *kept))]) > KEPT_CHARS
        ):
            break
        kept = [*said, *kept]
    return kept


def _by_turn(messages: Sequence[TranscriptMessage]) -> list[list[TranscriptMessage]]:
    turns: list[list[TranscriptMessage]] = []
    for message in messages:
        if not turns or _begins_turn(message):
            turns.append([])
        turns[-1].append(message)
    return turns


def _begins_turn(message: TranscriptMessage) -> bool:
    """Whether it is neither a tool round's results nor a nudge from Bellhop alone."""
    return (
        message.role == "user"
        and not has_block(message, "tool_result")
        and any(stored.origin != BELLHOP for stored in message.blocks)
    )


def _said(message: TranscriptMessage) -> list[StoredBlock]:
    """A person's own words, or an answer; no quoted data, and no unseen text beside tool calls."""
    if message.role == "system" or has_block(message, "tool_use"):
        return []
    own = message.role == "assistant"
    texts = [
        stored
        for stored in message.blocks
        if stored.block.get("type") == "text"
        and (own or stored.origin.source.startswith("person:"))
    ]
    words = "\n".join(str(stored.block.get("text") or "") for stored in texts).strip()
    if not words:
        return []
    kind = "your earlier answer" if own else "said earlier"
    origin = max((stored.origin for stored in texts), key=lambda origin: origin.trust)
    typed = "\n".join(stored.typed for stored in texts if stored.typed)
    return [
        replace(
            quote(kind, words, origin, private=any(stored.private for stored in texts)),
            typed=typed,
            spoken=not typed and any(stored.spoken for stored in texts),
        )
    ]


def words_again(
    now: Sequence[TranscriptMessage], words: Sequence[StoredBlock]
) -> list[StoredBlock]:
    """The person's words in the running turn: first and later ones."""
    steered = [
        stored
        for message in now[1:]
        if message.role == "user"
        for stored in message.blocks
        if stored.block.get("type") != "tool_result" and stored.origin != BELLHOP
    ]
    return [*words, *steered]


def without_failure(now: Sequence[TranscriptMessage]) -> Sequence[TranscriptMessage]:
    """The running turn without the text that stands in for its missing answer."""
    last = now[-1] if now else None
    text = str(last.blocks[-1].block.get("text") or "") if last and last.role == "assistant" else ""
    return now[:-1] if text.startswith(UNANSWERED) else now


def least_trust(messages: Sequence[TranscriptMessage]) -> Trust:
    """That of the least trusted text; a server's words about its tools count as a guest's.

    A summary no longer says that they were there, so nothing would be more careful beside it.
    """
    worst = max((message.trust for message in messages), default=Trust.PERSON)
    if any(servers_of(block.origin) for message in messages for block in message.blocks):
        worst = max(worst, Trust.OUTSIDER)
    return max(worst, Trust.PERSON)
