"""A request tool from its file, served as an installation would that lends it secrets."""

import json
from collections.abc import Mapping
from typing import Any

from bot.clock import SystemClock
from bot.domain.access import Role
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import HttpImplementation
from bot.testing.fake_clock import FakeClock
from bot.testing.tools import ToolFolder, a_call, a_context, a_scope
from bot.tools.native.registry import NativeTools
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.http_route import HttpRoute
from bot.tools.settings import HttpToolSettings
from bot.tools.toolset.toolset import Toolset
from bot.web.client import WebClient
from bot.web.settings import WebSettings

MOST_CHARS = 1_000
HERE = ("127.0.0.1",)


class RequestBench:
    """One tool file, `thing`, where `private` addresses are open and `lent` secrets are lent."""

    def __init__(
        self,
        files: ToolFolder,
        secrets: Mapping[str, str],
        *,
        lent: tuple[str, ...] | None = None,
        private: tuple[str, ...] = HERE,
        servers: dict[str, str] | None = None,
    ) -> None:
        self.files = files
        self.clock = FakeClock()
        self.route = HttpRoute(
            WebClient(WebSettings(allow_private=private)),
            secrets.get,
            HttpToolSettings(
                secrets=tuple(secrets) if lent is None else lent, servers=servers or {}
            ),
            MOST_CHARS,
            self.clock,
        )
        self.natives = NativeTools(
            routes={HttpImplementation: self.route},
            hindrances={HttpImplementation: self.route.hindrance},
        )

    async def toolset(self, *lines: str, **properties: Any) -> Toolset:
        """Write the tool's file; of its parameters the first is needed."""
        schema = {"type": "object", "properties": properties, "required": list(properties)[:1]}
        text = f"## Parameters\n{json.dumps(schema)}\n## Implementation\n" + "\n".join(lines)
        self.files.put("shared/thing", text)
        catalog = await self.files.loaded()
        assert not [one for one in catalog.problems if not one.warning], catalog.problems
        return Toolset(catalog, a_scope(Role.FRIEND), natives=self.natives)

    async def call(self, toolset: Toolset, **arguments: Any) -> ToolResult:
        definition = toolset.find("thing")
        assert definition is not None, toolset.hindrance("thing")
        executor = ToolExecutor(self.natives, SystemClock(), MOST_CHARS)
        context = a_context(toolset, a_call("thing", **arguments))
        outcome = await executor.execute(definition, context)
        assert isinstance(outcome, ToolResult)
        return outcome
