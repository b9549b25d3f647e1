"""What decides whether a call runs: rules, approvals, grants, limits and the sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.assembly.accounts import Accounts
from bot.assembly.automations import automation_problem
from bot.assembly.ground import Ground
from bot.assembly.models import names_of
from bot.assembly.place_rules import place_rules
from bot.assembly.plugged import Plugged, kept_elsewhere, sources_of
from bot.assembly.prices import Prices
from bot.assembly.written import WrittenHome
from bot.sessions.people.people import AddressBook
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import ToolGate
from bot.tools.permission.grants import GrantStore
from bot.tools.permission.plans import Plans
from bot.tools.policy.file import Policy
from bot.tools.policy.redaction import Redaction
from bot.tools.policy.rights import Rights
from bot.tools.policy.view import written_policy_problem
from bot.tools.running.sandbox import Sandbox
from bot.tools.settings import ApprovalSettings, ToolSettings


@dataclass(frozen=True)
class Permission:
    """Says whether a call may run, within which limits, and what of its result is shown."""

    gate: ToolGate
    rights: Rights
    approvals: ApprovalStore
    grants: GrantStore
    plans: Plans
    prices: Prices
    redaction: Redaction
    sandbox: Sandbox


def build_permission(
    ground: Ground, written: WrittenHome, accounts: Accounts, plugged: Sequence[Plugged]
) -> Permission:
    """The policy of `written` is in force in all of it, from each time that it is read."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    policy, contacts = written.policy, written.contacts
    gate, redaction, rights = ToolGate(), Redaction(), Rights(place_rules(settings))
    gate.policy_problem = partial(written_policy_problem, policy)
    connections = accounts.connections
    keeping = kept_elsewhere(plugged, connections.usable).services
    gate.automation_problem = automation_problem(ground, connections, sources_of(plugged), keeping)
    gate.address_book = AddressBook(lambda: contacts.vouching)

    def in_force(rules: Policy) -> None:
        gate.rules, redaction.outputs = rules.rules, rules.outputs
        rights.take(rules)

    policy.on_change.append(in_force)
    policy.on_doubt.append(in_force)
    prices = Prices(ground.meter, names_of(ground.model))
    policy.checks.append(prices.check)
    return Permission(
        gate,
        rights,
        ApprovalStore(database, clock, settings.get(ApprovalSettings).expire_minutes),
        GrantStore(database, clock),
        Plans(database, clock),
        prices,
        redaction,
        Sandbox(settings.get(ToolSettings).shell, settings.home),
    )
