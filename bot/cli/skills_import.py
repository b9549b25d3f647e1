"""`bellhop skills import` and what follows from it: approve, reject, promote, remove, staged."""

import asyncio
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.app import open_read_only
from bot.assembly.database import opened
from bot.assembly.home_settings import load_settings
from bot.assembly.own_plugins import OWN
from bot.assembly.plugins import plugins_in, skill_importers_of, usable_plugins
from bot.cli.commands import run_async
from bot.cli.home_files import contacts_of, manifests_of, person_at_terminal, skills_of
from bot.cli.looking import catalog_of, here_or_asked
from bot.cli.options import NO_HOME, As, AsJson, Home
from bot.cli.printing import confirm, inert, print_json
from bot.cli.skills import UnknownSkill, write_skill
from bot.clock import SystemClock
from bot.domain.access import Person
from bot.errors import BotError
from bot.sessions.learning.consent import Learning
from bot.skills.skill_file import SKILL_FILE
from bot.tools.permission.approvals import ApprovalStore
from bot.workshop.review.desk import ImportDesk, Step
from bot.workshop.review.findings import parse_roles
from bot.workshop.review.names import Names, TakenNames, still_free, taken_names
from bot.workshop.review.staging import Staging
from bot.workshop.review.wording import (
    approved_text,
    finding_lines,
    promoted_text,
    report_text,
    staged_line,
)

FORMATS = ("auto", *(name for one in skill_importers_of(OWN) for name in one.formats))
"""What `--format` may say without plug-ins of others."""

Name = Annotated[str, typer.Argument(metavar="NAME", help="As `bellhop skills staged` shows it.")]


class NothingStaged(BotError):
    """Every skill of a source was refused."""


def _require_format(home: Path, value: str) -> None:
    if value in FORMATS:
        return
    more = [name for one in skill_importers_of(usable_plugins(home)) for name in one.formats]
    if value not in more:
        known = ", ".join((*FORMATS, *more))
        raise typer.BadParameter(
            f"{value!r} is no format; use one of {known}", param_hint="'--format'"
        )


async def import_(
    source: Annotated[
        str,
        typer.Argument(metavar="PATH|ZIP|GIT-URL", help="URL#COMMIT or URL#COMMIT:FOLDER pins it."),
    ],
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="How to read it.")
    ] = "auto",
    roles: Annotated[
        str | None,
        typer.Option(
            "--roles", metavar="ROLES", help="Who may use it later. Without it: MasterAdmin only."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be staged.")
    ] = False,
    person: As = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Stage skills and tools for review.

    They are from elsewhere, and nothing is used before it is approved.
    """
    _require_format(home, form)
    access = parse_roles(roles)
    desk, who = await desk_of(home, person)
    report = await desk.import_source(who, source, form, access, dry_run=dry_run)
    if as_json:
        print_json(report.to_json())
    else:
        typer.echo(inert(report_text(report)))
    refused = sum(item.status == "refused" for item in report.items)
    if refused == len(report.items):
        raise NothingStaged("nothing was staged; the report says why")
    if not as_json and not dry_run and any(item.status == "staged" for item in report.items):
        typer.echo(
            "\nRead it in skills/.staged/, then: bellhop skills approve NAME (or reject NAME)"
        )


def staged(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List what waits for a decision. These are imported skills, with their findings."""
    found = Staging(home).staged()
    if as_json:
        print_json(
            [
                {**vars(one), "findings": [finding.to_json() for finding in one.findings]}
                for one in found
            ]
        )
        return
    if not found:
        typer.echo("Nothing is staged.")
    for one in found:
        typer.secho(staged_line(one), bold=True)
        for line in finding_lines(one.findings):
            typer.echo(inert(line))


async def approve(
    name: Name,
    accept_findings: Annotated[
        bool, typer.Option("--accept-findings", help="I have read the findings that block it.")
    ] = False,
    person: As = None,
    home: Home = NO_HOME,
) -> None:
    """Make a staged skill live. A running Bellhop uses it at once."""
    desk, who = await desk_of(home, person)
    typer.echo(approved_text(await desk.approve(who, name, accept_findings=accept_findings)))


async def reject(name: Name, person: As = None, home: Home = NO_HOME) -> None:
    """Delete a staged skill. A live version stays."""
    desk, who = await desk_of(home, person)
    typer.echo(f"{(await desk.reject(who, name)).name} was thrown away.")


async def promote(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A file of memory/playbooks/candidates, without .md."),
    ],
    roles: Annotated[
        str | None,
        typer.Option(
            "--roles", metavar="ROLES", help="Who may use it. Without it: everyone but Banned."
        ),
    ] = None,
    person: As = None,
    home: Home = NO_HOME,
) -> None:
    """Make a skill from a playbook. It may use only the playbook's tools."""
    access = parse_roles(roles)
    desk, who = await desk_of(home, person)
    typer.echo(promoted_text(*await desk.promote(who, name, access)))


def remove(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    person: As = None,
    home: Home = NO_HOME,
) -> None:
    """Remove or switch off a skill.

    One of this home is removed (an imported one with its tools), a shipped one is switched off.
    """
    if any(one.name == name for one in Staging(home).live()):
        run_async(_remove_imported(name, person, home))
        return
    skill = run_async(skills_of(home)).get(name)
    folder = home / "skills" / name
    own = os.path.lexists(folder)  # also one whose file is broken, so that the shipped one counts
    # A removal that was cut off leaves a folder without a skill.
    left = folder.parent == home / "skills" and not name.startswith(".") and folder.is_dir()
    if not left and (skill is None or skill.source is None):
        raise UnknownSkill(
            f"there is no skill {name!r}; `bellhop skills list` shows which there are"
        )
    asked = f"Delete {folder} with everything in it?" if own else f"Switch off {name}?"
    if folder.is_symlink():
        asked = f"Remove the link {folder}? What it leads to stays."
    if not (yes or confirm(asked, default=False)):
        raise typer.Abort
    if own:
        if folder.is_symlink():
            folder.unlink()
        else:
            with suppress(OSError):
                (folder / SKILL_FILE).unlink()  # first: half a skill must not be live
            shutil.rmtree(folder)
        typer.echo(f"{folder} is gone.")
        return
    write_skill(folder / SKILL_FILE, b"---\ndisabled: true\n---\n")
    typer.echo(f"{name} is switched off; delete {folder} to have it back.")


async def _remove_imported(name: str, person: str | None, home: Path) -> None:
    """Take an imported skill and its tools away again; its folder is kept in skills/.replaced/."""
    desk, who = await desk_of(home, person)
    typer.echo(f"{(await desk.remove(who, name)).name} is not live any more.")


async def desk_of(home: Path, name: str | None) -> tuple[ImportDesk, Person]:
    """The desk of a home, and the person at this terminal."""
    person = person_at_terminal(await contacts_of(home), name)
    importers = skill_importers_of(await asyncio.to_thread(plugins_in, home))
    taken, record = partial(_taken, home), partial(record_step, home)
    desk = ImportDesk(Staging(home), taken, SystemClock(), record, importers=importers)
    desk.unlearnable = partial(_unlearnable, home)
    desk.judge = still_free(
        Names(await catalog_of(home), await skills_of(home), await manifests_of(home))
    )
    return desk, person


async def _unlearnable(home: Path, sessions: Sequence[str]) -> Sequence[str]:
    if not await asyncio.to_thread((home / "data").is_dir):
        return ()  # nothing was ever said here
    async with open_read_only(home) as app:
        return await Learning(app.database, app.house.permission.rights).forbidden(sessions)


async def _taken(home: Path) -> TakenNames:
    return taken_names(await catalog_of(home), await skills_of(home))


async def record_step(home: Path, step: Step) -> None:
    """Write to the audit log: through the running Bellhop, or directly if there is none."""
    await here_or_asked(home, lambda: _record_here(home, step), "skills.audit", vars(step))


async def _record_here(home: Path, step: Step) -> None:
    settings = await asyncio.to_thread(load_settings, home)
    async with opened(settings) as database:
        store, name = ApprovalStore(database, SystemClock()), f"{step.subject}:{step.name}"
        await database.write(store.audit_unit(step.person, step.kind, name, step.detail))
