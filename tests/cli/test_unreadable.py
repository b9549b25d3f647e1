"""A folder that may not be read is named, and the others go on."""

import os
import subprocess
import sys
from pathlib import Path

RIGHTS = "-dac_override,-dac_read_search"
AS_ANYBODY = (
    ["setpriv", f"--inh-caps={RIGHTS}", f"--bounding-set={RIGHTS}"] if os.geteuid() == 0 else []
)
"""Root reads everything unless it gives that right away."""


def bellhop(
    environment: dict[str, str], home: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    command = [*AS_ANYBODY, sys.executable, "-m", "bot", "--home", str(home), *arguments]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=60, env=environment
    )


def test_one_folder_that_may_not_be_read_stops_nothing_else(
    tmp_path: Path, environment: dict[str, str]
):
    home = tmp_path / "home"
    private = home / "skills" / "private"
    tools = home / "prompts" / "tools"
    for folder in (private, tools):
        folder.mkdir(parents=True)
    (tmp_path / "home" / "bellhop.yaml").write_text("")
    home.chmod(0o700)
    private.chmod(0)
    answered = bellhop(environment, home, "chat", "--once", "add a todo: buy milk")
    assert answered.stdout == "Added to your todos: **buy milk**.\n", answered.stderr
    shared = home / "memory" / "shared_long_term.md"
    shared.parent.mkdir(exist_ok=True)
    shared.write_text("- tea\n")
    for one in (tools.parent, shared):
        one.chmod(0)
    found = bellhop(environment, home, "doctor")
    for folder in (tools.parent, private):
        folder.chmod(0o700)
    assert "private/SKILL.md: cannot be read (Permission denied); make it" in found.stdout
    assert f"{tools}: the folder can't be read (Permission denied); make it" in found.stdout
    assert f"{shared}: Permission denied; make it readable and writable for" in found.stdout
    assert "running" in found.stdout, found.stderr


def test_a_backup_names_what_it_could_not_read_and_holds_the_rest(
    tmp_path: Path, environment: dict[str, str]
):
    home = tmp_path / "home"
    private = home / "memory" / "ann"
    private.mkdir(parents=True)
    home.chmod(0o700)
    (home / "bellhop.yaml").write_text("")
    assert bellhop(environment, home, "chat", "--once", "hello").returncode == 0
    closed = home / "memory" / "closed.md"
    closed.write_text("mine")
    (home / "memory" / "shared_long_term.md").write_text("- tea\n")
    listed = home / "memory" / "bea"
    (listed / "deeper").mkdir(parents=True)
    (listed / "notes.md").write_text("hers")
    for one, mode in ((private, 0), (closed, 0), (listed, 0o400)):
        one.chmod(mode)
    copy = tmp_path / "copy.bellhop"
    told = bellhop(environment, home, "backup", str(copy))
    for one in (private, closed, listed):
        one.chmod(0o700)
    assert told.returncode == 1
    assert told.stderr == (
        f"bellhop: {copy} is a whole backup of everything else, but it lacks memory/closed.md:"
        " Permission denied; memory/ann: Permission denied; memory/bea/notes.md: Permission denied;"
        " memory/bea/deeper: Permission denied; make that readable, and back up again\n"
    )
    back = tmp_path / "back"
    assert bellhop(environment, back, "restore", str(copy)).returncode == 0
    assert (back / "memory" / "shared_long_term.md").read_text() == "- tea\n"


def test_a_closed_folder_of_skills_ends_no_background_work(
    tmp_path: Path, environment: dict[str, str]
):
    skills = tmp_path / "skills"
    skills.mkdir()
    skills.chmod(0)
    look = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from bot.sessions.upkeep.left_over import remove_left_over\n"
        "from bot.testing.fake_clock import FakeClock\n"
        "class Once(FakeClock):\n"
        "    async def sleep(self, _: float) -> None: sys.exit(7)\n"
        "asyncio.run(remove_left_over(Path(sys.argv[1]), Once()))\n"
    )
    command = [*AS_ANYBODY, sys.executable, "-c", look, str(tmp_path)]
    found = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=60, env=environment
    )
    skills.chmod(0o700)
    assert found.returncode == 7, found.stderr
