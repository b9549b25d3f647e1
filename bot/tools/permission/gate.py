"""The checks that every tool call passes before it runs (docs/rules.md#order-of-checks)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.domain.access import Person
from bot.domain.lasting import Lasting, Makes
from bot.domain.targets import Target, has_marks
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import Deferred, NeedsApproval
from bot.domain.tools import HttpImplementation, Risk, ToolCall, ToolDefinition
from bot.tools.permission.confinement import confined
from bot.tools.permission.lasting import REASONS, reason_to_ask
from bot.tools.permission.provenance import AddressBook, ContextProvenance
from bot.tools.permission.provenance_rules import (
    AUTOMATION,
    FREE_LINK,
    Backing,
    backing_of,
    because,
    read_risk,
    server_of,
    stems_of,
    unsure,
)
from bot.tools.policy.rules import FileRule
from bot.tools.policy.verdicts import (
    SCHEDULING_TOOL,
    WRITING_FILE_TOOLS,
    PolicyVerdict,
    Strictness,
    automation_path,
    confirmation_for,
    strictest_of,
    strictest_risk,
    writes_skill,
)
from bot.tools.schemas.arguments import ArgumentCheck
from bot.tools.toolset.run_rules import refused_arguments
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import ToolStanding

_RISKY_BY_ARGUMENTS = WRITING_FILE_TOOLS | {"send"}
"""Tools without a risk of their own whose calls may have one."""


@dataclass(frozen=True)
class ToolTraits:
    """All of a definition that no call, person or place changes."""

    definition: ToolDefinition
    arguments: ArgumentCheck
    riskless: bool
    """Whether no call has a risk, whatever its arguments are and wherever they come from.

    Then nobody needs to ask where they come from.
    """

    @classmethod
    def of(cls, definition: ToolDefinition) -> "ToolTraits":
        return cls(definition, ArgumentCheck(definition.parameters), _is_riskless(definition))


def _is_riskless(definition: ToolDefinition) -> bool:
    implementation = definition.implementation
    return (
        definition.risk is None
        and not definition.may_write
        and not definition.lasting
        and definition.acts_as not in _RISKY_BY_ARGUMENTS
        and not (isinstance(implementation, HttpImplementation) and implementation.free)
        and not has_marks(definition.parameters)
    )


log = logging.getLogger(__name__)

POLICY_REFUSAL = "tool blocked by policy"
"""The whole text (docs/rules.md#approvals); only the event has the name of the rule."""
MISFIT = "schema"
"""The rule for invalid arguments; the model then sees the parameters."""
ELSEWHERE = "elsewhere"
"""The rule for a guest's post to another place."""
REPEATED = "repeated"
"""The rule for a call that is repeated too often in one run."""
ABSENT = "absent"
"""Prefix of the rule for a tool that doesn't exist here; the reason follows: `absent:role`."""
CONFINED = "confined"
"""Prefix of the rule for a call outside of limits: `confined:the skill report`."""
BUDGET = "budget"
"""Prefix of the rule for a used-up budget: `budget:per_turn_usd`."""
READ_FILE = "read_file"
"""The tool whose checks a file passes as well that another tool reads."""
_KEPT = 4_096
"""Definitions whose traits are kept; those of the longest known are worked out again."""
_CLOSED = frozenset({ToolStanding.ROLE, ToolStanding.POLICY})
"""To whom the scheduling tool is closed, nothing runs for them later, whoever makes it."""
_NOBODY_TO_ASK = (
    "nobody is there to answer in this run. Decide with what you know, or put the question into "
    "your answer or a todo."
)


@dataclass(frozen=True)
class Allowed:
    """Run it. `definition` is the tool's, also when the model used an alias."""

    definition: ToolDefinition
    rule: str = "allowed"


@dataclass(frozen=True)
class Refused:
    """Don't run it; `text` is for the model.

    `security`: somebody reached for what their role lacks.
    """

    text: str
    rule: str
    security: bool = False


@dataclass(frozen=True)
class Ask:
    """Store the call until somebody approves it."""

    needed: NeedsApproval
    rule: str = "risk"


@dataclass(frozen=True)
class Later:
    """Store the call as a proposal, because nobody is present to approve it."""

    deferred: Deferred
    rule: str = "risk"


ALOUD = "it may show others what is its asker's alone"
"""The reason to ask about words for everybody, once a request has read what is one person's."""
NO_POST_ELSEWHERE = "a guest can't have anything posted elsewhere; nothing was posted"

Verdict: TypeAlias = Allowed | Refused | Ask | Later


@dataclass(frozen=True)
class _Beside:
    """What a question about a call depends on besides its rights."""

    context: ContextProvenance
    makes: Sequence[Makes]
    book: AddressBook
    aloud: bool
    """Whether everybody around would read its words, and some may be one person's alone."""

    def lasting(self, definition: ToolDefinition, call: ToolCall, backing: Backing) -> str:
        """Why it needs a yes for what it makes that lasts; empty if it doesn't."""
        named = bool(backing.targets) and not backing.doubtful
        said = self.context.turn_words()
        return reason_to_ask(definition, call.arguments, self.makes, said, named=named)


class ToolGate:
    """Checks a call in a fixed order; the first check that objects decides.

    Holds no state of a session.

    See docs/rules.md#order-of-checks.
    """

    def __init__(self, rules: Sequence[FileRule] = ()) -> None:
        self.rules = tuple(rules)
        """Replaced as a whole when policy.yaml changes; applies from the next call on."""
        self.address_book: AddressBook = _knows_nobody
        """The operator's contacts, which are vouched targets (docs/rules.md#trust)."""
        self.policy_problem: Callable[[ToolCall], str | None] = _no_problem
        """Finds problems of a policy that a file tool would write, before anybody is asked."""
        self.automation_problem: Callable[[ToolCall], str | None] = _no_problem
        """Finds problems of an automation in the same way."""
        self._traits: dict[int, ToolTraits] = {}
        """By the identity of the definition. Traits hold theirs, so no other one can get it."""

    def check(
        self,
        call: ToolCall,
        toolset: Toolset,
        scope: ToolScope,
        *,
        confirmed: bool = False,
        granted: str = "",
        context: ContextProvenance | None = None,
        makes: Sequence[Makes] = (),
    ) -> Verdict:
        """Judge a call by the current scope, which may be narrower than the toolset's.

        Whether the tool is unlocked makes no difference: a call with fitting parameters needs no
        other one before it. `confirmed`: somebody said yes to this very call; everything is checked
        again except the question. `granted` names the grant that answered the question of this
        call; it spares nothing else. `context` tells where the call's targets come from; without it
        nobody vouches for any. `makes`: the lasting things that its native tool says it would make.
        """
        definition = toolset.find(call.name)
        if definition is None:
            verdict = _absent(call, toolset)
        else:
            traits = self._traits_of(definition)
            handler, book = toolset.native(definition.name), self.address_book
            aloud = scope.alone and handler is not None and handler.is_aloud(call.arguments)
            verdict = self._judge(
                call,
                traits,
                toolset,
                scope,
                confirmed=confirmed,
                granted=granted,
                beside=_Beside(context or ContextProvenance(), makes, book, aloud),
            )
        if isinstance(verdict, Refused):
            log.log(
                logging.WARNING if verdict.security else logging.INFO,
                "person=<%s>, role=<%s>, agent=<%s>, tool=<%s>, rule=<%s> | tool call refused",
                scope.person.id, scope.person.role, scope.agent, call.name[:80], verdict.rule,
            )  # fmt: skip
        return verdict

    def _judge(
        self,
        call: ToolCall,
        traits: ToolTraits,
        toolset: Toolset,
        scope: ToolScope,
        *,
        confirmed: bool,
        granted: str,
        beside: "_Beside",
    ) -> Verdict:
        """The verdict about a tool that exists, at least for some role."""
        definition = traits.definition
        if (refusal := self._refusal(call, traits, toolset, scope)) is not None:
            return refusal
        policy = self._policy(call, definition, toolset, scope) if self.rules else None
        if policy is not None and policy.strictness is Strictness.DENY:
            return Refused(POLICY_REFUSAL, f"policy:{policy.rule}")
        riskless = traits.riskless and policy is None and not (beside.makes or beside.aloud)
        if not (confirmed or granted) and not riskless:
            handler = toolset.native(definition.name)
            alone = beside.aloud or (handler is not None and not handler.waivable)
            question = _question(call, definition, scope, policy, beside, alone=alone)
            if question is not None:
                return question
        if granted:
            return Allowed(definition, f"grant:{granted}")
        if policy is not None and policy.strictness is Strictness.ALLOW:
            return Allowed(definition, f"policy:{policy.rule}")
        return Allowed(definition)

    def _refusal(
        self, call: ToolCall, traits: ToolTraits, toolset: Toolset, scope: ToolScope
    ) -> Refused | None:
        """Why nobody's yes could make the call run, if it can't."""
        definition = traits.definition
        if not definition.access.allows(scope.person.role):
            return _absent(call, toolset, ToolStanding.ROLE)
        if (objection := toolset.objection(definition, scope)) is not None:
            return Refused(POLICY_REFUSAL, objection.rule)
        # First, since an argument that the role lacks is not in its schema either.
        if (refused := _beyond_role(call, definition, toolset, scope)) is not None:
            return refused
        problem = traits.arguments.problem(call.arguments)
        if problem is None and definition.acts_as in WRITING_FILE_TOOLS:
            written = replace(call, name=definition.acts_as)
            problem = self.policy_problem(written) or self.automation_problem(written)
        if problem is not None:
            return Refused(
                f"{definition.name}: {problem}. Correct the arguments and call it again.", MISFIT
            )
        if scope.confinements or definition.confinement is not None:
            outside = confined(call, definition, scope)
            if outside is not None:
                return Refused(outside.text, f"{CONFINED}:{outside.holder}")
        if (reading := _reading(call, definition, toolset)) is None:
            return None
        reads = toolset.find(READ_FILE)
        if reads is None:
            return _absent(reading, toolset)
        return self._refusal(reading, self._traits_of(reads), toolset, scope)

    def _policy(
        self, call: ToolCall, definition: ToolDefinition, toolset: Toolset, scope: ToolScope
    ) -> PolicyVerdict | None:
        verdicts = [
            verdict
            for rule in self.rules
            if (verdict := rule.judge(definition, call, scope)) is not None
        ]
        reading = _reading(call, definition, toolset)
        if reading is not None and (reads := toolset.find(READ_FILE)) is not None:
            of_reading = self._policy(reading, reads, toolset, scope)
            # A rule that lets a file be read does not let it be sent.
            if of_reading is not None and of_reading.strictness is not Strictness.ALLOW:
                verdicts.append(of_reading)
        return strictest_of(verdicts)

    def _traits_of(self, definition: ToolDefinition) -> ToolTraits:
        return self._traits.get(id(definition)) or self._learn(definition)

    def _learn(self, definition: ToolDefinition) -> ToolTraits:
        """Work out the traits of a definition, and keep them with it."""
        if len(self._traits) >= _KEPT:
            self._traits.pop(next(iter(self._traits)))
        traits = self._traits[id(definition)] = ToolTraits.of(definition)
        return traits


def _beyond_role(
    call: ToolCall, definition: ToolDefinition, toolset: Toolset, scope: ToolScope
) -> Refused | None:
    """The refusal of what a role lacks although it has the tool."""
    refused = refused_arguments(definition.acts_as, scope.person.role)
    if any(call.arguments.get(name) for name in refused):
        return Refused(NO_POST_ELSEWHERE, ELSEWHERE)
    begins = definition.acts_as != "delete_file" and automation_path(
        definition.acts_as, call.arguments
    )
    if begins and toolset.standing(SCHEDULING_TOOL) in _CLOSED:
        return _absent(replace(call, name=SCHEDULING_TOOL), toolset)
    return None


def _absent(call: ToolCall, toolset: Toolset, standing: ToolStanding | None = None) -> Refused:
    """The refusal of a tool that isn't there, or that this role lacks."""
    standing = standing or toolset.standing(call.name)
    if standing is ToolStanding.POLICY and (objection := toolset.closed_by(call.name)) is not None:
        return Refused(POLICY_REFUSAL, objection.rule)
    rule = f"{ABSENT}:{standing}"
    if call.name == "ask_user_for_clarification" and standing is ToolStanding.RUN:
        return Refused(_NOBODY_TO_ASK, rule)
    security = standing is ToolStanding.ROLE
    if call.name in toolset.unlocked:
        text = (
            f"{call.name} is no longer available here: it was removed or disconnected, or is not "
            "open to this person any more. Don't call it again; go on without it, or tell the "
            "person what is missing."
        )
        return Refused(text, rule, security)
    # A missing tool and a forbidden one get the same words, so that a refusal reveals nothing.
    text = f"there is no tool named {call.name[:80]!r} here. Find what there is with tool_search."
    return Refused(text, rule, security)


def call_risk(
    call: ToolCall,
    definition: ToolDefinition,
    scope: ToolScope,
    context: ContextProvenance,
    book: AddressBook,
) -> tuple[Risk | None, str]:
    """The risk of a call, and the reason if the risk is not the tool's own."""
    if risk := strictest_risk(definition, call.arguments):
        return risk, ""
    if read_risk(definition, call.arguments, scope.person, context, book):
        return Risk.EXTERNAL_WRITE, FREE_LINK
    if automation_path(definition.acts_as, call.arguments):
        return Risk.EXTERNAL_WRITE, AUTOMATION
    if not context.steered:
        return None, ""
    if definition.may_write:
        reason = unsure(definition, context)
        return (Risk.EXTERNAL_WRITE if reason else None), reason
    if writes_skill(definition.acts_as, call.arguments):
        return Risk.EXTERNAL_WRITE, REASONS[Lasting.INSTRUCTIONS]
    return None, ""


def _question(
    call: ToolCall,
    definition: ToolDefinition,
    scope: ToolScope,
    policy: PolicyVerdict | None,
    beside: "_Beside",
    *,
    alone: bool,
) -> Ask | Later | None:
    """`alone`: no policy rule waives the question, and no wider yes answers it."""
    context, book = beside.context, beside.book
    risk, reason = call_risk(call, definition, scope, context, book)
    if beside.aloud:
        risk, reason = risk or Risk.EXTERNAL_WRITE, ALOUD
    lasts = (definition.lasting or beside.makes) and context.steered
    if risk is None and policy is None and not lasts:
        return None
    backing = backing_of(definition, call.arguments, scope.person, context, book)
    asked = policy is not None and policy.strictness is Strictness.ASK
    lasting = beside.lasting(definition, call, backing) if lasts else ""
    if lasting and risk is None:
        risk, reason = Risk.EXTERNAL_WRITE, lasting
    spared = backing.sufficient and not (asked or lasting or beside.aloud)
    if risk is Risk.EXTERNAL_WRITE and spared:
        return None
    alone = alone or automation_path(definition.acts_as, call.arguments) is not None
    unspared = alone and not asked
    if risk is not None and policy is not None and (unspared or backing.needs_naming(policy)):
        policy = None
    needed = confirmation_for(risk, policy)
    if needed is None:
        return None
    stems = stems_of(backing.doubtful, context)
    if reason and not asked:
        reason = because(reason, definition, context)
    elif asked or stems:  # those name what was read, text by text
        reason = needed.reason
    else:
        reason = because(needed.reason, definition, context)
    # A grant that was given before such texts were read answers no question beside them.
    others = context.described - {server_of(definition)}
    untrusted = context.untrusted_besides(definition.name) or bool(others)
    if scope.run.shape.person_present:
        asking = NeedsApproval(
            call,
            needed.risk,
            reason,
            needed.approver_rank,
            stems=stems,
            untrusted=untrusted,
            each_time=alone,
        )
        return Ask(asking, needed.rule)
    later = Deferred(
        call,
        reason,
        needed.risk,
        needed.approver_rank,
        stems=stems,
        untrusted=untrusted,
        each_time=alone,
    )
    return Later(later, needed.rule)


def _reading(call: ToolCall, definition: ToolDefinition, toolset: Toolset) -> ToolCall | None:
    """The reading of the file that a call names; None if it names none by a path."""
    tool = toolset.native(definition.name)
    file = call.arguments.get(tool.reads) if tool is not None and tool.reads else None
    if not isinstance(file, str) or not file.strip().startswith("/"):
        return None
    return ToolCall(call.id, READ_FILE, {"path": file.strip()}, call.key)


def _no_problem(_call: ToolCall) -> str | None:
    return None


def _knows_nobody(target: Target, person: Person) -> bool:
    return False
