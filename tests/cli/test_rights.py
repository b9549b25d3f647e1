"""`bellhop rights`: what a person may do where, with the file and line behind it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.app import AppOptions, open_app
from bot.cli.main import app

POLICY = """\
rules:
  - {name: no tls for friends, roles: Friend, tools: "calc*", decision: deny}
  - {name: look twice, tools: manage_notes, decision: ask}
places:
  - name: desk
    where: "channel:C1"
    tools: {deny: manage_todos}
    guests: restrict
    learn: false
"""


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(
        "- {id: ann, name: Ann, role: Friend}\n- {id: owner, name: O}\n"
    )
    (tmp_path / "policy.yaml").write_text(POLICY)
    async with open_app(AppOptions(tmp_path)):
        pass
    return tmp_path


def rights(home: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["--home", str(home), "rights", *arguments])
    return (
        result.output
        if result.exception is None or result.exit_code == 0
        else f"{result.exception} {result.output}"
    )


def test_each_right_has_its_source(home: Path):
    told = rights(home, "ann", "--in", "C1")
    assert "Ann (`ann`) is Friend: contacts.yaml, line 1." in told
    assert "- guests: restrict (policy.yaml, line 5)" in told
    assert "- nothing is learned there (policy.yaml, line 5)" in told
    assert "- manage_todos: no, closed by place:desk (policy.yaml, line 5)" in told
    assert "- calculate: no, closed by policy:no tls for friends (policy.yaml, line 2)" in told
    assert "asked about: look twice (policy.yaml, line 3)" in told
    assert "dns_lookup.md, line 8)" in told


def test_the_same_person_elsewhere_and_one_tool_alone(home: Path):
    told = rights(home, "Ann", "--in", "dm", "--tool", "manage_todos")
    assert "- manage_todos: yes, open to everyone" in told
    assert "calculate" not in told


def test_a_role_stands_for_people_whom_nobody_named(home: Path):
    assert "- write_file: no, closed by place:desk" in rights(home, "Guest", "--in", "channel:C1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("zoe",), "contacts.yaml names no 'zoe'; it names ann, owner"),
        (("ann", "--in", "x:y"), "names no place"),
    ],
)
def test_unknown_names_are_reported(home: Path, arguments: tuple[str, ...], said: str):
    assert said in rights(home, *arguments)
