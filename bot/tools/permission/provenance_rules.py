"""Decides which calls need approval because of the origin of their targets.

See docs/rules.md#trust.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.access import INNER_RANK, Person
from bot.domain.json_types import JsonObject
from bot.domain.targets import Stem, Target, TargetKind
from bot.domain.tools import HttpImplementation, McpImplementation, Risk, ToolDefinition
from bot.tools.definitions.targets import declares_targets, targets_of, typed
from bot.tools.permission.act_words import STRICT, Act, acts_of_tool
from bot.tools.permission.lasting import BESIDE_OUTSIDE
from bot.tools.permission.provenance import AddressBook, ContextProvenance
from bot.tools.policy.verdicts import PolicyVerdict, Strictness

UNSURE = f"it may change something: its server doesn't say that it only reads{BESIDE_OUTSIDE}"
OTHER_SERVER = "it may change something, and another server's words are in this conversation"
AUTOMATION = "it changes what runs for you when you are not there"
FREE_LINK = f"it would open an address that was put together here{BESIDE_OUTSIDE}"


@dataclass(frozen=True)
class Backing:
    """Who vouches for the targets of a call."""

    targets: tuple[Target, ...]
    doubtful: tuple[Target, ...]
    """Targets that neither the person's own words nor a trusted source gave."""
    declared: bool
    """Whether the tool's file marks any targets."""
    untrusted: bool
    """Whether the context contains outside text."""
    asked: bool = True
    """Whether the person asked for such an act at all, which counts if the call has no target."""

    @property
    def sufficient(self) -> bool:
        """Whether an external write needs no question.

        All targets were given, or there are none, as for an event without participants. Then the
        person has to have asked for such an act, and nothing may be deleted or paid: without a
        target that may mean everything.
        """
        return self.declared and not self.doubtful and (bool(self.targets) or self.asked)

    def needs_naming(self, policy: PolicyVerdict) -> bool:
        """Whether an allowing rule is too general: it does not spell out a target from outside."""
        if policy.strictness is not Strictness.ALLOW or not self.untrusted:
            return False
        if not self.declared:
            return not policy.named
        return not all(
            policy.names(re.sub(r"\[\d+\]", "", target.field)) for target in self.doubtful
        ) or (not self.targets and not policy.named)


def backing_of(
    definition: ToolDefinition,
    arguments: JsonObject,
    person: Person,
    context: ContextProvenance,
    book: AddressBook,
) -> Backing:
    """Look up every target of a call. Costs nothing for tools that mark none."""
    targets = targets_of(definition, arguments)
    wanted = acts_of(definition, arguments)
    doubtful = tuple(
        target for target in targets if not vouched(target, person, context, book, wanted)
    )
    untrusted = context.untrusted
    asked = not wanted <= STRICT and (not untrusted or context.asks(wanted))
    return Backing(targets, doubtful, declares_targets(definition), untrusted, asked)


def acts_of(definition: ToolDefinition, arguments: JsonObject) -> frozenset[Act]:
    """What a call does, by the tool's risk, its action if it has several, and its name."""
    if definition.risk is Risk.DESTRUCTIVE:
        return frozenset({Act.DELETE})
    named = acts_of_tool(_parts_of(definition.name))
    action = arguments.get("action")
    if not isinstance(action, str) or named <= STRICT:
        return named
    return acts_of_tool(_parts_of(action), otherwise=named)


def _parts_of(name: str) -> tuple[str, ...]:
    return tuple(re.split(r"[_-]|(?<=[a-z])(?=[A-Z])", name))


def vouched(
    target: Target,
    person: Person,
    context: ContextProvenance,
    book: AddressBook,
    wanted: frozenset[Act],
) -> bool:
    """Whether the person asked for an act on exactly this target, or a trusted source gave it.

    The operator's contacts vouch for an address, never for the wish to write there: that takes an
    order in this turn, except in a run that nobody spoke in and no text from outside is part of.
    """
    if not target.sound:
        return False
    if context.asked_for(target, wanted) or context.names_record(target, wanted):
        return True
    known = person.role.rank >= INNER_RANK and book(target, person)
    if not known or context.speaks_against(target):
        return False
    nobody_spoke = not (context.has_words or context.steered)
    return nobody_spoke or context.asks_now(wanted)


def read_risk(
    definition: ToolDefinition,
    arguments: JsonObject,
    person: Person,
    context: ContextProvenance,
    book: AddressBook,
) -> tuple[Target, ...]:
    """Addresses that a reading call made up in a tainted context: they could leak anything.

    An unchanged link from a text may be followed, because its author learns nothing new.
    """
    links = tuple(_free_links(definition, arguments))
    if (
        not links or not context.steered
    ):  # most calls name no address, and then nobody reads the context
        return ()
    return tuple(
        target
        for target in links
        if not (target.sound and context.mentions(target))
        and not (target.sound and person.role.rank >= INNER_RANK and book(target, person))
        and not context.offers_link(target)
    )


def _free_links(definition: ToolDefinition, arguments: JsonObject) -> Iterable[Target]:
    # A host alone can leak data as well, because a DNS look-up reaches the owner of the name.
    kinds = {TargetKind.URL, TargetKind.HOST}
    links = [target for target in targets_of(definition, arguments) if target.kind in kinds]
    match definition.implementation:
        case HttpImplementation(url=url, free=True) if not links:
            name = url[1:].split("}", 1)[0]
            return [typed(name, TargetKind.URL, str(arguments[name]))] if name in arguments else []
        case _:
            return links


def stems_of(targets: Iterable[Target], context: ContextProvenance) -> tuple[Stem, ...]:
    """The sources of the doubtful targets, for the card; only used if there is a question."""
    return tuple(context.stem(target) for target in targets)


def unsure(definition: ToolDefinition, context: ContextProvenance) -> str:
    """Why a server's tool that may write is asked about; empty if it isn't.

    A server may say of its own tools what it likes: it gets the call's arguments in any case. Its
    words must not move another server's data.
    """
    if context.untrusted:
        return UNSURE
    return OTHER_SERVER if context.described - {server_of(definition)} else ""


# --- the reason of a card ---


def because(reason: str, definition: ToolDefinition, context: ContextProvenance) -> str:
    """A reason with what was read, where, and what would make the card unnecessary."""
    if not (read := context.outside_read()):
        return reason
    if not reason.endswith(BESIDE_OUTSIDE) and reason != OTHER_SERVER:
        return f"{reason}{BESIDE_OUTSIDE} ({read})" if context.untrusted else reason
    ways = ["a new conversation (/new) starts without it"]
    server = server_of(definition)
    if reason == UNSURE and server:
        ways.append(f"an operator who knows better sets mcp.servers.{server}.trust.reads")
    elif not context.untrusted:
        ways.append("an operator who answers for those words sets mcp.servers.NAME.trust")
    return f"{reason} ({read}; {', or '.join(ways)})"


def server_of(definition: ToolDefinition) -> str:
    """The MCP server that serves a tool; empty for every other tool."""
    implementation = definition.implementation
    return implementation.server if isinstance(implementation, McpImplementation) else ""
