"""Runs scripts in bubblewrap, where they see only programs, libraries and their own folder.

The root file system contains only what a script needs: no home folders, no database, no `.env`, no
sockets. It is read-only except for a private /tmp.
"""

import asyncio
import contextlib
import logging
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from bot.domain.tools import ShellImplementation
from bot.errors import ToolError
from bot.tools.definitions.read_paths import MERGED, SCRATCH, TOOL_FOLDER
from bot.tools.running.seccomp import filter_file
from bot.tools.settings import ShellSettings

log = logging.getLogger(__name__)

SCRIPT_PATH = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin"
"""PATH of a script; nothing else of the program's environment reaches it."""
WORKSPACE = "/work"
"""The path of a project's folder for command lines, the only writable folder of the machine."""
_PROBE_S = 30.0
"""Long, so that a machine that is busy at the start doesn't lose its scripts."""
_SHARED_MEMORY_BYTES = 64 * 1024 * 1024
SCRATCH_BYTES = 256 * 1024 * 1024
"""Room for what a script writes: it is memory of the machine, several scripts at a time."""
_PROCESSES = "256"
"""How many processes a script may have: enough for a build, no fork bomb (not held for root)."""
_INSTALL = "install it (Debian, Ubuntu: apt-get install bubblewrap)"
_OR_NONE = "or set tools.shell.sandbox to none to run scripts without a sandbox"

_PROGRAMS = ("/usr", "/nix/store", "/run/current-system/sw")
_ETC = (
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone"),
    *("mime.types", "ssl", "ca-certificates", "pki", "crypto-policies", "protocols", "services"),
    "nsswitch.conf",
)
_ETC_NETWORK = ("resolv.conf", "hosts", "host.conf", "gai.conf")
_LIMIT = (
    'if (ulimit -u "$1") 2>/dev/null; then ulimit -u "$1"; else ulimit -p "$1"; fi; '
    'shift; exec "$@"'
)
"""Limits the processes of a user; bash and dash have different letters for it."""
_FILTERED = 'exec 9<"$1"; shift; exec "$@"'
"""Opens the seccomp filter at the descriptor that bubblewrap reads."""
_FILE_LIMIT = 'ulimit -f "$1"; exec /bin/sh -c "$2"'


@dataclass(frozen=True)
class Bubblewrap:
    """A working bubblewrap and its abilities.

    `proc`: a fresh /proc may be mounted, which containers and services with a guarded one forbid;
    `strict`: further namespaces can be forbidden inside, which needs that /proc; `sized`: a folder
    in memory can be bounded.
    """

    path: str
    proc: bool = True
    strict: bool = True
    sized: bool = True


_VARIANTS = (
    (True, True, True),
    (True, False, True),
    (True, False, False),
    (False, False, True),
    (False, False, False),
)
"""`proc`, `strict` and `sized`, the best first."""


WITHOUT = (
    "tools that are scripts, commands in projects (pm_shell), trials of made tools, and agents "
    "with a program of their own"
)
"""What runs in the sandbox alone."""


class Sandbox:
    """Puts scripts into a sandbox, or says why it can't. Call `probe` first."""

    def __init__(
        self,
        settings: ShellSettings,
        home: Path | None = None,
        scratch_bytes: int = SCRATCH_BYTES,
    ) -> None:
        self._settings = settings
        self._home = home
        self._scratch_bytes = scratch_bytes
        self._lock = asyncio.Lock()
        self._probed = False
        self._program: Bubblewrap | None = None
        self.wanted = settings.sandbox == "bubblewrap"
        """Whether the settings ask for it."""
        self.confines = False
        """Whether command lines can run here, confined; known once `probe` has looked."""
        self._missing = ""
        self._filter = ""
        """Path of the seccomp filter, once `probe` has made it."""

    @property
    def hindrance(self) -> str | None:
        """Why scripts can't run here, with the remedy; None when they can.

        Known once `probe` has looked.
        """
        if not self.wanted or self._program is not None:
            return None
        return f"scripts are off: {self._missing or 'the sandbox has not been looked for yet'}"

    @property
    def off(self) -> str:
        """What the house does without for lack of a sandbox, and the remedy; empty if nothing.

        Known once `probe` has looked.
        """
        if not self.wanted:
            return "commands in projects (pm_shell) are off: tools.shell.sandbox is none"
        if self._program is not None:
            return ""
        return f"{WITHOUT} are off: {self._missing or 'the sandbox has not been looked for yet'}"

    async def probe(self) -> None:
        """Check once that bubblewrap exists and works: many containers forbid what it needs."""
        async with self._lock:
            if self._probed or not self.wanted:
                return
            self._probed = True
            self._filter = filter_file()
            self._program = await self._find()
            self.confines = self._program is not None
        if self._program is None:
            log.warning("sandbox=<bubblewrap> | %s", self.off)

    async def _find(self) -> Bubblewrap | None:
        path = await asyncio.to_thread(shutil.which, "bwrap")
        if path is None:
            self._missing = f"bubblewrap is not installed; {_INSTALL}, {_OR_NONE}"
            return None
        for proc, strict, sized in _VARIANTS:
            program = Bubblewrap(path, proc, strict, sized)
            if await self._works(program):
                return program
        return None

    async def _works(self, program: Bubblewrap) -> bool:
        mounts = await asyncio.to_thread(lambda: list(_system(network=False)))
        process = await asyncio.create_subprocess_exec(
            *self._line(program, mounts, ("true",)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={"PATH": SCRIPT_PATH},
        )
        try:
            async with asyncio.timeout(_PROBE_S):
                _, said = await process.communicate()
        except TimeoutError:
            said = b"it does not end"
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.returncode == 0:
            return True
        reason = said.decode("utf-8", "replace").strip().splitlines()[-1:] or [
            f"exit status {process.returncode}"
        ]
        self._missing = (
            f"bubblewrap does not work here ({reason[0][:200]}); allow user namespaces on this "
            f"machine, {_OR_NONE}"
        )
        return False

    def command(self, script: Path, implementation: ShellImplementation) -> tuple[str, ...]:
        """The command line that runs a script of `implementation.script`'s folder.

        Blocking; raises ToolError.

        It starts nothing. Each part is one argument, so nothing needs quoting.
        """
        if self._program is None:
            raise ToolError(f"{self.hindrance}. Go on without this tool")
        if script.parent != implementation.script.parent.resolve():
            raise ToolError(
                f"{implementation.script.name} is a link out of its folder; the operator has to "
                "replace it"
            )
        mounts = [*_system(network=implementation.network), *self._hidden()]
        mounts += ["--ro-bind", str(script.parent), TOOL_FOLDER]
        for path in implementation.reads:
            real = str(self._readable(path))
            mounts += ["--ro-bind", real, str(path)]
        runnable = os.access(script, os.X_OK)
        inner = f"{TOOL_FOLDER}/{script.name}"
        command = (inner,) if runnable else ("/bin/sh", inner)
        return self._line(self._program, mounts, command, network=implementation.network)

    def program(
        self, command: Sequence[str], folder: Path, reads: Sequence[Path] = ()
    ) -> tuple[str, ...]:
        """The command line that runs a program in `folder`, without a network.

        Blocking; raises ToolError.

        It sees `reads` and the system's programs, never the home folder. Without a sandbox, the
        program runs directly.
        """
        if not self.wanted:
            return tuple(command)
        if self._program is None:
            raise ToolError(f"{self.hindrance}. Go on without it")
        mounts = [*_system(network=False)]
        for path in reads:
            mounts += ["--ro-bind", str(path.resolve(strict=True)), str(path)]
        # The root holds only mounted paths, so the home is hidden unless it lies in one of these.
        inside = workspace(reads)
        mounts += [*self._hidden(reads), "--bind", str(folder.resolve(strict=True)), inside]
        return self._line(self._program, mounts, command, folder=inside)

    def line(self, folder: Path, text: str, file_bytes: int) -> tuple[str, ...]:
        """The command line that runs a line of shell in `folder`, without a network.

        Blocking; raises ToolError.

        `text` is one argument; only the shell in the sandbox parses it. No file grows beyond
        `file_bytes`.
        """
        if self._program is None or not self.wanted:
            reason = (
                self.hindrance
                or "command lines need the sandbox, which tools.shell.sandbox switches off"
            )
            raise ToolError(f"{reason}. Go on without it")
        mounts = [*_system(network=False), *self._hidden()]
        mounts += ["--bind", str(folder.resolve(strict=True)), WORKSPACE]
        shell = ("/bin/sh", "-c", _FILE_LIMIT, "sh", str(file_bytes // 512), text)
        return self._line(self._program, mounts, shell, folder=WORKSPACE)

    def _line(
        self,
        program: Bubblewrap,
        mounts: Sequence[str],
        command: Sequence[str],
        *,
        folder: str = SCRATCH,
        network: bool = False,
    ) -> tuple[str, ...]:
        outside = self._outside(program, network=network)
        return (*outside, *mounts, *self._inside(program, folder), *command)

    def _outside(self, program: Bubblewrap, *, network: bool) -> list[str]:
        spaces = [f"--unshare-{one}" for one in ("user", "pid", "ipc", "uts", "cgroup-try")]
        filtered = ["/bin/sh", "-c", _FILTERED, "sh", self._filter] if self._filter else []
        return [
            *filtered, program.path, *(["--seccomp", "9"] if self._filter else []),
            *spaces, *([] if network else ["--unshare-net"]),
            *(["--disable-userns"] if program.strict else []),
            "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--hostname", "sandbox",
            *(["--proc", "/proc"] if program.proc else []), "--dev", "/dev",
            *_bounded(program, _SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm",  # noqa: S108
            *_bounded(program, self._scratch_bytes), "--tmpfs", SCRATCH,
        ]  # fmt: skip

    def _inside(self, program: Bubblewrap, folder: str) -> list[str]:
        # /proc too: to the kernel, root without capabilities is still the owner of the machine's
        # /proc/sys.
        closed = ["/dev", "/", *(["/proc"] if program.proc else [])]
        return [
            *(part for one in closed for part in ("--remount-ro", one)),
            *("--chdir", folder, "--", "/bin/sh", "-c", _LIMIT, "sh", _PROCESSES),
        ]

    def _hidden(self, reads: Sequence[Path] = ()) -> Iterator[str]:
        """Options that hide the home folder if it lies below a visible path."""
        if self._home is None:
            return
        home = self._home.resolve()
        seen = (*_PROGRAMS, *MERGED, *(path.resolve() for path in reads))
        if any(home.is_relative_to(root) for root in seen):
            yield from ("--tmpfs", str(home))

    def _readable(self, path: Path) -> Path:
        """Resolve a declared path.

        Raises ToolError unless an operator allowed it and it holds no secrets.
        """
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            raise ToolError(
                f"{path}, which the tool's file asks for, does not exist on this machine"
            ) from None
        opened = [Path(root).resolve() for root in self._settings.readable]
        if not any(real.is_relative_to(root) for root in opened):
            raise ToolError(
                f"the tool's file asks for {path}, which tools.shell.readable does not open for "
                "scripts"
            )
        home = self._home.resolve() if self._home is not None else None
        if home is not None and (real.is_relative_to(home) or home.is_relative_to(real)):
            raise ToolError(
                f"the tool's file asks for {path}, which holds Bellhop's own files; that is never "
                "open"
            )
        return real


def workspace(reads: Sequence[Path] = ()) -> str:
    """The path of a program's folder: one that hides none of what it may read."""
    paths = chain([WORKSPACE], (f"{WORKSPACE}{number}" for number in count(2)))
    return next(path for path in paths if not any(read.is_relative_to(path) for read in reads))


def _bounded(program: Bubblewrap, size: int) -> list[str]:
    return ["--size", str(size)] if program.sized else []


def _system(*, network: bool) -> Iterator[str]:
    """Mounts of programs, libraries and their settings, which hold nothing private.

    Blocking.
    """
    for root in _PROGRAMS:
        yield from ("--ro-bind-try", root, root)
    for name in MERGED:
        if os.path.islink(name):  # noqa: PTH114 - pathlib would read the link's target
            yield from ("--symlink", os.readlink(name), name)  # noqa: PTH115
        else:
            yield from ("--ro-bind-try", name, name)
    for name in (*_ETC, *(_ETC_NETWORK if network else ())):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
