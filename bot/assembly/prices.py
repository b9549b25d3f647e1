"""Budgets in dollars need every model's price; this checks it before they count."""

from collections.abc import Iterable, Sequence

from bot.errors import SettingsError
from bot.tools.budget.usage import Meter
from bot.tools.policy.file import Policy
from bot.tools.policy.places import PlaceRule


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
