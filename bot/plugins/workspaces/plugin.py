"""A folder per person and project, and command lines in it: the tools of projects."""

import asyncio
import hashlib
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bot.plugin.files import FileEntry, FileSource, FileText, page_of
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.programs import ERROR, SCRATCH, SCRIPT_PATH, WORKSPACE, ProgramRunner, Sandbox
from bot.plugin.projects import (
    FILE_BYTES,
    FULL,
    PROJECTS,
    Project,
    ProjectFolder,
    ProjectPlaces,
    path_of,
    projects_of,
    require_path,
)
from bot.plugin.tables import Unit
from bot.plugin.tools import (
    NativeConnector,
    NativeTool,
    Needs,
    Origin,
    Phrase,
    ToolContext,
    ToolError,
    ToolRegistration,
    ToolResult,
    Trust,
    as_written,
    left_out,
)

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
        origin, version = _file_origin(project), hashlib.sha256(data).hexdigest()[:32]
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
                    origin=_file_origin(name),
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
                origin=_file_origin(project),
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


def _file_origin(project: str) -> Origin:
    return Origin(Trust.EXTERNAL, f"project {project}")


_WRITING = Phrase("Writing a file")
_READING = Phrase("Looking through files")
_RUNNING = Phrase("Running a command")

log = logging.getLogger(__name__)

LISTED = 300
SCANNED = 5_000
FINDINGS = 100
LINE_CHARS = 20_000

PATH = Field(description="Relative to the project: src/app.py.", min_length=1, max_length=500)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WriteFileArguments(_Arguments):
    """A whole file."""

    project: Project
    path: str = PATH
    content: str


class ReadFileArguments(_Arguments):
    """A file, or a page of it."""

    project: Project
    path: str = PATH
    offset: int | None = Field(default=None, ge=1, description="First line, counted from 1.")
    limit: int | None = Field(default=None, ge=1, description="Number of lines.")


class ListFilesArguments(_Arguments):
    """A folder of a project; without one, the projects."""

    project: Project | None = None
    path: str = Field(
        default="", max_length=500, description="A folder of the project; its top without it."
    )


class ShellArguments(_Arguments):
    """One line of shell."""

    project: Project
    command: str = Field(
        min_length=1, max_length=LINE_CHARS, description="One line for sh, such as python3 test.py."
    )


class SecretsArguments(_Arguments):
    """The part of a project to search."""

    project: Project
    path: str = Field(
        default="", max_length=500, description="A folder of the project; all of it without it."
    )


class WorkspacesConnector(NativeConnector):
    """Projects of each person, in folders below `root`."""

    id = "workspaces"

    def __init__(self, root: Path, sandbox: Sandbox, programs: ProgramRunner) -> None:
        """`sandbox` is called when it is needed, because its probe ends late."""
        super().__init__()
        self.sandbox = sandbox
        self._root, self._programs = root, programs
        self._registrations = (
            ToolRegistration(
                (
                    NativeTool("pm_write_file", WriteFileArguments, self._write, doing=_WRITING),
                    NativeTool("pm_read_file", ReadFileArguments, self._read, doing=_READING),
                    NativeTool("pm_list_files", ListFilesArguments, self._list, doing=_READING),
                    NativeTool("file_secrets", SecretsArguments, self._secrets, doing=_READING),
                )
            ),
            ToolRegistration(
                (NativeTool("pm_shell", ShellArguments, self._shell, acts=True, doing=_RUNNING),),
                Needs(also=lambda _scope: sandbox.confines),
            ),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def file_sources(self) -> Sequence[FileSource]:
        return (ProjectFiles(self._root),)

    def _places(self, context: ToolContext) -> ProjectPlaces:
        return ProjectPlaces(self._root, context.person.id)

    async def _shown(self, context: ToolContext, project: str) -> ProjectFolder:
        """A project to be read. Raises ToolError where it may not be shown."""
        await asyncio.to_thread(self._places(context).require, project, context.viewer)
        return ProjectFolder(self._root, context.person.id, project)

    async def _changed(self, context: ToolContext, project: str) -> tuple[ProjectFolder, str]:
        """A project to be changed, and a sentence about its readers from now on."""
        said = await asyncio.to_thread(
            self._places(context).change, project, context.viewer, context.learned
        )
        return ProjectFolder(self._root, context.person.id, project), said

    async def _write(self, context: ToolContext, arguments: WriteFileArguments) -> ToolResult:
        try:
            arguments.content.encode()
        except UnicodeEncodeError as error:
            raise ToolError(
                f"the text holds half a character at position {error.start}; leave it out"
            ) from None
        require_path(arguments.path)
        folder, said = await self._changed(context, arguments.project)
        kept = await asyncio.to_thread(_kept, folder, arguments.path)
        data = as_written(arguments.content, kept, _origin(context)).encode()
        new = await asyncio.to_thread(folder.write, arguments.path, data)
        done = f"{'created' if new else 'replaced'} {arguments.path} in {arguments.project}"
        text = f"{done} ({len(data):,} bytes)"
        if not context.depth:
            path = path_of(arguments.project, arguments.path)
            text += f". The person gets it as {path}: send with `file` hands it over."
        return ToolResult(f"{text}\n{said}" if said else text, summary=done)

    async def _read(self, context: ToolContext, arguments: ReadFileArguments) -> ToolResult:
        folder = await self._shown(context, arguments.project)
        data = await asyncio.to_thread(folder.read, arguments.path)
        if len(data) > FILE_BYTES:
            raise ToolError(
                f"{arguments.path} is larger than {FILE_BYTES:,} bytes; look at it with pm_shell "
                "(head)"
            )
        if b"\0" in data:
            raise ToolError(
                f"{arguments.path} is no text ({len(data):,} bytes); look at it with pm_shell "
                "(file, xxd)"
            )
        page = page_of(data.decode("utf-8", "replace"), arguments.offset, arguments.limit)
        if page is None:
            raise ToolError(
                f"{arguments.path} has fewer than {arguments.offset} lines; read from an earlier "
                "offset"
            )
        text = page.text if page.whole else f"{page.header}\n{page.text}"
        return ToolResult(
            text or "[the file is empty]", origin=_origin(context), summary=f"read {arguments.path}"
        )

    async def _list(self, context: ToolContext, arguments: ListFilesArguments) -> ToolResult:
        if arguments.project is None:
            names = await asyncio.to_thread(projects_of, self._root, context.person.id)
            shows = self._places(context).shows
            shown = await asyncio.to_thread(
                lambda: [name for name in names if shows(name, context.viewer)]
            )
            more = [f"[{left_out(len(names) - len(shown))}]"] if len(shown) < len(names) else []
            return ToolResult(
                "\n".join([*shown, *more]) or "[no projects yet; pm_write_file begins one]"
            )
        folder = await self._shown(context, arguments.project)
        entries = await asyncio.to_thread(folder.list, arguments.path)
        lines = [
            f"{one.path}/" if one.folder else f"{one.path} ({one.size:,} bytes)"
            for one in entries[:LISTED]
        ]
        lines += (
            [f"[{len(entries) - LISTED:,} more are not shown]"] if len(entries) > LISTED else []
        )
        return ToolResult("\n".join(lines) or "[the folder is empty]", origin=_origin(context))

    async def _shell(self, context: ToolContext, arguments: ShellArguments) -> ToolResult:
        if "\0" in arguments.command:
            raise ToolError("the command holds a NUL character; leave it out")
        project, said = await self._changed(context, arguments.project)

        def prepare() -> tuple[Path, tuple[str, ...], bool]:
            path, full = project.make(), project.is_full()
            # A full project can be emptied: files may be deleted, and none may grow.
            return (
                path,
                self.sandbox.line(path, arguments.command, 0 if full else FILE_BYTES * 50),
                full,
            )

        path, command, full = await asyncio.to_thread(prepare)
        environment = {
            "PATH": SCRIPT_PATH,
            "HOME": SCRATCH,
            "TMPDIR": SCRATCH,
            "LANG": "C.UTF-8",
        }
        try:
            ended = await self._programs.run(command, path, environment)
        except (OSError, ValueError) as error:
            log.warning(
                "session=<%s>, error=<%s> | the sandbox can't be started", context.session_id, error
            )
            raise ToolError("the sandbox could not be started; go on without it") from error
        parts = [
            ended.out.strip("\n"),
            f"[stderr]\n{ended.err.strip()}" if ended.err.strip() else "",
        ]
        how = f"exit status {ended.status}" if ended.status >= 0 else f"signal {-ended.status}"
        parts.insert(0, f"{ERROR}{how}" if ended.status else "")
        parts.append(
            f"[{FULL}; until enough is removed, commands can only remove files]" if full else ""
        )
        parts.append(said)
        text = "\n".join(part for part in parts if part).replace(str(path), WORKSPACE)
        summary = f"{arguments.command[:80]} ({how})"
        return ToolResult(
            text, is_error=ended.status != 0, origin=_origin(context), summary=summary
        )

    async def _secrets(self, context: ToolContext, arguments: SecretsArguments) -> ToolResult:
        folder = await self._shown(context, arguments.project)
        found, read, left = await asyncio.to_thread(_scan, folder, arguments.path)
        lines = [f"{one.path}, line {one.line}: {one.kind}" for one in found[:FINDINGS]]
        lines += (
            [f"[{len(found) - FINDINGS} more findings are not shown]"]
            if len(found) > FINDINGS
            else []
        )
        head = (
            f"{len(found)} findings in {read:,} files"
            if found
            else f"nothing was found in {read:,} files"
        )
        head += f"; {left:,} were not read (too large, no text, or too many)" if left else ""
        return ToolResult("\n".join([f"{head}.", *lines]), origin=_origin(context), summary=head)


_SHAPES = (
    ("private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----")),
    ("access key of a cloud", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    (
        "token of a code host",
        re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,}|glpat-[\w-]{20,})"),
    ),
    (
        "token of a chat platform",
        re.compile(r"\bxox[abeprs]-[\w-]{10,}|\b[MN][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}"),
    ),
    ("key of a model provider", re.compile(r"\bsk-[\w-]{20,}")),
    ("payment key", re.compile(r"\b[rs]k_live_\w{16,}")),
    ("signed web token", re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}")),
    (
        "password in an address",
        re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@\"'<>]{1,64}:([^\s/@\"'<>{}$]{4,128})@"),
    ),
    (
        "password in settings",
        re.compile(
            r"(?i)\b[\w.-]{0,40}(?:password|passwd|secret|token|api[_-]?key)"
            r"[\"']?\s{0,4}[:=]\s{0,4}[\"']?([^\s\"'#,;{}$<>]{8,200})"
        ),
    ),
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|\.+|change.?me.*|your.*|example.*|placeholder.*|none|null|true|false|todo.*"
    r"|os\.|process\.|env\b.*)"
)
_LINE_CHARS = 4_000


@dataclass(frozen=True)
class SecretFinding:
    """The position of a secret; never the secret itself."""

    path: str
    line: int
    kind: str


def secrets_in(path: str, text: str) -> Iterator[SecretFinding]:
    """One finding per line and kind; the first matching kind counts."""
    for number, line in enumerate(text.split("\n"), 1):
        part = line[:_LINE_CHARS]
        for kind, pattern in _SHAPES:
            match = pattern.search(part)
            if match and not (match.groups() and _PLACEHOLDER.match(match[1])):
                yield SecretFinding(path, number, kind)
                break


def _scan(folder: ProjectFolder, path: str) -> tuple[list[SecretFinding], int, int]:
    """Blocking. Returns findings, the number of files read, and the number skipped."""
    folder.list(path)  # a missing folder is a mistake, not a clean result
    found: list[SecretFinding] = []
    read = left = 0
    for entry in islice(folder.walk(path), SCANNED * 2):
        data = b"\0" if entry.size > FILE_BYTES or read >= SCANNED else _content(folder, entry.path)
        if b"\0" in data:
            left += 1
            continue
        read += 1
        found += secrets_in(entry.path, data.decode("utf-8", "replace"))
    return found, read, left


def _content(folder: ProjectFolder, path: str) -> bytes:
    try:
        return folder.read(path)
    except ToolError:
        return b"\0"


def _kept(folder: ProjectFolder, path: str) -> str:
    """The text that is there; empty without one."""
    try:
        return folder.read(path).decode("utf-8", "replace")
    except ToolError:
        return ""


def _origin(context: ToolContext) -> Origin:
    """A project's files may come from anywhere: from programs, or from texts that were read."""
    return Origin(Trust.EXTERNAL, f"tool:{context.call.name}")


class Workspaces(Plugin[NoSettings]):
    name = "workspaces"
    title = "projects of people, and command lines in them"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(WorkspacesConnector(given.folder, given.sandbox, given.programs),))
