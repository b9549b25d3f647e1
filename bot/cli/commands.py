"""The commands of `bellhop`: what `--help` says of them, and where they are.

The module of a command is imported when the command is used. So `bellhop --help` and `bellhop tools
--help` wait for none of them, and each imports what it needs at its top. A command may be a
coroutine function, unless it asks at the terminal: Ctrl-C ends a question only outside a loop.
"""

import asyncio
import gc
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from inspect import iscoroutinefunction
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from bot.log import set_up_logging

T = TypeVar("T")


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
        gc.disable()
        try:
            found = import_module(f"bot.cli.{module}")
        finally:
            gc.freeze()  # what an import makes stays: no collection need scan it
            gc.enable()
        return command_of(self.name, getattr(found, name))


@dataclass(frozen=True)
class LazyCommands:
    """A group of commands, such as `bellhop tools`."""

    name: str
    help: str
    commands: tuple[LazyCommand, ...]

    def load(self) -> Any:
        """The group. None of its commands is imported."""
        return LazyGroup(
            self.commands,
            name=self.name,
            help=self.help,
            no_args_is_help=True,
            rich_markup_mode=None,
        )


class LazyGroup(TyperGroup):
    """Lists commands by what is known of them before they are imported."""

    def __init__(self, rows: Sequence[LazyCommand | LazyCommands], **given: Any) -> None:
        super().__init__(**given)
        self.rows = {one.name: one for one in rows}
        self.commands = {one.name: TyperCommand(one.name, help=one.help) for one in rows}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        row = self.rows.get(cmd_name)
        return row.load() if row is not None else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        TyperGroup(commands={**self.listed(ctx)}).format_commands(ctx, formatter)

    def listed(self, ctx: Any) -> Mapping[str, Any]:
        """What `--help` lists."""
        return self.commands


def command_of(name: str, made_of: Any) -> Any:
    """The function of a command, or the Typer of a group, as the command `name`."""
    apart = typer.Typer(add_completion=False, rich_markup_mode=None)
    if isinstance(made_of, typer.Typer):
        apart.add_typer(made_of, name=name)
    else:
        apart.command(name)(_plain(made_of) if iscoroutinefunction(made_of) else made_of)
    return typer.main.get_group(apart).commands[name]


def _plain(command: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(command)
    def run(**given: Any) -> None:
        run_async(command(**given))

    return run


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine without log lines: the command reports errors itself."""
    set_up_logging("ERROR")
    return asyncio.run(work)


_TOOLS = (
    LazyCommand("list", "tools:list_", "List tools with their roles."),
    LazyCommand("show", "tools:show", "Show everything about a tool."),
    LazyCommand("check", "tools:check", "Check tool and agent files."),
    LazyCommand("why", "tools:why", "Say whether somebody could use a tool, and why not."),
    LazyCommand("run", "tools_run:run", "Call a tool as somebody, without a model."),
    LazyCommand("new", "tools:new", "Make a commented tool file to fill in."),
    LazyCommand("staged", "skills_import:staged", "List what waits for a decision."),
    LazyCommand("approve", "skills_import:approve", "Make a staged skill live."),
    LazyCommand("reject", "skills_import:reject", "Delete a staged skill."),
    LazyCommand("history", "tools:history", "Show each step that a tool or skill took."),
)
_APPROVALS = (
    LazyCommand("list", "approvals:list_", "List what waits for a decision."),
    LazyCommand("approve", "approvals:approve", "Show a waiting call whole, and let it run."),
    LazyCommand("reject", "approvals:reject", "Refuse a waiting call."),
)
_GRANTS = (
    LazyCommand("list", "approvals:list_grants", "List the grants, newest first."),
    LazyCommand("revoke", "approvals:revoke", "Revoke a grant, from the next call on."),
)
_SKILLS = (
    LazyCommand("import", "skills_import:import_", "Stage skills and tools for review."),
    LazyCommand("staged", "skills_import:staged", "List what waits for a decision."),
    LazyCommand("approve", "skills_import:approve", "Make a staged skill live."),
    LazyCommand("reject", "skills_import:reject", "Delete a staged skill."),
    LazyCommand("promote", "skills_import:promote", "Make a skill from a playbook."),
    LazyCommand("check", "skills_check:check", "Play the plays of skills."),
    LazyCommand("list", "skills:list_", "List the skills that are switched on."),
    LazyCommand("show", "skills:show", "Show the instructions of a skill."),
    LazyCommand("new", "skills:new", "Make a shared skill."),
    LazyCommand("remove", "skills_import:remove", "Remove or switch off a skill."),
)
_EXAMPLES = (
    LazyCommand("list", "examples:list_", "List the sets, and which this home has."),
    LazyCommand("show", "examples:show", "Show a set's files, and what it needs."),
    LazyCommand("add", "examples_add:add", "Copy a set's files into this home."),
    LazyCommand("remove", "examples:remove", "Remove a set's files from this home."),
)
_MEMORY = (
    LazyCommand("show", "memory:show", "Show what is remembered about a person."),
    LazyCommand("distill", "memory:distill", "Learn now, instead of at night."),
    LazyCommand("reflect", "memory:reflect", "Merge duplicates, and make room."),
    LazyCommand("undo", "memory:undo", "Restore the tiers from before the last pass."),
    LazyCommand("forget", "memory:forget", "Remove a person's data."),
    LazyCommand("playbooks", "memory:playbooks", "List recurring ways of working."),
)
_SCHEDULE = (
    LazyCommand("list", "schedule:list_", "List everybody's schedules, the next first."),
    LazyCommand("show", "schedule:show", "Show one schedule and its last runs."),
    LazyCommand("pause", "schedule:pause", "Pause a schedule until it is resumed."),
    LazyCommand("resume", "schedule:resume", "Resume a paused schedule."),
    LazyCommand("cancel", "schedule:cancel", "Cancel a schedule."),
    LazyCommand("run", "schedule:run", "Run a schedule once now."),
    LazyCommand("new", "new_files:new_schedule", "Make a file to fill in."),
    LazyCommand("check", "new_files:check_schedule", "Check the file of a schedule."),
    LazyCommand("add", "new_files:add_schedule", "Hand a file in as a schedule."),
)
_AUTOMATIONS = (
    LazyCommand("list", "automations:list_", "List everybody's triggers and schedules."),
    LazyCommand("show", "automations:show", "Show one automation and its last runs."),
    LazyCommand("pause", "automations:pause", "Pause an automation until it is resumed."),
    LazyCommand("resume", "automations:resume", "Resume a paused automation."),
    LazyCommand("secret", "automations:secret", "Show a webhook's address and secret."),
    LazyCommand("new", "new_files:new_automation", "Make a file to fill in."),
    LazyCommand("check", "new_files:check_automation", "Check the file of an automation."),
    LazyCommand("add", "new_files:add_automation", "Hand a file in as an automation."),
)
_CYCLES = (
    LazyCommand("list", "reports:list_cycles", "List the newest runs."),
    LazyCommand("show", "reports:show_cycle", "Show one run as a tree."),
    LazyCommand("export", "reports:export_cycles", "Print every event, oldest first."),
)
_CONTACTS = (
    LazyCommand("list", "contacts:list_", "List the people of contacts.yaml."),
    LazyCommand("add", "contacts:add", "Add a contact with a new id."),
    LazyCommand("set", "contacts:set_", "Add a contact or change one."),
    LazyCommand("take-over", "contacts:take_over", "Give a contact what another id has."),
    LazyCommand("link", "contacts:link", "Link a platform account to this contact."),
    LazyCommand("unlink", "contacts:unlink", "Take an id on a platform from a contact."),
    LazyCommand("remove", "contacts:remove", "Take a contact out of contacts.yaml."),
    LazyCommand("code", "contacts:code", "Show a code to become the owner on a chat."),
)
COMMANDS = (
    LazyCommand("init", "init:init", "Make a home, a folder of commented files."),
    LazyCommand("doctor", "doctor:doctor", "Check this home; exit 1 on errors."),
    LazyCommand("chat", "chat:chat", "Talk with Bellhop here."),
    LazyCommand("run", "serve:run", "Run Bellhop with its platforms, until Ctrl-C or SIGTERM."),
    LazyCommand(
        "slack-manifest", "slack:slack_manifest", "Print the Slack app manifest for these settings."
    ),
    LazyCommand("usage", "reports:usage", "Show tokens, calls and money."),
    LazyCommand("export", "reports:export", "Write what is kept of one person into a zip archive."),
    LazyCommand("rights", "reports:rights", "Print a person's rights in a place."),
    LazyCommand("settings", "settings:settings", "Show what can be set in bellhop.yaml."),
    LazyCommand("rotate-key", "keys:rotate_key", "Make or replace BELLHOP_SECRET_KEY in .env."),
    LazyCommand("connect", "connecting:connect", "Connect a service."),
    LazyCommand(
        "specialist",
        "specialist:specialist",
        "Run a specialist's loop for the process that started this.",
    ),
    LazyCommand("plugins", "plugins:plugins", "List all plug-ins, and which are on."),
    LazyCommand("backup", "backup:backup", "Copy this home into one new file, also while it runs."),
    LazyCommand("restore", "backup:restore", "Replace this home by a backup."),
    LazyCommand(
        "migrate", "migrate:migrate", "Copy the database into an empty PostgreSQL database."
    ),
    LazyCommands("tools", "Which tools there are, and for whom.", _TOOLS),
    LazyCommands("approvals", "Calls that wait for approval.", _APPROVALS),
    LazyCommands("grants", "Approvals that hold for more than one call.", _GRANTS),
    LazyCommands("skills", "Skills: list, show, make and import them.", _SKILLS),
    LazyCommands("examples", "Ready-made sets of agents, tools and skills.", _EXAMPLES),
    LazyCommands("memory", "What is remembered, and in which file.", _MEMORY),
    LazyCommands(
        "schedule", "Schedules that people made. `bellhop automations` lists them, too.", _SCHEDULE
    ),
    LazyCommands("automations", "What starts by itself: automations and schedules.", _AUTOMATIONS),
    LazyCommands("cycles", "The log of what every run did.", _CYCLES),
    LazyCommands("contacts", "Who is who, and with which role.", _CONTACTS),
    LazyCommand("import", "moving:app", "Move in from another assistant's home."),
)
