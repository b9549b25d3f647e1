"""The connector "search": finds what was said and kept, and tells what somebody missed."""

import asyncio
import json
import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date, time, timedelta
from itertools import chain, zip_longest
from typing import Literal

from pydantic import Field

from bot.connectors.due_dates import local, zone
from bot.connectors.native import NativeConnector, ToolArguments
from bot.connectors.records import elsewhere
from bot.dates.past import Period, read_past
from bot.dates.reading import Unclear, on_clocks
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import left_out
from bot.domain.search import (
    EntityType,
    HeardSince,
    Hit,
    KnowsWhatHappened,
    SearchHits,
    SearchQuery,
    SearchSource,
)
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError

QUERY_CHARS = 500
MOST = 30
_WHEN_SAID = ("when", "link")
_TRY = (
    "all that this person may read here was looked at; fewer words, another language or no `from`, "
    "`in` and times may find more"
)
_MONTH = re.compile(r"([1-9]\d{3})-(0[1-9]|1[0-2])")


class SearchArguments(ToolArguments):
    """Arguments of `search`; `from` and `in` are reserved words in Python."""

    query: str = Field(max_length=QUERY_CHARS, description="Words that it holds.")
    entityType: Literal["chat", "document", "person", "meeting", "todo"] | None = None  # noqa: N815 - the published name
    limit: int = Field(default=10, ge=1, le=MOST)
    said_by: str | None = Field(
        default=None, alias="from", description="Who said it: a name, or 'me'."
    )
    place: str | None = Field(
        default=None, alias="in", description="Where: #channel, 'here', 'dm', or a file's path."
    )
    after: str | None = Field(
        default=None, description="As they said it ('last week'), or 2026-03."
    )
    before: str | None = Field(default=None, description="Up to the end of it, likewise.")


class CatchMeUpArguments(ToolArguments):
    """Arguments of `catch_me_up`; `in` is a reserved word in Python."""

    place: str | None = Field(default=None, alias="in", description="Another #channel than here.")
    since: str | None = Field(
        default=None, description="Only if they name a time: as they said it ('since Monday')."
    )


class SearchConnector(NativeConnector):
    """Asks every search source. It knows none of them; `build_app` passes them in."""

    id = "search"

    def __init__(
        self, sources: Sequence[SearchSource], happened: KnowsWhatHappened | None = None
    ) -> None:
        super().__init__(search_tool(sources), catch_me_up_tool(happened))


def catch_me_up_tool(happened: KnowsWhatHappened | None) -> NativeTool[CatchMeUpArguments]:
    """The tool. Where no chat is listened to, nothing happened."""

    async def run(context: ToolContext, arguments: CatchMeUpArguments) -> ToolResult:
        if happened is None:
            raise ToolError("no chat is listened to here, so nothing is known of what was said")
        since = await _period(arguments.since, "since", context)
        told = await happened.since_last_here(
            context, arguments.place or "", since.start if since else None
        )
        return _happened(told, context)

    return NativeTool("catch_me_up", CatchMeUpArguments, run)


def search_tool(sources: Sequence[SearchSource]) -> NativeTool[SearchArguments]:
    """The tool. A type without a source has no hits."""

    async def run(context: ToolContext, arguments: SearchArguments) -> ToolResult:
        wanted = await _wanted(arguments, context)
        asked = [
            source
            for source in sources
            if arguments.entityType in {None, source.finds.value}
            and (not wanted.document or source.finds is EntityType.DOCUMENT)
            and _is_open(context, source)
        ]
        found = [await source.find(context, wanted) for source in asked]
        return _result(found, wanted, context, sorted({source.finds.value for source in asked}))

    return NativeTool("search", SearchArguments, run)


def _is_open(context: ToolContext, source: SearchSource) -> bool:
    return not source.found_with or bool(context.tools.describe((source.found_with,)))


async def _wanted(arguments: SearchArguments, context: ToolContext) -> SearchQuery:
    after = await _period(arguments.after, "after", context)
    before = await _period(arguments.before, "before", context)
    wanted = SearchQuery(
        arguments.query,
        arguments.limit,
        arguments.said_by or "",
        arguments.place or "",
        after and after.start,
        before and before.end,
    )
    if not (wanted.query or wanted.is_about_chat or after or before):
        raise ToolError("give words to look for, or say from whom, in which channel or since when")
    return wanted


async def _period(text: str | None, field: str, context: ToolContext) -> Period | None:
    """A month (`2026-03`), or a time in words, on the person's clocks. Raises ToolError."""
    if not text:
        return None
    place = zone(context.timezone)
    match = _MONTH.fullmatch(text)
    if match is not None and int(match[1]) < date.max.year:
        first = date(int(match[1]), int(match[2]), 1)
        days = monthrange(first.year, first.month)[1]
        return Period(
            *(on_clocks(day, time(), place).at for day in (first, first + timedelta(days=days)))
        )
    period = await asyncio.to_thread(read_past, text, context.now, place)
    if isinstance(period, Unclear):
        raise ToolError(f"{field}: {period.told(text)}")
    return period


def _result(
    found: Sequence[SearchHits], wanted: SearchQuery, context: ToolContext, looked: Sequence[str]
) -> ToolResult:
    """Hits from all sources in turn, so that no source hides another."""
    turns = chain.from_iterable(zip_longest(*(one.hits for one in found)))
    hits = [hit for hit in turns if hit is not None][: wanted.limit]
    answer: JsonObject = {"hits": _once(hits, context)}
    if not hits:
        answer["looked_through"] = looked
        answer["hint"] = _TRY + elsewhere(context, remember="what they told you")
    if hidden := sum(one.left_out for one in found):
        answer["leftOut"] = left_out(hidden)
    if notes := [note for one in found for note in one.notes]:
        answer["notes"] = notes
    trust = max((hit.origin.trust for hit in hits), default=Trust.OPERATOR)
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=Origin(trust, "tool:search"),
        private=any(hit.private for hit in hits),
        summary=f"found {len(hits)}",
    )


def _happened(told: HeardSince, context: ToolContext) -> ToolResult:
    answer: JsonObject = {
        "since": "the beginning"
        if told.since is None
        else local(told.since, context.timezone).isoformat(timespec="minutes"),
        "messages": [_said(hit, context) for hit in told.hits],
    }
    if not told.hits:
        answer["hint"] = "nobody else said anything since then that may be shown here"
    if told.more:
        answer["more"] = "earlier ones are left out; search with `in`, after and before lists them"
    if told.left_out:
        answer["leftOut"] = left_out(told.left_out)
    trust = max((hit.origin.trust for hit in told.hits), default=Trust.OPERATOR)
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=Origin(trust, "tool:catch_me_up"),
        private=any(hit.private for hit in told.hits),
        summary=f"{len(told.hits)} messages",
    )


def _said(hit: Hit, context: ToolContext) -> JsonObject:
    return {name: value for name, value in _shown(hit, context).items() if name != "type"}


def _once(hits: Iterable[Hit], context: ToolContext) -> list[JsonObject]:
    """Hits that differ only in when they were said become one, which lists the others in `again`.

    Without this, a report that is posted every day would fill the answer with copies of its text.
    People of one name stay apart: the origin tells who said it.
    """
    found: dict[tuple[Origin, bool, str], JsonObject] = {}
    for hit in hits:
        shown = _shown(hit, context)
        said = {field: shown[field] for field in _WHEN_SAID if field in shown}
        words = json.dumps({field: shown[field] for field in shown if field not in said})
        same = (hit.origin, hit.private, words)
        if same in found:
            found[same].setdefault("again", []).append(said)
        else:
            found[same] = shown
    return list(found.values())


def _shown(hit: Hit, context: ToolContext) -> JsonObject:
    shown: JsonObject = {
        "type": hit.type.value,
        "ref": hit.ref,
        "title": hit.title,
        "when": local(hit.at, context.timezone).isoformat(timespec="minutes"),
        **hit.more,
        "text": hit.snippet,
    }
    return {key: value for key, value in shown.items() if value}
