"""What decides whether a call runs: rules, approvals, grants and limits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from bot.assembly.accounts import Accounts
from bot.assembly.automations import automation_problem
from bot.assembly.ground import Ground
from bot.assembly.models import names_of
from bot.assembly.place_rules import place_rules
from bot.assembly.plugged import Plugged
from bot.assembly.written import WrittenHome
from bot.errors import SettingsError
from bot.sessions.people.people import AddressBook
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import ToolGate
from bot.tools.permission.grants import GrantStore
from bot.tools.permission.plans_store import Plans
from bot.tools.policy.file import Policy
from bot.tools.policy.places import PlaceRule
from bot.tools.policy.redaction import Redaction
from bot.tools.policy.rights import Rights
from bot.tools.policy.view import written_policy_problem
from bot.tools.settings import ApprovalSettings


class Prices:
    """Refuses budgets in dollars that the models in use would pass unseen."""

    def __init__(self, meter: Meter, models: Sequence[str]) -> None:
        self._meter = meter
        self._models = tuple(models)

    def require(self) -> None:
        """For `budgets:` of bellhop.yaml. Raises SettingsError."""
        if names := self._meter.unpriced(self._models, self._meter.limits):
            raise SettingsError(f"budgets: {_problem(names)}")

    def require_in(self, places: Iterable[PlaceRule]) -> None:
        """For the budgets of places. Raises SettingsError that names file and line of each."""
        found = [
            f"{rule.source}: budget.day_usd: {_problem(names)}"
            for rule in places
            if (names := self._meter.unpriced(self._models, rule.limits()))
        ]
        if found:
            raise SettingsError("\n".join(found))

    def check(self, policy: Policy) -> None:
        """Raises SettingsError for a policy whose budgets can't be held."""
        self.require_in(policy.places)


def _problem(models: Sequence[str]) -> str:
    return (
        f"the price of {', '.join(models)} is not known, so budgets in dollars can't be held; add "
        f"budgets.prices.{models[0]}: {{input: …, output: …}} (dollars per million tokens), or "
        "limit calls instead"
    )


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


def build_permission(
    ground: Ground, written: WrittenHome, accounts: Accounts, plugged: Sequence[Plugged]
) -> Permission:
    """The policy of `written` is in force in all of it, from each time that it is read."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    policy, contacts = written.policy, written.contacts
    gate, redaction, rights = ToolGate(), Redaction(), Rights(place_rules(settings))
    gate.policy_problem = partial(written_policy_problem, policy)
    gate.automation_problem = automation_problem(ground, accounts, plugged)
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
    )
