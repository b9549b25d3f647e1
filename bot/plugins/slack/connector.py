"""The connector "slack"."""

from bot.plugin.services import ServiceClient, ServiceConnector
from bot.plugin.tools import Usable
from bot.plugins.slack.canvas_tools import CanvasTools
from bot.plugins.slack.list_tools import ListTools
from bot.plugins.slack.message_tools import post_tool, search_tool


class SlackAccountConnector(ServiceConnector):
    """A person's own Slack account: what they can read there, and writing in their name."""

    id = "slack"
    service = "slack"

    def __init__(self, usable: Usable, slack: ServiceClient) -> None:
        canvases, lists = CanvasTools(slack), ListTools(slack)
        super().__init__(
            usable,
            search_tool(slack),
            post_tool(slack),
            canvases.read_tool(),
            canvases.write_tool(),
            lists.read_tool(),
            lists.write_tool(),
        )
