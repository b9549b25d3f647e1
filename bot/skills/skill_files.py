"""The SKILL.md files of some folders, read without following links."""

import os
from collections.abc import Sequence
from pathlib import Path

from bot.domain.access import CLOSED
from bot.skills.skill_file import (
    FILE_BYTES,
    SKILL_FILE,
    SkillFile,
    decoded,
    skill_access,
    skill_from,
)
from bot.storage.confined import open_folder, read_bytes
from bot.storage.definition_files import DefinitionFile, DefinitionFiles
from bot.storage.live_files import UNREAD, Stamp, stamp_of


class SkillFiles(DefinitionFiles[SkillFile]):
    """One file in each folder of each root, but not in those whose name begins with `.` or `_`."""

    def __init__(self, roots: Sequence[Path]) -> None:
        super().__init__(roots, f"*/{SKILL_FILE}", skill_from, skill_access)

    def listed(self, root: Path) -> Sequence[Path]:
        with os.scandir(root) as found:
            names = sorted(one.name for one in found if one.name[0] not in "._" and one.is_dir())
        return [root / name / SKILL_FILE for name in names]

    def stamp(self, path: Path) -> Stamp:
        return stamp_of(path, follow=False)

    def text(self, root: Path, path: Path) -> str:
        with open_folder(root, (path.parent.name,)) as folder:
            return decoded(read_bytes(folder, path.name, FILE_BYTES + 1), path)

    def unreadable(
        self, path: Path, good: SkillFile | None, error: OSError
    ) -> DefinitionFile[SkillFile]:
        if isinstance(error, FileNotFoundError):
            missing = f"{path}: is missing; write it, or remove the folder {path.parent.name}"
            return DefinitionFile(path, UNREAD, None, missing)
        reason = error.strerror or str(error)
        problem = f"{path}: cannot be read ({reason}); make it a plain readable file, not a link"
        return DefinitionFile(path, UNREAD, good, problem, CLOSED)
