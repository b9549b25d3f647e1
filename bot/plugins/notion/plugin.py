"""Notion: pages of people who connected it."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Phrase, Revoking, Service

# Notion documents no PKCE for public connections; the client's secret and the state protect the
# exchange.
NOTION = Service(
    id="notion",
    title="Notion",
    tools=frozenset({"notion_read", "notion_write"}),
    what=Phrase("Notion pages"),
    base_url="https://api.notion.com/v1",
    authorize_url="https://api.notion.com/v1/oauth/authorize",
    token_url="https://api.notion.com/v1/oauth/token",
    revoke_url="https://api.notion.com/v1/oauth/revoke",
    revoking=Revoking.JSON,
    manage_url="https://www.notion.so/profile/connections",
    scopes=(),
    headers={"Notion-Version": "2022-06-28"},
    authorize_with={"owner": "user"},
    pkce=False,
    token_by_json=True,
    meanings={
        "object_not_found": "The person has to share the page with the connection at Notion.",
        "restricted_resource": (
            "The connection lacks this capability at Notion; the operator sets it."
        ),
        "validation_error": "Is it the id of a page or a database?",
    },
)


class Notion(Plugin[NoSettings]):
    name = "notion"
    title = "Notion pages"
    services = (NOTION,)

    def build(self, given: Given[NoSettings]) -> Parts:
        if (client := given.clients.get(NOTION.id)) is None:
            return Parts()
        from bot.plugins.notion.page_tools import NotionConnector  # noqa: PLC0415 - only where it is used

        return Parts(connectors=(NotionConnector(given.usable, client),))
