"""What a killed process was writing is removed, and nothing that somebody else made."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from bot.cli.home_files import set_secret
from bot.files.projects.snapshots import Snapshots
from bot.sessions.upkeep.left_over import remove_left_over
from bot.storage.confined import open_folder, replace_bytes
from bot.storage.home_id import made_once
from bot.testing.fake_clock import FakeClock, settle

LEFT = f".notes.md.{'0' * 16}.tmp"


class _KilledError(BaseException):
    pass


def killed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a process ends where a file would get its name, and tidies nothing."""

    def end(*_: object, **__: object) -> None:
        raise _KilledError

    def nothing(*_: object, **__: object) -> None:
        pass

    for name in ("rename", "replace", "link"):
        monkeypatch.setattr(os, name, end)
    monkeypatch.setattr(os, "unlink", nothing)


def files_below(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}


def older(home: Path) -> None:
    hour_ago = time.time() - 3600
    for path in home.rglob("*"):
        os.utime(path, (hour_ago, hour_ago))


async def looked(home: Path) -> set[str]:
    """The files that stay."""
    clock = FakeClock()
    looking = asyncio.create_task(remove_left_over(home, clock))
    while not clock.sleepers:
        await settle()
    looking.cancel()
    return files_below(home)


async def test_what_writes_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    people = tmp_path / "data" / "workspaces"
    snapshots = Snapshots(people, "ann", "site")
    with monkeypatch.context() as patch:
        killed_in(patch)
        for folder in (tmp_path, tmp_path / "memory" / "ann", tmp_path / "data" / "drafts"):
            with pytest.raises(_KilledError), open_folder(folder, (), create=True) as opened:
                replace_bytes(opened, "contacts.yaml", b"half")
        for write in (
            lambda: set_secret(tmp_path / ".env", "KEY", "secret"),
            lambda: made_once(tmp_path / "data" / "home.id", "id"),
            lambda: snapshots.take("before"),
        ):
            with pytest.raises(_KilledError):
                write()
    half = tmp_path / "skills" / ".staged" / f".new-{'0' * 12}"
    half.mkdir(parents=True)
    (half / "SKILL.md").write_text("half")
    assert len(files_below(tmp_path)) == 7
    assert len(await looked(tmp_path)) == 7, "somebody may still be writing"
    older(tmp_path)
    assert await looked(tmp_path) == set()


async def test_what_people_made_stays(tmp_path: Path):
    theirs = [
        f"data/workspaces/ann/site/{LEFT}",
        f"notes/{LEFT}",
        "data/music.part",
        "memory/.notes.md.tmp",
        "skills/tea/.tmp",
        "skills/.new-000000000000/SKILL.md",
        "prompts/agents/ann.md.0000000000000000.tmp",
    ]
    for name in (*theirs, f"skills/tea/{LEFT}"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine")
    older(tmp_path)
    assert await looked(tmp_path) == set(theirs)
