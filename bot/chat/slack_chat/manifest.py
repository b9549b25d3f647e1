"""The app manifest: exactly the scopes and events that the adapter uses."""

from bot.chat.slack_chat.settings import SlackSettings
from bot.domain.json_types import JsonObject

COMMAND = "/bellhop"

SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "reactions:read",
    "usergroups:read",
    "users:read",
)
EVENTS = (
    "agent_session_stopped",
    "app_home_opened",
    "app_mention",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "reaction_added",
)
SEARCH_SCOPE = "search:read.public"
"""Only with `slack.search`."""
PROMPTS: tuple[JsonObject, ...] = (
    {"title": "What can you do?", "message": "What can you do for me?"},
    {"title": "My todos", "message": "What is on my todo list?"},
    {"title": "Take a note", "message": "Take a note: "},
)
"""Suggestions at the start of a conversation with the assistant."""


def scopes(settings: SlackSettings) -> tuple[str, ...]:
    """The scopes that the app needs with these settings."""
    return (*SCOPES, SEARCH_SCOPE) if settings.search else SCOPES


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
            "slash_commands": [command],
        },
        "oauth_config": {"scopes": {"bot": list(scopes(settings))}},
        "settings": {
            "event_subscriptions": {**endpoint, "bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True, **endpoint},
            "org_deploy_enabled": False,
            "socket_mode_enabled": socket,
            "token_rotation_enabled": False,
        },
    }
