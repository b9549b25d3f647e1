"""Limits that a place and the policy put on a role.

Listing, search, capabilities and execution all ask `Limits.objection`. It can only object, so no
policy or place opens a tool that the role lacks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.domain.access import Role
from bot.domain.places import Location
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolDefinition
from bot.place_settings import Guests, ReplyTo
from bot.tools.budget.budgets import Limit, Measure
from bot.tools.policy.file import Policy
from bot.tools.policy.places import PlaceRule
from bot.tools.policy.rules import FileRule
from bot.tools.policy.verdicts import Strictness

_KEPT = 4_096
"""Answers that are kept for scopes, and for places."""


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


@dataclass(frozen=True)
class PlaceStanding:
    """All rules of a place together: the strictest limits, the most specific agent and reply."""

    rules: tuple[PlaceRule, ...] = ()
    agent: str | None = None
    """Who answers there, in place of the setting."""
    reply: ReplyTo | None = None
    may_change: bool = True
    """Whether people may choose `reply` there."""
    guests: Guests = Guests.ANSWER
    learns: bool = True
    """Whether anything may be learned from messages there: past requests, playbooks, memory."""
    limits: tuple[Limit, ...] = ()
    """The lowest budget of each measure."""
    chosen: ReplyTo | None = None
    """The mode that people of the place chose, where they may; it stands in `reply`, too."""

    @classmethod
    def of(cls, rules: tuple[PlaceRule, ...]) -> "PlaceStanding":
        agent, reply = _nearest(rules, "agent"), _nearest(rules, "reply")
        about_guests = _strictest(rules)
        lowest: dict[Measure, Limit] = {}
        for limit in (one for rule in rules for one in rule.limits()):
            known = lowest.get(limit.measure)
            if known is None or limit.quantum < known.quantum:
                lowest[limit.measure] = limit
        return cls(
            rules,
            agent.terms.agent if agent is not None else None,
            reply.terms.reply if reply is not None else None,
            all(rule.terms.change_reply for rule in rules),
            (about_guests.terms.guests if about_guests is not None else None) or Guests.ANSWER,
            all(rule.terms.learn for rule in rules),
            tuple(lowest.values()),
        )

    def choosing(self, mode: str) -> "PlaceStanding":
        """The same with the mode that people of the place chose; a rule may forbid that."""
        if not mode or not self.may_change:
            return self
        return replace(self, reply=ReplyTo(mode), chosen=ReplyTo(mode))

    def source(self, field_name: str) -> PlaceRule | None:
        """The rule that decides about `agent`, `reply` or `guests`."""
        if field_name == "guests":
            return _strictest(self.rules)
        return _nearest(self.rules, field_name)

    def name_of(self, field_name: str) -> str:
        """Its name in the log (`place:…`); empty without such a rule."""
        if field_name == "reply" and self.chosen is not None:
            return ""
        rule = self.source(field_name)
        return f"place:{rule.name}" if rule is not None else ""


def _nearest(rules: Sequence[PlaceRule], field_name: str) -> PlaceRule | None:
    said = [rule for rule in rules if getattr(rule.terms, field_name) is not None]
    return max(said, key=lambda rule: rule.specificity, default=None)


def _strictest(rules: Sequence[PlaceRule]) -> PlaceRule | None:
    """The strictest rule about guests."""
    order = list(Guests)
    said = [rule for rule in rules if rule.terms.guests is not None]
    return max(said, key=lambda rule: order.index(rule.terms.guests or Guests.ANSWER), default=None)


class Rights:
    """The rules in force.

    `settings` are those of the platforms; those of policy.yaml are replaced when it changes.
    Answers are kept until then: they depend on the rules, the place and the role, on no person.
    """

    def __init__(self, settings: Sequence[PlaceRule] = ()) -> None:
        self._settings = tuple(settings)
        self._generation = 0
        self._use(Policy())

    def take(self, policy: Policy) -> None:
        """Use these rules from the next check on."""
        self._generation += 1
        self._use(policy)

    def _use(self, policy: Policy) -> None:
        self.rules: tuple[FileRule, ...] = policy.rules
        """The rules of policy.yaml about calls."""
        self.places: tuple[PlaceRule, ...] = (*policy.places, *self._settings)
        """Every rule about places, those of policy.yaml first."""
        self._limits: dict[tuple[Role, str, RunShape, Location], Limits] = {}
        self._standings: dict[Location, PlaceStanding] = {}

    def limits(self, scope: ToolScope) -> Limits:
        """Rules that close tools in this scope: denials without arguments, and rules of places."""
        key = (scope.person.role, scope.agent, scope.run.shape, scope.location)
        if (found := self._limits.get(key)) is None:
            if len(self._limits) >= _KEPT:
                self._limits.clear()
            found = self._limits[key] = self._limits_of(scope)
        return found

    def _limits_of(self, scope: ToolScope) -> Limits:
        denials = [
            index
            for index, rule in enumerate(self.rules)
            if rule.decision is Strictness.DENY
            and not rule.arguments
            and rule.scope.holds_in(scope)
        ]
        there = [index for index, rule in enumerate(self.places) if rule.covers(scope.location)]
        guest = scope.person.role is Role.GUEST
        return Limits(
            rules=tuple(self.rules[index] for index in denials),
            places=tuple(self.places[index] for index in there),
            guest=guest,
            key=(self._generation, int(guest), *denials, -1, *there),
        )

    def at(self, location: Location) -> PlaceStanding:
        """The place's settings: agent, reply, guests, budgets, and learning."""
        if (found := self._standings.get(location)) is None:
            if len(self._standings) >= _KEPT:
                self._standings.clear()
            rules = tuple(rule for rule in self.places if rule.covers(location))
            found = self._standings[location] = PlaceStanding.of(rules)
        return found.choosing(location.mode)

    def source_of(self, rule: str) -> str:
        """A rule's file and line by its log name (`policy:…`, `place:…`); empty if it is gone."""
        kind, _, name = rule.partition(":")
        if kind == "policy":
            named = (one.source for one in self.rules if one.name == name)
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
