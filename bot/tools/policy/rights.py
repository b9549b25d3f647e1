"""Limits that a place and the policy put on a role.

Listing, search, capabilities and execution all ask `Limits.objection`. It can only object, so no
policy or place opens a tool that the role lacks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.places import Location
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolDefinition
from bot.tools.policy.file import Policy
from bot.tools.policy.places import PlaceRule, PlaceStanding
from bot.tools.policy.rules import FileRule
from bot.tools.policy.verdicts import Strictness


@dataclass(frozen=True)
class Objection:
    """Why a tool of the role is closed."""

    rule: str
    """`policy:<name>` or `place:<name>`, for the log and /why; the model never sees it."""
    source: str
    """File and line."""


@dataclass(frozen=True)
class Limits:
    """The rules that close tools in one scope.

    `key` is the same for scopes in which the same rules hold.
    """

    rules: tuple[FileRule, ...] = ()
    places: tuple[PlaceRule, ...] = ()
    guest: bool = False
    key: tuple[int, ...] = ()

    def objection(self, definition: ToolDefinition) -> Objection | None:
        """The first rule that closes the tool; None when it is open."""
        for rule in self.rules:
            if rule.scope.names_tool(definition):
                return Objection(f"policy:{rule.name}", rule.source)
        for place in self.places:
            if place.closes(definition) or (self.guest and place.closes_to_guests(definition)):
                return Objection(f"place:{place.name}", place.source)
        return None


class Rights:
    """The rules in force.

    `settings` are those of the platforms; those of policy.yaml are replaced when it changes.
    """

    def __init__(self, settings: Sequence[PlaceRule] = ()) -> None:
        self._settings = tuple(settings)
        self._policy = Policy()
        self._generation = 0

    def take(self, policy: Policy) -> None:
        """Use these rules from the next check on."""
        self._policy = policy
        self._generation += 1

    @property
    def rules(self) -> tuple[FileRule, ...]:
        """The rules of policy.yaml about calls."""
        return self._policy.rules

    @property
    def places(self) -> tuple[PlaceRule, ...]:
        """Every rule about places, those of policy.yaml first."""
        return (*self._policy.places, *self._settings)

    def limits(self, scope: ToolScope) -> Limits:
        """Rules that close tools in this scope: denials without arguments, and rules of places."""
        denials = [
            index
            for index, rule in enumerate(self._policy.rules)
            if rule.decision is Strictness.DENY
            and not rule.arguments
            and rule.scope.holds_in(scope)
        ]
        there = [index for index, rule in enumerate(self.places) if rule.covers(scope.location)]
        guest = scope.person.role is Role.GUEST
        return Limits(
            rules=tuple(self._policy.rules[index] for index in denials),
            places=tuple(self.places[index] for index in there),
            guest=guest,
            key=(self._generation, int(guest), *denials, -1, *there),
        )

    def at(self, location: Location) -> PlaceStanding:
        """The place's settings: agent, guests, budgets, and learning."""
        return PlaceStanding(tuple(rule for rule in self.places if rule.covers(location)))

    def learns(self, location: Location) -> bool:
        """Whether anything may be learned from that place: past requests, playbooks, memory."""
        return self.at(location).learns

    def source_of(self, rule: str) -> str:
        """A rule's file and line by its log name (`policy:…`, `place:…`); empty if it is gone."""
        kind, _, name = rule.partition(":")
        if kind == "policy":
            named = (one.source for one in self._policy.rules if one.name == name)
            return next(named, "")
        return (
            next((one.source for one in self.places if one.name == name), "")
            if kind == "place"
            else ""
        )


LimitsOf = Callable[[ToolScope], Limits]
"""Returns the current limits of a scope."""


def no_limits(scope: ToolScope) -> Limits:
    """No policy and no rules about places."""
    return Limits()
