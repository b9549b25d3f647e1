"""`budgets:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section
from bot.tools.budget.prices import Price


class PriceSettings(Section):
    """What a model costs, in US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float | None = Field(default=None, ge=0)
    """Default: a tenth of `input`."""
    cache_write: float | None = Field(default=None, ge=0)
    """Default: `input` and a quarter."""

    def price(self) -> Price:
        read = self.input / 10 if self.cache_read is None else self.cache_read
        write = self.input * 1.25 if self.cache_write is None else self.cache_write
        return Price(self.input, self.output, read, write)


class BudgetSettings(Section):
    """Hard limits; without a number there is none. Days are those of the setting `timezone`."""

    per_turn_usd: float | None = Field(default=None, gt=0)
    """For one request of a person, delegated agents included."""
    per_person_day_usd: float | None = Field(default=None, gt=0)
    per_channel_day_usd: float | None = Field(default=None, gt=0)
    """For all people in one channel, its threads included."""
    total_day_usd: float | None = Field(default=None, gt=0)
    per_turn_model_calls: int | None = Field(default=None, ge=1)
    per_person_day_model_calls: int | None = Field(default=None, ge=1)
    per_channel_day_model_calls: int | None = Field(default=None, ge=1)
    total_day_model_calls: int | None = Field(default=None, ge=1)
    per_turn_tool_calls: int | None = Field(default=None, ge=1)
    per_person_day_tool_calls: int | None = Field(default=None, ge=1)
    per_channel_day_tool_calls: int | None = Field(default=None, ge=1)
    total_day_tool_calls: int | None = Field(default=None, ge=1)
    per_guest_day_model_calls: int = Field(default=100, ge=0)
    """For a person with the role Guest, whose request takes two to four calls; 0: no limit."""
    per_guest_day_usd: float | None = Field(default=None, gt=0)
    strangers_day_model_calls: int = Field(default=500, ge=0)
    """For all guests together that contacts.yaml does not name; 0: no limit."""
    strangers_day_usd: float | None = Field(default=None, gt=0)
    per_schedule_month_model_calls: int = Field(default=1_000, ge=0)
    """For the runs of one schedule in a calendar month; 0: no limit except its owner's."""
    per_schedule_month_usd: float | None = Field(default=None, gt=0)
    prices: dict[str, PriceSettings] = Field(default_factory=dict)
    """By the name of the model as its provider knows it."""
