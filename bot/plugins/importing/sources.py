"""Opens a source: a git address, zip archive, folder or file, or an attachment's bytes.

Links are named, never followed. Of an archive, stated sizes are checked first, and unpacked bytes
counted. Blocking: runs in a thread.
"""

import asyncio
import contextlib
import io
import os
import re
import shutil
import signal
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.plugin.folders import open_folder, read_bytes
from bot.plugin.imports import ImportRefused, Severity, shown
from bot.plugins.importing.bundle import ALL_BYTES, MOST_FILES, MOST_LEVELS, Bundle, BundleBuilder

TIME_LIMIT_S = 60.0
PACK_BYTES = 64 * 1024 * 1024
"""The most bytes to fetch; the kernel enforces it (`ulimit -f`)."""
_LISTING_BYTES = 4 * 1024 * 1024
_ERROR_BYTES = 64 * 1024

_URL = re.compile(r"(https|ssh|file)://(?:([A-Za-z0-9._~-]+)@)?([A-Za-z0-9.\[\]:-]*)(/[!-~]+)")
_SCP = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9][A-Za-z0-9.-]*:[A-Za-z0-9~/._][!-~]*")
_LOOKS_LIKE_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:/|:)")
_REF = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,198}[A-Za-z0-9])?")
_BROWSED = re.compile(r"(https://[^/]+/[^/]+/[^/]+?)/(?:tree|blob)/([^/]+)(?:/(.+))?")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_IMPORTED = "refs/bellhop/import"
_KEPT = (
    "PATH",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
)
"""The environment of git: nothing that begins with GIT_, and no key of Bellhop's."""
_LIMITED = f'ulimit -f {PACK_BYTES // 512}; ulimit -c 0; exec "$@"'
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.bigFileThreshold=1m",
    "credential.helper=",
    "fetch.fsckObjects=true",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "submodule.recurse=false",
)


@dataclass(frozen=True)
class GitAddress:
    """A git address: `URL#REF` or `URL#REF:FOLDER`."""

    url: str
    ref: str = "HEAD"
    folder: str = ""


def is_git_address(text: str) -> bool:
    """Whether a source is meant as an URL (also one that is refused then) and not as a path."""
    return bool(_LOOKS_LIKE_URL.match(text) or _SCP.fullmatch(text.partition("#")[0]))


def parse_git_address(text: str) -> GitAddress:
    """Raises ImportRefused for every address that isn't plainly https, ssh or file."""
    url, _, rest = text.partition("#")
    ref, _, folder = rest.partition(":")
    if not rest and (browsed := _BROWSED.fullmatch(url)):
        url, ref, folder = browsed[1], browsed[2], browsed[3] or ""
        folder = folder.rpartition("/")[0] if folder.casefold().endswith("skill.md") else folder
    _check_url(url)
    if ref and (not _REF.fullmatch(ref) or ".." in ref or "//" in ref):
        raise ImportRefused(f"{shown(ref)!r} is no commit, tag or branch; write URL#<commit>")
    if any(part in {"", ".", ".."} for part in folder.split("/")) and folder:
        raise ImportRefused(
            f"{shown(folder)!r} is no folder of the repository; write URL#<commit>:path/to/skill"
        )
    return GitAddress(url, ref or "HEAD", folder)


def _check_url(url: str) -> None:
    match = _URL.fullmatch(url)
    if match is None and not _SCP.fullmatch(url):
        raise ImportRefused(f"{shown(url)!r} can't be cloned; use https://, ssh:// or file://")
    if match is None:
        return
    scheme, user, host = match[1], match[2], match[3]
    if user and scheme != "ssh":
        raise ImportRefused(
            "the address holds a name or token, which would be kept in the provenance; leave it out"
        )
    if (scheme == "file") != (host == "") or host.startswith("-"):
        raise ImportRefused(
            f"{shown(url)!r} has a strange host; use https://host/path, ssh://host/path or "
            "file:///path"
        )


async def read_git(address: GitAddress, *, time_limit_s: float = TIME_LIMIT_S) -> Bundle:
    """The files of one commit. Raises ImportRefused."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="bellhop-import-"))
    try:
        async with asyncio.timeout(time_limit_s):
            return await _Repository(folder, address).read()
    except TimeoutError:
        raise ImportRefused(
            f"{address.url} took longer than {time_limit_s:g} s; clone it and import the folder"
        ) from None
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


@dataclass(frozen=True)
class _Repository:
    folder: Path
    address: GitAddress

    async def read(self) -> Bundle:
        await self._git(
            "init", "--quiet", "--bare", "--template=", "--", str(self.folder / "repository.git")
        )
        options = (
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
            "--force",
        )
        await self._git(
            "fetch", *options, "--", self.address.url, f"{self.address.ref}:{_IMPORTED}"
        )
        commit = (
            (await self._git("rev-parse", "--verify", f"{_IMPORTED}^{{commit}}")).decode().strip()
        )
        if _COMMIT.fullmatch(self.address.ref) and commit != self.address.ref:
            raise ImportRefused(
                f"{self.address.url} gave the commit {commit} instead of the one that was pinned"
            )
        tree = f"{commit}:{self.address.folder}" if self.address.folder else commit
        listing = await self._git("ls-tree", "-r", "-z", "-l", "--full-tree", tree)
        builder = BundleBuilder(self.address.url)
        wanted = [
            entry for line in listing.split(b"\0") if line and (entry := _entry(builder, line))
        ]
        await self._fill(builder, wanted)
        return builder.build(self.address.url, "git", commit)

    async def _fill(self, builder: BundleBuilder, wanted: Sequence["_Entry"]) -> None:
        builder.announce_all([(entry.path, entry.size) for entry in wanted])
        planned = sum(entry.size for entry in wanted)
        names = "".join(f"{entry.blob}\n" for entry in wanted).encode()
        output = await self._git(
            "cat-file", "--batch", given=names, limit=planned + 200 * (len(wanted) + 1)
        )
        stream = io.BytesIO(output)
        for entry in wanted:
            if stream.readline().split()[1:] != [b"blob", str(entry.size).encode()]:
                raise ImportRefused(
                    f"{builder.where}, {shown(entry.path)}, line 1: is not what the commit lists"
                )
            builder.add(entry.path, stream.read(entry.size), executable=entry.executable)
            stream.read(1)

    async def _git(self, *arguments: str, given: bytes = b"", limit: int = _LISTING_BYTES) -> bytes:
        """Run git with an argument vector; its standard output. Raises ImportRefused."""
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        where = [] if arguments[0] == "init" else [f"--git-dir={self.folder / 'repository.git'}"]
        try:
            process = await asyncio.create_subprocess_exec(
                *("/bin/sh", "-c", _LIMITED, "sh", "git", *where, *settings, *arguments),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self.folder,
                env=self._environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise ImportRefused(
                f"git can't be started ({error.strerror}); install it, or import a folder"
            ) from error
        try:
            output, trouble, _ = await asyncio.gather(
                _read(process.stdout, limit),
                _read(process.stderr, _ERROR_BYTES),
                _feed(process.stdin, given),
            )
            status = await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        if len(output) > limit:
            raise ImportRefused(
                f"{self.address.url}: holds far more than skills; name one with URL#<commit>:path"
            )
        if status:
            raise ImportRefused(self._refusal(arguments[0], status, trouble))
        return output

    def _refusal(self, what: str, status: int, trouble: bytes) -> str:
        lines = [
            line.strip() for line in trouble.decode("utf-8", "replace").splitlines() if line.strip()
        ]
        said = next(
            (line for line in lines if line.startswith(("fatal:", "error:"))),
            lines[-1] if lines else "",
        )
        why = shown(said, 200) or (
            f"it ended with status {status}; more than {PACK_BYTES // 1024 // 1024} MB are not "
            "taken"
        )
        return (
            f"{shown(self.address.url)}: git {what} failed ({why}); check the address and the "
            "commit"
        )

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        if not self.address.url.startswith(("https:", "file:")) and "SSH_AUTH_SOCK" in os.environ:
            kept["SSH_AUTH_SOCK"] = os.environ["SSH_AUTH_SOCK"]
        return {
            **kept,
            "HOME": str(self.folder),
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "true",
            "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes",
            "GIT_NO_REPLACE_OBJECTS": "1",
        }


@dataclass(frozen=True)
class _Entry:
    path: str
    blob: str
    size: int
    executable: bool


def _entry(builder: BundleBuilder, line: bytes) -> _Entry | None:
    """One line of `ls-tree -l`; None for what is left out."""
    about, _, name = line.partition(b"\t")
    mode, kind, blob, size = about.decode("ascii").split()
    try:
        path = name.decode()
    except UnicodeDecodeError:
        raise ImportRefused(
            f"{builder.where}: {shown(repr(name))} is no UTF-8 name; rename the file"
        ) from None
    if not builder.wanted(path):
        return None
    if mode == "120000":
        builder.note(
            Severity.BLOCK, "link", path, "a symbolic link; it was not followed and left out"
        )
    elif kind != "blob":
        builder.note(Severity.WARN, "submodule", path, "another repository; it was not fetched")
    else:
        return _Entry(path, blob, int(size), mode == "100755")
    return None


async def _read(stream: asyncio.StreamReader | None, limit: int) -> bytes:
    """At most one byte more than `limit`; the rest is thrown away."""
    kept = bytearray()
    while stream is not None and (chunk := await stream.read(65536)):
        kept += chunk[: max(0, limit + 1 - len(kept))]
        if len(kept) > limit:
            break
    return bytes(kept)


async def _feed(stream: asyncio.StreamWriter | None, data: bytes) -> None:
    if stream is None or stream.is_closing():  # it may have ended before it read anything
        return
    with contextlib.suppress(ConnectionError):
        stream.write(data)
        await stream.drain()
        stream.close()


_ARCHIVE_BYTES = 2 * ALL_BYTES
_MOST_RATIO = 100
_RATIO_FROM = 64 * 1024
"""Smaller files may be as repetitive as they like."""
_MOST_ZIPPED = 4 * MOST_FILES
_ENCRYPTED = 0x1
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


def _read_zip(data: bytes, source: str, name: str, kind: str = "zip") -> Bundle:
    """The files of an archive. Raises ImportRefused: one bad entry refuses all of it."""
    if len(data) > _ARCHIVE_BYTES:
        raise ImportRefused(
            f"{name}: is larger than {_ARCHIVE_BYTES // 1024 // 1024} MB; import fewer skills at "
            "once"
        )
    builder = BundleBuilder(name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ZIPPED:
                raise ImportRefused(
                    f"{name}: has {len(entries):,} entries, at most {MOST_FILES} files are read"
                )
            for entry in entries:
                _take_zipped(builder, archive, entry)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        OverflowError,
    ) as error:
        raise ImportRefused(
            f"{name}: is not a sound zip archive ({shown(str(error))}); pack it again"
        ) from error
    return builder.build(source, kind)


def _take_zipped(builder: BundleBuilder, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    path = entry.orig_filename
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode) or (stat.S_IFMT(mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))):
        raise _refused(builder, path, "is a link or no plain file; pack the skill without it")
    if not builder.wanted(path.rstrip("/") if entry.is_dir() else path) or entry.is_dir():
        return
    if entry.flag_bits & _ENCRYPTED:
        raise _refused(
            builder, path, "is encrypted, so nobody can review it; pack it without a password"
        )
    if entry.compress_type not in _METHODS:
        raise _refused(builder, path, "is packed by an unusual method; pack it with deflate")
    builder.announce(path, entry.file_size)
    if entry.file_size > _RATIO_FROM and entry.file_size > _MOST_RATIO * max(
        entry.compress_size, 1
    ):
        raise _refused(
            builder,
            path,
            f"grows more than {_MOST_RATIO} times when unpacked; that is how a bomb looks",
        )
    with archive.open(entry) as stream:
        content = stream.read(
            builder.room + 1
        )  # the claimed size may be a lie; `add` counts what came out
    if path.casefold().endswith(".zip"):
        builder.note(
            Severity.WARN, "archive", path, "an archive inside the archive; it was not opened"
        )
    builder.add(path, content, executable=bool(mode & 0o111))


def _refused(builder: BundleBuilder, path: str, text: str) -> ImportRefused:
    return ImportRefused(f"{builder.where}, {shown(path)}, line 1: {text}")


_MOST_ENTRIES = 2_000


def _read_folder(root: Path, source: str) -> Bundle:
    """Everything below a folder. Raises ImportRefused."""
    builder = BundleBuilder(root.name)
    pending: list[tuple[str, ...]] = [()]
    seen = 0
    try:
        while pending:
            parts = pending.pop()
            with open_folder(root, parts) as folder:
                for name in sorted(os.listdir(folder)):  # noqa: PTH208 - of a descriptor
                    seen += 1
                    if seen > _MOST_ENTRIES or len(parts) > MOST_LEVELS:
                        raise ImportRefused(
                            f"{root}: holds far more than a skill; name the skill's own folder"
                        )
                    if _take(builder, folder, (*parts, name)):
                        pending.append((*parts, name))
    except OSError as error:
        raise ImportRefused(
            f"{root}: cannot be read ({error.strerror or error}); make it readable"
        ) from error
    return builder.build(source, "folder")


def _read_one_file(path: Path, source: str) -> Bundle:
    """A bundle of a single file. Raises ImportRefused."""
    builder = BundleBuilder(path.name)
    try:
        with open_folder(path.parent, ()) as folder:
            data = read_bytes(folder, path.name, builder.room + 1)
    except OSError as error:
        reason = error.strerror or error
        raise ImportRefused(
            f"{path}: cannot be read ({reason}); name a plain readable file, not a link"
        ) from error
    builder.add(path.name.lstrip(".") or "file", data)
    return builder.build(source, "file")


def _take(builder: BundleBuilder, folder: int, parts: tuple[str, ...]) -> bool:
    """Take a file; True when it is a folder that should be looked into."""
    path = "/".join(parts)
    if not builder.wanted(path):
        return False
    mode = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
    if stat.S_ISDIR(mode):
        return True
    if stat.S_ISLNK(mode):
        builder.note(
            Severity.BLOCK, "link", path, "a symbolic link; it was not followed and left out"
        )
    elif not stat.S_ISREG(mode):
        builder.note(
            Severity.BLOCK, "special-file", path, "a pipe, socket or device; it was left out"
        )
    else:
        data = read_bytes(folder, parts[-1], builder.room + 1)
        builder.add(path, data, executable=bool(mode & 0o111))
    return False


_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


async def read_source(text: str) -> Bundle:
    """What an operator named: PATH, ZIP or GIT-URL. Raises ImportRefused."""
    if is_git_address(text):
        return await read_git(parse_git_address(text))
    return await asyncio.to_thread(_read_path, text)


def read_attachment(name: str, data: bytes) -> Bundle:
    """A file that came through a chat. Blocking. Raises ImportRefused."""
    label = Path(name.replace("\\", "/")).name.lstrip(".") or "attachment"
    if data.startswith(_ZIP):
        return _read_zip(data, label, label, "attachment")
    builder = BundleBuilder("the attachment")
    if builder.wanted(label):
        builder.add(label, data)
    return builder.build(label, "attachment")


def _read_path(text: str) -> Bundle:
    path = Path(text)
    try:
        path = path.expanduser()
        mode = path.stat().st_mode
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ImportRefused(
            f"{shown(text)}: cannot be read ({reason}); name a file, a folder or a git URL"
        ) from error
    source = str(path.resolve())
    if stat.S_ISDIR(mode):
        return _read_folder(path, source)
    if not stat.S_ISREG(mode):
        raise ImportRefused(f"{shown(text)}: is no plain file or folder; name one")
    try:
        with path.open("rb") as file:
            head = file.read(4)
            if head not in _ZIP:
                return _read_one_file(path.resolve(), source)
            return _read_zip(head + file.read(_ARCHIVE_BYTES), source, path.name)
    except OSError as error:
        raise ImportRefused(
            f"{path}: cannot be read ({error.strerror or error}); make it readable"
        ) from error
