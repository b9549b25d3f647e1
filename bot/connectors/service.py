"""Shared by the connectors of other services."""

from collections.abc import Callable, Sequence, Set
from typing import Any, TypeAlias

from bot.connectors.native import NativeConnector
from bot.domain.access import Person
from bot.domain.places import Reach
from bot.domain.runs import RunShape
from bot.domain.tool_context import NativeTool, ToolScope
from bot.tools.native.connector import ToolRegistration

Usable: TypeAlias = Callable[[Person], Set[str]]
"""Ids of the services that a person's requests can use now."""


class ServiceConnector(NativeConnector):
    """For people whose requests can use `service`: their own account or the workspace's.

    For everybody else its tools, skills and lines are absent, not refused. A run that an event
    started has them in a direct message only: otherwise the event's text could make it read an
    account aloud in a channel.
    """

    service: str

    def __init__(self, usable: Usable, *tools: NativeTool[Any]) -> None:
        super().__init__(*tools)
        self._usable = usable

    def available(self, scope: ToolScope) -> bool:
        aloud = scope.run.shape is RunShape.TRIGGERED and Reach.DM not in scope.location.reaches
        return not aloud and self.service in self._usable(scope.person)

    def registrations(self) -> Sequence[ToolRegistration]:
        return (ToolRegistration(self._tools, self.available),)
