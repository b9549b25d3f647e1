"""Slack as an account of people: messages, canvases and lists as themselves."""

from collections.abc import Mapping

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Phrase, Revoking, Service

_WHAT = Phrase("Slack messages, canvases and lists as yourself")

_CANVASES_OFF = "The workspace has no canvases; tell the person."
_NO_LIST = "There is no such list, or this account can't see it. Find its id with slack_list."
_NO_CANVAS = "There is no such canvas, or this account can't see it. Find its id with slack_canvas."

SCOPES: Mapping[str, str] = {
    "search:read": "search what they can see",
    "chat:write": "post in their name",
    "canvases:read": "read canvases",
    "canvases:write": "make and change canvases",
    "lists:read": "read lists",
    "lists:write": "make and change lists",
    "files:read": "see a list's columns",
    "channels:read": "find the canvas of a public channel",
    "groups:read": "find the canvas of a private channel",
}
"""Each scope that people are asked for, and what it is for."""

# An app at Slack that switches PKCE on becomes a public client for good, and gets no bot scopes: so
# Slack goes without.
SLACK = Service(
    id="slack",
    title="Slack",
    tools=frozenset(
        {
            *("slack_post", "slack_search", "slack_canvas", "slack_canvas_write"),
            *("slack_list", "slack_list_write"),
        }
    ),
    what=_WHAT,
    base_url="https://slack.com/api",
    authorize_url="https://slack.com/oauth/v2/authorize",
    token_url="https://slack.com/api/oauth.v2.access",
    revoke_url="https://slack.com/api/auth.revoke",
    revoking=Revoking.BEARER,
    manage_url="https://slack.com/apps/manage",
    scopes=tuple(SCOPES),
    scope_uses=SCOPES,
    scope_key="user_scope",
    scope_mark=",",
    pkce=False,
    token_in="authed_user",
    status_in_body=True,
    meanings={
        "channel_not_found": (
            "There is no such channel, or this account can't see it. Find its id with slack_search."
        ),
        "not_in_channel": "The person has to join the channel first.",
        "is_archived": "The channel is archived; choose another one.",
        "missing_scope": (
            "The connection does not cover this. The person can connect again with `/connect "
            "slack`."
        ),
        "restricted_action": "The workspace doesn't let this person do it; tell them.",
        "canvas_not_found": _NO_CANVAS,
        "canvas_deleted": _NO_CANVAS,
        "canvas_disabled_user_team": _CANVASES_OFF,
        "canvas_disabled_file_team": _CANVASES_OFF,
        "canvas_editing_failed": (
            "Slack could not apply the change. Read the canvas to see how it stands."
        ),
        "channel_canvas_already_exists": (
            "The channel has its own canvas already. Read it by `channel` and change it, or "
            "create one without `channel` and share it."
        ),
        "free_teams_cannot_create_non_tabbed_canvases": (
            "Slack's free plan has only the canvases of channels: give `channel`."
        ),
        "free_teams_cannot_edit_standalone_canvases": (
            "Slack's free plan lets nobody edit this canvas; tell the person."
        ),
        "team_tier_cannot_create_channel_canvases": (
            "The workspace's plan has no canvases of channels; create one without `channel`."
        ),
        "list_not_found": _NO_LIST,
        "file_not_found": _NO_LIST,
        "lists_disabled_user_team": "The workspace has no lists; tell the person.",
        "over_row_maximum": "The list is full: Slack takes no more rows.",
        "invalid_row_id": "The list has no such row. Read it for the ids of its rows.",
        "uneditable_column": "Slack fills one of these columns itself; leave it out.",
        "user_not_found": "Slack knows no person of this id.",
        "internal_error": "Whether the call took effect is unknown: check first, don't repeat it.",
        "fatal_error": "Whether the call took effect is unknown: check first, don't repeat it.",
    },
)


class SlackAccount(Plugin[NoSettings]):
    name = "slack"
    title = _WHAT.en
    services = (SLACK,)

    def build(self, given: Given[NoSettings]) -> Parts:
        if (client := given.clients.get(SLACK.id)) is None:
            return Parts()
        from bot.plugins.slack.connector import SlackAccountConnector  # noqa: PLC0415 - only where it is used

        return Parts(connectors=(SlackAccountConnector(given.usable, client),))
