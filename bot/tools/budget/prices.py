"""Costs of model calls: prices per million tokens, counted in billionths of a dollar.

Whole numbers keep sums exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.models import Usage

NANO = 1_000_000_000
"""Billionths in a dollar."""


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    above: int = 0
    """Requests with more input tokens than this cost `step` times as much; 0: none do."""
    step: float = 1.0

    def nano_usd(self, usage: Usage) -> int:
        """The cost of one call."""
        dear = self.step if self.above and usage.total_input > self.above else 1.0
        parts = (
            (usage.input_tokens, self.input),
            (usage.output_tokens, self.output),
            (usage.cache_read_tokens, self.cache_read),
            (usage.cache_write_tokens, self.cache_write),
        )
        return sum(round(tokens * price * dear * (NANO // 1_000_000)) for tokens, price in parts)


FREE = Price(0, 0, 0, 0)
KNOWN: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125, above=100_000, step=5),
    "claude-sonnet-5-5": Price(2, 10, 0.10, 2.50),
    "claude-opus-5-5": Price(4, 20, 0.20, 5),
    "claude-fable-5-1": Price(10, 50, 0.25, 12.50),
    "bellhop-offline": FREE,
}
"""Prices of Bellhop's default models as of October 2026; `budgets.prices` overrides them."""


def price_of(model: str, configured: Mapping[str, Price]) -> Price | None:
    """A model's price, also for a dated version (`claude-sonnet-5-5-20260928`); None if unknown."""
    for prices in (configured, KNOWN):
        if model in prices:
            return prices[model]
        dated = [
            name
            for name in prices
            if model.startswith(f"{name}-") and model[len(name) + 1 :].isdigit()
        ]
        if dated:
            return prices[max(dated, key=len)]
    return None
