"""`bellhop`: gathers the commands. Nothing heavy is imported before a command needs it."""

import contextlib
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bot import __version__
from bot.cli import (
    approvals,
    chat,
    contacts,
    cycles,
    doctor,
    grants,
    init,
    keys,
    memory,
    serve,
    skills,
    slack,
    tools,
    usage,
)
from bot.cli.options import NO_HOME, Home
from bot.errors import BotError


class _Bellhop(TyperGroup):
    """Says what went wrong in one sentence on standard error: exit code 1, or 2 for a wrong command line."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BotError as error:
            for line in str(error).splitlines():  # several things are wrong
                typer.echo(f"bellhop: {line}", err=True)
            raise typer.Exit(1) from None
        except BrokenPipeError:
            # Whoever read our output has seen enough (`bellhop cycles export | head`).
            with contextlib.suppress(OSError):
                sys.stdout.close()
            raise typer.Exit(1) from None


app = typer.Typer(
    name="bellhop",
    cls=_Bellhop,
    help="A self-hosted assistant for a team's Discord channels, Slack workspace and terminals.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"bellhop {__version__}")
        raise typer.Exit


@app.callback()
def root(
    home: Home = NO_HOME,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = (
        False
    ),
) -> None:
    """A self-hosted assistant for a team's Discord channels, Slack workspace and terminals."""


app.command("init")(init.init)
app.command("doctor")(doctor.doctor)
app.command("chat")(chat.chat)
app.command("run")(serve.run)
app.command("slack-manifest")(slack.slack_manifest)
app.command("usage")(usage.usage)
app.command("rotate-key")(keys.rotate_key)
app.add_typer(tools.app, name="tools")
app.add_typer(approvals.app, name="approvals")
app.add_typer(grants.app, name="grants")
app.add_typer(skills.app, name="skills")
app.add_typer(memory.app, name="memory")
app.add_typer(cycles.app, name="cycles")
app.add_typer(contacts.app, name="contacts")


def run() -> None:
    """The entry point of the `bellhop` script."""
    app()
