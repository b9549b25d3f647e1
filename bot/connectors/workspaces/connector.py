"""The connector "workspaces"."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bot.connectors.native import NativeConnector
from bot.connectors.workspaces.tools import ProjectTools
from bot.domain.tool_context import ToolScope
from bot.tools.native.connector import ToolRegistration
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ProgramRunner


class WorkspacesConnector(NativeConnector):
    """Projects of each person, in folders below `root`."""

    id = "workspaces"

    def __init__(self, root: Path, sandbox: Callable[[], Sandbox], programs: ProgramRunner) -> None:
        super().__init__()
        self._sandbox = sandbox
        tools = ProjectTools(root, sandbox, programs)
        self._registrations = (
            ToolRegistration(tools.files()),
            ToolRegistration((tools.shell(),), self._confined),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def _confined(self, scope: ToolScope) -> bool:
        """Whether the sandbox works: without it there is no pm_shell."""
        sandbox = self._sandbox()
        return sandbox.wanted and sandbox.hindrance is None
