"""The note of a resumed message that waited for a connection."""

from collections.abc import Callable, Mapping

from bot.connections.services import Service
from bot.domain.tool_context import ToolsetView
from bot.domain.work import MessageWork, Work

_NAMED = 12


def connected_note(
    work: Work, services: Mapping[str, Service], compose: Callable[[], ToolsetView]
) -> str:
    """The operator's note on a connected service and its tools; empty for other messages."""
    service = services.get(work.connected) if isinstance(work, MessageWork) else None
    if service is None:
        return ""
    toolset = compose()
    listed = toolset.describe(tuple(tool.name for tool in toolset.listing()))
    names = [tool.name for tool in listed if service.id in tool.requires][:_NAMED]
    where = (
        f"get_capabilities unlocks its tools: {', '.join(names)}"
        if names
        else "tool_search finds its tools"
    )
    return f" The person has connected {service.title} since they wrote this; {where}."
