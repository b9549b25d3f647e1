"""The connector "workspaces"."""

from collections.abc import Sequence
from pathlib import Path

from bot.connectors.native import NativeConnector
from bot.connectors.workspaces.files import ProjectFiles
from bot.connectors.workspaces.tools import ProjectTools
from bot.domain.files import FileSource
from bot.tools.native.registry import Needs, ToolRegistration
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ProgramRunner


class WorkspacesConnector(NativeConnector):
    """Projects of each person, in folders below `root`."""

    id = "workspaces"

    def __init__(self, root: Path, sandbox: Sandbox, programs: ProgramRunner) -> None:
        super().__init__()
        self.sandbox = sandbox
        tools = ProjectTools(root, sandbox, programs)
        self._files = ProjectFiles(root)
        self._registrations = (
            ToolRegistration(tools.files()),
            ToolRegistration((tools.shell(),), Needs(also=lambda _scope: sandbox.confines)),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def file_sources(self) -> Sequence[FileSource]:
        return (self._files,)
