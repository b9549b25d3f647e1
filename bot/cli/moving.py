"""`bellhop import`: move in from another assistant's home, after a look at what it holds."""

import asyncio
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bot.agents.settings import AgentSettings
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import importers_of, plugins_in, plugins_of
from bot.automations.schedule_file import slug_of
from bot.cli.commands import run_async
from bot.cli.home_files import contacts_of, memory_of, person_at_terminal
from bot.cli.looking import judged_contacts
from bot.cli.options import NO_HOME, As, AsJson, Home
from bot.cli.printing import inert, print_json
from bot.cli.skills_import import desk_of, record_step
from bot.clock import SystemClock
from bot.domain.access import Person, Role
from bot.domain.memory import MemoryEntry, Tier
from bot.memory.entries import add_entries, parse_entries
from bot.sessions.people.contacts_file import parse_contacts
from bot.turns.schedules.cron import LEAST_MINUTES
from bot.workshop.moving.found import FoundHome, HomeImporter, found_json, found_text
from bot.workshop.moving.home_reader import read_home
from bot.workshop.moving.staging import NotMoved, Staged
from bot.workshop.moving.taking import Clockwork
from bot.workshop.review.desk import Step
from bot.workshop.review.findings import ImportRefused


class _Importers(TyperGroup):
    """A command for each assistant whose home can be read; plug-ins of a home add to them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*(one.name for one in _importers(_root_home(ctx))), *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if (found := super().get_command(ctx, cmd_name)) is not None:
            return found
        # `--home` may stand behind it, so any name may turn out to be one.
        titles = {one.name: one.title for one in _importers(_root_home(ctx))}
        title = titles.get(cmd_name, "another assistant")
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        text = (
            f"List what {title} keeps in its home; with --stage, put it into imports/ for review."
        )
        one.command(cmd_name, help=text)(_command(cmd_name))
        return typer.main.get_command(one)


app = typer.Typer(
    cls=_Importers, help="Move in from another assistant's home.", no_args_is_help=True
)

Rival = Annotated[str, typer.Argument(metavar="NAME", help="From where, such as openclaw.")]
There = Annotated[Path, typer.Argument(metavar="PATH", help="The folder, such as ~/.openclaw.")]
Stage = Annotated[
    bool, typer.Option("--stage", help="Put it into imports/ for review; else only list it.")
]
Team = Annotated[
    str, typer.Option("--slack-team", metavar="TEAM", help="Whose people the ids of Slack are.")
]


def _command(rival: str) -> Callable[..., None]:
    def command(
        path: There,
        stage: Stage = False,
        slack_team: Team = "",
        person: As = None,
        as_json: AsJson = False,
        home: Home = NO_HOME,
    ) -> None:
        root = path.expanduser()
        if not root.is_dir():
            raise NotMoved(f"{root} is no folder; name the home of the other assistant")
        found = run_async(_look(home, rival, root, slack_team, person))
        if as_json:
            print_json(found_json(found))
        else:
            typer.echo(inert(found_text(found, str(root))))
        if stage:
            said = run_async(_stage(home, found, root, person))
            typer.echo("\n".join(["", *said]), err=as_json)
        elif not as_json:
            typer.echo("\nNothing was written. With --stage it is put into imports/ for review.")

    return command


@app.command()
def approve(rival: Rival, person: As = None, home: Home = NO_HOME) -> None:
    """Take the staged people and memories; skills, schedules and servers have a yes each."""
    typer.echo("\n".join(run_async(_approve(_staged(home, rival), person))))


@app.command()
def discard(rival: Rival, person: As = None, home: Home = NO_HOME) -> None:
    """Throw away what waits in imports/; what was taken stays."""
    run_async(_admin(home, person))
    _staged(home, rival).discard()
    typer.echo(f"What waited of {rival} was thrown away.")


def _root_home(ctx: Any) -> Path:
    return Path(ctx.find_root().params.get("home", NO_HOME))


def _importers(home: Path) -> list[HomeImporter]:
    return importers_of(plugins_in(home))


def _importer(home: Path, rival: str) -> HomeImporter:
    known = {one.name: one for one in _importers(home)}
    if rival not in known:
        raise NotMoved(f"{rival!r} is no assistant that is known here; one of {', '.join(known)}")
    return known[rival]


def _staged(home: Path, rival: str) -> Staged:
    return Staged(home, _importer(home, rival))


async def _admin(home: Path, name: str | None) -> Person:
    person = person_at_terminal(await contacts_of(home), name)
    if person.role is not Role.MASTER_ADMIN:
        raise NotMoved(f"moving in is for a MasterAdmin; {person.name} is {person.role}")
    return person


async def _look(home: Path, rival: str, root: Path, slack_team: str, name: str | None) -> FoundHome:
    importer = await asyncio.to_thread(_importer, home, rival)
    settings = await asyncio.to_thread(load_settings, home)
    person = person_at_terminal(await contacts_of(home), name)
    clockwork = Clockwork(
        SystemClock().now(),
        person.timezone or settings.timezone,
        timedelta(minutes=LEAST_MINUTES),
    )
    mcp = next((one.settings for one in plugins_of(settings) if one.name == "mcp"), None)
    return await asyncio.to_thread(read_home, importer, root, clockwork, slack_team, mcp)


async def _stage(home: Path, found: FoundHome, root: Path, name: str | None) -> list[str]:
    await _admin(home, name)
    staged = _staged(home, found.rival)
    staged.require_none()
    # The folder comes last: what is cut off before it is begun again by the same command.
    said = await _stage_skills(home, [root / one for one in found.skills], name)
    await asyncio.to_thread(staged.put, found, slug_of)
    return [
        *said,
        f"The rest waits in {staged.folder}. Read and change it, then:",
        f"  bellhop import approve {found.rival}",
    ]


async def _stage_skills(home: Path, folders: Sequence[Path], name: str | None) -> list[str]:
    """Stage each skill by itself, so that one that is refused holds back no other."""
    desk, person = await desk_of(home, name)
    said: list[str] = []
    for folder in folders:
        try:
            report = await desk.import_source(person, str(folder))
        except ImportRefused as error:
            said.append(f"skill {folder.name}: refused: {str(error).splitlines()[0]}")
            continue
        said += [f"skill {item.name}: {item.status}" for item in report.items]
    if any(line.endswith(": staged") for line in said):
        said.append("Skills: bellhop skills staged shows findings; bellhop skills approve NAME")
    return said


async def _approve(staged: Staged, name: str | None) -> list[str]:
    home, rival = staged.home, staged.rival
    person = await _admin(home, name)
    # What would be taken is read whole before anything is written.
    people = await asyncio.to_thread(staged.people)
    entries = await asyncio.to_thread(staged.memories)
    schedules = await asyncio.to_thread(staged.schedules)
    servers = await asyncio.to_thread(staged.servers)
    await record_step(home, Step(person.id, "moved-in", rival, str(staged.folder), "import"))
    said = [
        *await _approve_people(home, people, str(staged.folder / "people.yaml")),
        *await _remember(home, person, entries),
    ]
    if schedules:
        said.append("Schedules: hand in each that you want; --as ID makes it another person's:")
        said += [f"  bellhop schedule add {shlex.quote(str(path))}" for path in schedules]
    if servers:
        said.append(f"MCP servers: copy what you want from {servers} into bellhop.yaml.")
    said.append(f"When you are done: bellhop import discard {rival}")
    return said


async def _approve_people(home: Path, text: str, file: str) -> list[str]:
    contacts = await judged_contacts(home)
    wanted = parse_contacts(text, file, contacts.platforms).contacts
    known = {
        (platform, id_): one.name
        for one in contacts.written_people
        for platform, ids in one.ids.items()
        for id_ in ids
    }
    said: list[str] = []
    for one in wanted:
        accounts = [(platform, id_) for platform, ids in one.ids.items() for id_ in ids]
        if there := next((known[account] for account in accounts if account in known), None):
            said.append(f"{one.name}: there already, as {there}")
            continue
        new = replace(one, id=contacts.new_id())
        await contacts.set_contact(new)
        said.append(f"{new.name}: added as {new.id}, {new.role or 'default role'}")
    return said


async def _remember(home: Path, person: Person, entries: Sequence[MemoryEntry]) -> list[str]:
    """Add the entries that are not there yet, nor in the archive, to the person's own memory."""
    if not entries:
        return []
    agent = (await asyncio.to_thread(load_settings, home)).get(AgentSettings).default
    memory = memory_of(home)
    archived = await memory.archived(Tier.USER, agent=agent, person_id=person.id)
    added = 0

    def more(text: str) -> str:
        nonlocal added
        known = {one.text for one in (*archived, *parse_entries(text))}
        new = [one for one in entries if one.text not in known]
        added = len(new)
        return add_entries(text, new)

    await memory.update(Tier.USER, more, agent=agent, person_id=person.id)
    there = len(entries) - added
    told = f"Memory of {person.name} ({person.id}): {added} entries added"
    return [f"{told}, {there} there already" if there else told]
