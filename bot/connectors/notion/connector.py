"""The connector "notion"."""

from bot.connections.client import ServiceClient
from bot.connectors.notion.tools import NotionTools
from bot.connectors.service import ServiceConnector, Usable


class NotionConnector(ServiceConnector):
    """Pages of Notion, for people who connected it."""

    id = "notion"
    service = "notion"

    def __init__(self, usable: Usable, notion: ServiceClient) -> None:
        tools = NotionTools(notion)
        super().__init__(usable, tools.read_tool(), tools.write_tool())
