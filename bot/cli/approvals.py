"""`bellhop approvals`: calls that wait for a yes; `bellhop grants`: a yes to more than one call."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.app import open_read_only
from bot.cli.commands import run_async
from bot.cli.looking import decided
from bot.cli.options import NO_HOME, As, AsJson, Home
from bot.cli.printing import confirm, facts, inert, print_found
from bot.errors import StorageError
from bot.sessions.wording.card_text import whole_call
from bot.tools.permission.grants import describe

Ref = Annotated[
    str, typer.Argument(metavar="REF", help="Reference of the approval, as `list` shows it.")
]


async def list_(
    every: Annotated[
        bool, typer.Option("--all", help="Also what was decided or has expired.")
    ] = False,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List what waits for a decision. The newest stands first."""
    columns = {
        "ref": "ref",
        "state": "state",
        "person": "asked by",
        "tool": "tool",
        "asked_at": "at (UTC)",
        "reason": "why",
    }
    async with open_read_only(home) as house:
        now = house.clock.now()
        found = [
            facts(
                item,
                *("ref", "person", "agent", "tool", "arguments", "risk", "reason"),
                *("asked_at", "expires_at", "decided_by"),
                state="expired" if item.state == "open" and item.expires_at <= now else item.state,
            )
            for item in await house.approvals.newest(200)
            if every or (item.state == "open" and item.expires_at > now and not item.bundle)
        ]
    print_found(found, columns, as_json=as_json, empty="Nothing waits for a decision.")


def approve(ref: Ref, name: As = None, home: Home = NO_HOME) -> None:
    """Show a waiting call whole, and let it run. It runs byte for byte as it was asked for."""
    text, shown = run_async(_whole(home, ref))
    if text:
        typer.echo(inert(text))
        if sys.stdin.isatty() and not confirm("Let it run?", default=False):
            raise typer.Abort
    typer.echo(run_async(_decide(home, ref, name, shown)))


async def reject(ref: Ref, name: As = None, home: Home = NO_HOME) -> None:
    """Refuse a waiting call."""
    typer.echo(await _decide(home, ref, name))


async def _whole(home: Path, ref: str) -> tuple[str, str]:
    """All of a call, and what identifies what was shown; empty without such an approval."""
    try:
        async with open_read_only(home) as house:
            approval = await house.approvals.get(ref)
    except StorageError:  # the decision says what is wrong
        return "", ""
    return ("", "") if approval is None else whole_call(approval)


async def _decide(home: Path, ref: str, name: str | None, shown: str | None = None) -> str:
    """`shown`: what a yes has seen; None for a no."""
    params = {"ref": ref, "approve": shown is not None, "shown": shown or ""}
    text, later = await decided(home, name, "approvals.decide", params, "decided")
    return f"{text} Bellhop acts on it when it runs next." if later else text


async def list_grants(
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
    empty = "There are no grants: each call that needs a yes is asked about."
    async with open_read_only(home) as house:
        found = [
            facts(
                grant,
                *("ref", "person", "tool", "scope", "made_by", "made_at", "approval"),
                targets=sorted({target.value for target in grant.targets}),
                what=describe(grant),
                state="revoked" if grant.revoked_at else "in force",
            )
            for grant in await house.house.permission.grants.newest(200)
            if every or grant.revoked_at is None
        ]
    print_found(found, columns, as_json=as_json, empty=empty)


async def revoke(
    ref: Annotated[
        str, typer.Argument(metavar="REF", help="Reference of the grant, as `list` shows it.")
    ],
    name: As = None,
    home: Home = NO_HOME,
) -> None:
    """Revoke a grant, from the next call on."""
    text, _ = await decided(home, name, "grants.revoke", {"ref": ref}, "revoked")
    typer.echo(text)
