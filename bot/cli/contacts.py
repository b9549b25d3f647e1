"""`bellhop contacts`: people, their roles and their accounts."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.app import AppOptions, open_app
from bot.assembly.database import opened
from bot.assembly.home_settings import load_settings
from bot.cli.changes import new_claim_words
from bot.cli.home_files import contacts_of, operator_name
from bot.cli.looking import decided, here_or_asked, judged_contacts
from bot.cli.options import NO_HOME, As, AsJson, Home, role_name
from bot.cli.printing import facts, print_json, print_table
from bot.dates.zone_names import no_zone
from bot.domain.access import Role
from bot.domain.platforms import KnownPlatforms
from bot.errors import BotError, SettingsError
from bot.llm.no_model import NoModel
from bot.sessions.people.contacts import Contacts, is_zone, with_platform_id, without_platform_id
from bot.sessions.people.contacts_file import GENERATED, Contact


async def list_(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List the people of contacts.yaml."""
    contacts = await judged_contacts(home)
    for problem in contacts.problems:
        typer.echo(f"warning: {problem}", err=True)
    if as_json:
        names = ("id", "name", "role", "timezone", "email", "ids")
        print_json([facts(person, *names) for person in contacts.written_people])
        return
    rows = [
        (
            person.id,
            person.name,
            person.role or "(default)",
            person.timezone or "",
            "  ".join(f"{platform}:{','.join(ids)}" for platform, ids in person.ids.items()),
        )
        for person in contacts.written_people
    ]
    print_table(
        ("id", "name", "role", "time zone", "platforms"),
        rows,
        empty="contacts.yaml names nobody yet.",
    )


_RoleOption = Annotated[
    str | None, typer.Option(help="MasterAdmin, Partner, Friend, …", callback=role_name)
]
_Zone = Annotated[str | None, typer.Option(help="For example Europe/Berlin.")]
_Accounts = Annotated[
    list[str] | None,
    typer.Option(
        "--account",
        metavar="PLATFORM:ID",
        help="discord:ID, slack:TEAM:USER, telegram:NUMBER …; once for each account.",
    ),
]


async def add(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    id_: Annotated[
        str | None, typer.Option("--id", help="An id that nobody ever had; by default a new one.")
    ] = None,
    role: _RoleOption = None,
    timezone: _Zone = None,
    email: Annotated[str | None, typer.Option()] = None,
    account: _Accounts = None,
    home: Home = NO_HOME,
) -> None:
    """Add a contact with a new id. A running Bellhop notices by itself.

    The same line again, after it was cut off, adds nobody else.
    """
    fields = _fields(name, role, timezone, email)
    typer.echo(await _set(home, id_ or "", fields, account or (), adds=True))


async def set_(
    person: Annotated[
        str, typer.Argument(metavar="ID", help="The contact's id; a new one adds a contact.")
    ],
    name: Annotated[str | None, typer.Option(help="Name; by default the id.")] = None,
    role: _RoleOption = None,
    timezone: _Zone = None,
    email: Annotated[str | None, typer.Option()] = None,
    account: _Accounts = None,
    home: Home = NO_HOME,
) -> None:
    """Add a contact or change one. What is not given stays. A running Bellhop notices by itself."""
    fields = _fields(name, role, timezone, email)
    typer.echo(await _set(home, person, fields, account or ()))


def _fields(
    name: str | None, role: str | None, timezone: str | None, email: str | None
) -> dict[str, Any]:
    fields = {
        "name": name,
        "role": Role(role) if role else None,
        "timezone": timezone,
        "email": email,
    }
    return {key: value for key, value in fields.items() if value}


async def _set(
    home: Path,
    person_id: str,
    fields: dict[str, Any],
    accounts: Sequence[str],
    *,
    adds: bool = False,
) -> str:
    if (zone := fields.get("timezone")) and not is_zone(zone):
        raise SettingsError(f"--timezone: {no_zone(zone)}")
    contacts = await judged_contacts(home)
    if adds and (same := _added_before(contacts, person_id, fields, accounts)):
        said = (
            f"{same.id} is there already: {same.name}, {same.role or 'default role'}. For another "
            "person of that name choose an --id."
        )
        return "\n".join([said, *await _follow(home)])
    known = contacts.written(person_id)
    if adds and known is not None:
        raise SettingsError(f"{person_id} is {known.name}; `bellhop contacts set` changes them")
    if known is None:
        if not adds:
            _not_a_name(contacts, person_id)
        person_id = _free_id(contacts, person_id)
    contact = replace(known or Contact(person_id, person_id, None), **fields)
    for where in accounts:
        contact = _with_account(contacts, contact, where)
    await contacts.set_contact(contact)
    said = (
        f"{'Changed' if known else 'Added'} {contact.id}: {contact.name}, "
        f"{contact.role or 'default role'}."
    )
    return "\n".join([said, *await _follow(home)])


def _added_before(
    contacts: Contacts, person_id: str, fields: dict[str, Any], accounts: Sequence[str]
) -> Contact | None:
    """The entry that holds just what is to be added: the command was cut off and is repeated."""
    wanted = replace(Contact(person_id, person_id, None), **fields)
    for where in accounts:
        wanted = with_platform_id(wanted, *_place(where, contacts.platforms))
    return next(
        (
            one
            for one in contacts.written_people
            if one == replace(wanted, id=person_id or one.id, line=one.line)
        ),
        None,
    )


def _not_a_name(contacts: Contacts, wanted: str) -> None:
    """Who types a name in place of an id means that contact, and adds nobody."""
    named = [one.id for one in contacts.people if one.name.casefold() == wanted.casefold()]
    if named:
        raise SettingsError(
            f"{wanted} is the name of {' and '.join(named)}: write the id, as in `bellhop contacts "
            f"set {named[0]}`; `bellhop contacts add` adds another person of that name"
        )


def _with_account(contacts: Contacts, contact: Contact, where: str) -> Contact:
    """The contact with one more account. Raises SettingsError for one of somebody else."""
    platform, id_ = _place(where, contacts.platforms)
    having = (one for one in contacts.people if id_ in one.ids.get(platform, ()))
    other = next((one for one in having if one.id != contact.id), None)
    if other is not None:
        raise SettingsError(
            f"{where} is {other.name} ({other.id}): `bellhop contacts set {other.id}` changes them,"
            f" `bellhop contacts unlink {other.id} {where}` takes the account from them"
        )
    return with_platform_id(contact, platform, id_)


def _free_id(contacts: Contacts, wanted: str) -> str:
    """The id for a new contact: a new one, or the wanted one if nobody ever had it."""
    if not wanted:
        return contacts.new_id()
    if contacts.was_used(wanted):
        raise SettingsError(
            f"{wanted} was somebody's id, and what was kept for them is still under it; leave --id"
            " out for a new one, and then `bellhop contacts take-over` if it is the same person"
        )
    if GENERATED.fullmatch(wanted):
        raise SettingsError(f"{wanted} has the form of ids that Bellhop makes; write another one")
    return wanted


async def take_over(
    earlier: Annotated[
        str, typer.Argument(metavar="OLD", help="A former id, or an account of NEW: discord:ID.")
    ],
    person: Annotated[str, typer.Argument(metavar="NEW", help="The contact's id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Ask the former owner, or do it.")] = False,
    name: As = None,
    home: Home = NO_HOME,
) -> None:
    """Give a contact what another id has.

    First it lists what is kept there; its owner must say yes.
    """
    words = {"earlier": earlier, "contact": person, "yes": yes}
    text, _ = await decided(home, name, "people.take_over", words)
    typer.echo(text)


async def link(
    person: Annotated[str, typer.Argument(metavar="ID", help="The contact's id.")],
    where: Annotated[
        str,
        typer.Argument(
            metavar="PLATFORM:ID",
            help="discord:ID, slack:TEAM:USER, telegram:NUMBER or terminal:NAME.",
        ),
    ],
    home: Home = NO_HOME,
) -> None:
    """Link a platform account to this contact.

    From now on the contact is that account.

    What was kept for it before moves with `bellhop contacts take-over`; at once for the
    terminal.
    """
    contacts = await contacts_of(home)
    await contacts.set_contact(_with_account(contacts, _contact(contacts, person), where))
    moved = await _follow(home)
    said = [f"{where} is {person}.", *moved]
    if not (where.startswith("terminal:") or moved):
        said.append(
            f"What was kept for it before stays apart until: bellhop contacts take-over {where} "
            f"{person}"
        )
    typer.echo("\n".join(said))


async def unlink(
    person: Annotated[str, typer.Argument(metavar="ID", help="The contact's id.")],
    where: Annotated[str, typer.Argument(metavar="PLATFORM:ID", help="As in `contacts list`.")],
    home: Home = NO_HOME,
) -> None:
    """Take an id on a platform from a contact. What was kept until now stays the contact's."""
    platform, _, id_ = where.partition(":")
    contacts = await contacts_of(home)
    contact = _contact(contacts, person)
    if id_ not in contact.ids.get(platform, ()):
        raise SettingsError(
            f"{person} has no id {where}; `bellhop contacts list` shows what there is"
        )
    await contacts.set_contact(without_platform_id(contact, platform, id_))
    typer.echo(f"{where} is a stranger now. What was kept until now stays {person}'s.")


async def remove(
    person: Annotated[str, typer.Argument(metavar="ID", help="The contact's id.")],
    home: Home = NO_HOME,
) -> None:
    """Take a contact out of contacts.yaml. Nothing that was kept for them is deleted."""
    await (await contacts_of(home)).remove_contact(person)
    typer.echo(
        f"Removed {person}; they are a stranger from the next message on. What was kept for them "
        f"stays under the id {person}, which nobody else gets: `bellhop contacts take-over {person}"
        " NEW` gives it to a contact."
    )


def _contact(contacts: Contacts, person: str) -> Contact:
    found = next((one for one in contacts.people if one.id == person), None)
    if found is None:
        names = ", ".join(one.id for one in contacts.people) or "nobody"
        raise SettingsError(f"contacts.yaml has no {person!r}; it names {names}")
    return found


def _place(where: str, known: KnownPlatforms) -> tuple[str, str]:
    platform, _, id_ = where.partition(":")
    if platform not in known or not id_:
        *forms, last = (f"{traits.name}:{traits.id_form}" for traits in known)
        raise SettingsError(f"{where!r} must be {', '.join(forms)} or {last}")
    if problem := known[platform].not_an_id(id_):
        raise SettingsError(problem)
    return platform, id_


async def _follow(home: Path) -> list[str]:
    """Move what was kept for strangers who are contacts now; a line for each."""

    async def here() -> list[str]:
        if not await asyncio.to_thread((home / "data").is_dir):
            return []
        async with open_app(AppOptions(home, model=NoModel())) as house:
            return house.moves.links.moved

    try:
        return (await here_or_asked(home, here, "people.follow", {}))[0]
    except BotError as error:
        return [f"What was kept for them before is moved at the next start: {error}"]


async def code(home: Home = NO_HOME) -> None:
    """Show a code to become the owner on a chat. It holds once."""
    nobody_needed = (
        "No chat needs an owner: none is switched on, or each has its owner already."
        " `bellhop doctor` shows which are on."
    )
    typer.echo(await claim_code(home) or nobody_needed)


async def claim_code(home: Path) -> str:
    """How to become the owner with a new code, which the serving process creates.

    Raises BotError.
    """

    async def here() -> str:
        settings = await asyncio.to_thread(load_settings, home)
        async with opened(settings) as database:
            contacts = await contacts_of(home)
            return await new_claim_words(database, contacts, settings, operator_name())

    text, _ = await here_or_asked(home, here, "people.code", {"operator": operator_name()})
    return text
