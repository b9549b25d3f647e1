"""The connector "connect": offering people to connect a service."""

from collections.abc import Callable

from bot.connectors.native import NativeConnector
from bot.domain.access import Person
from bot.tools.native.registry import Needs


class ConnectConnector(NativeConnector):
    """For people who could connect a service; connect_service names it.

    Its tool lives where messages wait.
    """

    id = "connect"

    def __init__(self, could: Callable[[Person], bool]) -> None:
        """`could`: whether this person could connect any service."""
        super().__init__()
        self.needs = Needs(also=lambda scope: scope.depth == 0 and could(scope.person))
