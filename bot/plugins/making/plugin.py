"""Tools and skills that are made in a conversation."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.plugin.drafts import DraftGround
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import NativeTool
from bot.plugins.making.draft import Drafts
from bot.plugins.making.tools import making_tools
from bot.plugins.making.workbench import Workbench


class Making(Plugin[NoSettings]):
    name = "making"
    title = "tools and skills that are made in a conversation"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(draft_tools=partial(_tools, given.home / "data"))


def _tools(data: Path, ground: DraftGround) -> Sequence[NativeTool[Any]]:
    return making_tools(Workbench(ground.desk, Drafts(data)), ground.audit)
