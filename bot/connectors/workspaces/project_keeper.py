"""Moves a person's projects when contacts.yaml gives them another id."""

import asyncio
from collections.abc import Collection
from pathlib import Path

from bot.connectors.workspaces.folders import move_projects, projects_holding


class ProjectKeeper:
    """The projects of all people below `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have a projects folder."""
        return await asyncio.to_thread(projects_holding, self._root, persons)

    async def move(self, earlier: str, person: str) -> None:
        """Give the projects of one person id to another; may be repeated."""
        await asyncio.to_thread(move_projects, self._root, earlier, person)
