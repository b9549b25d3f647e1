"""Each MCP server's last list of tools, and their names."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.storage.values import HomeValue, home_values, put_home_value
from bot.tools.mcp.remote import RemoteTool


async def read_listed(database: Database) -> dict[str, dict[str, RemoteTool]]:
    """Each server's tools in its last list, by the names that models know."""
    listed = await home_values(database, HomeValue.MCP_TOOLS)
    return {
        server: {item["name"]: _tool(item) for item in json.loads(tools)}
        for server, tools in listed.items()
    }


def _tool(item: JsonObject) -> RemoteTool:
    return RemoteTool(
        item["tool"],
        item["description"],
        item["parameters"],
        reads_only=item.get("reads_only", False),
        idempotent=item.get("idempotent", False),
    )


def listed(server: str, tools: Mapping[str, RemoteTool], now: datetime) -> Unit:
    """Store a server's current list."""
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "tool": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
            "reads_only": tool.reads_only,
            "idempotent": tool.idempotent,
        }
        for name, tool in tools.items()
    ]
    text = json.dumps(rows, ensure_ascii=False)
    return Unit.of(put_home_value(HomeValue.MCP_TOOLS, text, server, at=now))
