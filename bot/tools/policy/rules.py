"""One rule of policy.yaml, and one rule about outputs: what they match.

See docs/rules.md#approvals.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.places import PlaceName
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolCall, ToolDefinition
from bot.tools.policy.spellings import spellings
from bot.tools.policy.verdicts import PolicyVerdict, Strictness
from bot.tools.text.patterns import TextPattern

ANY_STEP = "*"
"""In the path of an argument: every item of a list, every field of an object."""


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

        `surely`: an alias of the tool or a doubtful place is not enough.

        A rule that opens something asks for `surely`, because a tool's file chooses its own
        aliases.
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
        names = (definition.name,) if surely else (definition.name, *definition.aliases)
        return not self.tools or any(pattern.fits(name) for pattern in self.tools for name in names)


@dataclass(frozen=True)
class FileRule:
    """A rule about calls. Implements `PolicyRule`."""

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
