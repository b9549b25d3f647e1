"""Each MCP server's last list of tools, and their names."""

import json
from collections.abc import Mapping
from datetime import datetime

from bot.plugin.tables import Database, Unit, Write, format_utc
from bot.plugin.tools import JsonObject
from bot.plugins.mcp.remote import RemoteTool


async def read_listed(database: Database) -> dict[str, dict[str, RemoteTool]]:
    """Each server's tools in its last list, by the names that models know."""
    rows = await database.read("SELECT server, tools FROM mcp_listed")
    return {
        str(row["server"]): {item["name"]: _tool(item) for item in json.loads(row["tools"])}
        for row in rows
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
    rows = [{**vars(tool), "name": name, "tool": tool.name} for name, tool in tools.items()]
    return Unit.of(
        Write(
            "INSERT INTO mcp_listed (server, tools, listed_at) VALUES (?, ?, ?) ON CONFLICT "
            "(server) DO UPDATE SET tools = excluded.tools, listed_at = excluded.listed_at",
            (server, json.dumps(rows, ensure_ascii=False), format_utc(now)),
        )
    )
