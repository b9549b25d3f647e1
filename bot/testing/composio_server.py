"""A stand-in for Composio's MCP endpoint: a session's address, `x-api-key`, tools named APP_ACTION.

`python -m bot.testing.composio_server --http FD --key KEY --log FILE`
"""

import argparse
import json
import socket
from pathlib import Path
from typing import Any

import mcp_types
import uvicorn
from mcp.server.mcpserver import MCPServer

COMPOSIO_PATH = "/tool_router/trs_of_the_tests/mcp"
COMPOSIO_KEY = "composio-key-of-the-tests"


def make_composio(log: Path) -> MCPServer[Any]:
    """Three tools of Gmail; what was sent or deleted is a line of the log."""
    server: MCPServer[Any] = MCPServer("composio", log_level="ERROR")

    @server.tool(
        name="GMAIL_FETCH_EMAILS", annotations=mcp_types.ToolAnnotations(read_only_hint=True)
    )
    def fetch(query: str) -> str:
        """Fetch mails of the connected Gmail account."""
        return json.dumps({"successful": True, "data": {"messages": [{"subject": query}]}})

    @server.tool(name="GMAIL_SEND_EMAIL")
    def send(recipient_email: str, subject: str, body: str) -> str:
        """Send a mail from the connected Gmail account."""
        _note(log, f"sent {recipient_email}: {subject}: {body}")
        return json.dumps({"successful": True, "data": {"id": "1"}})

    @server.tool(name="GMAIL_DELETE_MESSAGE")
    def delete(message_id: str) -> str:
        """Delete a mail for good."""
        _note(log, f"deleted {message_id}")
        return json.dumps({"successful": True, "data": {}})

    return server


def _note(log: Path, line: str) -> None:
    with log.open("a") as file:
        file.write(line + "\n")


def guarded(app: Any, key: str) -> Any:
    """Answers 401 to requests without the key, as Composio does."""

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", ())).get(b"x-api-key", b"").decode()
        if scope["type"] == "http" and given != key:
            head = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 401, "headers": head})
            await send({"type": "http.response.body", "body": b'{"error": "Unauthorized"}'})
            return
        await app(scope, receive, send)

    return serve


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--http", type=int, required=True)
    options.add_argument("--key", default=COMPOSIO_KEY)
    options.add_argument("--log", type=Path, required=True)
    given = options.parse_args()
    app = make_composio(given.log).streamable_http_app(streamable_http_path=COMPOSIO_PATH)
    config = uvicorn.Config(guarded(app, given.key), log_level="error", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run([socket.socket(fileno=given.http)])


if __name__ == "__main__":
    main()
