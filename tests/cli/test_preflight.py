"""Places that can't be a home are named in one sentence before anything is made there."""

import os
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.doctor import examine_folder
from bot.cli.main import app
from bot.cli.preflight import TooFewFiles, preflight, require_open_files
from bot.errors import StorageError
from bot.storage.ownership import loose_modes, require_home, require_own


def refused(*line: str) -> str:
    done = CliRunner().invoke(app, list(line))
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    (sentence,) = done.stderr.splitlines()
    return sentence


@pytest.mark.parametrize(
    "command", [("chat", "--once", "hi"), ("run",), ("tools", "list"), ("contacts", "list")]
)
def test_a_mistyped_home_is_refused_and_nothing_is_made(tmp_path: Path, command: tuple[str, ...]):
    home = tmp_path / "typo"
    assert f"there is no folder {home}; check the path of --home" in refused(
        *command, "--home", str(home)
    )
    assert not home.exists()


@pytest.mark.parametrize("command", [("chat", "--once", "hi"), ("run",)])
def test_a_folder_of_something_else_is_no_home_until_init_made_it(
    tmp_path: Path, command: tuple[str, ...]
):
    (tmp_path / "holiday.jpg").write_bytes(b"")
    assert "holds other things and no Bellhop" in refused(*command, "--home", str(tmp_path))
    assert CliRunner().invoke(app, ["init", str(tmp_path)]).exit_code == 0
    require_home(tmp_path)


def test_a_link_that_leads_nowhere_is_named_and_not_taken_for_another_folder(tmp_path: Path):
    (tmp_path / "bellhop.yaml").symlink_to("nowhere")
    told = refused("chat", "--once", "hi", "--home", str(tmp_path))
    assert "links to nowhere, which is not there" in told


def test_a_home_of_somebody_else_names_them_and_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 4242)
    with pytest.raises(
        StorageError, match=r"belongs to .*, and you are .*; run this as .* or give it away"
    ):
        require_own(tmp_path)


@pytest.mark.parametrize(("free", "state"), [(0, "error"), (50 * 2**20, "warning")])
def test_a_disk_with_little_room_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str
):
    disk = shutil.disk_usage(tmp_path)._replace(free=free)

    def measured(_: Path) -> object:
        return disk

    monkeypatch.setattr(shutil, "disk_usage", measured)
    (finding,) = [one for one in examine_folder(tmp_path) if "disk" in one.text]
    assert finding.state == state
    assert f"{free >> 20} MB free; make room" in finding.text


@pytest.mark.parametrize("what", ["", "data", "data/bellhop.db"])
def test_a_home_that_cannot_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "bellhop.db").touch()
    locked = tmp_path / what

    def allowed(path: Path, _: int) -> bool:  # root may write wherever it likes
        return path != locked

    monkeypatch.setattr(os, "access", allowed)
    with pytest.raises(StorageError, match=rf"{locked} can't be written to; make it writable"):
        preflight(tmp_path)
    assert any(finding.state == "error" for finding in examine_folder(tmp_path))


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def test_what_lies_in_the_place_of_a_file_of_the_home_is_named_by_a_start_and_by_doctor(
    tmp_path: Path,
):
    home = tmp_path / "home"
    for name, make, told in (
        ("data", Path.touch, "is no folder; move it away"),
        ("data/blobs", Path.touch, "is no folder; move it away"),
        (".locks", Path.touch, "is no folder; move it away"),
        ("data/bellhop.db", Path.mkdir, "is no file; move it away"),
        ("data/bellhop.db", os.mkfifo, "is no file; move it away"),
        ("data/bellhop.log", os.mkfifo, "is no file; move it away"),
        ("data/bellhop.lock", Path.mkdir, "is no file; move it away"),
        ("data/bellhop.db", link_to_nothing, "links to nowhere, which is not there"),
        ("prompts/tools", link_to_nothing, "links to nowhere, which is not there"),
        ("memory", link_to_nothing, "links to nowhere, which is not there"),
    ):
        (home / name).parent.mkdir(parents=True)
        (home / "bellhop.yaml").touch()
        make(home / name)
        with pytest.raises(StorageError, match=f"{home / name} {told}"):
            preflight(home)
        assert any(told in finding.text for finding in examine_folder(home))
        shutil.rmtree(home)


def test_a_broken_id_of_the_home_is_found(tmp_path: Path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "home.id").touch()
    assert any("holds no id of a home" in finding.text for finding in examine_folder(tmp_path))


@pytest.mark.slow
def test_too_few_open_files_are_one_sentence(tmp_path: Path):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    for line in (["chat", "--once", "hi"], ["run"], ["doctor"]):
        done = subprocess.run(
            [sys.executable, "-m", "bot", *line, "--home", str(tmp_path)],
            capture_output=True, text=True, timeout=60, preexec_fn=limit, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert "may have 24 files open and needs 128; raise the limit" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_the_limit_is_raised_as_far_as_the_system_allows():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, before[1]))
        require_open_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    except TooFewFiles as error:
        raise AssertionError from error
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.slow
def test_written_files_are_private_to_their_user(tmp_path: Path):
    home = tmp_path / "home"
    for line in (["init", str(home)], ["chat", "--once", "add a todo: tea", "--home", str(home)]):
        subprocess.run(
            [sys.executable, "-m", "bot", *line], capture_output=True, check=True, timeout=60
        )
    assert not list(loose_modes(home))
    for path in (home, *home.rglob("*")):
        assert not stat.S_IMODE(path.lstat().st_mode) & 0o077, path


def test_a_file_in_a_closed_folder_is_open_to_nobody(tmp_path: Path):
    """As `echo KEY=… >> .env` makes it."""
    (tmp_path / ".env").touch(mode=0o644)
    tmp_path.chmod(0o700)
    assert not list(loose_modes(tmp_path))


def test_doctor_names_what_others_can_read_and_the_command_that_mends_it(tmp_path: Path):
    (tmp_path / ".env").touch(mode=0o644)
    tmp_path.chmod(0o755)
    (finding,) = examine_folder(tmp_path)
    assert (finding.state, finding.text.splitlines()) == (
        "warning",
        [
            (
                f"{tmp_path} is open to other users of this machine (mode 755); run: chmod 700 "
                f"{tmp_path}"
            ),
            (
                f"{tmp_path}/.env is open to other users of this machine (mode 644); run: chmod "
                f"600 {tmp_path}/.env"
            ),
        ],
    )


def test_doctor_names_all_links_that_a_backup_leaves_out(tmp_path: Path):
    home, there = tmp_path / "home", tmp_path / "there"
    for folder in (home / "prompts", home / "skills" / "own", home / "memory", there):
        folder.mkdir(parents=True)
    home.chmod(0o700)
    (there / "rules.md").touch()
    assert [finding.state for finding in examine_folder(home)] == ["ok"]
    (home / "prompts" / "rules.md").symlink_to(there / "rules.md")  # a backup has this one
    for name in ("prompts/agents", "skills/linked", "skills/own/more", "memory/ann"):
        (home / name).symlink_to(there)
    (finding,) = examine_folder(home)
    assert finding.state == "warning"
    assert finding.text == (
        "a backup leaves out prompts/agents, skills/linked, skills/own/more, memory/ann: it follows"
        " no links there; put the files themselves there"
    )
