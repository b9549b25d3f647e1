"""Tool files of a home that lie where no agent sees them."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.tool_reasons import STAGED

if TYPE_CHECKING:
    from bot.agents.definitions.registry import AgentRegistry
    from bot.tools.catalog.catalog import ToolCatalog

_SHARED = "shared"


def unseen(home: Path, catalog: "ToolCatalog", agents: "AgentRegistry") -> list[str]:
    """A sentence with the remedy for each file outside a folder, and each folder of no agent.

    Blocking.
    """
    tools = home / "prompts" / "tools"
    known = {_SHARED, STAGED}
    for agent in agents.all():
        known |= {agent.name, *agent.folders}
    told = [
        f"{file}: no agent sees a tool outside a folder; move it into {tools / _SHARED}"
        for file in sorted(tools.glob("*.md"))
    ]
    for folder in sorted(set(catalog.snapshot.folders) - known):
        near = difflib.get_close_matches(folder, sorted(known), n=1)
        meant = f"did you mean {near[0]}?" if near else "move them into shared"
        told.append(
            f"{tools / folder}: no agent sees the tools of this folder; {meant} (or name it in"
            " `folders:` of an agent's file)"
        )
    return told
