"""The connector "notion"."""

from bot.plugin.services import ServiceClient, ServiceConnector
from bot.plugin.tools import Usable
from bot.plugins.notion.page_tools import NotionTools


class NotionConnector(ServiceConnector):
    """Pages of Notion, for people who connected it."""

    id = "notion"
    service = "notion"

    def __init__(self, usable: Usable, notion: ServiceClient) -> None:
        tools = NotionTools(notion)
        super().__init__(usable, tools.read_tool(), tools.write_tool())
