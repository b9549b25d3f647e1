"""What a thread's work found out, for the next person: texts that they may see, word for word.

A fact that somebody's assistant saved only points at a text; the fact itself is the model's words,
and stays with its session. Its text is handed over if the reader may see that anyway: a message of
the thread, or the result of a shared tool that their role has, called with words of such texts. It
comes whole, or with marks where it was cut, and with who said it. So nobody gets words that nobody
said, and nothing from a direct message, private file or own account.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self, cast

from bot.agents.prompt.notes import quote
from bot.domain.characters import one_entry, plain_name
from bot.domain.database import Database
from bot.domain.json_types import JsonObject, as_object
from bot.domain.messages import Conversation, Place
from bot.domain.origins import HANDED_ON, Origin, Trust
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.tool_context import ToolsetView
from bot.domain.tool_outcomes import Fact
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.llm.unlocking import dispatched
from bot.memory.facts_store import FactsStore
from bot.memory.words import FUNCTION_WORDS
from bot.sessions.records.conversation_store import VisibleMessage, newest_visible
from bot.sessions.records.session_store import StoredSession, sessions_with_facts
from bot.sessions.records.transcript_store import transcript
from bot.storage.stems import words_in

KIND = "texts that this thread's work with somebody else was about"
AGENT = "agent:"
QUOTE_CHARS = 600
"""A longer text is cut around what the fact says."""
ARGUMENTS_CHARS = 200
ALL_CHARS = 2_400
MESSAGES = 200
_TOKEN = re.compile(r"[^\s\"'<>(){}\[\],;=]+")
SESSIONS = 5
"""Other people's sessions in the thread that are read, the last used first."""


@dataclass(frozen=True)
class OpenText:
    """A text that the reader may see."""

    text: str
    said_by: str
    """Its author, or the call that it is the result of."""
    trust: Trust = Trust.MEMBER

    def about(self, value: str) -> str:
        """The text as a quotation: whole, or the surroundings of `value`; empty without these."""
        if len(self.text) <= QUOTE_CHARS:
            return self.text
        folded = " ".join(self.text.split())
        found = re.search(re.escape(" ".join(value.split())), folded, re.IGNORECASE)
        if found is None:
            return ""
        room = max(0, QUOTE_CHARS - len(found[0])) // 2
        start = folded.rfind(" ", 0, max(0, found.start() - room)) + 1
        end = folded.find(" ", found.end() + room)
        end = len(folded) if end < 0 else end
        before, after = "… " * bool(start), " …" * (end < len(folded))
        return f"{before}{folded[start:end]}{after}"


@dataclass(frozen=True)
class _Piece:
    """One text: its word forms, and every part with a digit, unsplit."""

    said: OpenText
    forms: frozenset[str]
    exact: frozenset[str]

    @classmethod
    def of(cls, said: OpenText) -> Self:
        return cls(
            said,
            frozenset(form for _, forms in words_in(said.text) for form in forms),
            frozenset(_with_digits(said.text)),
        )

    def holds(self, text: str) -> bool:
        words = [forms for word, forms in words_in(text) if word not in FUNCTION_WORDS]
        return self.exact.issuperset(_with_digits(text)) and all(
            not self.forms.isdisjoint(forms) for forms in words
        )


def _with_digits(text: str) -> Iterable[str]:
    """Numbers, addresses and ids: their parts have no meaning alone."""
    for token in _TOKEN.findall(text):
        if any(character.isdigit() for character in token):
            yield token.strip(".:!?").casefold()


@dataclass
class OpenTexts:
    """Texts that the reader may see, in order."""

    pieces: list[_Piece] = field(default_factory=list[_Piece])

    def add(self, said: OpenText) -> None:
        self.pieces.append(_Piece.of(said))

    def holding(self, text: str) -> list[OpenText]:
        """The texts that contain all of these words, the newest first."""
        return [piece.said for piece in reversed(self.pieces) if piece.holds(text)]


class Handover:
    """Reads the other sessions of a thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._facts = FactsStore(database)

    async def block(
        self,
        conversation: Conversation,
        person: str,
        compose: Callable[[], ToolsetView],
        since: datetime | None,
        *,
        private: bool,
    ) -> StoredBlock | None:
        """Texts that others' facts newer than `since` (None: all) are about, as one quote.

        It also tells the number withheld.
        """
        if conversation.place is not Place.THREAD:
            return None
        found: dict[str, tuple[Fact, Quotation | None]] = {}
        for stored in await sessions_with_facts(self._database, conversation, person, SESSIONS):
            facts = [
                fact
                for fact in (await self._facts.load(stored.session.id)).values()
                if since is None or fact.at > since
            ]
            if not facts:
                continue
            texts = await self._texts(conversation, stored, compose())
            for fact in facts:
                # For each key only the newest fact counts, even a private one: older ones are
                # outdated.
                if fact.key not in found or found[fact.key][0].at <= fact.at:
                    found[fact.key] = fact, quotation(fact, texts)
        newest = sorted(found.values(), key=lambda one: one[0].at, reverse=True)
        said = [quoted for _, quoted in newest if quoted is not None]
        return _quoted(said, len(newest) - len(said), private=private)

    async def _texts(
        self, conversation: Conversation, stored: StoredSession, tools: ToolsetView
    ) -> OpenTexts:
        texts = OpenTexts()
        for message in await newest_visible(self._database, conversation.key, MESSAGES):
            texts.add(_said(message))
        for epoch in range(1, stored.session.epoch + 1):
            said = await transcript(self._database, replace(stored.session, epoch=epoch))
            add_results(said, tools, texts)
        return texts


def _said(message: VisibleMessage) -> OpenText:
    author = f"{plain_name(message.author_name)} ({message.author})"
    if message.author.startswith(AGENT):
        author = f"you, to {message.addressee or 'all'}"
    return OpenText(message.text, author, max(Trust.MEMBER, message.origin.trust))


@dataclass(frozen=True)
class Quotation:
    """A text, or a part of it, with its author."""

    words: str
    said: OpenText

    def line(self) -> str:
        return f"[{self.said.said_by}] {one_entry(self.words)}"


def quotation(fact: Fact, texts: OpenTexts) -> Quotation | None:
    """The newest open text that the fact is about; None for a private fact, or without one.

    One with the fact's very words goes before one with the same words in another order.
    """
    if fact.private:
        return None
    value = " ".join(fact.value.split()).casefold()
    about = [
        Quotation(words, said)
        for said in texts.holding(fact.value)
        if (words := said.about(fact.value))
    ]
    verbatim = (one for one in about if value in " ".join(one.words.split()).casefold())
    return next(verbatim, about[0] if about else None)


def add_results(
    messages: Iterable[TranscriptMessage], tools: ToolsetView, texts: OpenTexts
) -> None:
    """Results that this toolset would also give, in their order of arrival."""
    calls: dict[str, tuple[str, JsonObject]] = {}
    for stored in (one for message in messages for one in message.blocks):
        block = stored.block
        if block.get("type") == "tool_use":
            name, given = str(block.get("name")), as_object(block.get("input"))
            calls[str(block.get("id"))] = dispatched(name, given)
        elif block.get("type") == "tool_result":
            if stored.private or block.get("is_error"):
                continue
            name, arguments = calls.get(str(block.get("tool_use_id")), ("", {}))
            tool = next(iter(tools.describe((name,))), None)
            if tool and _same_for_all(tool, tools) and _asked_openly(tool, arguments, texts):
                texts.add(_result(name, arguments, _text(block), stored.origin.trust))


def _result(name: str, arguments: JsonObject, text: str, trust: Trust) -> OpenText:
    asked = json.dumps(arguments, ensure_ascii=False)[:ARGUMENTS_CHARS]
    return OpenText(text, f"result of {name} {asked}", max(Trust.MEMBER, trust))


def _same_for_all(tool: ToolDefinition, tools: ToolsetView) -> bool:
    if isinstance(tool.implementation, NativeImplementation):
        native = tools.handler(tool.implementation.name)
        return native is not None and native.same_for_all
    return not tool.requires  # a tool's requirement may be an account of the person


def _asked_openly(tool: ToolDefinition, arguments: JsonObject, texts: OpenTexts) -> bool:
    """Whether a call has only words from open texts and its tool file: results may repeat them."""
    known = OpenTexts(list(texts.pieces))
    own = f"{tool.description} {json.dumps(tool.parameters, ensure_ascii=False)}"
    known.add(OpenText(own, tool.name))
    return all(known.holding(value) for value in _values(arguments))


def _values(value: object) -> Iterable[str]:
    match value:
        case dict():
            for key, item in cast("dict[str, Any]", value).items():
                yield key
                yield from _values(item)
        case list():
            for item in cast("list[Any]", value):
                yield from _values(item)
        case bool() | None:
            return
        case _:
            yield str(value)


def _text(block: JsonObject) -> str:
    content = block.get("content")
    if isinstance(content, str):
        return content
    return " ".join(str(as_object(item).get("text") or "") for item in content or ())


def _quoted(said: Sequence[Quotation], withheld: int, *, private: bool) -> StoredBlock | None:
    """Quotations, newest first, each once and as many as fit."""
    lines: list[str] = []
    worst, left = Trust.MEMBER, ALL_CHARS
    for one in dict.fromkeys(said):
        if (left := left - len(line := one.line())) < 0:
            break
        lines.append(line)
        worst = max(worst, one.said.trust)
    if withheld:
        belong = "result belongs" if withheld == 1 else "results belong"
        lines.append(f"{withheld} {belong} to somebody else")
    if not lines:
        return None
    return quote(KIND, "\n".join(lines), Origin(worst, HANDED_ON), private=private)
