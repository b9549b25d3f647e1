"""Results of the browser's tools: text of strangers, and what a step changed on the page."""

import re

from bot.plugin.tables import Unit
from bot.plugin.tools import Origin, ToolContext, ToolResult, Trust
from bot.plugins.browser.snapshot import PageSnapshot

BY_ID = "name an element by its id from browser_observe, like “click e12”"
"""What works without a language model."""
NEWS_CHARS = 1_200
"""Characters of what a step changed in its result."""
_ID = re.compile(r"\{(?:(?:f\d+)?e\d+|x\d+_\d+)\b")


def external(context: ToolContext, content: str, summary: str, unit: Unit = Unit()) -> ToolResult:
    """A result that a page wrote."""
    origin = Origin(Trust.EXTERNAL, f"tool:{context.call.name}")
    return ToolResult(content, origin=origin, summary=summary, unit=unit)


def news(before: PageSnapshot | None, after: PageSnapshot) -> str:
    """The lines of a page that were not there before, ids aside."""
    known = _lines(before) if before else set[str]()
    new = [line for line in after.text().splitlines() if _ID.sub("", line) not in known]
    told = "\n".join(new)
    return told if len(told) <= NEWS_CHARS else f"{told[:NEWS_CHARS]} …"


def changed(before: PageSnapshot, after: PageSnapshot, most: int) -> str:
    """What a move changed, in at most so many characters."""
    if told := news(before, after)[:most]:
        return f"new on the page: {told}"
    return "a part of the page went away" if _lines(before) - _lines(after) else "no change shows"


def _lines(page: PageSnapshot) -> set[str]:
    return {_ID.sub("", line) for line in page.text().splitlines()}
