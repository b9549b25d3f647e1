"""Slack as an account of people: searching and posting as themselves."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Revoking, Service

# An app at Slack that switches PKCE on becomes a public client for good, and gets no bot scopes: so
# Slack goes without.
SLACK = Service(
    id="slack",
    title="Slack",
    tools=frozenset({"slack_post", "slack_search"}),
    what="Slack messages as yourself: search and post",
    base_url="https://slack.com/api",
    authorize_url="https://slack.com/oauth/v2/authorize",
    token_url="https://slack.com/api/oauth.v2.access",
    revoke_url="https://slack.com/api/auth.revoke",
    revoking=Revoking.BEARER,
    manage_url="https://slack.com/apps/manage",
    scopes=("search:read", "chat:write"),
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
        "internal_error": "Whether the call took effect is unknown: check first, don't repeat it.",
        "fatal_error": "Whether the call took effect is unknown: check first, don't repeat it.",
    },
)


class SlackAccount(Plugin[NoSettings]):
    name = "slack"
    title = "Slack messages as yourself: search and post"
    services = (SLACK,)

    def build(self, given: Given[NoSettings]) -> Parts:
        if (client := given.clients.get(SLACK.id)) is None:
            return Parts()
        from bot.plugins.slack.connector import SlackAccountConnector  # noqa: PLC0415 - only where it is used

        return Parts(connectors=(SlackAccountConnector(given.usable, client),))
