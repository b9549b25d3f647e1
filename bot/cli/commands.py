"""The commands of `bellhop`: what `bellhop --help` says of them, and where they are.

The module of a command is imported when the command is used. So `--help` waits for none of them,
and each imports what it needs at its top.
"""

import gc
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer


@dataclass(frozen=True)
class LazyCommand:
    """A command that may not be imported yet."""

    name: str
    where: str
    """`module:name` in bot.cli: the function of a command, or the Typer of a group."""
    help: str
    """The first sentence of the command's own help. A test compares them."""

    def load(self) -> Any:
        """Import the command."""
        module, _, name = self.where.partition(":")
        gc.disable()  # what an import makes stays
        try:
            found = import_module(f"bot.cli.{module}")
        finally:
            gc.enable()
        return command_of(self.name, getattr(found, name))


def command_of(name: str, made_of: Any) -> Any:
    """The function of a command, or the Typer of a group, as the command `name`."""
    apart = typer.Typer(add_completion=False, rich_markup_mode=None)
    if isinstance(made_of, typer.Typer):
        apart.add_typer(made_of, name=name)
    else:
        apart.command(name)(made_of)
    return typer.main.get_group(apart).commands[name]


COMMANDS = (
    LazyCommand(
        "init",
        "init:init",
        "Make a home, a folder of commented files.",
    ),
    LazyCommand(
        "doctor",
        "doctor:doctor",
        "Check this home; exit 1 on errors.",
    ),
    LazyCommand("chat", "chat:chat", "Talk with Bellhop here."),
    LazyCommand(
        "run",
        "serve:run",
        "Run Bellhop with its platforms, until Ctrl-C or SIGTERM.",
    ),
    LazyCommand(
        "slack-manifest",
        "slack:slack_manifest",
        "Print the Slack app manifest for these settings.",
    ),
    LazyCommand(
        "usage",
        "reports:usage",
        "Show tokens, calls and money.",
    ),
    LazyCommand(
        "export",
        "reports:export",
        "Write what is kept of one person into a zip archive.",
    ),
    LazyCommand(
        "rights",
        "reports:rights",
        "Print a person's rights in a place.",
    ),
    LazyCommand(
        "settings",
        "settings:settings",
        "Show what can be set in bellhop.yaml.",
    ),
    LazyCommand(
        "rotate-key",
        "keys:rotate_key",
        "Make or replace BELLHOP_SECRET_KEY in .env.",
    ),
    LazyCommand(
        "connect",
        "connecting:connect",
        "Connect a service.",
    ),
    LazyCommand(
        "specialist",
        "specialist:specialist",
        "Run a specialist's loop for the process that started this.",
    ),
    LazyCommand(
        "plugins",
        "plugins:plugins",
        "List the installed plug-ins, and which are on.",
    ),
    LazyCommand(
        "backup",
        "backup:backup",
        "Copy this home into one new file, also while it runs.",
    ),
    LazyCommand("restore", "backup:restore", "Replace this home by a backup."),
    LazyCommand(
        "migrate", "migrate:migrate", "Copy the database into an empty PostgreSQL database."
    ),
    LazyCommand("tools", "tools:app", "Which tools there are, and for whom."),
    LazyCommand("approvals", "approvals:app", "Calls that wait for approval."),
    LazyCommand("grants", "approvals:grants", "Approvals that hold for more than one call."),
    LazyCommand("skills", "skills:app", "Skills: list, show, make and import them."),
    LazyCommand("examples", "examples:app", "Ready-made sets of agents, tools and skills."),
    LazyCommand("memory", "memory:app", "What is remembered, and in which file."),
    LazyCommand(
        "schedule",
        "schedule:app",
        "Schedules that people made.",
    ),
    LazyCommand(
        "automations", "automations:app", "What starts by itself: automations and schedules."
    ),
    LazyCommand("cycles", "reports:cycles", "The log of what every run did."),
    LazyCommand("contacts", "contacts:app", "Who is who, and with which role."),
    LazyCommand("import", "moving:app", "Move in from another assistant's home."),
)
