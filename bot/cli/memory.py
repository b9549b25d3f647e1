"""`bellhop memory`: shows and changes the files in memory/."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.app import open_read_only
from bot.cli.home_files import UnknownPerson, contacts_of, memory_of, nobody_known
from bot.cli.looking import changed
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import facts, inert, print_found, print_json
from bot.domain.access import Person, Role
from bot.domain.memory import Tier
from bot.errors import DefinitionError
from bot.memory.kept import reference
from bot.memory.summaries.store import not_counted
from bot.memory.tiers import tier_path
from bot.memory.visible import visible_tiers
from bot.sessions.records.past_session_store import talks_ahead
from bot.sessions.settings import SessionSettings
from bot.skills.playbooks import CANDIDATES, candidates, read_playbook


async def show(
    person: Annotated[
        str, typer.Argument(metavar="PERSON", help="A contact's id, or the id of somebody else.")
    ],
    agent: Annotated[str, typer.Option(metavar="NAME", help="Whose memory.")] = "assistant",
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Show what is remembered about a person.

    These are the tiers that a private conversation with them may use.
    """
    tiers = await _tiers(home, person, agent)
    if as_json:
        print_json(tiers)
        return
    for tier in tiers:
        typer.secho(f"{tier['tier']}  memory/{tier['file']}", bold=True)
        for entry in tier["entries"]:
            private = " [private]" if entry["private"] else ""
            private += f" [in:{entry['workspace']}]" if entry["workspace"] else ""
            ref = f"{entry['ref']} " if entry["ref"] else ""
            typer.echo(f"  {ref}[S{entry['significance']}]{private} {inert(entry['text'])}")
        if not tier["entries"]:
            typer.echo("  nothing yet")


Whose = Annotated[
    str, typer.Argument(metavar="[PERSON]", help="Only this person. Default: everybody.")
]


async def distill(person: Whose = "", home: Home = NO_HOME) -> None:
    """Learn now, instead of at night. It learns from summarised conversations."""
    await _change(home, "distill", person)


async def reflect(person: Whose = "", home: Home = NO_HOME) -> None:
    """Merge duplicates, and make room. Entries without room move to the archive."""
    await _change(home, "reflect", person)


async def undo(home: Home = NO_HOME) -> None:
    """Restore the tiers from before the last pass."""
    await _change(home, "undo", "")


async def forget(
    person: Annotated[
        str, typer.Argument(metavar="PERSON", help="A contact's id, or the id of somebody else.")
    ],
    what: Annotated[
        str, typer.Argument(metavar="[WHAT]", help="A reference, words of the entry, or `all`.")
    ] = "",
    everywhere: Annotated[
        bool,
        typer.Option(
            "--everywhere",
            help="From everything of theirs, byte for byte. Without --yes: shows what would go.",
        ),
    ] = False,
    yes: Annotated[
        str, typer.Option(metavar="REF", help="Does what `--everywhere` showed under REF.")
    ] = "",
    home: Home = NO_HOME,
) -> None:
    """Remove a person's data. That is memory, summaries, knowledge, notes, messages and backups."""
    if yes and everywhere:
        await _change(home, "everywhere-yes", person, yes.strip())
        return
    if not what.strip():
        raise typer.BadParameter("give a reference, words, or `all`", param_hint="WHAT")
    await _change(home, "everywhere" if everywhere else "forget", person, what)


async def _change(home: Path, verb: str, person: str, what: str = "") -> None:
    """Change it, and say what came of it. Raises typer.Exit when a part failed."""
    params = {"verb": verb, "person": person, "what": what}
    outcome, _ = await changed(home, "memory.change", params, timeout_s=None)
    typer.echo(inert(outcome["text"]))
    for one in outcome["failed"]:
        typer.echo(f"bellhop: {one}", err=True)
    if outcome["failed"]:
        raise typer.Exit(1)


async def _tiers(home: Path, person_id: str, agent: str) -> list[dict[str, Any]]:
    contacts, memory = await contacts_of(home), memory_of(home)
    person = contacts.person(person_id)
    if person is None:
        if not await memory.agents_of(person_id):
            raise UnknownPerson(nobody_known(person_id, contacts))
        person = Person(person_id, person_id, Role.GUEST)
    return [
        {
            "tier": str(tier),
            "file": tier_path(tier, agent=agent, person_id=person.id),
            "entries": [
                facts(
                    entry,
                    *("text", "significance", "day", "source", "private", "workspace"),
                    ref=reference(entry) if tier is Tier.USER else "",
                    learned=entry.learned.reach,
                )
                for entry in await memory.entries(tier, agent=agent, person_id=person.id)
            ],
        }
        for tier in visible_tiers(person)
    ]


async def playbooks(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List recurring ways of working. They are candidates for skills."""
    async with open_read_only(home) as house:
        await house.learning.recurring.look()
        left_out, ahead = await not_counted(house.database), await talks_ahead(house.database)
        idle = house.settings.get(SessionSettings).idle_minutes
        told = [part for part in (left_out.in_words(), ahead.in_words(idle)) if part]
        found = await asyncio.to_thread(_listed, house.settings.home)
    columns = {"name": "name", "status": "status", "occurrences": "times", "signature": "tools"}
    empty = "No recurring way of working was found yet."
    print_found(found, columns, as_json=as_json, empty=empty)
    if as_json:
        return
    if any(one["status"] == "candidate" for one in found):
        typer.echo(
            "\nThey are in memory/playbooks/candidates. `bellhop skills promote NAME` makes a "
            "skill of one."
        )
    if told:
        typer.echo("\n" + "\n".join(told))


def _listed(home: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = []
    for name in candidates(home):
        path = home.joinpath(*CANDIDATES, f"{name}.md")
        try:
            one = read_playbook(path.read_text(), path)
            status, times, signature = one.status, one.occurrences, one.signature
        except (DefinitionError, OSError, UnicodeDecodeError) as error:
            status, times, signature = "broken", 0, str(error)
        shown = {"name": name, "status": status, "occurrences": times, "signature": signature}
        listed.append(shown)
    return listed
