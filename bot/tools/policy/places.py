"""One rule about places: an entry of `places:` in policy.yaml, or of a platform's `channels:`."""

from dataclasses import dataclass, field

from bot.domain.places import Location, PlaceName
from bot.domain.tools import ToolDefinition
from bot.llm.unlocking import CALL_TOOL
from bot.place_settings import Guests, PlaceTerms
from bot.tools.budget.budgets import Limit, Measure, Span
from bot.tools.budget.settings import NANO
from bot.tools.text.patterns import TextPattern

ANSWERING = frozenset({
    *("finish_task", "send", "ask_user_for_clarification", "tool_search", "get_capabilities"),
    *("request_more_turns", CALL_TOOL),
})  # fmt: skip
"""Tools that every answer needs, so a list of allowed tools can omit them."""


@dataclass(frozen=True)
class PlaceRule:
    """Terms that hold in some places.

    The limits of several rules all apply; none opens what another closes.
    """

    name: str
    where: tuple[PlaceName, ...]
    terms: PlaceTerms
    source: str = ""
    """File and line."""
    platform: str = ""
    """The place where it applies; empty: everywhere."""
    allow: tuple[TextPattern, ...] | None = field(init=False, repr=False, compare=False)
    deny: tuple[TextPattern, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tools = self.terms.tools
        allow = None if tools.allow is None else tuple(map(TextPattern, tools.allow))
        object.__setattr__(self, "allow", allow)
        object.__setattr__(self, "deny", tuple(map(TextPattern, tools.deny)))

    def covers(self, location: Location) -> bool:
        """Whether it applies to the location."""
        if self.platform and location.platform != self.platform:
            return False
        return any(name.covers(location) for name in self.where)

    @property
    def specificity(self) -> int:
        return max(name.specificity for name in self.where)

    def closes(self, definition: ToolDefinition) -> bool:
        """Whether the tool is denied, or not among those that are allowed.

        Only a denial also matches an alias, or the native tool that the file runs.
        """
        if any(pattern.fits(name) for pattern in self.deny for name in definition.closed_as):
            return True
        if self.allow is None or definition.acts_as in ANSWERING:
            return False
        return not any(pattern.fits(definition.name) for pattern in self.allow)

    def closes_to_guests(self, definition: ToolDefinition) -> bool:
        """Whether a Guest lacks the tool because guests are restricted (or not answered at all)."""
        return (
            self.terms.guests in {Guests.RESTRICT, Guests.IGNORE}
            and definition.acts_as not in ANSWERING
        )

    def limits(self) -> tuple[Limit, ...]:
        """Its budgets, for each channel that it covers."""
        budget = self.terms.budget
        given = (
            (Measure.USD, None if budget.day_usd is None else round(budget.day_usd * NANO)),
            (Measure.MODEL_CALLS, budget.day_model_calls),
            (Measure.TOOL_CALLS, budget.day_tool_calls),
        )
        return tuple(
            Limit(Span.CHANNEL, measure, quantum)
            for measure, quantum in given
            if quantum is not None
        )
