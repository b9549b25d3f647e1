"""`bellhop skills check`: play the plays of skills."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.assembly.home_settings import load_settings
from bot.assembly.models import home_model
from bot.cli.home_files import skills_of
from bot.cli.options import NO_HOME, Home
from bot.cli.playing import Scene, open_stage, verdict_problems
from bot.errors import BotError, DefinitionError
from bot.skills.library import SkillLibrary
from bot.skills.play_file import PLAY_FILE, read_play


class UnknownPlay(BotError):
    """There is nothing to play."""


async def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Skills; without, all.")
    ] = None,
    really: Annotated[
        bool, typer.Option("--really", help="Play one with this home's model, and say the cost.")
    ] = False,
    without: Annotated[
        bool, typer.Option("--without", help="With --really: as if the skill were not there.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Play the plays of skills.

    A scripted model plays them, on a home made for that and thrown away.
    """
    if really or without:
        await _really(home, names or (), without=without)
    elif not await _check(home, names or ()):
        raise typer.Exit(1)


async def _check(home: Path, names: Sequence[str]) -> bool:
    library = await skills_of(home)
    found, problems = scenes_of(library, names)
    if unknown := set(names) - {skill.name for skill in library.all()}:
        raise UnknownPlay(f"there is no skill {', '.join(sorted(unknown))}")
    for problem in problems:
        typer.echo(problem)
    good = not problems
    with tempfile.TemporaryDirectory(prefix="bellhop-plays-") as folder:
        async with open_stage(Path(folder), found) as stage:
            for scene in found:
                wrong = [*await stage.play(scene), *verdict_problems(scene.play)]
                typer.echo(f"{scene.name}: {'good' if not wrong else ''}".rstrip())
                for problem in wrong:
                    typer.echo(f"  - {problem}")
                good = good and not wrong
    if not found:
        typer.echo("No skill has a play (play.yaml beside its SKILL.md).")
    return good


async def _really(home: Path, names: Sequence[str], *, without: bool) -> None:
    scenes, problems = scenes_of(await skills_of(home), names)
    if len(scenes) != 1:
        raise UnknownPlay("\n".join(problems) or "name one skill that has a play")
    (scene,) = scenes
    settings = await asyncio.to_thread(load_settings, home)
    model = home_model(settings)
    with tempfile.TemporaryDirectory(prefix="bellhop-play-") as folder:
        if without:
            off = Path(folder) / "skills" / scene.name / "SKILL.md"
            off.parent.mkdir(parents=True)
            off.write_text("---\ndisabled: true\n---\n", encoding="utf-8")
        async with open_stage(Path(folder), scenes, model) as stage:
            outcome, wrong = await stage.play_really(scene)
            cost = stage.cost
    typer.echo("\n\n".join(outcome.answers))
    for problem in wrong:
        typer.echo(f"  - {problem}")
    said = "without" if without else "with"
    typer.echo(f"{said}: {{calls: {cost.calls}, bytes: {cost.bytes}}}")


def scenes_of(library: SkillLibrary, names: Sequence[str] = ()) -> tuple[list[Scene], list[str]]:
    """The plays of these skills, or of all that have one, and what can't be played."""
    found: list[Scene] = []
    problems: list[str] = []
    for skill in library.all():
        if (names and skill.name not in names) or skill.source is None:
            continue
        try:
            play = read_play(skill.source.parent / PLAY_FILE)
        except DefinitionError as error:
            problems.append(str(error))
            continue
        if play is not None:
            found.append(Scene(skill, library.body(skill.name) or "", play))
        elif names:
            problems.append(f"{skill.name}: has no play; write {PLAY_FILE} beside its SKILL.md")
    return found, problems
