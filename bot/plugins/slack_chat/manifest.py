"""The app manifest: exactly the scopes and events that the adapter uses."""

from collections.abc import Mapping, Sequence

from bot.plugin.payloads import JsonObject
from bot.plugins.slack_chat.settings import SlackSettings
from bot.plugins.slack_chat.surfaces.home import PROMPTS
from bot.plugins.slack_chat.surfaces.shortcuts import SHORTCUTS
from bot.plugins.slack_chat.surfaces.steps import DESCRIPTION

COMMAND = "/bellhop"

SCOPES: Mapping[str, str] = {
    "app_mentions:read": "hear mentions",
    "assistant:write": "show status, stop button and suggested requests",
    "channels:history": "hear public channels that it is in",
    "channels:read": "know who reads a public channel",
    "chat:write": "answer",
    "commands": "take /bellhop and shortcuts",
    "files:read": "read files that people post",
    "files:write": "hand over files",
    "groups:history": "hear private channels that it is in",
    "groups:read": "know who reads a private channel",
    "im:history": "hear direct messages",
    "im:read": "find direct messages that came while it was away",
    "im:write": "write to somebody directly",
    "mpim:history": "hear group messages that it is in",
    "mpim:read": "know who reads a group message",
    "reactions:read": "hear reactions that start automations",
    "usergroups:read": "give roles by user group (access.roles.slack)",
    "users:read": "know people's names, time zones and organisations",
}
"""Each scope of the bot, and what it is for."""
EVENTS = (
    "agent_session_stopped",
    "app_home_opened",
    "app_mention",
    "function_executed",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "reaction_added",
    "user_change",
)
SEARCH = {"search:read.public": "search what was said before it came (slack.search)"}
"""Only with `slack.search`."""
LINKS = {
    "links:read": "hear of links to booking pages (docs/booking.md)",
    "links:write": "say below such a link whose page it is (docs/booking.md)",
}
"""Only with booking pages."""
LINK_EVENT = "link_shared"


def scopes(settings: SlackSettings) -> Mapping[str, str]:
    """The scopes that the app needs with these settings, each with what it is for."""
    return {**SCOPES, **(SEARCH if settings.search else {})}


def manifest(settings: SlackSettings, url: str = "https://example.com") -> JsonObject:
    """The manifest to paste at api.slack.com/apps. `url` is the public address of mode http."""
    socket = settings.mode == "socket"
    endpoint: JsonObject = {} if socket else {"request_url": f"{url.rstrip('/')}/slack/events"}
    command: JsonObject = {
        "command": COMMAND,
        "description": "Run a command or a skill",
        "usage_hint": "SKILL [task] | skill new | skill list | help | status | stop",
        "should_escape": True,
        **({} if socket else {"url": f"{url.rstrip('/')}/slack/events"}),
    }
    return {
        "display_information": {
            "name": "Bellhop",
            "description": "An assistant that works for your team and for each of you.",
            "background_color": "#2b2d42",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "Bellhop", "always_online": True},
            "agent_view": {
                "agent_description": (
                    "Keeps todos and notes, looks things up, and asks back when something is "
                    "unclear."
                ),
                "suggested_prompts": list(PROMPTS),
            },
            "shortcuts": [*SHORTCUTS],
            "slash_commands": [command],
        },
        "functions": dict(DESCRIPTION),
        "oauth_config": {"scopes": {"bot": list(scopes(settings))}},
        "settings": {
            "event_subscriptions": {**endpoint, "bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True, **endpoint},
            "function_runtime": "remote",
            "org_deploy_enabled": True,
            "socket_mode_enabled": socket,
            "token_rotation_enabled": False,
        },
    }


def with_links(made: JsonObject, domain: str) -> JsonObject:
    """A manifest of an app that Slack asks about links to this domain."""
    oauth, settings = made["oauth_config"], made["settings"]
    asked = {**oauth["scopes"], "bot": [*oauth["scopes"]["bot"], *LINKS]}
    heard = settings["event_subscriptions"]
    return {
        **made,
        "features": {**made["features"], "unfurl_domains": [domain]},
        "oauth_config": {**oauth, "scopes": asked},
        "settings": {
            **settings,
            "event_subscriptions": {**heard, "bot_events": [*heard["bot_events"], LINK_EVENT]},
        },
    }


def with_accounts(made: JsonObject, scopes: Sequence[str], back: str) -> JsonObject:
    """A manifest of an app that people also connect their own accounts to.

    `scopes` are those that they are asked for, and `back` is where Slack sends them then.
    """
    oauth = made["oauth_config"]
    return {
        **made,
        "oauth_config": {
            **oauth,
            "redirect_urls": [back],
            "scopes": {**oauth["scopes"], "user": list(scopes)},
        },
    }
