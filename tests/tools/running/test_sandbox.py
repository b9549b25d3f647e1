"""What scripts in the sandbox can't do.

Where bubblewrap does not work, what is promised then: they do not run.
"""

import asyncio
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ShellImplementation, ToolDefinition
from bot.testing.tools import ToolFolder, a_call, a_context, a_toolset
from bot.testing.waiting import until
from bot.tools.definitions.read_paths import SCRATCH
from bot.tools.native.registry import NativeTools
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.sandbox import Sandbox, workspace
from bot.tools.running.shell import ShellRoute
from bot.tools.settings import ShellSettings

pytestmark = pytest.mark.both_loops

CANARY = "canary-4711-of-the-host"
MOST_CHARS = 4_000


@dataclass
class Cage:
    """Runs scripts beside a tool file of a home with secrets, in the machine's sandbox."""

    home: Path
    files: ToolFolder
    outside: Path
    sandbox: Sandbox
    shell: ShellSettings
    tried: list[str] = field(default_factory=list[str])

    async def run(self, script: str, *, timeout_s: float = 20, **more: Any) -> ToolResult:
        path = self.files.put("shared/thing", root="home").with_suffix(".sh")
        await asyncio.to_thread(path.write_text, script)
        return await self.start(path, timeout_s=timeout_s, **more)

    async def start(
        self,
        path: Path,
        *,
        timeout_s: float = 20,
        network: bool = False,
        reads: tuple[Path, ...] = (),
    ) -> ToolResult:
        implementation = ShellImplementation(path, network, reads)
        definition = ToolDefinition(
            "thing", "x", {"type": "object"}, "shared", implementation, timeout_s=timeout_s
        )
        catalog = await self.files.loaded()
        route = ShellRoute(self.shell, MOST_CHARS, SystemClock(), self.sandbox)
        executor = ToolExecutor(
            NativeTools(routes={ShellImplementation: route}), SystemClock(), MOST_CHARS
        )
        outcome = await executor.execute(
            definition, a_context(a_toolset(catalog), a_call("thing", word="hello"))
        )
        assert isinstance(outcome, ToolResult)
        return outcome

    @property
    def on(self) -> bool:
        """Whether scripts run here at all; where not, each result has to say so."""
        return self.sandbox.hindrance is None

    async def says(self, script: str, **more: Any) -> str:
        """The output of a script that ends well, or what is promised where it must not run."""
        result = await self.run(script, **more)
        if not self.on:
            assert result.is_error
            assert "scripts are off" in result.content
            return "off"
        return result.content


@pytest.fixture
async def cage(tmp_path: Path) -> Cage:
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    (home / "data" / "bellhop.db").write_text(CANARY)
    (home / ".env").write_text(f"SECRET={CANARY}\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text(CANARY)
    shell = ShellSettings(readable=(str(outside), str(home)))
    cage = Cage(
        home,
        ToolFolder(tmp_path),
        outside,
        Sandbox(shell, home),
        shell,
    )
    cage.files.home = home / "prompts"
    await cage.sandbox.probe()
    return cage


async def test_a_script_runs_with_its_arguments_and_its_own_folder(cage: Cage):
    said = await cage.says(
        'cat; echo; echo "$BELLHOP_ARGUMENTS"; pwd; echo kept > f; cat f; echo "$0"; id -u; env'
    )
    if cage.on:
        lines = said.splitlines()
        assert json.loads(lines[0]) == json.loads(lines[1]) == {"word": "hello"}
        assert lines[2:5] == [SCRATCH, "kept", "/tool/thing.sh"]
        assert {line.partition("=")[0] for line in lines[6:]} <= {
            *("PATH", "HOME", "TMPDIR", "LANG", "PWD", "OLDPWD", "SHLVL", "_"),
            *("BELLHOP_TOOL", "BELLHOP_PERSON", "BELLHOP_ROLE", "BELLHOP_ARGUMENTS"),
        }


async def test_its_own_folder_is_there_and_cannot_be_changed(cage: Cage):
    (cage.files.put("shared/thing", root="home").parent / "data.txt").write_text("beside\n")
    said = await cage.says(
        "cat /tool/data.txt; echo more >> /tool/thing.sh || echo refused; touch /tool/new || "
        "echo no"
    )
    if cage.on:
        assert said.partition("\n[stderr]")[0].split() == ["beside", "refused", "no"]


async def test_python_and_the_shell_work(cage: Cage):
    said = await cage.says(
        "command -v sh awk sed >/dev/null && printf 'b\\na\\n' | sort | tr '\\n' ,; echo"
    )
    assert said.partition("\n")[0] in {"a,b,", "off"}


READS = [
    "cat /etc/shadow",
    "cat /etc/passwd",
    "cat /etc/sudoers",
    "ls /root",
    "ls /home",
    "ls /var",
    "ls /srv",
    "ls /mnt",
    "cat {home}/.env",
    "cat {home}/data/bellhop.db",
    "cat {outside}/file",
    "ls -R {home}",
    "ls {outside}",
    "cat /tool/../.env",
    "cat /tool/../../../.env",
    "cat /tool/../../../data/bellhop.db",
    "cat /tool/link",
    "tr '\\0' '\\n' < /proc/1/environ | grep -vE '^((PATH|HOME|TMPDIR|LANG|PWD)=|BELLHOP_|$)'",
    "cat /proc/1/cwd/.env",
    "cat /proc/1/root{home}/.env",
    "cat /proc/self/root{home}/.env",
    "cat /proc/{pid}/environ",
    "cat /proc/{pid}/maps",
    "ls /proc/{pid}/root",
    "cat /proc/kcore",
    "cat /dev/mem",
    "cat /dev/sda",
    "cat /dev/vda",
    "ls /run/docker.sock",
    "ls /run/dbus",
    "ls /sys/kernel",
    "find / -path /usr -prune -o -path /proc -prune -o -name bellhop.db -print | grep .",
    "find / -path /usr -prune -o -path /proc -prune -o -name .env -print | grep .",
    (
        "grep -rls {canary} / --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr "
        "--exclude-dir=dev --exclude=thing.sh"
    ),
    "mount -t tmpfs x /mnt && ls /mnt",
    "unshare -Ur cat {home}/.env",
    ("chroot /proc/1/root cat {home}/.env"),
    "nsenter -t 1 -a cat {home}/.env",
    "mknod /tmp/disk b 8 0 && head -c 9 /tmp/disk",
]
WRITES = [
    "echo x > {outside}/new",
    "echo x >> {outside}/file",
    "echo x > {home}/.env",
    ("rm {home}/data/bellhop.db"),
    "echo x > /usr/bin/{token}",
    "echo x > /usr/local/bin/{token}",
    "echo x > /etc/{token}",
    "echo x > /{token}",
    "mkdir {outside}/d",
    "ln -s /x /usr/lib/{token}",
    "echo x > /tool/{token}",
    "echo x > /dev/{token}",
    "mount -o remount,rw /",
    "mount -o remount,rw /usr && echo x > /usr/{token}",
    "mount --bind /tmp /usr",
    "chmod 777 /usr/bin",
    "touch /usr/bin/env",
    "echo 1 > /proc/sys/kernel/sysrq",
    ("echo b > /proc/sysrq-trigger"),
    "echo x > /sys/kernel/{token}",
    "umount /tool",
    "umount /usr",
    ("hostname {token} && test $(hostname) = {token}"),
    "echo {token} > /proc/sys/kernel/hostname",
    ("cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern"),
    "echo 1 > /proc/sys/vm/drop_caches",
    ("find /proc/sys /proc/irq /proc/sysrq-trigger -writable | grep ."),
]
POWERS = [
    "kill -0 {pid}",
    "kill -9 {pid}",
    "kill -STOP {pid}",
    "ls /proc/{pid}",
    "kill -0 {parent}",
    'test -n "$(ipcs -m | grep {token})"',
    "chown 12345 /tmp",
    "date -s 2001-01-01",
    "test -e /dev/kmsg",
    "test -e /dev/sda",
    "test -e /dev/kvm",
    "reboot -f",
    "dmesg | grep -q .",
    "test $(ls /proc | grep -c '^[0-9]') -gt 12",
    ('test "$(cat /proc/sys/kernel/hostname)" != sandbox'),
]


async def test_no_script_escapes(cage: Cage, capsys: pytest.CaptureFixture[str]):
    (cage.files.put("shared/thing", root="home").parent / "link").symlink_to(cage.home / ".env")
    other = await asyncio.create_subprocess_exec("sleep", "1000", stdout=asyncio.subprocess.DEVNULL)
    before = sorted(cage.outside.iterdir())
    token = f"bellhop-escape-{os.getpid()}"
    words = {
        "home": cage.home,
        "outside": cage.outside,
        "pid": other.pid,
        "parent": os.getpid(),
        "token": token,
        "canary": CANARY,
    }
    escapes: list[str] = []
    for kind, attempts in (("read", READS), ("write", WRITES), ("power", POWERS)):
        lines = [f"( {one.format(**words)} ) && echo got-{n}" for n, one in enumerate(attempts)]
        said = await cage.says("exec 2>&1\n" + "\n".join(lines) + "\necho ended\n")
        assert said == "off" or said.rstrip().endswith("ended")
        if CANARY in said:
            escapes.append(f"{kind}: the canary was read")
        escapes += [f"{kind}: {one}" for n, one in enumerate(attempts) if f"got-{n}\n" in said]
    try:
        assert other.returncode is None
        assert await asyncio.to_thread(state_of, other.pid) == "S"
        assert (cage.home / ".env").read_text() == f"SECRET={CANARY}\n"
        assert (cage.outside / "file").read_text() == CANARY
        assert sorted(cage.outside.iterdir()) == before
        assert not [
            root
            for root in ("/usr", "/usr/bin", "/etc", "/", "/tmp")  # noqa: S108
            if (Path(root) / token).exists()
        ]
    finally:
        other.kill()
        await other.wait()
    count = sum(map(len, (READS, WRITES, POWERS)))
    with capsys.disabled():
        how = "in the sandbox" if cage.on else "refused, there is no sandbox here"
        sys.stdout.write(f"\nscript escapes: {count} tried ({how}), {len(escapes)} escapes\n")
    assert not escapes, "\n".join(escapes)


async def test_there_is_no_network_unless_the_file_says_so(cage: Cage):
    connections = 0

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    script = (
        f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}' 2>/dev/null && echo connected || echo refused"
    )
    async with server:
        assert await cage.says(script) in {"refused", "off"}
        assert connections == 0
        assert await cage.says(script, network=True) in {"connected", "off"}
        await asyncio.sleep(0)
    assert connections == (1 if cage.on else 0)


async def test_declared_paths_are_shown_and_cannot_be_changed(cage: Cage):
    said = await cage.says(
        f"cat {cage.outside}/file; touch {cage.outside}/x || echo no", reads=(cage.outside,)
    )
    assert said.startswith(f"{CANARY}no") or said == "off"


@pytest.mark.parametrize("name", ["home", "above", "env", "link", "closed", "missing"])
async def test_paths_that_hold_secrets_or_were_not_opened_stay_shut(cage: Cage, name: str):
    (cage.outside / "link").symlink_to(cage.home)
    paths = {
        "home": cage.home,
        "above": cage.home.parent,
        "env": cage.home / ".env",
        "link": cage.outside / "link",
        "closed": Path("/var/log"),
        "missing": cage.outside / "nothing",
    }
    result = await cage.run("echo ran", reads=(paths[name],))
    assert result.is_error
    assert "ran" not in result.content.replace("script", "")


async def test_a_script_that_is_a_link_elsewhere_does_not_run(cage: Cage):
    path = cage.files.put("shared/thing", root="home").with_suffix(".sh")
    (cage.home / "evil.sh").write_text("cat .env")
    path.symlink_to(cage.home / "evil.sh")
    result = await cage.start(path)
    assert result.is_error
    assert "link out of its folder" in result.content or not cage.on


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def running(token: str) -> int:
    """How many processes of this machine were started with this word."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += token.encode() in path.read_bytes()
        except OSError:
            continue
    return found


async def until_none(token: str) -> None:
    await until(lambda: not running(token))


async def test_nothing_is_left_behind_after_the_time_is_over(cage: Cage):
    token = f"7{os.getpid()}"
    result = await cage.run(
        f"trap '' TERM HUP\nsetsid sleep {token} &\n(sleep {token} &) &\nnohup sleep {token} "
        f">/dev/null 2>&1 &\n"
        f"while :; do sleep {token}; done",
        timeout_s=0.7,
    )
    assert result.is_error
    await until_none(token)


async def test_daemons_do_not_outlive_a_script_that_ended(cage: Cage):
    token = f"8{os.getpid()}"
    said = await cage.says(
        f"setsid sleep {token} >/dev/null 2>&1 &\n(setsid sleep {token} &) >/dev/null 2>&1\necho "
        "done"
    )
    assert said in {"done", "off"}
    await until_none(token)


async def test_a_small_fork_bomb_ends_with_its_time(cage: Cage):
    token = f"9{os.getpid()}"
    result = await cage.run(
        f"n=0; while [ $n -lt 300 ]; do sleep {token} & n=$((n+1)); done; wait", timeout_s=2
    )
    assert result.is_error
    await until_none(token)


async def test_its_scratch_space_is_bounded(cage: Cage):
    cage.sandbox = Sandbox(cage.shell, cage.home, scratch_bytes=2 * 1024 * 1024)
    await cage.sandbox.probe()
    said = await cage.says("head -c 8000000 /dev/zero > f 2>/dev/null || echo full; du -k f")
    assert said.startswith("full\n") or said == "off"


async def test_a_flood_of_output_is_cut(cage: Cage):
    said = await cage.says("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo end")
    assert len(said) <= MOST_CHARS


async def test_a_sandbox_that_does_not_work_switches_scripts_off_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fake = tmp_path / "bin"
    fake.mkdir()
    monkeypatch.setenv("PATH", str(fake))
    missing = Sandbox(ShellSettings())
    assert missing.hindrance is not None
    await missing.probe()
    assert "bubblewrap is not installed" in (missing.hindrance or "")
    assert "tools.shell.sandbox" in (missing.hindrance or "")
    for off in ("scripts", "pm_shell", "trials of made tools", "bubblewrap is not installed"):
        assert off in missing.off
    (fake / "bwrap").write_text(
        "#!/bin/sh\necho 'No permissions to create a new namespace' >&2\nexit 1\n"
    )
    (fake / "bwrap").chmod(0o755)
    forbidden = Sandbox(ShellSettings())
    await forbidden.probe()
    assert "No permissions to create a new namespace" in (forbidden.hindrance or "")


async def test_without_the_sandbox_being_wanted_nothing_is_looked_for():
    off = Sandbox(ShellSettings(sandbox="none"))
    await off.probe()
    assert (off.wanted, off.hindrance) == (False, None)


async def test_where_a_fresh_proc_is_forbidden_scripts_run_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "bwrap").write_text(
        '#!/bin/sh\ncase " $* " in *" --proc "*) echo "Can\'t mount proc" >&2; exit 1;; esac\n'
    )
    (tmp_path / "bwrap").chmod(0o755)
    (tmp_path / "thing.sh").write_text("true")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    guarded = Sandbox(ShellSettings())
    await guarded.probe()
    assert guarded.hindrance is None
    script = (tmp_path / "thing.sh").resolve()
    command = guarded.command(script, ShellImplementation(script))
    assert next(part for part in command if part.endswith("bwrap")) == str(tmp_path / "bwrap")
    assert {"--proc", "/proc"}.isdisjoint(command)
    assert {
        "--unshare-net",
        "--unshare-pid",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
    } <= {*command}


@pytest.mark.parametrize(
    ("reads", "inside"),
    [
        ([], "/work"),
        (["/workshop/app", "/opt/work/app"], "/work"),
        (["/work/app/main.py"], "/work2"),
        (["/work", "/work2/app"], "/work3"),
    ],
)
def test_a_programs_folder_hides_nothing_that_it_may_read(reads: list[str], inside: str):
    assert workspace([Path(one) for one in reads]) == inside
