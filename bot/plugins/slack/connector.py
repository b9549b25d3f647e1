"""The connector "slack", with slack_search and slack_post by the person's own account.

https://docs.slack.dev/reference/methods/search.messages and …/chat.postMessage
"""

import json
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from bot.plugin.services import (
    ServiceClient,
    ServiceConnector,
    ServiceRequest,
    as_object,
    as_objects,
    reading_tool,
)
from bot.plugin.tools import (
    MARK,
    Done,
    JsonObject,
    NativeTool,
    Noun,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolResult,
    Translations,
    Usable,
    coded,
    titled,
)
from bot.plugins.slack import call_words
from bot.plugins.slack.canvas_tools import CanvasTools
from bot.plugins.slack.list_tools import ListTools

MOST = 20
TEXT_CHARS = 4_000
"""More than Slack recommends for one message; Slack cuts at ten times as much."""
_SHOWN_CHARS = 600

_WRITING = Phrase("Writing a message")

Channel = Annotated[str, Field(min_length=1, max_length=100, json_schema_extra={MARK: "channel"})]


class SlackSearchArguments(ToolArguments):
    """The words to look for."""

    query: str = Field(
        min_length=1,
        max_length=300,
        description="As in Slack: in:#design from:@ann after:2026-11-01",
    )
    limit: int = Field(default=10, ge=1, le=MOST)


class SlackPostArguments(ToolArguments):
    """One message in one channel."""

    channel: Channel = Field(description="Its name or id.")
    text: str = Field(min_length=1, max_length=TEXT_CHARS)


def search_tool(slack: ServiceClient) -> NativeTool[Any]:
    async def search(context: ToolContext, arguments: SlackSearchArguments) -> ToolResult:
        query = {
            "query": arguments.query,
            "count": arguments.limit,
            "sort": "timestamp",
            "sort_dir": "desc",
        }
        found = as_object((await slack.get(context.person, "/search.messages", query))["messages"])
        shown = [_shown(one) for one in as_objects(found.get("matches"))]
        told: JsonObject = {"messages": shown, "total": found.get("total")}
        if not shown:
            told["hint"] = "nothing that this person sees in Slack fits; fewer words find more"
        text = json.dumps(told, ensure_ascii=False)
        return ToolResult(
            text, origin=slack.service.origin, summary=f"{len(shown)} messages found in Slack"
        )

    return reading_tool(slack, "slack_search", SlackSearchArguments, search)


def post_tool(slack: ServiceClient) -> NativeTool[Any]:
    async def run(context: ToolContext, arguments: SlackPostArguments) -> ToolResult:
        body: JsonObject = {
            "channel": arguments.channel,
            "text": escaped(arguments.text),
            # With previews on, Slack would fetch any address that the text names.
            "unfurl_links": False,
            "unfurl_media": False,
        }
        sent = await slack.call(
            context.person, ServiceRequest("POST", "/chat.postMessage", body=body)
        )
        told = {"channel": sent["channel"], "ts": sent["ts"]}
        return ToolResult(
            json.dumps(told),
            origin=slack.service.origin,
            summary=f"posted in {arguments.channel[:60]}",
        )

    async def tells(_: ToolContext, arguments: SlackPostArguments) -> Translations:
        text = titled(arguments.text, 300)
        return call_words.POST.filled(channel=coded(arguments.channel), text=text)

    return NativeTool(
        "slack_post",
        SlackPostArguments,
        run,
        acts=True,
        tells=tells,
        doing=_WRITING,
        deed=ToolDeed(Noun.MESSAGE, "channel", Done.SENT),
    )


def escaped(text: str) -> str:
    """Text that Slack shows literally: it notifies no person and no channel."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shown(one: JsonObject) -> JsonObject:
    channel = as_object(one.get("channel"))
    text = str(one.get("text") or "")
    return {
        "channel": channel.get("name"),
        "channel_id": channel.get("id"),
        "by": one.get("username"),
        "at": _moment(one.get("ts")),
        "text": text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]} […]",
        "url": one.get("permalink"),
    }


def _moment(ts: object) -> str:
    """A Slack time: seconds, then digits that distinguish messages of one second."""
    seconds = str(ts).split(".")[0]
    sound = seconds.isascii() and seconds.isdigit() and len(seconds) < 11
    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}" if sound else ""


class SlackAccountConnector(ServiceConnector):
    """A person's own Slack account: what they can read there, and writing in their name."""

    id = "slack"
    service = "slack"

    def __init__(self, usable: Usable, slack: ServiceClient) -> None:
        canvases, lists = CanvasTools(slack), ListTools(slack)
        super().__init__(
            usable,
            search_tool(slack),
            post_tool(slack),
            canvases.read_tool(),
            canvases.write_tool(),
            lists.read_tool(),
            lists.write_tool(),
        )
