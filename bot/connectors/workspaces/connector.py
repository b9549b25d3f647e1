"""The connector "workspaces"."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bot.connectors.native import NativeConnector
from bot.connectors.workspaces.tools import ProjectTools
from bot.domain.tool_context import NativeTool, ToolScope
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ProgramRunner


class WorkspacesConnector(NativeConnector):
    """Projects of each person, in folders below `root`.

    `sandbox` is called at each request, because the probe ends late.
    """

    id = "workspaces"

    def __init__(self, root: Path, sandbox: Callable[[], Sandbox], programs: ProgramRunner) -> None:
        super().__init__()
        self._root = root
        self._sandbox = sandbox
        self._programs = programs

    def _offered(self, scope: ToolScope) -> Sequence[NativeTool[Any]]:
        return ProjectTools(self._root, self._sandbox(), self._programs).all()
