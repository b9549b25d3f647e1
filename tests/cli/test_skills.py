"""`bellhop skills`: making, listing and removing skills of a home."""

from pathlib import Path

from typer.testing import CliRunner

from bot.cli.main import app

RUNNER = CliRunner()


def run(home: Path, *words: str, given: str = "") -> str:
    return RUNNER.invoke(
        app, ["skills", *words, "--home", str(home)], input=given, catch_exceptions=True
    ).output


def make(home: Path, name: str) -> str:
    return run(
        home,
        "new",
        name,
        "--description",
        "Weekly: numbers",
        "--command",
        "weekly",
        given="1. List my todos.",
    )


def test_a_new_skill_is_a_valid_file_that_is_listed_shown_and_removed(tmp_path: Path):
    assert "is there" in make(tmp_path, "weekly")
    assert "Weekly: numbers" in run(tmp_path, "list")
    assert "1. List my todos." in run(tmp_path, "show", "weekly")
    assert "is gone" in run(tmp_path, "remove", "weekly", "--yes")
    assert not (tmp_path / "skills" / "weekly").exists()


def test_a_shipped_skill_is_switched_off(tmp_path: Path):
    assert "switched off" in run(tmp_path, "remove", "standup", "--yes")
    assert "standup " not in run(tmp_path, "list")


def test_sets_of_tools_are_listed_and_shown(tmp_path: Path):
    assert "pm_write_file, pm_shell" in run(tmp_path, "list")
    shown = run(tmp_path, "show", "network-auditing")
    assert "tools: dns_lookup, port_check, tls_certificate, http_headers" in shown
    assert "While it is active, only: tools dns_lookup" in shown


def test_a_name_that_is_none_or_taken_writes_nothing(tmp_path: Path):
    make(tmp_path, "weekly")
    before = sorted(tmp_path.rglob("*"))
    make(tmp_path, "weekly")
    make(tmp_path, "../outside")
    make(tmp_path, "Upper")
    assert sorted(tmp_path.rglob("*")) == before
