"""The connector "github"."""

from bot.plugin.services import ServiceClient, ServiceConnector
from bot.plugin.tools import Usable
from bot.plugins.github.issues import IssueTools
from bot.plugins.github.search import search_tool


class GitHubConnector(ServiceConnector):
    """Repositories and issues, for people who connected GitHub."""

    id = "github"
    service = "github"

    def __init__(self, usable: Usable, github: ServiceClient) -> None:
        super().__init__(usable, search_tool(github), IssueTools(github).tool())
