"""`bellhop settings` says what can be set; the command line says which home is meant."""

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field
from typer.testing import CliRunner

from bot.cli.main import app
from bot.cli.settings import PLAIN, described, page
from bot.domain.access import Role
from bot.settings import Section


class Inner(Section):
    title: str = ""
    """What it is called."""
    size: float | None = Field(default=None, gt=0)
    """How large it is.

    In metres.
    """


class Figures(Section):
    least: float | None = None
    most: int | None = None


class Inherited(Section):
    enabled: bool = False
    """Whether it is on (docs/people.md#rules)."""


class Sample(Inherited):
    """`sample:` a section | with one of each."""

    mode: Literal["fast", "slow"] = "fast"
    """How."""
    count: int = Field(default=3, ge=1, le=9)
    """How many."""
    role: Annotated[Role, "noted"] = Role.GUEST
    """Whose."""
    names: tuple[str, ...] = tuple("abcdefgh")
    """Who."""
    inner: Inner = Inner()
    by_name: dict[str, Inner] = Field(default_factory=dict)
    """Each by its name."""


def test_a_row_says_default_values_and_meaning():
    (sample, log) = described({"sample": Sample})
    assert log.name == "log"
    assert sample.meaning == "A section | with one of each."
    assert [(one.name, one.default, one.values, one.meaning) for one in sample.settings] == [
        ("sample.enabled", "false", "true, false", "Whether it is on (docs/people.md#rules)."),
        ("sample.mode", "fast", "fast, slow", "How."),
        ("sample.count", "3", "whole number, 1 to 9", "How many."),
        (
            "sample.role",
            "Guest",
            "Banned, Guest, Business, Friend, Partner, MasterAdmin",
            "Whose.",
        ),
        ("sample.names", "a, b, c, … (8 in all)", "list", "Who."),
        ("sample.inner.title", "none", "text", "What it is called."),
        ("sample.inner.size", "none", "number, more than 0", "How large it is. In metres."),
        ("sample.by_name", "none", "table", "Each by its name."),
        ("sample.by_name.NAME.title", "none", "text", "What it is called."),
        ("sample.by_name.NAME.size", "none", "number, more than 0", "How large it is. In metres."),
    ]


class Weights(Section):
    each: Figures = Figures(least=2)
    """Of each."""
    by_name: dict[str, Figures] = Field(default_factory=dict)
    """Of some."""
    on: bool = True
    """Whether."""


def test_a_table_of_numbers_has_one_row():
    (weights, _) = described({"weights": Weights})
    assert [(one.name, one.default, one.values) for one in weights.settings] == [
        ("weights.each", "least: 2", "table of least, most"),
        ("weights.by_name", "none", "table of least, most"),
        ("weights.on", "true", "true, false"),
    ]


def test_the_page_links_documents_and_ends_no_cell():
    text = page(PLAIN, described({"sample": Sample}))
    assert "A section \\| with one of each." in text
    assert "Whether it is on ([rules](people.md#rules))." in text
    assert {line.count(" | ") for line in text.splitlines() if line.startswith("| `")} == {3}


def test_a_section_shows_whole_sentences():
    shown = CliRunner().invoke(app, ["settings", "tools.shell"])
    assert shown.exit_code == 0
    assert "tools.shell.sandbox\n    bubblewrap, none; default: bubblewrap\n" in shown.stdout
    assert "database and `.env`." in shown.stdout
    assert "tools.http" not in shown.stdout


def test_programs_get_every_setting_as_json():
    shown = CliRunner().invoke(app, ["settings", "--json"])
    names = [one["name"] for one in json.loads(shown.stdout)]
    assert {"timezone", "budgets.prices", "services.NAME.scopes"} <= set(names)
    assert len(names) == len(set(names)) > 100


def test_a_mistyped_name_gets_the_near_one():
    shown = CliRunner().invoke(app, ["settings", "sesions"])
    assert shown.exit_code == 1
    assert "did you mean 'sessions'?" in shown.output


# A command's home: the command line wins over BELLHOP_HOME, in any position.


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
