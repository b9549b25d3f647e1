"""Tool files in a temporary home, and toolsets, for tests of code that runs tools."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bot.domain.access import Person, Role
from bot.domain.messages import Conversation, Delivery, OutgoingFile
from bot.domain.origins import Trust
from bot.domain.places import AT_TERMINAL
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope, ToolsetView
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ToolCall
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.definitions.natives import NoNatives
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.toolset.toolset import Toolset

NO_SANDBOX = "tools: {shell: {sandbox: none}}\n"
"""Lines of bellhop.yaml for tests that aren't about scripts: they also run without bubblewrap."""


ANYTHING = '{"type": "object", "additionalProperties": true}'
"""Parameters of a tool that takes any arguments."""


class Nothing(BaseModel):
    """Takes anything."""


async def say_hello(context: ToolContext, arguments: BaseModel) -> ToolResult:
    return ToolResult("hello")


def native(*names: str) -> NativeTools:
    tools = [NativeTool(name, Nothing, say_hello) for name in names]
    return NativeTools([ToolRegistration(tools)])


def a_scope(
    role: Role = Role.FRIEND, agent: str = "assistant", shape: RunShape = RunShape.CHAT, **more: Any
) -> ToolScope:
    return ToolScope(
        Person("ann", "Ann", role), agent, RunKind(shape, more.pop("event", None)), **more
    )


def a_call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("c1", name, arguments, "tool:1.0")


async def _send(
    text: str,
    *,
    key: str,
    trust: Trust,
    to: str | None = None,
    files: tuple[OutgoingFile, ...] = (),
) -> Delivery:
    raise AssertionError(f"nothing should be sent: {text}")


def a_context(tools: ToolsetView, call: ToolCall, scope: ToolScope | None = None) -> ToolContext:
    scope = scope or a_scope()
    return ToolContext(
        person=scope.person,
        agent=scope.agent,
        run=scope.run,
        session_id="s1",
        conversation=Conversation("terminal", "", "tty"),
        location=AT_TERMINAL,
        private=True,
        cycle_id="cycle",
        call=call,
        tools=tools,
        now=datetime(2026, 11, 21, 9, 0, tzinfo=UTC),
        timezone="UTC",
        send=_send,
        progress=lambda _: None,
    )


class ToolFolder:
    """Writes tool files below two prompt roots, `home` and `shipped`."""

    def __init__(self, path: Path) -> None:
        self.home = path / "home"
        self.shipped = path / "shipped"

    def put(self, where: str, text: str = "", root: str = "shipped") -> Path:
        """Write `shared/thing` with these sections, or as a whole file if it begins with `# `."""
        path = (self.home if root == "home" else self.shipped) / "tools" / f"{where}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = (
            text
            if text.startswith("# ")
            else f"# {path.stem}\n## Description\nDoes {path.stem}.\n{text}"
        )
        if "## Parameters" not in whole:
            whole += f"\n## Parameters\n{ANYTHING}"
        path.write_text(whole, encoding="utf-8")
        return path

    def catalog(self, natives: NativeTools | None = None) -> ToolCatalog:
        """The catalogue, unread; files of `natives` take the parameters of their models."""
        return ToolCatalog([self.home, self.shipped], natives=natives or NoNatives())

    async def loaded(self, natives: NativeTools | None = None) -> ToolCatalog:
        """The same, read as at a start."""
        catalog = self.catalog(natives)
        await catalog.load()
        return catalog


def everything_native(catalog: ToolCatalog) -> NativeTools:
    return native(*{tool.definition.acts_as for tool in catalog.snapshot.tools})


def a_toolset(
    catalog: ToolCatalog, scope: ToolScope | None = None, unlocked: Sequence[str] = (), **more: Any
) -> Toolset:
    """Return a toolset of all files, served by native handlers; `unlocked` lists names."""
    natives = more.pop("natives", None) or everything_native(catalog)
    toolset = Toolset(catalog, scope or a_scope(), natives=natives, **more)
    toolset.unlock([tool.declaration() for tool in toolset.describe(tuple(unlocked))])
    return toolset


def with_role(scope: ToolScope, role: Role) -> ToolScope:
    return replace(scope, person=replace(scope.person, role=role))
