"""A run's context for the gate: the trust of its texts, and the targets in each.

Taint belongs to the context: a text from outside taints it until the text is gone, and a summary is
as little trusted as its source. Of what was read from outside, the reason of a card tells only
names of tools and of servers: others chose the names of files and people.

See docs/rules.md#trust.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.lasting import Lasting
from bot.domain.origins import CONVERSATION, Trust, unfenced
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.targets import OWN_WORDS, Stem, Target, TargetKind
from bot.tools.permission.act_words import Act
from bot.tools.permission.lasting import all_said
from bot.tools.permission.provenance_words import links_in, own_words
from bot.tools.permission.record_shelf import SENDER, RecordShelf
from bot.tools.permission.said import Said, ordered_in, said_in, untaken

SchemaOf: TypeAlias = Callable[[str], JsonObject | None]
AddressBook: TypeAlias = Callable[[Target, Person], bool]
"""Whether the operator's contacts name the target, for this person."""
_ADDRESSES = frozenset({TargetKind.EMAIL, TargetKind.URL, TargetKind.HOST})
"""What no record vouches for, but the sender of a mail for an answer to it."""
ANY_ACT = frozenset(Act)

EXCERPT_CHARS = 80
"""Characters on each side of the target that the card shows."""
LINK_SOURCES = frozenset(
    {"tool:web_search", "tool:web_fetch", "tool:web_scrape", "tool:read_inbox", "tool:read_emails"}
)
"""Tools whose links may be followed, because they pass on texts that no model wrote."""
_SHOWN = 3
_TOOL = re.compile(r"tool:([\w-]{1,64})")
_KINDS = {
    "person": "a guest's or bot's message",
    "conversation": "messages of others in this conversation",
    "conversation with answers": "messages of others in this conversation",
    "file": "an attached file",
    "memory": "a memory",
    "another session": "somebody else's session in this thread",
    "agent": "an agent's answer",
    "summary of a conversation": "the summary of this conversation",
}


class ContextProvenance:
    """Reads a run's growing history once, from where it left off, and only when somebody asks.

    `above`: the context that this one continues or was delegated from. The words of its person
    count here as well. `schema_of` gives the schema of a tool's result, where its file has one.
    `turn_from`: the first message of the present turn. While text from outside is there, earlier
    words ask for nothing.
    """

    def __init__(
        self,
        history: Sequence[TranscriptMessage] = (),
        above: "ContextProvenance | None" = None,
        schema_of: SchemaOf = lambda _tool: None,
        turn_from: int = 0,
    ) -> None:
        self._history = history
        self._above = above
        self._turn_from = turn_from
        self._looked_at = 0
        self._trust = Trust.OPERATOR
        self._described = frozenset[str]()
        self._messages_read = 0
        self._outside: dict[str, bool] = {}
        """The sources of texts from outside, and whether this turn has read them."""
        self._said: list[Said] = []
        """The person's words. They are parsed when a call needs them."""
        self._shelf = RecordShelf(schema_of)
        self._links: set[str] = set()
        self._linked = 0

    @property
    def trust(self) -> Trust:
        """The least trusted text in this context."""
        self._look()
        return self._trust

    @property
    def untrusted(self) -> bool:
        return self.trust >= Trust.OUTSIDER

    def untrusted_besides(self, tool: str) -> bool:
        """Whether there is text from outside besides receipts of this tool's earlier calls."""
        self._read()
        return bool(self._outside.keys() - {f"tool:{tool}"})

    @property
    def described(self) -> frozenset[str]:
        """The MCP servers whose own words about their tools are in this context."""
        self._look()
        above = self._above.described if self._above is not None else frozenset[str]()
        return above | self._described

    @property
    def steered(self) -> bool:
        """Whether some text here might aim at what outlasts it, or at data of others.

        Words of servers about their tools taint nothing, and no server is a member either.
        """
        return self.untrusted or bool(self.described)

    def outside_read(self) -> str:
        """Which texts from outside are here, for the person who is asked; empty if unknown."""
        self._read()
        return _read_in_words(self._outside) or ("; ".join(map(_says, sorted(self.described))))

    def spoken(self) -> "ContextProvenance":
        """Only its person's words, for the epoch after this context."""
        kept = ContextProvenance()
        kept._said = list(dict.fromkeys(self._all_said()))
        return kept

    def said_by_person(self, target: Target) -> bool:
        """Whether the session's own person named it, typed, where nothing speaks against it."""
        return said_in(self._counting(), target, ANY_ACT, order=False)

    def asked_for(self, target: Target, wanted: frozenset[Act]) -> bool:
        """Whether the person asked for one of these acts on exactly this target.

        While text from outside is there, this takes an order in this turn.
        """
        return said_in(self._counting(), target, wanted, order=self.untrusted)

    def asks(self, wanted: frozenset[Act]) -> bool:
        """Whether the person's words order any such act; of this turn, beside outside text."""
        return ordered_in(self._counting(), wanted, plainly=self.untrusted)

    def asks_now(self, wanted: frozenset[Act]) -> bool:
        """Whether the person's words of this turn order any such act.

        Where no text from outside is there, "Ben" or "yes, please" belongs to the order before it.
        """
        newest = self._newest()
        current = [one for one in newest if one.current]
        ordered = ordered_in(current, wanted, plainly=self.untrusted)
        if ordered or self.untrusted:
            return ordered
        before = next((one for one in newest if not one.current), None)
        answers = bool(current) and all(one.is_answer for one in current)
        return answers and before is not None and before.orders(wanted)

    def mentions(self, target: Target) -> bool:
        """Whether the person ever typed it, be it in a question: enough to look at it."""
        return any(one.mentions(target) for one in self._all_said())

    def speaks_against(self, target: Target) -> bool:
        """Whether words of this turn that refuse or ask something hold a part of an address."""
        return any(one.speaks_against(target) for one in self._counting())

    @property
    def has_words(self) -> bool:
        """Whether the person said anything in this turn; nobody did in a scheduled run."""
        return any(one.current for one in self._all_said())

    def said(self, text: str) -> bool:
        """Whether the session's own person typed this text, as whole words."""
        return any(one.words.say(text) for one in self._all_said())

    def turn_words(self) -> tuple[str, ...]:
        """The person's own typed words of this turn, the newest first.

        What a later message may have taken back is left out.
        """
        return tuple(own_words(one.typed) for one in untaken(self._newest()) if one.current)

    def asks_for(self, kind: Lasting, texts: Sequence[str]) -> bool:
        """Whether the person asks in this turn for a lasting thing with exactly these texts."""
        return all_said(kind, texts, self.turn_words())

    def names_record(self, target: Target, wanted: frozenset[Act] = ANY_ACT) -> bool:
        """Whether it belongs to the only record in results that the person's order names."""
        address = target.kind in _ADDRESSES and target.record != SENDER
        if address or not (target.record and target.sound):
            return False
        self._read()
        return self._shelf.vouches(target, self._counting(), wanted, order=self.untrusted)

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

    def results(self) -> Iterator[tuple[str, str]]:
        """The texts that tools answered in this context, each with the name of its tool."""
        for message in self._history:
            for stored in message.blocks if message.role == "user" else ():
                source, kind = stored.origin.source, stored.block.get("type")
                if kind == "tool_result" and source.startswith("tool:"):
                    for text in texts_of(stored.block):
                        yield source[5:], text

    def stem(self, target: Target) -> Stem:
        """The least trusted text of others with the target's characters, the newest of several.

        Where no other has them: the person's own words, which gave no plain order.
        """
        wanted = target.value.casefold()
        best: tuple[Trust, str, str] | None = None
        for message in self._history:
            for stored in message.blocks if message.role == "user" else ():
                if stored.origin.trust < Trust.MEMBER or (best and stored.origin.trust < best[0]):
                    continue
                for text in map(unfenced, texts_of(stored.block)):
                    if (at := text.casefold().find(wanted)) >= 0:
                        best = (
                            stored.origin.trust,
                            stored.origin.source,
                            _excerpt(text, at, len(wanted)),
                        )
        if best is not None:
            return Stem(target, best[1], best[2])
        whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        own = any(whole.search(one.typed.casefold()) for one in self._all_said())
        return Stem(target, OWN_WORDS) if own else Stem(target)

    def _all_said(self) -> Iterator[Said]:
        self._read()
        yield from self._said
        if self._above is not None:
            yield from self._above._all_said()  # noqa: SLF001 - another one of this class

    def _counting(self) -> list[Said]:
        """The words that can ask for something now, the newest first."""
        self._read()
        own = list(reversed(self._said))
        if self._above is not None:
            own += self._above._newest()  # noqa: SLF001 - another one of this class
        return [one for one in own if one.current] if self.untrusted else own

    def _newest(self) -> list[Said]:
        self._read()
        above = self._above._newest() if self._above is not None else []  # noqa: SLF001 - as above
        return [*reversed(self._said), *above]

    def _look(self) -> None:
        """At what messages know of themselves; few turns need their texts (`_read`)."""
        for message in self._history[self._looked_at :]:
            self._trust = max(self._trust, message.trust)
            self._described |= message.servers
        self._looked_at = len(self._history)

    def _read(self) -> None:
        for number in range(self._messages_read, len(self._history)):
            message = self._history[number]
            if message.role == "user":
                for stored in message.blocks:
                    self._take(stored, current=number >= self._turn_from)
        self._messages_read = len(self._history)

    def _take(self, stored: StoredBlock, *, current: bool) -> None:
        if stored.origin.untrusted:
            source = stored.origin.source
            self._outside[source] = current or self._outside.get(source, False)
        if stored.typed and stored.origin.trust is Trust.PERSON:
            answer = stored.block.get("type") == "tool_result"
            self._said.append(Said(stored.typed, current, answer))
        elif stored.block.get("type") == "tool_result" and stored.origin.source.startswith("tool:"):
            for text in texts_of(stored.block):
                self._shelf.put(stored.origin.source[5:], text, before=not current)


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


def _read_in_words(sources: Mapping[str, bool]) -> str:
    """The sources, the newest kind first; the value says whether this turn has read it."""
    now = list(dict.fromkeys(_words(one) for one, current in sources.items() if current))
    before = [_words(one) for one, current in sources.items() if not current]
    earlier = [one for one in dict.fromkeys(before) if one not in now]
    parts = [f"{_listed(now)} in this request"] if now else []
    return ", ".join([*parts, *([f"{_listed(earlier)} earlier"] if earlier else [])])


def _says(server: str) -> str:
    """The words for the descriptions of a server."""
    return f"what the MCP server {server} says about its tools"


def _words(source: str) -> str:
    if found := _TOOL.fullmatch(source):
        return f"a result of {found[1]}"
    return _KINDS.get(source) or _KINDS.get(source.partition(":")[0], "a text of others")


def _listed(words: list[str]) -> str:
    more = len(words) - _SHOWN
    return " and ".join([*words[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
