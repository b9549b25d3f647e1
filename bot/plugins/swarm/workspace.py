"""A swarm's view of its project folder: its memory from swarm to swarm, and snapshots.

Everything here blocks, and may be repeated after a crash. Anybody who works in the project may
change the files, so their text is trusted no more than any other text from outside.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bot.plugin.projects import FILE_BYTES, ProjectFolder, Snapshots
from bot.plugin.tools import ToolError
from bot.plugins.swarm.swarms import Swarm

MEMORY, CONTEXT, PROJECT = "memory.md", ".ai_context", "project.json"
_OWN = frozenset({MEMORY, CONTEXT, PROJECT})
START, END, REPLACED = "start", "end", "before-restore"
MEMORY_BYTES = 64 * 1024
"""Characters of memory.md; the oldest lines are dropped."""
SHOWN_CHARS = 2000
SHOWN_FILES = 60


@dataclass(frozen=True)
class Overview:
    """The content of a project when a swarm begins."""

    files: tuple[str, ...]
    more: int
    """The number of files that `files` leaves out."""
    memory: str
    """What earlier swarms learned; empty for the first one."""
    context: str
    """What an earlier swarm's ants were told; empty where this one says it anew."""


class Workspace:
    """One project of one person."""

    def __init__(self, root: Path, person: str, project: str) -> None:
        self._folder = ProjectFolder(root, person, project)
        self._snapshots = Snapshots(root, person, project)
        self._project = project

    def prepare(self, swarm: Swarm) -> Overview:
        """Create the folder and its own files if missing, and take the snapshot `start`.

        Raises ToolError.
        """
        self._folder.make()
        title = f"# What swarms learned about {self._project}"
        if not self._read(MEMORY):
            self._folder.write(MEMORY, f"{title}\n\n".encode())
        described = {"project": swarm.project, "skill": swarm.skill, "goal": swarm.goal}
        self._folder.write(
            PROJECT, (json.dumps(described, ensure_ascii=False, indent=2) + "\n").encode()
        )
        if swarm.context:
            self._folder.write(CONTEXT, f"{swarm.context}\n".encode())
        self._snapshots.take(START)
        files = [
            f"{entry.path} ({entry.size:,} bytes)"
            for entry in islice(self._folder.walk(), 2000)
            if entry.path not in _OWN
        ]
        return Overview(
            tuple(files[:SHOWN_FILES]),
            max(0, len(files) - SHOWN_FILES),
            self._read(MEMORY).removeprefix(title).lstrip("\n")[-SHOWN_CHARS:],
            "" if swarm.context else self._read(CONTEXT)[:SHOWN_CHARS],
        )

    def close_batch(self, lines: Sequence[str]) -> None:
        """Add lines to memory.md, each once, and take the snapshot `end`. Raises ToolError."""
        memory = self._read(MEMORY)
        known = set(memory.splitlines())
        new = [line for line in lines if line not in known]
        if new:
            data = "\n".join((memory.rstrip("\n"), *new, "")).lstrip("\n").encode()
            while len(data) > MEMORY_BYTES and b"\n" in data:
                data = data.split(b"\n", 1)[1]
            self._folder.write(MEMORY, data)
        self._snapshots.take(END)

    def snapshot(self, name: str) -> str:
        """Save the project in a snapshot; returns a sentence about it. Raises ToolError."""
        taken = self._snapshots.take(name)
        return f"{taken.files:,} files, {taken.size:,} bytes"

    def restore(self, name: str) -> None:
        """Restore the project; its last state becomes the snapshot `before-restore`.

        Raises ToolError.
        """
        if name not in self._snapshots.names():
            self._snapshots.restore(name)  # the error names the existing ones
        if name != REPLACED:
            self._snapshots.take(REPLACED)
        self._snapshots.restore(name)

    def _read(self, path: str) -> str:
        try:
            return self._folder.read(path)[:FILE_BYTES].decode("utf-8", "replace")
        except ToolError:
            return ""
