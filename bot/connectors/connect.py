"""The connector "connect": offering people to connect a service."""

from collections.abc import Callable

from bot.connectors.native import NativeConnector
from bot.domain.access import Person
from bot.domain.tool_context import ToolScope


class ConnectConnector(NativeConnector):
    """For people who could connect a service; connect_service names it.

    Its tool lives where messages wait.
    """

    id = "connect"

    def __init__(self, could: Callable[[Person], bool]) -> None:
        """`could`: whether this person could connect any service."""
        super().__init__()
        self._could = could

    def available(self, scope: ToolScope) -> bool:
        return scope.depth == 0 and self._could(scope.person)
