"""Shared by the connectors of other services."""

from typing import Any

from bot.connectors.native import NativeConnector
from bot.domain.runs import RunShape
from bot.domain.tool_context import NativeTool
from bot.tools.native.registry import EVERY_RUN, Needs, Usable


class ServiceConnector(NativeConnector):
    """For people whose requests can use `service`: their own account or the workspace's.

    For everybody else its tools, skills and lines are absent, not refused. A run that an event
    started has them in a direct message only.
    """

    service: str

    def __init__(self, usable: Usable, *tools: NativeTool[Any]) -> None:
        super().__init__(*tools)
        self.needs = Needs(
            aloud=EVERY_RUN - {RunShape.TRIGGERED},
            services=frozenset({self.service}),
            usable=usable,
        )
