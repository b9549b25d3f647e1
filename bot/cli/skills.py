"""`bellhop skills`: what Bellhop has been taught."""

from typing import Annotated

import typer

from bot.cli import skills_import
from bot.cli.looking import run_async, skills_of
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table
from bot.errors import BotError

app = typer.Typer(help="What Bellhop has been taught.", no_args_is_help=True)
skills_import.register(app)


class UnknownSkill(BotError):
    """No skill has this name."""


@app.command("list")
def list_(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List the skills that are switched on."""
    library = run_async(skills_of(home))
    if as_json:
        print_json(
            [
                {
                    "name": skill.name,
                    "description": skill.description,
                    "path": skill.path,
                    "agents": list(skill.agents),
                    "command": skill.command,
                    "source": skill.source,
                }
                for skill in library.all()
            ]
        )
        return
    rows = [(skill.name, ", ".join(skill.agents) or "all", skill.description) for skill in library.all()]
    print_table(("skill", "agents", "for"), rows, empty="No skills yet: put one into skills/<name>/SKILL.md.")


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    home: Home = NO_HOME,
) -> None:
    """Show a skill's instructions."""
    library = run_async(skills_of(home))
    skill = library.get(name)
    if skill is None:
        known = ", ".join(one.name for one in library.all()) or "none"
        raise UnknownSkill(f"there is no skill {name!r}; there are: {known}")
    typer.secho(f"{skill.name}: {skill.description}", bold=True)
    typer.secho(f"{skill.source or skill.path}\n", dim=True)
    typer.echo(library.body(name) or "")
