"""`budgets:` in bellhop.yaml, and costs of model calls: prices per million tokens.

Costs are counted in billionths of a dollar: whole numbers keep sums exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field, ValidationInfo, field_validator

from bot.domain.models import OFFLINE_NAME, Usage
from bot.settings import Section

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


_FREE = Price(0, 0, 0, 0)
KNOWN: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125, above=100_000, step=5),
    "claude-sonnet-5-5": Price(2, 10, 0.10, 2.50),
    "claude-opus-5-5": Price(4, 20, 0.20, 5),
    "claude-fable-5-1": Price(10, 50, 0.25, 12.50),
    OFFLINE_NAME: _FREE,
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


class PriceSettings(Section):
    """What a model costs, in US dollars per million tokens."""

    input: float = Field(ge=0)
    """Dollars per million tokens that the model reads."""
    output: float = Field(ge=0)
    """Dollars per million tokens that it writes."""
    cache_read: float | None = Field(default=None, ge=0)
    """Default: a tenth of `input`."""
    cache_write: float | None = Field(default=None, ge=0)
    """Default: `input` and a quarter."""

    def price(self) -> Price:
        read = self.input / 10 if self.cache_read is None else self.cache_read
        write = self.input * 1.25 if self.cache_write is None else self.cache_write
        return Price(self.input, self.output, read, write)


class LimitSettings(Section):
    """How much something may use."""

    usd: float | None = Field(default=None, gt=0)
    """Dollars."""
    model_calls: int | None = Field(default=None, ge=1)
    """Calls of models."""
    tool_calls: int | None = Field(default=None, ge=1)
    """Calls of tools."""


class GivenLimitSettings(Section):
    """How much something may use that has a limit of model calls where nobody sets one."""

    usd: float | None = Field(default=None, gt=0)
    """Dollars."""
    model_calls: int | None = Field(default=None, ge=0)
    """Calls of models; 0: no limit."""


class BudgetSettings(Section):
    """Hard limits, each a table such as `{usd: 2}`; without a number there is none.

    Days are those of the setting `timezone`. See docs/people.md#budgets.
    """

    per_turn: LimitSettings = LimitSettings()
    """The most that one request of a person may use, delegated agents included."""
    per_person_day: LimitSettings = LimitSettings()
    """For a person and day."""
    per_channel_day: LimitSettings = LimitSettings()
    """For a channel, its threads included, and day."""
    total_day: LimitSettings = LimitSettings()
    """For everybody and day."""
    per_guest_day: GivenLimitSettings = GivenLimitSettings(model_calls=100)
    """For a person with the role Guest and day. A request takes two to four model calls; 0 of them
    here, and in the next two, is no limit.
    """
    strangers_day: GivenLimitSettings = GivenLimitSettings(model_calls=500)
    """For all guests together that contacts.yaml does not name, and day."""
    per_schedule_month: GivenLimitSettings = GivenLimitSettings(model_calls=1_000)
    """For the runs of one schedule in a calendar month, which its owner's limits bound as well."""
    prices: dict[str, PriceSettings] = Field(default_factory=dict)
    """By the name of the model as its provider knows it: dollars per million tokens that it reads
    (`input`) and writes (`output`). Unless given, `cache_read` is a tenth of `input`, and
    `cache_write` is `input` and a quarter. Those of Anthropic's 5.5 models are known.
    """

    @field_validator("per_guest_day", "strangers_day", "per_schedule_month")
    @classmethod
    def _calls_too(cls, given: GivenLimitSettings, info: ValidationInfo) -> GivenLimitSettings:
        """A limit in dollars does not lift the one of calls that is always there."""
        usual = cls.model_fields[info.field_name or ""].default
        if given.model_calls is None:
            return given.model_copy(update={"model_calls": usual.model_calls})
        return given
