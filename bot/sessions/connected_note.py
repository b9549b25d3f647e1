"""What a message that waited for a connection says when it goes on."""

from collections.abc import Mapping

from bot.connections.services import Service
from bot.domain.json_types import JsonObject
from bot.domain.tools import ToolsetView

MARK = "connected"
"""In the body of such a turn: the id of the service."""
_NAMED = 12


def connected_note(body: JsonObject, services: Mapping[str, Service], toolset: ToolsetView) -> str:
    """For the operator's note: the service is there now, and the tools that came with it; empty for other messages."""
    service = services.get(str(body.get(MARK, "")))
    if service is None:
        return ""
    listed = toolset.describe(tuple(tool.name for tool in toolset.listing()))
    names = [tool.name for tool in listed if service.id in tool.requires][:_NAMED]
    where = f"get_capabilities unlocks its tools: {', '.join(names)}" if names else "tool_search finds its tools"
    return f" The person has connected {service.title} since they wrote this; {where}."
