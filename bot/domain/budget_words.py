"""Budgets and their amounts as people read them."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

MODEL_CALLS = CountedPhrase(Phrase("{count} model call"), Phrase("{count} model calls"))
TOOL_CALLS = CountedPhrase(Phrase("{count} tool call"), Phrase("{count} tool calls"))
WHOSE: Mapping[str, Phrase] = {
    "per_turn": Phrase("the budget of {text} for one request"),
    "per_person_day": Phrase("today's budget of {text} for you"),
    "per_channel_day": Phrase("today's budget of {text} for this channel"),
    "per_guest_day": Phrase("today's budget of {text} for you as a guest"),
    "strangers_day": Phrase("today's budget of {text} for all guests I don't know"),
    "total_day": Phrase("today's budget of {text} for everybody"),
    "per_schedule_month": Phrase("this month's budget of {text} for this schedule"),
}
"""Which budget it is, by its span; `text` is its amount."""

BUDGET_OF: Mapping[str, Phrase] = {
    "per_turn": Phrase("the budget of {of} for one request"),
    "per_person_day": Phrase("the budget of {of} for {day}"),
    "per_channel_day": Phrase("the budget of the channel {of} for {day}"),
    "per_guest_day": Phrase("the budget of the guest {of} for {day}"),
    "strangers_day": Phrase("the budget of all guests I don't know for {day}"),
    "total_day": Phrase("everybody's budget for {day}"),
    "per_schedule_month": Phrase("the budget of the schedule {of} for {day}"),
}
"""Which budget a MasterAdmin is asked to raise, by its span."""

BUDGETS = (
    *WHOSE.values(),
    *(phrase for one in (MODEL_CALLS, TOOL_CALLS) for phrase in (one.one, one.many)),
)
"""All of these, to tell English sentences with budgets in them anew."""
