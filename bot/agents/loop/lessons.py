"""Lessons of a finished run about finding tools: which found tools served which request.

See docs/rules.md#finding-tools.
"""

from bot.agents.loop.outcomes import Answered, LoopOutcome
from bot.agents.loop.run import Run
from bot.domain.json_types import JsonObject
from bot.domain.privacy import PUBLICLY, Learned
from bot.llm.blocks import as_object
from bot.llm.unlocking import dispatched
from bot.tools.catalog.past_requests import normalised
from bot.tools.catalog.past_requests_store import Lesson

SEARCH = "tool_search"


def taught(run: Run, before: int, outcome: LoopOutcome, words: str) -> Lesson:
    """The lesson of the messages from `before` on; empty unless the request was answered.

    `words` are the person's. The model's search terms count as a request too, because it will
    search in the same way again.
    """
    if not isinstance(outcome, Answered) or outcome.status != "resolved":
        return Lesson(run.person.id)
    blocks = [stored.block for message in run.history[before:] for stored in message.blocks]
    failed = {block.get("tool_use_id") for block in blocks if block.get("is_error")}
    calls = [
        _call(block)
        for block in blocks
        if block.get("type") == "tool_use" and block.get("id") not in failed
    ]
    tools = [tool.name for name, _ in calls if (tool := run.toolset.find(name)) is not None]
    found = tuple(dict.fromkeys(name for name in tools if run.toolset.was_unlocked(name)))
    if not found:
        return Lesson(run.person.id)
    asked = [
        words,
        *(str(arguments.get("query") or "") for name, arguments in calls if name == SEARCH),
    ]
    requests = tuple(dict.fromkeys(request for text in asked if (request := normalised(text))))
    return Lesson(run.person.id, found, requests, _where(run))


def _where(run: Run) -> Learned:
    """Public places are one: a request in one of them counts in all."""
    learned = Learned.at(run.scope.location)
    return learned if learned.private else PUBLICLY


def _call(block: JsonObject) -> tuple[str, JsonObject]:
    return dispatched(str(block.get("name")), as_object(block.get("input")))
