"""Snapshots of a project: they restore everything, follow no link, and are out of reach."""

import os
from pathlib import Path

import pytest

from bot.domain.privacy import PUBLICLY, Viewer
from bot.errors import ToolError
from bot.files.projects.folders import ProjectFolder, move_projects, projects_of
from bot.files.projects.places import ProjectPlaces
from bot.files.projects.snapshots import MOST_KEPT, Snapshots


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return ProjectFolder(tmp_path, "ann", "shop").make()


def test_a_restored_project_is_as_it_was(tmp_path: Path, project: Path):
    snapshots = Snapshots(tmp_path, "ann", "shop")
    (project / "src").mkdir()
    (project / "empty").mkdir()
    (project / "src" / "run.sh").write_text("echo 1\n")
    (project / "src" / "run.sh").chmod(0o755)
    (project / "latest").symlink_to("src/run.sh")
    taken = snapshots.take("start")
    assert (taken.files, taken.size > 6) == (4, True)
    (project / "src" / "run.sh").unlink()
    (project / "new.txt").write_text("new")
    snapshots.restore("start")
    assert (project / "src" / "run.sh").read_text() == "echo 1\n"
    assert os.access(project / "src" / "run.sh", os.X_OK)
    assert (project / "latest").readlink() == Path("src/run.sh")
    assert (project / "empty").is_dir()
    assert not (project / "new.txt").exists()
    snapshots.restore("start")  # again, as after a crash
    assert (project / "src" / "run.sh").exists()
    assert projects_of(tmp_path, "ann") == ["shop"], "snapshots are no project"


def test_a_restore_that_was_cut_off_between_its_renames_can_be_done_again(
    tmp_path: Path, project: Path
):
    snapshots = Snapshots(tmp_path, "ann", "shop")
    (project / "a.txt").write_text("a")
    snapshots.take("start")
    project.rename(tmp_path / "ann" / ".snapshots" / "shop" / ".replaced")
    snapshots.restore("start")
    assert (project / "a.txt").read_text() == "a"


def test_targets_of_links_are_not_copied(tmp_path: Path, project: Path):
    (tmp_path / "secret.txt").write_text("zq-secret")
    (project / "file").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(project / "pipe")
    snapshots = Snapshots(tmp_path, "ann", "shop")
    snapshots.take("start")
    (tmp_path / "secret.txt").unlink()
    snapshots.restore("start")
    assert [entry.name for entry in project.iterdir()] == ["file"]
    assert (project / "file").is_symlink()


def test_a_name_is_taken_anew_and_the_oldest_goes(tmp_path: Path, project: Path):
    snapshots = Snapshots(tmp_path, "ann", "shop")
    for number in range(MOST_KEPT + 2):
        (project / "n").write_text(str(number))
        snapshots.take(f"s{number}")
    assert snapshots.names() == [f"s{number}" for number in range(2, MOST_KEPT + 2)]
    (project / "n").write_text("again")
    snapshots.take("s5")
    (project / "n").write_text("other")
    snapshots.restore("s5")
    assert (project / "n").read_text() == "again"
    for wrong in ("../../x", "", "S", "s0"):
        with pytest.raises(ToolError, match="there is no snapshot"):
            snapshots.restore(wrong)


def test_snapshots_follow_a_project_to_another_person(tmp_path: Path, project: Path):
    ProjectFolder(tmp_path, "ben", "shop").make()
    (project / "a.txt").write_text("of ann")
    Snapshots(tmp_path, "ann", "shop").take("start")
    (tmp_path / "ann" / ".places").mkdir()
    (tmp_path / "ann" / ".places" / "shop.json").write_text('{"reach": "dm", "channel": ""}')
    move_projects(tmp_path, "ann", "ben")
    assert projects_of(tmp_path, "ben") == ["shop", "shop-2"]
    assert Snapshots(tmp_path, "ben", "shop-2").names() == ["start"]
    in_public = Viewer("ben", True, PUBLICLY)
    places = ProjectPlaces(tmp_path, "ben")
    assert [places.shows(name, in_public) for name in ("shop", "shop-2")] == [True, False]
    assert not (tmp_path / "ann").exists()
