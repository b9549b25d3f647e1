"""A run's context for the gate: the trust of its texts, and the targets in each.

Taint belongs to the context: a text from outside taints it until the text is gone, and a summary is
as little trusted as its source.

See docs/rules.md#trust.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.lasting import Lasting
from bot.domain.origins import CONVERSATION, Trust
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.targets import Stem, Target, TargetKind
from bot.tools.permission.lasting import all_said
from bot.tools.permission.provenance_words import NamedWords, links_in, own_words, words_of
from bot.tools.permission.records import (
    EVERYDAY,
    UNMARKED,
    Naming,
    Record,
    named_in,
    quoted_in,
    records_in,
)
from bot.tools.text.stemming import stem

SchemaOf: TypeAlias = Callable[[str], JsonObject | None]
_RECORD_KINDS = frozenset({TargetKind.ID, TargetKind.ACCOUNT, TargetKind.CHANNEL, TargetKind.PATH})
AddressBook: TypeAlias = Callable[[Target, Person], bool]
"""Whether the operator's contacts name the target, for this person."""

EXCERPT_CHARS = 80
"""Characters on each side of the target that the card shows."""
LINK_SOURCES = frozenset(
    {"tool:web_search", "tool:web_fetch", "tool:web_scrape", "tool:read_inbox", "tool:read_emails"}
)
"""Tools whose links may be followed, because they pass on texts that no model wrote."""


class ContextProvenance:
    """Reads a run's growing history once, from where it left off, and only when somebody asks.

    `above`: the context that this one continues or was delegated from. The words of its person
    count here as well. `schema_of` gives the schema of a tool's result, where its file has one.
    """

    def __init__(
        self,
        history: Sequence[TranscriptMessage] = (),
        above: "ContextProvenance | None" = None,
        schema_of: SchemaOf = lambda _tool: None,
    ) -> None:
        self._history = history
        self._above = above
        self._schema_of = schema_of
        self._messages_read = 0
        self._trust = Trust.OPERATOR
        self._outside: set[str] = set()
        self._typed: list[str] = []
        """Words of the person that are not parsed yet, because most calls don't need them."""
        self._words: list[NamedWords] = []
        self._results: list[tuple[str, str]] = []
        self._records: dict[str, dict[str, Record]] = {}
        self._links: set[str] = set()
        self._linked = 0

    @property
    def trust(self) -> Trust:
        """The least trusted text in this context."""
        self._read()
        return self._trust

    @property
    def untrusted(self) -> bool:
        return self.trust >= Trust.OUTSIDER

    def untrusted_besides(self, tool: str) -> bool:
        """Whether there is text from outside besides receipts of this tool's earlier calls."""
        self._read()
        return bool(self._outside - {f"tool:{tool}"})

    def spoken(self) -> "ContextProvenance":
        """Only its person's words, for the epoch after this context."""
        kept = ContextProvenance()
        kept._words = list(dict.fromkeys(self._all_words()))
        return kept

    def said_by_person(self, target: Target) -> bool:
        """Whether the session's own person named it, typed, in their own words."""
        self._read()
        return any(words.name(target) for words in self._all_words())

    def said(self, text: str) -> bool:
        """Whether the session's own person typed this text, as whole words."""
        self._read()
        return any(words.say(text) for words in self._all_words())

    def turn_words(self) -> tuple[str, ...]:
        """The person's own typed words since the last answer, the newest first."""
        return tuple(own_words(typed) for typed in self._typed_in_turn())

    def asks_for(self, kind: Lasting, texts: Sequence[str]) -> bool:
        """Whether the person asks in this turn for a lasting thing with exactly these texts."""
        return all_said(kind, texts, self.turn_words())

    def names_record(self, target: Target, *, deletes: bool = False) -> bool:
        """Whether it is the id of the only record in results that the person's words name.

        If nobody described the tool's result, the person has to name the tool, too ("look in notion
        …"), and even then nothing is deleted.
        """
        if target.kind not in _RECORD_KINDS or not target.sound:
            return False
        self._read()
        self._sort_results()
        said = [words.naming for words in self._newest_words()]
        for kind, by_id in self._records.items():
            if target.value not in by_id:
                continue
            tool = kind.removeprefix(UNMARKED)
            if tool != kind and (deletes or not any(_names_tool(one, tool) for one in said)):
                continue
            records = list(by_id.values())
            named = named_in(records, said)
            if (named is not None and named.id == target.value) or target.value in quoted_in(
                records, said
            ):
                return True
        return False

    def offers_link(self, target: Target) -> bool:
        """Whether a received text has the whole link: its author then learns nothing new."""
        if target.kind not in {TargetKind.URL, TargetKind.HOST} or not target.sound:
            return False
        for message in islice(self._history, self._linked, None):
            for stored in message.blocks if message.role == "user" else ():
                if _hands_on_links(stored):
                    self._links.update(
                        link for text in texts_of(stored.block) for link in links_in(text)
                    )
        self._linked = len(self._history)
        if target.kind is TargetKind.HOST:
            return any(urlsplit(link).hostname == target.value for link in self._links)
        return target.value in self._links

    def stem(self, target: Target) -> Stem:
        """The least trusted text of others with the target's characters, the newest of several."""
        wanted = target.value.casefold()
        best: tuple[Trust, str, str] | None = None
        for message in self._history:
            for stored in message.blocks if message.role == "user" else ():
                if stored.origin.trust < Trust.MEMBER or (best and stored.origin.trust < best[0]):
                    continue
                for text in texts_of(stored.block):
                    if (at := text.casefold().find(wanted)) >= 0:
                        best = (
                            stored.origin.trust,
                            stored.origin.source,
                            _excerpt(text, at, len(wanted)),
                        )
        return Stem(target, best[1], best[2]) if best else Stem(target)

    def _all_words(self) -> Iterator[NamedWords]:
        yield from self._own_words()
        if self._above is not None:
            yield from self._above._all_words()  # noqa: SLF001 - another one of this class

    def _newest_words(self) -> Iterator[NamedWords]:
        yield from reversed(self._own_words())
        if self._above is not None:
            yield from self._above._newest_words()  # noqa: SLF001 - another one of this class

    def _typed_in_turn(self) -> Iterator[str]:
        for message in reversed(self._history):
            if message.role == "assistant" and not any(
                stored.block.get("type") == "tool_use" for stored in message.blocks
            ):
                break
            if message.role == "user":
                for stored in reversed(message.blocks):
                    if stored.typed and stored.origin.trust is Trust.PERSON:
                        yield stored.typed
        if self._above is not None:
            yield from self._above._typed_in_turn()  # noqa: SLF001 - another one of this class

    def _own_words(self) -> list[NamedWords]:
        self._read()
        self._words += [words_of(own_words(typed)) for typed in self._typed]
        self._typed.clear()
        return self._words

    def _read(self) -> None:
        for message in islice(self._history, self._messages_read, None):
            self._trust = max(self._trust, message.trust)
            if message.role == "user":
                for stored in message.blocks:
                    self._take(stored)
        self._messages_read = len(self._history)

    def _take(self, stored: StoredBlock) -> None:
        if stored.origin.untrusted:
            self._outside.add(stored.origin.source)
        if stored.typed and stored.origin.trust is Trust.PERSON:
            self._typed.append(stored.typed)
        elif stored.block.get("type") == "tool_result" and stored.origin.source.startswith("tool:"):
            self._results += [(stored.origin.source[5:], text) for text in texts_of(stored.block)]

    def _sort_results(self) -> None:
        for tool, text in self._results:
            for record in records_in(text, self._schema_of(tool), tool):
                kept = self._records.setdefault(record.kind, {})
                known = kept.get(record.id)
                names = (*known.names, *record.names) if known else record.names
                kept[record.id] = Record(record.kind, record.id, tuple(dict.fromkeys(names)))
        self._results.clear()


def texts_of(block: JsonObject) -> Iterator[str]:
    """The texts of a block, also of a tool's result."""
    if isinstance(text := block.get("text"), str):
        yield text
    content: Any = block.get("content")
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in cast("list[Any]", content):
            if isinstance(part, dict):
                yield from texts_of(cast("JsonObject", part))


def _hands_on_links(stored: StoredBlock) -> bool:
    """Whether its links are the author's own and not built by a model."""
    source = stored.origin.source
    if stored.block.get("type") == "tool_result" or source.startswith("tool:"):
        return source in LINK_SOURCES
    return source == CONVERSATION or source.startswith(("person:", "file:"))


def _excerpt(text: str, at: int, length: int) -> str:
    start, end = max(0, at - EXCERPT_CHARS), at + length + EXCERPT_CHARS
    folded = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{folded}{'…' if end < len(text) else ''}"


def _names_tool(said: Naming, tool: str) -> bool:
    """Whether the first unusual part of a tool's name is said: `notion` of `notion_read`."""
    parts = [stem(part) for part in tool.lower().replace("-", "_").split("_")]
    telling = [part for part in parts if len(part) > 2 and part not in EVERYDAY]
    return bool(telling and telling[0] in said.stems)
