"""/projects: a person's projects as files that can be read and handed over, not changed."""

import asyncio
import hashlib
from pathlib import Path

from bot.plugin.files import FileEntry, FileText
from bot.plugin.projects import FILE_BYTES, PROJECTS, ProjectFolder, ProjectPlaces, projects_of
from bot.plugin.tables import Unit
from bot.plugin.tools import Origin, ToolContext, ToolError, Trust

_READ_ONLY = f"{PROJECTS} is read-only; agents change projects with their own tools"


class ProjectFiles:
    """Implements `FileSource`, and `HoldsBytes`, over the projects below `root`.

    A project that may not be shown in a place is not there.
    """

    prefix = PROJECTS
    writable = False

    def __init__(self, root: Path) -> None:
        self._root = root

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        data = await self.data(context, path)
        if data is None:
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ToolError(
                f"{path} is not a text file (UTF-8), so it can't be read; send can hand it over"
            ) from None
        project = _parts(path)[0]
        origin, version = _origin(project), hashlib.sha256(data).hexdigest()[:32]
        private = await asyncio.to_thread(self._places(context).is_private, project)
        return FileText(path, text, version, origin, private)

    async def data(self, context: ToolContext, path: str) -> bytes | None:
        """The whole file; None if there is none. Raises ToolError for one that is too large."""
        project, inside = _parts(path)
        if not inside:
            return None
        data = await asyncio.to_thread(self._data, context, project, inside)
        if data is not None and len(data) > FILE_BYTES:
            raise ToolError(f"{path} has more than {FILE_BYTES:,} bytes; nothing was read")
        return data

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        raise ToolError(f"{_READ_ONLY}; nothing was changed")

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        raise ToolError(f"{_READ_ONLY}; nothing was changed")

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        return await asyncio.to_thread(self._list, context, path)

    # --- in a thread ---

    def _data(self, context: ToolContext, project: str, inside: str) -> bytes | None:
        folder = self._shown(context, project)
        try:
            return None if folder is None else folder.read(inside)
        except ToolError:
            return None

    def _list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        project, inside = _parts(path)
        if not project:
            return tuple(
                FileEntry(
                    f"{PROJECTS}/{name}",
                    directory=True,
                    origin=_origin(name),
                    private=not self._places(context).shows(name, context.viewer),
                )
                for name in projects_of(self._root, context.person.id)
            )
        folder = self._shown(context, project)
        try:
            found = [] if folder is None else folder.list(inside)
        except ToolError:
            return None
        if folder is None:
            return None
        return tuple(
            FileEntry(
                f"{path}/{one.path}",
                directory=one.folder,
                size=None if one.folder else one.size,
                origin=_origin(project),
            )
            for one in found
        )

    def _shown(self, context: ToolContext, project: str) -> ProjectFolder | None:
        """The project, if it exists and may be shown here."""
        own = project in projects_of(self._root, context.person.id)
        if not own or not self._places(context).shows(project, context.viewer):
            return None
        return ProjectFolder(self._root, context.person.id, project)

    def _places(self, context: ToolContext) -> ProjectPlaces:
        return ProjectPlaces(self._root, context.person.id)


def _parts(path: str) -> tuple[str, str]:
    """The project, and the path in it; empty for the folder of all."""
    project, _, inside = path.removeprefix(PROJECTS).strip("/").partition("/")
    return project, inside


def _origin(project: str) -> Origin:
    return Origin(Trust.EXTERNAL, f"project {project}")
