"""`bellhop automations`: runs that an event or a time starts.

Timed ones are schedules, which `bellhop schedule` shows and changes separately.
"""

from typing import Any

import typer

from bot.app import App, open_read_only
from bot.automations.showing import standing
from bot.automations.store import Automations
from bot.automations.webhooks import KEY, SIGNATURE, TIMESTAMP, path_of, secret_of
from bot.cli import schedule
from bot.cli.looking import NotDone
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import facts, inert, print_found
from bot.cli.schedule import Id
from bot.domain.automations import Automation, EventKind
from bot.endpoints.settings import ConsoleSettings
from bot.sessions.commands.automations import shown_whole


async def list_(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List everybody's triggers and schedules.

    Triggers come first, the oldest before the others, then the schedules, the next one due
    first.
    """
    columns = {
        "id": "id",
        "owner": "for",
        "standing": "state",
        "failures": "failed",
        "file": "what",
    }
    async with open_read_only(home) as house:
        triggers = [_row(one) for one in await Automations(house.database).of(None)]
        found = [*triggers, *map(_timed, await schedule.listed(house))]
    print_found(found, columns, as_json=as_json, empty="There are no triggers and no schedules.")


def _timed(found: dict[str, Any]) -> dict[str, Any]:
    """A schedule as a row among the triggers."""
    return {
        "id": found["id"],
        "owner": found["owner"],
        "event": "time",
        "watches": "",
        "standing": f"at {found['when']}, next {found['next']}",
        "failures": found["failures"],
        "file": found["name"],
        "text": found["prompt"],
    }


def _row(automation: Automation) -> dict[str, Any]:
    return facts(
        automation,
        *("owner", "event", "watches", "failures", "text"),
        id=automation.ref,
        standing=standing(automation),
        file=f"/automations/triggers/{automation.slug}.md",
    )


async def show(ref: Id, home: Home = NO_HOME) -> None:
    """Show one automation and its last runs."""
    async with open_read_only(home) as house:
        text = await schedule.shown_whole(house, ref)
        if not text:
            automation = await _found(house, ref)
            text = await shown_whole(house.database, automation, house.clock.now())
    typer.echo(inert(text))


pause = schedule.changing("automations.change", "pause", "Pause an automation until it is resumed.")
resume = schedule.changing("automations.change", "resume", "Resume a paused automation.")


async def secret(ref: Id, home: Home = NO_HOME) -> None:
    """Show a webhook's address and secret. Its requests are signed with the secret."""
    async with open_read_only(home) as house:
        automation = await _found(house, ref)
        if automation.event != EventKind.WEBHOOK:
            raise NotDone(
                f"{automation.slug} ({ref}) is started by {automation.event}, not by a webhook"
            )
        made = secret_of(automation, house.settings.secret(KEY) or "")
        console = house.settings.get(ConsoleSettings)
        port = console.port or "PORT (nothing listens: set console.port)"
    typer.echo(f"POST http://{console.host}:{port}{path_of(automation)}")
    typer.echo(f"secret: {made}")
    typer.echo(f"{TIMESTAMP}: seconds since 1970, at most a few minutes from now")
    typer.echo(f"{SIGNATURE}: sha256=HEX, the HMAC-SHA256 of TIMESTAMP.BODY with the secret")


async def _found(house: App, ref: str) -> Automation:
    automation = await Automations(house.database).find(ref)
    if automation is None:
        raise NotDone(
            f"there is no automation {ref}; `bellhop automations list` shows which there are"
        )
    return automation
