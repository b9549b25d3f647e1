"""Stock Slack clients on the loopback Slack, for tests of the platform itself."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import aiohttp
import aiohttp.web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, SlackPlatform


@asynccontextmanager
async def client_of(slack: SlackPlatform, token: str = BOT_TOKEN) -> AsyncGenerator[Any]:
    async with aiohttp.ClientSession() as session:
        yield AsyncWebClient(token=token, base_url=slack.api_base, session=session)


async def refusal(call: Any) -> Any:
    """Return the response to a call that Slack refuses."""
    try:
        await call
    except SlackApiError as error:
        return cast("Any", error).response
    raise AssertionError("Slack takes a call that it should refuse")


async def error_of(call: Any) -> str:
    return (await refusal(call))["error"]


@asynccontextmanager
async def listening(slack: SlackPlatform, mode: str) -> AsyncGenerator[list[dict[str, Any]]]:
    """Run a small bolt app, in Socket Mode or over signed HTTP, that collects what it receives."""
    seen: list[dict[str, Any]] = []
    async with client_of(slack) as client:
        app: Any = AsyncApp(client=client, signing_secret=SIGNING_SECRET, name="test")

        async def note(body: dict[str, Any], ack: Any, **_: Any) -> None:
            seen.append(body)
            await ack()

        for event in ("message", "app_mention", "agent_session_stopped", "app_home_opened"):
            app.event(event)(note)
        app.event({"type": "message", "subtype": "message_changed"})(note)
        app.event({"type": "message", "subtype": "message_deleted"})(note)
        app.event({"type": "message", "subtype": "file_share"})(note)
        app.command("/bellhop")(note)
        app.action("choose")(note)
        if mode == "socket":
            handler = AsyncSocketModeHandler(app, APP_TOKEN, ping_interval=0.2)
            await handler.connect_async()
            await slack.delivery.wait_connected()
            yield seen
            await handler.close_async()
            return
        runner = aiohttp.web.AppRunner(app.server(port=0, path="/slack/events").web_app)
        await runner.setup()
        await aiohttp.web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.delivery.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
        yield seen
        await runner.cleanup()


def button(label: str, action: str = "choose", value: str = "v") -> dict[str, Any]:
    return {
        "type": "button",
        "text": {"type": "plain_text", "text": label},
        "action_id": action,
        "value": value,
    }


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}
