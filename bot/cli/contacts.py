"""`bellhop contacts`: who is who."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.looking import contacts_of, here_or_asked, run_async
from bot.cli.options import NO_HOME, AsJson, Home, role_name
from bot.cli.printing import print_json, print_table
from bot.domain.access import Role

app = typer.Typer(help="Who is who, and with which role.", no_args_is_help=True)


@app.command("list")
def list_(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List the people of contacts.yaml."""
    people = run_async(_list(home))
    if as_json:
        print_json(people)
        return
    rows = [
        (
            item["id"],
            item["name"],
            item["role"] or "(default)",
            item["timezone"] or "",
            "  ".join(f"{platform}:{','.join(ids)}" for platform, ids in item["ids"].items()),
        )
        for item in people
    ]
    print_table(("id", "name", "role", "time zone", "platforms"), rows, empty="contacts.yaml names nobody yet.")


async def _list(home: Path) -> list[dict[str, Any]]:
    return [
        {
            "id": person.id,
            "name": person.name,
            "role": person.role,
            "timezone": person.timezone,
            "email": person.email,
            "ids": {platform: list(ids) for platform, ids in person.ids.items()},
        }
        for person in (await contacts_of(home)).people
    ]


@app.command("set")
def set_(  # noqa: PLR0917 - each is an option on the command line
    person: Annotated[str, typer.Argument(metavar="ID", help="The contact's id; a new one adds a contact.")],
    name: Annotated[str | None, typer.Option(help="Name; by default the id.")] = None,
    role: Annotated[str | None, typer.Option(help="MasterAdmin, Partner, Friend, …", callback=role_name)] = None,
    timezone: Annotated[str | None, typer.Option(help="For example Europe/Berlin.")] = None,
    email: Annotated[str | None, typer.Option()] = None,
    discord: Annotated[str | None, typer.Option(metavar="ID", help="Discord user id.")] = None,
    slack: Annotated[str | None, typer.Option(metavar="TEAM:USER", help="Slack team and user id.")] = None,
    home: Home = NO_HOME,
) -> None:
    """Add a contact or change one; what is not given stays. A running Bellhop notices by itself."""
    ids = {platform: one for platform, one in (("discord", discord), ("slack", slack)) if one}
    fields = {"name": name, "role": Role(role) if role else None, "timezone": timezone, "email": email}
    typer.echo(run_async(_set(home, person, {key: value for key, value in fields.items() if value}, ids)))


async def _set(home: Path, person_id: str, fields: dict[str, Any], ids: dict[str, str]) -> str:
    from dataclasses import replace  # noqa: PLC0415 - imported with the house, not for --help

    from bot.sessions.contacts import with_platform_id  # noqa: PLC0415
    from bot.sessions.contacts_file import Contact  # noqa: PLC0415

    contacts = await contacts_of(home)
    known = next((one for one in contacts.people if one.id == person_id), None)
    contact = replace(known or Contact(person_id, person_id, None), **fields)
    for platform, one in ids.items():
        contact = with_platform_id(contact, platform, one)
    await contacts.set_contact(contact)
    return f"{'Changed' if known else 'Added'} {contact.id}: {contact.name}, {contact.role or 'default role'}."


@app.command("code")
def code(home: Home = NO_HOME) -> None:
    """Show a one-time code with which you become the owner on Discord or Slack."""
    typer.echo(run_async(claim_code(home)) or "Each chat that is switched on has its owner already.")


async def claim_code(home: Path) -> str:
    """How to become the owner, with a new code; whoever serves the home is asked for it. Raises BotError."""
    from bot.cli.claiming import new_claim_words, operator_name  # noqa: PLC0415 - not for --help

    async def here() -> str:
        from bot.app import load_settings  # noqa: PLC0415 - imports the house
        from bot.storage.home import HomeLock, database_path, open_database  # noqa: PLC0415
        from bot.storage.settings import DatabaseSettings  # noqa: PLC0415

        settings = await asyncio.to_thread(load_settings, home)
        lock = HomeLock(home / "data" / "bellhop.lock")
        await asyncio.to_thread(lock.acquire)
        try:
            database = await open_database(database_path(settings.get(DatabaseSettings).url, home))
            try:
                return await new_claim_words(database, await contacts_of(home), settings, operator_name())
            finally:
                await database.close()
        finally:
            lock.release()

    text, _ = await here_or_asked(home, here, "people.code", {"operator": operator_name()})
    return text
