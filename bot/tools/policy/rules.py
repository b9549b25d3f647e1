"""One rule of policy.yaml, and one rule about outputs: what they match.

See docs/rules.md#approvals.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast
from urllib.parse import unquote

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.places import PlaceName
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolCall, ToolDefinition
from bot.tools.definitions.targets import read_email, read_host, read_url
from bot.tools.policy.verdicts import PolicyVerdict, Strictness
from bot.tools.text.patterns import TextPattern

ANY_STEP = "*"
"""In the path of an argument: every item of a list, every field of an object."""
_APART = re.compile(r"[\s,;<>()\[\]{}\"'`|\\]+")
_COMMENT = re.compile(r"\([^()]*\)")
_SCHEME = re.compile(r"(?:mailto|tel|sip|sips|xmpp):(?://)?", re.IGNORECASE)
_LITERAL = re.compile(r"@\[([^\[\]]*)\]")
_MOST_CHARS = 20_000
"""Longer values are checked as they are, and by this many first characters."""


@dataclass(frozen=True)
class RuleScope:
    """The tools, people, agents and runs of a rule; None and empty mean all."""

    tools: tuple[TextPattern, ...] = ()
    roles: frozenset[Role] | None = None
    agents: frozenset[str] | None = None
    runs: frozenset[RunShape] | None = None
    places: tuple[PlaceName, ...] | None = None

    def covers(self, definition: ToolDefinition, scope: ToolScope, *, surely: bool = False) -> bool:
        """Whether it applies to this tool and scope.

        `surely`: only the tool's own name counts, and no doubtful place.

        A rule that opens something asks for `surely`, because a tool's file chooses its own aliases
        and what it runs.
        """
        return self.holds_in(scope, surely=surely) and self.names_tool(definition, surely=surely)

    def holds_in(self, scope: ToolScope, *, surely: bool = False) -> bool:
        """Whether it applies to a scope, for any tool."""
        return (
            (self.roles is None or scope.person.role in self.roles)
            and (self.agents is None or scope.agent in self.agents)
            and (self.runs is None or scope.run.shape in self.runs)
            and (
                self.places is None
                or any(name.covers(scope.location, surely=surely) for name in self.places)
            )
        )

    def names_tool(self, definition: ToolDefinition, *, surely: bool = False) -> bool:
        """Whether it is about this tool."""
        names = (definition.name,) if surely else definition.closed_as
        return not self.tools or any(pattern.fits(name) for pattern in self.tools for name in names)


@dataclass(frozen=True)
class FileRule:
    """A rule about calls."""

    name: str
    decision: Strictness
    scope: RuleScope = RuleScope()
    arguments: Mapping[str, tuple[TextPattern, ...]] = field(
        default_factory=dict[str, tuple[TextPattern, ...]]
    )
    """By path (`to`, `options.path`, `items.*.url`); the rule matches if every path does."""
    reason: str = ""
    approver_rank: int = 0
    source: str = ""
    """File and line."""

    def judge(
        self, definition: ToolDefinition, call: ToolCall, scope: ToolScope
    ) -> PolicyVerdict | None:
        """Restricting rules match if any value at a path fits, allowing ones if all do.

        So a list of recipients can't hide a denied one, or add one to an allowed one.
        """
        allows = self.decision is Strictness.ALLOW
        if not self.scope.covers(definition, scope, surely=allows):
            return None
        for path, patterns in self.arguments.items():
            values = list(values_at(call.arguments, path))
            fitting = [
                any(_fits(pattern, value, surely=allows) for pattern in patterns)
                for value in values
            ]
            if not values or not (all(fitting) if allows else any(fitting)):
                return None
        return PolicyVerdict(
            self.decision, self.name, self.reason, self.approver_rank, self._named()
        )

    def _named(self) -> frozenset[str]:
        if self.decision is not Strictness.ALLOW:
            return frozenset()
        return frozenset(
            path
            for path, patterns in self.arguments.items()
            if not any(pattern.anything for pattern in patterns)
        )


@dataclass(frozen=True)
class OutputRule:
    """A rule about outputs: a match replaces the whole result."""

    name: str
    patterns: tuple[TextPattern, ...]
    scope: RuleScope = RuleScope()

    def matches(self, definition: ToolDefinition, scope: ToolScope, texts: Sequence[str]) -> bool:
        """Whether a text of the result matches; a glob may match the whole text or one line."""
        if not self.scope.covers(definition, scope):
            return False
        return any(
            pattern.fits(piece)
            for pattern in self.patterns
            for text in texts
            for piece in ((text,) if pattern.regex is not None else (text, *text.splitlines()))
        )


def _fits(pattern: TextPattern, value: str, *, surely: bool) -> bool:
    """Whether a value fits as it is or, for a restricting rule, in any equal spelling."""
    return pattern.fits(value) or (
        not surely and any(pattern.fits(one) for one in spellings(value))
    )


def values_at(arguments: JsonObject, path: str) -> Iterator[str]:
    """Every plain value at or below a path, as text; `true`, `null` and numbers as in JSON."""
    for found in _walk(arguments, path.split(".")):
        yield from _leaves(found)


def _walk(value: Any, steps: Sequence[str]) -> Iterator[Any]:
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        for key in fields if step == ANY_STEP else [step] if step in fields else []:
            yield from _walk(fields[key], rest)
    elif isinstance(value, list):
        items = cast("list[Any]", value)
        # `to.name` also means the name in each item of a list: a model may give one value or
        # several.
        for item in items:
            yield from _walk(item, rest if step == ANY_STEP else steps)


def _leaves(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case bool():
            yield "true" if value else "false"
        case None:
            yield "null"
        case dict():
            for key, item in cast("dict[str, Any]", value).items():
                yield str(key)
                yield from _leaves(item)
        case list():
            for item in cast("list[Any]", value):
                yield from _leaves(item)
        case _:
            yield f"{value:.15g}" if isinstance(value, float) else str(value)


@lru_cache(maxsize=256)
def spellings(value: str) -> tuple[str, ...]:
    """Other readings of a value: its parts, decoded, undecorated, normalised by kind.

    `Eve <eve@attack.example.>`, `mailto:eve@attack.example` and `(x) EVE@attack.example` reach the
    same mailbox. So a denial of `*@attack.example` has to fit them all.
    """
    plain = _plain(value[:_MOST_CHARS])
    found: dict[str, None] = {}
    for text in (plain, _plain(unquote(plain)), _LITERAL.sub(r"@\1", plain)):
        for whole in (
            text,
            _COMMENT.sub("", text),
            re.sub(r"\s*([@.])\s*", r"\1", _COMMENT.sub("", text)),
        ):
            found |= dict.fromkeys((whole.strip(), *_parts(whole)))
    found.pop(value, None)
    return tuple(one for one in found if one)


def _parts(text: str) -> Iterator[str]:
    for piece in _APART.split(text):
        bare = _SCHEME.sub("", piece).rstrip(".:!?").lstrip(".:")
        for one in dict.fromkeys((piece, bare, bare.partition("?")[0].rstrip("."))):
            yield one
            yield one.lower()
            yield from (read for read in (read_email(one), read_url(one)) if read)
            if "@" in one:
                local, _, domain = one.rpartition("@")
                for host in (read_host(domain), _unicode_host(domain)):
                    yield f"{local}@{host}" if host else ""
            elif "." in one:
                yield read_host(one) or ""
                yield _unicode_host(one)


def _plain(text: str) -> str:
    """Without characters that can't be seen, letters of other widths as the usual ones."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(
        char
        for char in folded
        if unicodedata.category(char) not in {"Cf", "Cc"} or char in "\t\n\r"
    )


def _unicode_host(domain: str) -> str:
    """A host in the letters that people write it in; empty when it has no such form."""
    labels: list[str] = []
    for label in domain.rstrip(".").lower().split("."):
        try:
            labels.append(
                label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
            )
        except (UnicodeError, ValueError):
            return ""
    return ".".join(labels)
