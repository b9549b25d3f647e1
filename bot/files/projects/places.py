"""Where a project's content was made: private content is not shown in a shared place.

A mark lies beside the projects, out of any command's reach. A project without one is older than
marks, and is shown everywhere. Everything here blocks.
"""

import json
import threading
from pathlib import Path

from bot.domain.places import Reach
from bot.domain.privacy import PUBLICLY, Learned, Viewer
from bot.errors import ToolError
from bot.files.projects.folders import MARKS, SNAPSHOTS, person_folder
from bot.storage.confined import open_folder, read_bytes, replace_bytes

_MARK_BYTES = 4096
_WRITING = threading.Lock()
"""Two calls of one person that narrow the same project must not undo each other."""
TAKEN = "there is no project {name} to be used here, and the name is taken; choose another name"


class ProjectPlaces:
    """The marks of one person's projects."""

    def __init__(self, root: Path, person: str) -> None:
        self._root = root
        self._person = person
        self._folder = (person_folder(person), MARKS)

    def shows(self, project: str, viewer: Viewer) -> bool:
        """Whether a project may be shown to the asker and to everybody who reads along."""
        return viewer.sees(self._person, self._read(project) or PUBLICLY)

    def is_private(self, project: str) -> bool:
        """Whether something in it was learned where not everybody reads."""
        return (self._read(project) or PUBLICLY).private

    def require(self, project: str, viewer: Viewer) -> None:
        """Raises the same ToolError as for a project that doesn't exist."""
        if not self.shows(project, viewer):
            raise ToolError(f"there is no project {project}; pm_list_files shows what there is")

    def change(self, project: str, viewer: Viewer, here: Learned) -> str:
        """Record that this place's work enters a project; returns a sentence if that hides it.

        Raises ToolError for a project that is hidden here.
        """
        with _WRITING:
            found = self._read(project) or PUBLICLY
            if not self._begun(
                project
            ):  # a mark without a project is left over from a refused call
                found = here
                self._write(project, here)
            if not viewer.sees(self._person, found):
                raise ToolError(TAKEN.format(name=project))
            narrowed = found.narrowed(here)
            if narrowed == found:
                return ""
            self._write(project, narrowed)
            return (
                f"[{project} was changed in private: from now on it is not shown in public places]"
            )

    def _begun(self, project: str) -> bool:
        above = self._root / person_folder(self._person)
        return (above / project).exists() or (above / SNAPSHOTS / project).exists()

    def _read(self, project: str) -> Learned | None:
        try:
            with open_folder(self._root, self._folder) as folder:
                data = read_bytes(folder, f"{project}.json", _MARK_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ToolError(f"{project} can't be used: {error.strerror or error}") from error
        try:
            found = json.loads(data)
            return Learned(Reach(found["reach"]), str(found["channel"]))
        except (ValueError, KeyError, TypeError):
            return Learned(Reach.DM)  # an unreadable mark hides the project from others

    def _write(self, project: str, learned: Learned) -> None:
        data = json.dumps({"reach": learned.reach.value, "channel": learned.channel}).encode()
        try:
            with open_folder(self._root, self._folder, create=True) as folder:
                replace_bytes(folder, f"{project}.json", data)
        except OSError as error:
            raise ToolError(f"{project} can't be used: {error.strerror or error}") from error
