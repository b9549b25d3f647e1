"""SQL of the table `mcp_servers`: each server's last list of tools, and their names."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.tools.mcp.remote import RemoteTool

_ALL = "SELECT server, tools FROM mcp_servers"


async def read_listed(database: Database) -> dict[str, dict[str, RemoteTool]]:
    """Each server's tools in its last list, by the names that models know."""
    rows = await database.read(_ALL)
    return {
        row["server"]: {item["name"]: _tool(item) for item in json.loads(row["tools"])}
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
    return Unit.of(
        Write(
            "INSERT INTO mcp_servers (server, tools, listed_at) VALUES (?, ?, ?)"
            " ON CONFLICT (server) DO UPDATE SET tools = excluded.tools, listed_at = "
            "excluded.listed_at",
            (server, json.dumps(rows, ensure_ascii=False), format_utc(now)),
        )
    )
