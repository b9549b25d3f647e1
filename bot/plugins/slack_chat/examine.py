"""Is Slack set up right? The questions of `bellhop doctor --live`, with remedies."""

from collections.abc import Mapping

from bot.plugin.chat import Check
from bot.plugin.clock import Clock
from bot.plugin.payloads import objects_in, text_in
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.manifest import LINKS, scopes
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.plugins.slack_chat.trouble import SlackTrouble

_REINSTALL = (
    "paste the manifest of `bellhop slack-manifest` at api.slack.com/apps and reinstall the app"
)

CANARY = "Checking that I can write and read here. I delete this at once."


async def examine(settings: SlackSettings, tokens: SlackTokens, clock: Clock) -> list[Check]:
    """Ask Slack about the tokens and their rights; never raises for problems that it finds.

    Slack does not tell bot tokens the app's event subscriptions; the manifest is the remedy there
    too.
    """
    problems = tokens.problems(settings)
    if problems:
        return [Check("slack tokens", "error", problem) for problem in problems]
    connection = SlackConnection(tokens, settings, clock)
    try:
        found = [await _who(connection)]
        if found[0].state == "ok":
            found.append(await _scopes(connection, scopes(settings)))
        found.append(await _way_in(connection, settings, tokens))
        return found
    finally:
        await connection.close()


async def _who(connection: SlackConnection) -> Check:
    try:
        who = await connection.call("auth.test")
    except SlackTrouble as trouble:
        return Check("slack", "error", f"{trouble}; check SLACK_BOT_TOKEN")
    return Check("slack", "ok", f"@{who['user']} in {who['team']} ({who['team_id']})")


async def _scopes(connection: SlackConnection, needed: Mapping[str, str]) -> Check:
    try:
        granted = await connection.granted_scopes()
    except SlackTrouble as trouble:
        return Check("slack scopes", "error", str(trouble))
    if not granted:
        return Check("slack scopes", "warning", "Slack did not name the scopes of SLACK_BOT_TOKEN")
    if missing := sorted(set(needed) - granted):
        told = ", ".join(f"{scope} (to {needed[scope]})" for scope in missing)
        return Check("slack scopes", "error", f"missing: {told}; {_REINSTALL}")
    unused = sorted(granted - set(needed) - set(LINKS))
    more = f"; not needed: {', '.join(unused)}" if unused else ""
    return Check("slack scopes", "warning" if unused else "ok", f"{len(needed)} granted{more}")


async def _way_in(
    connection: SlackConnection, settings: SlackSettings, tokens: SlackTokens
) -> Check:
    if settings.mode == "http":
        return Check(
            "slack events", "ok", "signed requests on the HTTP server's port, /slack/events"
        )
    try:
        await connection.call("apps.connections.open", app_token=tokens.app)
    except SlackTrouble as trouble:
        return Check(
            "slack events", "error", f"{trouble}; check SLACK_APP_TOKEN and that Socket Mode is on"
        )
    return Check("slack events", "ok", "Socket Mode")


async def try_canary(
    settings: SlackSettings, tokens: SlackTokens, clock: Clock, channel: str
) -> Check:
    """Post in a channel, find it in the history, and delete it; returns every finding.

    It does not listen to a socket: Slack would then split people's events between this and a
    running Bellhop.
    """
    connection, reached = SlackConnection(tokens, settings, clock), "could not post"
    try:
        ts = text_in(await connection.call("chat.postMessage", channel=channel, text=CANARY), "ts")
        reached = f"posted {ts}, but could not delete it"
        try:
            page = await connection.call(
                "conversations.history", channel=channel, oldest=ts, inclusive=True, limit=5
            )
        finally:
            await connection.call("chat.delete", channel=channel, ts=ts)
    except SlackTrouble as trouble:
        return Check("slack canary", "error", f"{reached}: {trouble}")
    finally:
        await connection.close()
    if all(text_in(message, "ts") != ts for message in objects_in(page, "messages")):
        return Check(
            "slack canary",
            "error",
            f"posted in {channel} and deleted, but its history did not show it",
        )
    return Check("slack canary", "ok", f"posted in {channel}, read in its history, and deleted")
