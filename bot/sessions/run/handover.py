"""Facts from a thread's work for the next person: only those they could find out themself.

A fact is handed over only if it stands in one text that its reader may see anyway: a message of the
thread, or the result of a shared tool that their role has, called with words of such texts. So
nothing from a direct message, private file or own account is handed over, whatever a model wrote
about it.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Any, Self, cast

from bot.agents.prompt.notes import quote
from bot.domain.access import INNER_RANK
from bot.domain.database import Database
from bot.domain.facts import Fact
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, Place
from bot.domain.origins import HANDED_ON, Origin, Trust
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.tool_context import ToolsetView
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.lazy_dataclass import dataclass
from bot.llm.blocks import as_object
from bot.llm.unlocking import dispatched
from bot.memory.facts import render_facts
from bot.memory.facts_store import FactsStore
from bot.memory.words import FUNCTION_WORDS
from bot.sessions.records.conversation_store import visible_since
from bot.sessions.records.session_store import StoredSession
from bot.sessions.records.transcript_store import transcript
from bot.sessions.run.handover_store import sessions_with_facts
from bot.storage.stems import words_in

KIND = "what this thread's work found out, with somebody else"
MESSAGES = 200
_TOKEN = re.compile(r"[^\s\"'<>(){}\[\],;=]+")
SESSIONS = 5
"""Other people's sessions in the thread that are read, the last used first."""
NOBODYS = frozenset(
    {
        "calculate",
        "current_time",
        "dns_lookup",
        "host_report",
        "http_headers",
        "port_check",
        "tls_certificate",
    }
    | {"web_fetch", "web_search"}
)
"""Native tools with the same result for everybody. All others read somebody's own data."""


@dataclass(frozen=True)
class _Piece:
    """One text: its word forms, and every part with a digit, unsplit."""

    forms: frozenset[str]
    exact: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(
            frozenset(form for _, forms in words_in(text) for form in forms),
            frozenset(_with_digits(text)),
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
    """Texts that the reader may see."""

    pieces: list[_Piece] = field(default_factory=list[_Piece])

    def add(self, text: str) -> None:
        self.pieces.append(_Piece.of(text))

    def holding(self, text: str) -> _Piece | None:
        """One text that contains all of this; None when no single text does."""
        return next((piece for piece in self.pieces if piece.holds(text)), None)


def texts_of(texts: Iterable[str]) -> OpenTexts:
    return OpenTexts([_Piece.of(text) for text in texts])


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
        """Others' facts newer than `since` (None: all), and the number withheld, as one quote."""
        if conversation.place is not Place.THREAD:
            return None
        found: dict[str, tuple[Fact, Fact | None]] = {}
        for stored in await sessions_with_facts(self._database, conversation, person, SESSIONS):
            facts = [
                fact
                for fact in (await self._facts.load(stored.session.id)).values()
                if since is None or fact.at > since
            ]
            if not facts:
                continue
            texts = await self._texts(conversation, stored, compose())
            worst = Trust.MEMBER if stored.session.role.rank >= INNER_RANK else Trust.OUTSIDER
            for fact in facts:
                # For each key only the newest fact counts, even a private one: older ones are
                # outdated.
                if fact.key not in found or found[fact.key][0].at <= fact.at:
                    found[fact.key] = fact, open_part(_trusted_at_most(fact, worst), texts)
        handed = [part for _, part in found.values() if part is not None]
        return _quoted(handed, len(found) - len(handed), private=private)

    async def _texts(
        self, conversation: Conversation, stored: StoredSession, tools: ToolsetView
    ) -> OpenTexts:
        texts = OpenTexts()
        for message in await visible_since(self._database, conversation.key, 0, MESSAGES):
            texts.add(message.text)
        for epoch in range(1, stored.session.epoch + 1):
            add_results(
                await transcript(self._database, replace(stored.session, epoch=epoch)), tools, texts
            )
        return texts


def _trusted_at_most(fact: Fact, worst: Trust) -> Fact:
    return replace(fact, origin=Origin(max(worst, fact.origin.trust), fact.origin.source))


def open_part(fact: Fact, texts: OpenTexts) -> Fact | None:
    """The fact without private words in its key; None unless one open text has its value."""
    piece = texts.holding(fact.value)
    if fact.private or piece is None:
        return None
    words = [word for word in fact.key.split() if piece.holds(word)]
    return replace(fact, key=" ".join(words) or "result")


def add_results(
    messages: Iterable[TranscriptMessage], tools: ToolsetView, texts: OpenTexts
) -> None:
    """Results that this toolset would also give, in their order of arrival."""
    calls: dict[str, tuple[str, JsonObject]] = {}
    for stored in (one for message in messages for one in message.blocks):
        block = stored.block
        if block.get("type") == "tool_use":
            calls[str(block.get("id"))] = dispatched(
                str(block.get("name")), as_object(block.get("input"))
            )
        elif (
            block.get("type") == "tool_result" and not stored.private and not block.get("is_error")
        ):
            name, arguments = calls.get(str(block.get("tool_use_id")), ("", {}))
            found = tools.describe((name,))
            if found and _is_nobodys(found[0]) and _asked_openly(found[0], arguments, texts):
                texts.add(_text(block))


def _is_nobodys(tool: ToolDefinition) -> bool:
    if isinstance(tool.implementation, NativeImplementation):
        return tool.name in NOBODYS
    return not tool.requires  # a tool's requirement may be an account of the person


def _asked_openly(tool: ToolDefinition, arguments: JsonObject, texts: OpenTexts) -> bool:
    """Whether a call has only words from open texts and its tool file: results may repeat them."""
    known = OpenTexts(list(texts.pieces))
    known.add(f"{tool.description} {json.dumps(tool.parameters, ensure_ascii=False)}")
    return all(known.holding(value) is not None for value in _values(arguments))


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


def _quoted(facts: Sequence[Fact], withheld: int, *, private: bool) -> StoredBlock | None:
    if not facts and not withheld:
        return None
    lines = [render_facts(sorted(facts, key=lambda one: one.at))]
    if withheld:
        lines.append(
            f"{withheld} {'result belongs' if withheld == 1 else 'results belong'} to somebody else"
        )
    origin = max(
        (fact.origin for fact in facts),
        key=lambda one: one.trust,
        default=Origin(Trust.MEMBER, HANDED_ON),
    )
    text = "\n".join(line for line in lines if line)
    return quote(KIND, text, Origin(origin.trust, HANDED_ON), private=private)
