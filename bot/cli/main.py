"""`bellhop`: gathers the commands. Nothing heavy is imported before a command needs it."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bot import __version__
from bot.cli import (
    approvals,
    automations,
    backup,
    chat,
    connecting,
    contacts,
    doctor,
    examples,
    init,
    keys,
    knowledge,
    memory,
    migrate,
    moving,
    plugins,
    reports,
    schedule,
    serve,
    settings,
    skills,
    slack,
    tools,
)
from bot.cli.options import NO_HOME, EagerHome
from bot.cli.plugin_commands import add_own_commands, commands_at, home_of
from bot.errors import BotError
from bot.specialist import loop as specialist_loop

_OF_PLUGINS = "bellhop.commands_of_plugins"


class _Bellhop(TyperGroup):
    """Prints an error as one sentence on stderr: exit code 1, or 2 for a wrong command line.

    Its commands are followed by those of the plug-ins that the home names.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *self._of_plugins(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or self._of_plugins(ctx).get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            self._of_plugins(ctx, args)  # `--home` may stand behind the name
        return super().resolve_command(ctx, args)

    def _of_plugins(self, ctx: Any, line: Sequence[str] = ()) -> Mapping[str, Any]:
        """They are looked for once."""
        if _OF_PLUGINS not in ctx.meta:
            ctx.meta[_OF_PLUGINS] = commands_at(home_of(ctx.params.get("home"), line))
        return ctx.meta[_OF_PLUGINS]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output has closed it (`bellhop cycles export | head`).
            with contextlib.suppress(OSError):
                sys.stdout.close()
            raise typer.Exit(1) from None
        except (BotError, OSError, ExceptionGroup) as error:
            lines = list(dict.fromkeys(_sentences(error)))
            for line in lines:  # several things are wrong
                typer.echo(f"bellhop: {line}", err=True)
            raise typer.Exit(1) from None


def _sentences(error: Exception) -> Iterator[str]:
    """The error in words for people.

    Reraises an unknown error, which is a bug.
    """
    match error:
        case ExceptionGroup(exceptions=several):
            for one in several:
                yield from _sentences(one)
        case BotError():
            yield from str(error).splitlines()
        case OSError(strerror=str(reason), filename=name):
            where = f"{name}: " if name else ""
            yield f"{where}{reason}; check the rights, the free space and the limits of this system"
        case _:
            raise error


app = typer.Typer(
    name="bellhop",
    cls=_Bellhop,
    help="A self-hosted assistant for a team's Discord channels, Slack workspace and terminals.",
    context_settings={"help_option_names": ["-h", "--help"]},
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
    home: EagerHome = NO_HOME,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = (False),
) -> None:
    """A self-hosted assistant for a team's Discord channels, Slack workspace and terminals."""


def _specialist() -> None:
    """Run the loop of one specialist for the process that started this one (docs/running.md)."""
    raise typer.Exit(specialist_loop.run())


app.command("init")(init.init)
app.command("doctor")(doctor.doctor)
app.command("chat")(chat.chat)
app.command("run")(serve.run)
add_own_commands(app)
app.command("slack-manifest")(slack.slack_manifest)
app.command("usage")(reports.usage)
app.command("export")(reports.export)
app.command("rights")(reports.rights)
app.command("settings")(settings.settings)
app.command("rotate-key")(keys.rotate_key)
app.command("connect")(connecting.connect)
app.command("specialist")(_specialist)
app.command("plugins")(plugins.plugins)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("migrate")(migrate.migrate)
app.add_typer(tools.app, name="tools")
app.add_typer(approvals.app, name="approvals")
app.add_typer(approvals.grants, name="grants")
app.add_typer(skills.app, name="skills")
app.add_typer(examples.app, name="examples")
app.add_typer(memory.app, name="memory")
app.add_typer(knowledge.app, name="knowledge")
app.add_typer(schedule.app, name="schedule")
app.add_typer(automations.app, name="automations")
app.add_typer(reports.cycles, name="cycles")
app.add_typer(contacts.app, name="contacts")
app.add_typer(moving.app, name="import")


def run() -> None:
    """The entry point of the `bellhop` script. Only the user who runs it can read its files."""
    os.umask(0o077)
    app()
