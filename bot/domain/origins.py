"""Where a text comes from, stored with every block; and the fence around text of others.

Text of others can neither close nor open the fence. See docs/rules.md#trust.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from bot.domain.json_types import JsonObject


class Trust(IntEnum):
    """How much the source of a text is trusted; higher is less."""

    OPERATOR = 0
    """Bellhop itself and the files of its operator: prompts, notes, tool errors."""
    PERSON = 1
    """The session's own person."""
    MEMBER = 2
    """Another person of the workspace with rank >= 2."""
    OUTSIDER = 3
    """A guest or a bot."""
    EXTERNAL = 4
    """Web pages, mail, files, third-party tool results."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a text and how much it is trusted.

    `source` names it: `tool:web_fetch`, `person:ann`.
    """

    trust: Trust
    source: str

    @property
    def untrusted(self) -> bool:
        return self.trust >= Trust.OUTSIDER

    def to_json(self) -> JsonObject:
        return {"trust": self.trust.name.lower(), "source": self.source}

    @classmethod
    def parse(cls, text: str) -> "Origin":
        """What `to_text` wrote."""
        return cls.from_json(json.loads(text))

    def to_text(self) -> str:
        """As a column of a table holds it."""
        return json.dumps(self.to_json())

    @classmethod
    def from_json(cls, data: JsonObject) -> "Origin":
        return origin_of(Trust[str(data["trust"]).upper()], str(data["source"]))


@lru_cache(maxsize=2048)
def origin_of(trust: Trust, source: str) -> Origin:
    """The origin as a shared object, because transcripts have thousands of blocks."""
    return Origin(trust, source)


CONVERSATION = "conversation"
"""Source of messages of people in the session's conversation."""
ANSWERED_CONVERSATION = "conversation with answers"
"""The same, including texts by runs that had read outside text."""
RECALLED = "memory"
"""Source of memories."""
HANDED_ON = "another session"
"""Source of texts that somebody else's session in the same thread was about."""
_DESCRIBED = "mcp:"


def described_by(servers: Iterable[str]) -> Origin:
    """The origin of what MCP servers of the operator say about their own tools.

    It informs like a colleague's words and supplies no targets. `servers_of` gives the servers
    back, because the gate is more careful beside such texts.
    """
    named = ",".join(sorted(set(servers)))
    return origin_of(Trust.MEMBER, f"{_DESCRIBED}{named}") if named else BELLHOP


def servers_of(origin: Origin) -> frozenset[str]:
    """The MCP servers whose descriptions a text holds; none for any other text."""
    if origin.trust is not Trust.MEMBER or not origin.source.startswith(_DESCRIBED):
        return frozenset()
    return frozenset(origin.source.removeprefix(_DESCRIBED).split(","))


BELLHOP = Origin(Trust.OPERATOR, "bellhop")


_OPEN = "<quoted"
_CLOSE = "</quoted>"


def fenced(kind: str, text: str, origin: Origin) -> str:
    """The text with its origin. `kind` names it: `messages`, `facts`, `preferences`, `file`."""
    return f'{_OPEN} kind="{kind}" from="{_attribute(origin.source)}">\n{escape(text)}\n{_CLOSE}'


def unfenced(text: str) -> str:
    """What a fence holds, for people; other text as it is."""
    if not (text.startswith(_OPEN) and text.endswith(_CLOSE)):
        return text
    return text.partition(">\n")[2].removesuffix(_CLOSE).rstrip("\n")


_TAG = "/?(?:quoted|system-note)"
_POSES = re.compile(f"<(?={_TAG})|&(?=(?:amp;)*lt;{_TAG})", re.IGNORECASE)
_ESCAPED = re.compile(f"&(?:lt;(?={_TAG})|amp;(?=(?:amp;)*lt;{_TAG}))", re.IGNORECASE)


def escape(text: str) -> str:
    """Keep quoted text from closing or opening a fence, or from posing as a system note.

    What looks escaped already is escaped once more, so that `unescape` gives every text back.
    """
    return _POSES.sub(lambda found: "&lt;" if found[0] == "<" else "&amp;", text)


def unescape(text: str) -> str:
    """The text that `escape` made this of; a part of it, or another text, is no error."""
    return _ESCAPED.sub(lambda found: "<" if found[0] == "&lt;" else "&", text)


def shown(text: str, origin: Origin) -> str:
    """A result as its model reads it: the person's own things are shown as they are."""
    return escape(text) if origin.trust > Trust.PERSON else text


def as_written(text: str, kept: str, origin: Origin) -> str:
    """What a model means that changes something kept, and may repeat it as it was `shown`."""
    return unescape(text) if shown(kept, origin) != kept else text


def _attribute(text: str) -> str:
    return (
        " ".join(text.split())
        .replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")[:120]
    )
