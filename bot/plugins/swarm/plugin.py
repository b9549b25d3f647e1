"""A queen and her ants, who work on one project side by side."""

from collections.abc import Sequence
from typing import Any

from bot.plugin.agents import AgentGround
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import NativeTool
from bot.plugins.swarm.handlers import Swarms


class SwarmPlugin(Plugin[NoSettings]):
    name = "swarm"
    title = "a queen whose ants build a project side by side"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(agent_tools=_tools)


def _tools(ground: AgentGround) -> Sequence[NativeTool[Any]]:
    return Swarms(ground).tools()
