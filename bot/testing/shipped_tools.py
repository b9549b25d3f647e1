"""The shipped tool files, with the parameters of their native tools."""

from functools import cache
from pathlib import Path
from typing import Any, cast

from bot.app import native_tools
from bot.assembly.own_plugins import OWN
from bot.assembly.plugins import agent_roots, plugin_skills, tool_roots
from bot.domain.tools import ToolDefinition
from bot.plugins.browser.tools import BrowserTools
from bot.shipped import shipped_dir
from bot.tools.definitions.definition import parse_tool_file
from bot.tools.native.registry import NativeTools

SHIPPED_ROOTS = (shipped_dir("prompts"), *tool_roots(OWN))
"""Where tool files ship: prompts/, and the folders of our own plug-ins."""
AGENT_ROOTS = (shipped_dir("prompts") / "agents", *agent_roots(OWN))
"""Where agents' files ship."""
CONNECTOR_SKILLS = plugin_skills(OWN)
"""The folders of the skills that come with connectors, by connector id."""


def shipped_files() -> list[Path]:
    """All tool files that ship."""
    return sorted(path for root in SHIPPED_ROOTS for path in (root / "tools").glob("*/*.md"))


@cache
def shipped_natives() -> NativeTools:
    """Return every native tool, including the browser tools, which are off by default."""
    natives = native_tools(Path("nowhere"))
    nothing = cast("Any", None)
    natives.add(*BrowserTools(nothing, nothing, nothing, nothing).all())
    return natives


def shipped_tool(name: str) -> ToolDefinition:
    """Return a tool by folder and name, such as `shared/send`."""
    paths = (root / "tools" / f"{name}.md" for root in SHIPPED_ROOTS)
    path = next(path for path in paths if path.exists())
    return parse_tool_file(
        path.read_text(encoding="utf-8"),
        path=path,
        folder=path.parent.name,
        natives=shipped_natives(),
    )


def shipped_tools() -> list[ToolDefinition]:
    return [shipped_tool(f"{path.parent.name}/{path.stem}") for path in shipped_files()]
