"""The connector "github"."""

from bot.connections.client import ServiceClient
from bot.connectors.github.issues import IssueTools
from bot.connectors.github.search import search_tool
from bot.connectors.service import ServiceConnector, Usable


class GitHubConnector(ServiceConnector):
    """Repositories and issues, for people who connected GitHub."""

    id = "github"
    service = "github"

    def __init__(self, usable: Usable, github: ServiceClient) -> None:
        super().__init__(usable, search_tool(github), IssueTools(github).tool())
