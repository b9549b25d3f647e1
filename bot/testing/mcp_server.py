"""A small MCP server for tests: `python -m bot.testing.mcp_server`, on stdio or loopback.

--http PORT   serve streamable HTTP on 127.0.0.1 instead
--pages       only list tools, two on a page
"""

import argparse
import asyncio
import os
import socket
from typing import Any

import mcp_types
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from pydantic import BaseModel

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
PAGED = ("first", "second", "third", "fourth", "fifth")


class Colour(BaseModel):
    """What `ask` wants to know."""

    colour: str


def make_server() -> MCPServer[Any]:
    """Tools that add, fail, wait, ask, show every kind of content, and change the list of tools."""
    server: MCPServer[Any] = MCPServer("loopback", log_level="ERROR")

    @server.tool(annotations=mcp_types.ToolAnnotations(read_only_hint=True))
    def add(a: int, b: int) -> int:
        """Add two numbers. Use it for sums."""
        return a + b

    @server.tool()
    def boom() -> str:
        """Fail with a reason."""
        raise ToolError("the kettle is dry")

    @server.tool()
    async def wait(ctx: Context[Any, Any]) -> str:
        """Say which process runs it, then wait for ever."""
        await ctx.report_progress(1, 2, f"process {os.getpid()}")
        await asyncio.Event().wait()
        return "never"

    @server.tool()
    async def ask(ctx: Context[Any, Any]) -> str:
        """Ask somebody for a colour."""
        answer = await ctx.elicit("Which colour?", Colour)
        return (
            "the answer was "
            f"{answer.action}{f': {answer.data.colour}' if answer.action == 'accept' else ''}"
        )

    @server.tool(name="files.read")
    def dotted() -> str:
        """A name with a dot in it."""
        return f"secret={os.environ.get('MCP_TEST_KEY', 'none')}"

    @server.tool(structured_output=False)
    def show() -> mcp_types.CallToolResult:
        """Show every kind of content."""
        return _everything()

    @server.tool()
    async def grow(ctx: Context[Any, Any]) -> str:
        """Add a tool and tell of it."""
        server.add_tool(grown, name="grown", description="Came later.")
        await ctx.notify_tools_changed()
        await ctx.session.send_tool_list_changed()
        return "grown"

    return server


def grown() -> str:
    """What the tool `grown` says."""
    return "hello from later"


def _everything() -> mcp_types.CallToolResult:
    text = mcp_types.TextResourceContents(uri="note://one", mime_type="text/plain", text="a note")
    blob = mcp_types.BlobResourceContents(
        uri="file:///data.bin", mime_type="application/zip", blob="AAAA"
    )
    return mcp_types.CallToolResult(
        content=[
            mcp_types.TextContent(text="plain words"),
            mcp_types.ImageContent(data=PIXEL, mime_type="image/png"),
            mcp_types.AudioContent(data="AAAAAAAA", mime_type="audio/wav"),
            mcp_types.ResourceLink(
                name="manual", uri="https://example.org/manual", mime_type="text/html"
            ),
            mcp_types.EmbeddedResource(resource=text),
            mcp_types.EmbeddedResource(resource=blob),
        ],
        structured_content={"degrees": 21.5},
    )


def make_paged_server() -> Server[Any]:
    """Lists five tools, two on a page."""

    async def on_list(
        ctx: ServerRequestContext[Any], params: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        start = int(params.cursor) if params is not None and params.cursor else 0
        tools = [
            mcp_types.Tool(name=name, input_schema={"type": "object"})
            for name in PAGED[start : start + 2]
        ]
        following = str(start + 2) if start + 2 < len(PAGED) else None
        return mcp_types.ListToolsResult(tools=tools, next_cursor=following)

    return Server("paged", on_list_tools=on_list)


async def _serve_program(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    """Serve until standard input ends, or until killed."""
    options = argparse.ArgumentParser()
    options.add_argument("--http", type=int)
    options.add_argument("--pages", action="store_true")
    given = options.parse_args()
    if given.pages:
        asyncio.run(_serve_program(make_paged_server()))
    elif given.http is None:
        make_server().run("stdio")
    else:
        config = uvicorn.Config(
            make_server().streamable_http_app(), log_level="error", timeout_graceful_shutdown=1
        )
        uvicorn.Server(config).run([socket.socket(fileno=given.http)])


if __name__ == "__main__":
    main()
