"""`bellhop backup` and `bellhop restore`, as a person types them."""

import asyncio
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.domain.database import Unit, Write
from bot.storage.backup import DATABASE
from bot.storage.home import open_database
from bot.storage.putting_back import marker_of
from tests.cli.conftest import Running

OPEN = (
    "INSERT INTO inbox (session, key, body, state, accepted_at) VALUES ('s', 'discord:1', '{}', "
    "'new', '')"
)
MARK = (
    "INSERT INTO recovery_marks VALUES ('discord:w:c', 'discord', 'w', 'c', 'channel', '7', "
    "'2026-11-22T09:00:00Z')"
)
LOOKED = "INSERT INTO person_values VALUES ('ann', 'looked at', 'google email_received', '1')"


def bellhop(home: Path, *words: object) -> Result:
    return CliRunner().invoke(app, [*map(str, words), "--home", str(home)])


async def _a_home(home: Path) -> None:
    database = await open_database(home / "data" / "bellhop.db")
    await database.write(Unit.of(Write(OPEN), Write(MARK), Write(LOOKED)))
    await database.close()


def a_home(home: Path) -> Path:
    """One request is open in it."""
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "system.md").write_text("We speak English.")
    (home / ".env").write_text("DISCORD_TOKEN=abc\n")
    asyncio.run(_a_home(home))
    return home


def rows(home: Path, sql: str) -> list[object]:
    with closing(sqlite3.connect(home / "data" / "bellhop.db")) as connection:
        return [row[0] for row in connection.execute(sql)]


def test_a_home_is_moved_with_or_without_its_secrets(tmp_path: Path):
    home = a_home(tmp_path / "home")
    for secrets in (True, False):
        path, there = tmp_path / f"{secrets}.bellhop", tmp_path / f"there-{secrets}"
        made = bellhop(home, "backup", path, *(["--secrets"] if secrets else []))
        assert made.exit_code == 0, made.output
        assert ("BELLHOP_SECRET_KEY" in made.output) is not secrets
        done = bellhop(there, "restore", path)
        assert done.exit_code == 0, done.output
        assert "1 request that was not finished and 0 messages not sent" in done.output
        assert "may run again" in done.output
        assert (there / "memory" / "system.md").read_text() == "We speak English."
        assert (there / ".env").exists() is secrets
        assert rows(there, "SELECT key FROM inbox WHERE settled_at IS NULL") == ["discord:1"]
        assert rows(there, "SELECT person FROM person_values") == ["ann"]


def test_a_restore_may_begin_without_what_was_open(tmp_path: Path):
    home, path = a_home(tmp_path / "home"), tmp_path / "copy.bellhop"
    assert bellhop(home, "backup", path).exit_code == 0
    done = bellhop(home, "restore", path)
    assert done.exit_code == 1
    assert "add --overwrite" in done.output
    done = bellhop(home, "restore", path, "--overwrite", "--without-open-turns")
    assert done.exit_code == 0, done.output
    assert rows(home, "SELECT state FROM inbox") == ["failed"]
    assert rows(home, "SELECT place FROM recovery_marks") == []
    assert rows(home, "SELECT key FROM person_values") == []
    assert (home / ".env").exists()  # it is not in the copy, so the one that is there stays
    (aside,) = home.glob("before-restore-*")
    assert rows(aside, "SELECT state FROM inbox") == ["new"]
    assert not (home / "data" / "restore.part").exists()


def test_a_running_home_is_copied_and_not_written_over(tmp_path: Path, beside: Running):
    home, path = tmp_path / "home", tmp_path / "copy.bellhop"
    home.mkdir()
    with beside(home):
        made = bellhop(home, "backup", path)
        assert made.exit_code == 0, made.output
        done = bellhop(home, "restore", path, "--overwrite")
        assert done.exit_code == 1
        assert "another Bellhop (process" in done.output
    assert bellhop(tmp_path / "there", "restore", path).exit_code == 0
    lives = "SELECT count(*) FROM home_values WHERE name = 'life'"
    assert rows(tmp_path / "there", lives) == [1]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_what_is_half_done_is_taken_away_when_somebody_ends_it(
    tmp_path: Path, environment: dict[str, str], how: signal.Signals
):
    home, copy = a_home(tmp_path / "home"), tmp_path / "copy.bellhop"
    with (home / "data" / "large").open("wb") as file:
        file.truncate(200_000_000)
    for words, half in (
        (("backup", str(copy)), copy.with_name(f".{copy.name}.unfinished") / "backup"),
        (("restore", str(copy), "--overwrite"), home / "data" / "restore.part" / DATABASE),
    ):
        # What runs in the background of a shell ignores Ctrl-C, unless this is said.
        heeding = ("env", "--default-signal=INT")
        command = [*heeding, sys.executable, "-m", "bot", "--home", str(home), *words]
        ended, told = 0, (b"", b"")
        for _ in range(5):  # once more, if it was quicker
            if "backup" in words:
                copy.unlink(missing_ok=True)
            with Popen(command, env=environment, stdout=PIPE, stderr=PIPE) as process:
                while not half.exists() and process.poll() is None:
                    pass
                process.send_signal(how)
                told = process.communicate()
            if ended := process.returncode:
                break
        assert ended == (143 if how is signal.SIGTERM else 130), told
        assert not half.parent.exists()
        assert rows(home, "SELECT key FROM inbox WHERE settled_at IS NULL") == ["discord:1"]
        assert copy.exists() or bellhop(home, "backup", copy).exit_code == 0


def test_errors_are_one_sentence(tmp_path: Path):
    home = a_home(tmp_path / "home")
    (tmp_path / "text").write_text("hello")
    for words, sentence in (
        (["backup", tmp_path / "text"], "exists; name a file"),
        (["backup", tmp_path / "no" / "where"], "cannot write the backup"),
        (["restore", tmp_path / "nothing", "--overwrite"], "there is no file"),
        (["restore", tmp_path / "text", "--overwrite"], "not a Bellhop backup"),
    ):
        done = bellhop(home, *words)
        assert done.exit_code == 1, done.output
        assert sentence in done.output
        assert len(done.output.splitlines()) == 1, done.output
    assert bellhop(tmp_path / "empty", "backup", tmp_path / "x").exit_code == 1
    assert rows(home, "SELECT key FROM inbox") == ["discord:1"]


def test_doctor_tells_of_damage_and_of_a_restore_that_was_cut_off(tmp_path: Path):
    home = a_home(tmp_path / "home")
    database = home / "data" / "bellhop.db"
    assert "✓ database" in bellhop(home, "doctor").output
    marker_of(database).touch()
    cut_off = bellhop(home, "doctor")
    assert cut_off.exit_code == 1
    assert "was cut off; run `bellhop restore PATH --overwrite` again" in cut_off.output
    marker_of(database).unlink()
    (home / "data" / "restore.part").mkdir()
    assert "is of a restore that ended before it changed" in bellhop(home, "doctor").output
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'inbox'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x99" * size)
    done = bellhop(home, "doctor")
    assert done.exit_code == 1
    assert "is damaged" in done.output
    assert "inbox" in done.output
