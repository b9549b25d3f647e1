"""A command's home: the command line wins over BELLHOP_HOME, in any position."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.main import app


@pytest.mark.parametrize(
    ("before", "after", "variable", "chosen"),
    [
        ("", "", "env", "env"),
        ("root", "", "env", "root"),
        ("", "command", "env", "command"),
        ("root", "command", "env", "command"),
        ("root", "", "", "root"),
    ],
)
def test_an_explicit_home_wins(
    before: str,
    after: str,
    variable: str,
    chosen: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.delenv("BELLHOP_HOME", raising=False)
    if variable:
        monkeypatch.setenv("BELLHOP_HOME", str(tmp_path / variable))
    line = [*(["--home", str(tmp_path / before)] if before else []), "init"]
    line += ["--home", str(tmp_path / after)] if after else []
    result = CliRunner().invoke(app, line)
    assert result.exit_code == 0, result.output
    assert (tmp_path / chosen / "bellhop.yaml").is_file()
    assert [folder.name for folder in tmp_path.iterdir()] == [chosen]
