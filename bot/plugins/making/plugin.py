"""Tools and skills that are made in a conversation."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.plugin.drafts import DraftGround
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import NativeTool


class Making(Plugin[NoSettings]):
    name = "making"
    title = "tools and skills that are made in a conversation"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(draft_tools=partial(_tools, given.home / "data"))


def _tools(data: Path, ground: DraftGround) -> Sequence[NativeTool[Any]]:
    from bot.plugins.making.draft import Drafts  # noqa: PLC0415 - only where a house opens
    from bot.plugins.making.tools import making_tools  # noqa: PLC0415
    from bot.plugins.making.workbench import Workbench  # noqa: PLC0415

    return making_tools(Workbench(ground.desk, Drafts(data)), ground.audit)
