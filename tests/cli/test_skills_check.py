"""Plays of skills: what `bellhop skills check` finds wrong, and what it lets pass."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.main import app
from bot.cli.playing import Scene, open_stage
from bot.domain.access import Role
from bot.errors import DefinitionError
from bot.skills.library import SkillLibrary
from bot.skills.play_file import parse_play, read_play

WORDS = "feed the owls, owls"
GOOD = """
asked: feed the owls please
given:
  calls:
    - {call: manage_todos, with: {action: create, title: Buy mice}}
replies:
  - {call: manage_todos, with: {action: list}}
  - say: Two mice for each owl.
result: {has: [two mice], lacks: [three], done: [Buy mice], calls: [manage_todos]}
"""


async def scene(root: Path, play: str, body: str = "1. List todos.") -> Scene:
    folder = root / "owls"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: owls\ndescription: Feed owls.\nmetadata: {{family: team, words: '{WORDS}'}}\n"
        f"---\n{body}\n"
    )
    library = SkillLibrary([root])
    await library.load()
    return Scene(library.all()[0], body, parse_play(play, "play.yaml"))


@pytest.mark.parametrize(
    ("change", "body", "problem"),
    [
        (("", ""), "1. List todos.", ""),
        (("two mice]", "two mice, four]"), "", "the answer lacks 'four'"),
        (("[three]", "[mice]"), "", "the answer has 'mice'"),
        (("done: [Buy mice]", "done: [Buy hats]"), "", "no tool's result has 'Buy hats'"),
        (("calls: [manage_todos]", "calls: []"), "", "manage_todos is called, but"),
        (("action: list", "action: dance"), "", "a call failed: "),
        (("feed the owls please", "hello"), "", "a search for 'hello' finds nothing"),
        (("", ""), "Read read_emails first.", "it names read_emails, which a Friend lacks"),
        (("", ""), "Without read_emails: ask for the text.", ""),
        (("list}}", "list}}\n  - {say: One mouse.}"), "", "1 replies were not asked for"),
    ],
)
async def test_a_play_says_what_is_wrong(
    change: tuple[str, str], body: str, problem: str, tmp_path: Path
):
    play = GOOD.replace(*change) if change[0] else GOOD
    played = await scene(tmp_path / "home" / "skills", play, body or "1. List todos.")
    async with open_stage(tmp_path / "home", [played]) as stage:
        problems = await stage.play(played)
    assert (not problems) if not problem else any(one.startswith(problem) for one in problems)


async def test_what_is_there_before_is_there_and_the_outside_answers_as_written(tmp_path: Path):
    play = """
given:
  place: channel
  role: Partner
  files: {/documents/owls.md: "Owls eat at dusk."}
  history: [{Ben: the owls are loud}, {me: hello}, {bellhop: Hello Ann.}]
  tools: {current_time: "dusk it is"}
asked: feed the owls
replies:
  - calls: [{call: read_file, with: {path: /documents/owls.md}}, {call: current_time}]
  - say: At dusk.
then:
  - {asked: "and now?", replies: [{say: They sleep.}]}
result: {has: [At dusk, They sleep], done: [Owls eat at dusk, dusk it is], calls: [current_time]}
"""
    played = await scene(tmp_path / "home" / "skills", play)
    async with open_stage(tmp_path / "home", [played]) as stage:
        assert await stage.play(played) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("asked: x\nreplies: [{say: y}]", "play.yaml, line 1: result is missing"),
        ("asked: x\nreplies: []\nresult: {}", "line 2: replies"),
        ("asked: x\nreplies: [{}]\nresult: {}", "says and calls nothing"),
        ("asked: x\nreplies: [{say: y}]\nresult: {hass: [y]}", "line 3: result.hass is not"),
        ("asked: [", "play.yaml, line"),
    ],
)
def test_a_broken_play_is_named_with_its_line(text: str, said: str):
    with pytest.raises(DefinitionError, match=said.replace("{", "\\{")):
        parse_play(text, "play.yaml")


def test_a_skill_without_a_play_has_none(tmp_path: Path):
    assert read_play(tmp_path / "play.yaml") is None
    assert parse_play(GOOD, "play.yaml").given.role is Role.FRIEND


PLAYED = """
played:
  date: 2026-11-25
  model: by hand
  with: {calls: 2, bytes: 20000}
  without: {calls: 1, bytes: 10000}
  verdict: kept
  why: it knows how many mice
"""


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [(PLAYED, 0, "owls: good"), ("", 1, "it was never really played"), ("asked: [", 1, "line ")],
)
def test_the_plays_of_a_homes_own_skills_are_played(
    more: str, code: int, said: str, tmp_path: Path
):
    folder = tmp_path / "skills" / "owls"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: owls\ndescription: Feed owls.\nwords: {WORDS}\n---\n1. List todos.\n"
    )
    (folder / "play.yaml").write_text(GOOD + more)
    told = CliRunner().invoke(app, ["skills", "check", "owls", "--home", str(tmp_path)])
    assert (told.exit_code, said in told.output) == (code, True), told.output


def test_a_name_that_no_skill_has_is_told(tmp_path: Path):
    told = CliRunner().invoke(app, ["skills", "check", "no-such-owl", "--home", str(tmp_path)])
    assert (told.exit_code, told.output) == (1, "bellhop: there is no skill no-such-owl\n")
