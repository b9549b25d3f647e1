"""`bellhop grants`: approvals that cover more than one call."""

from collections.abc import Awaitable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.looking import decided, looking, run_async
from bot.cli.options import NO_HOME, As, AsJson, Home
from bot.cli.printing import print_found
from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.errors import BotError

if TYPE_CHECKING:
    from bot.app import App

app = typer.Typer(help="Approvals that hold for more than one call.", no_args_is_help=True)


class NotRevoked(BotError):
    """A grant could not be revoked; the text says why."""


@app.command("list")
def list_(
    every: Annotated[bool, typer.Option("--all", help="Also what was revoked.")] = False,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List the grants, newest first."""
    columns = {
        "ref": "ref",
        "person": "for",
        "what": "what",
        "made_by": "given by",
        "made_at": "at (UTC)",
        "state": "state",
    }
    found = run_async(_list(home, every=every))
    empty = "There are no grants: each call that needs a yes is asked about."
    print_found(found, columns, as_json=as_json, empty=empty)


async def _list(home: Path, *, every: bool) -> list[dict[str, Any]]:
    async with looking(home) as house:
        from bot.tools.permission.grants import describe  # noqa: PLC0415 - imports the house

        return [
            {
                "ref": grant.ref,
                "person": grant.person,
                "tool": grant.tool,
                "scope": str(grant.scope),
                "targets": sorted({target.value for target in grant.targets}),
                "what": describe(grant),
                "made_by": grant.made_by,
                "made_at": grant.made_at.isoformat(sep=" "),
                "approval": grant.approval,
                "state": "revoked" if grant.revoked_at else "in force",
            }
            for grant in await house.house.permission.grants.newest(200)
            if every or grant.revoked_at is None
        ]


@app.command()
def revoke(
    ref: Annotated[
        str, typer.Argument(metavar="REF", help="Reference of the grant, as `list` shows it.")
    ],
    name: As = None,
    home: Home = NO_HOME,
) -> None:
    """Revoke a grant, from the next call on."""
    typer.echo(run_async(_revoke(home, ref, name)))


async def _revoke(home: Path, ref: str, name: str | None) -> str:
    from bot.cli.serving import revoke_grant  # noqa: PLC0415 - imports the house

    def revoked(house: "App", person: Person) -> Awaitable[JsonObject]:
        return revoke_grant(house, person, ref)

    outcome, _ = await decided(home, name, revoked, "grants.revoke", {"ref": ref})
    if not outcome["revoked"]:
        raise NotRevoked(str(outcome["text"]))
    return str(outcome["text"])
