"""Who somebody is: `/people`, `/pair` and the buttons of a card about a stranger, `/takeover`.

`/people` shows possible duplicates and merges two files. `/pair REF ROLE` names a stranger.
`/takeover OLD NEW [yes]` of a MasterAdmin asks a former owner, whose card has buttons.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.clock import format_utc
from bot.connectors.people import store
from bot.connectors.people.roster import bearing, pairs
from bot.connectors.people.store import PeopleRows, PersonRow
from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.messages import Place
from bot.domain.native_commands import Completion
from bot.domain.privacy import left_out
from bot.errors import SettingsError, StorageError, UnitRejected
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.commands.completing import Completing
from bot.sessions.people.contact_record import accounts_of
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.people.pairing import PAIR, ROLES, Pairing
from bot.sessions.people.takeovers import TakeOvers
from bot.tools.permission.approvals import ApprovalStore

log = logging.getLogger(__name__)

PEOPLE_USAGE = "[merge|apart NAME NAME]"
SHOWN = 30
_HOW = (
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md."
)


class PeopleCommands:
    """Files about people, without a model. Only a typed command merges two of them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock
        self._rows = PeopleRows(database)

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("people", self.run, usage=PEOPLE_USAGE, offers=self.offered),)

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """Files to begin a merge with; its second name is typed."""
        files, _ = await self._rows.seen(asks.viewer)
        return [
            Completion(f"{verb} {row.name}", f"{verb} {row.slug} ")
            for verb in ("merge", "apart")
            for row in files
        ]

    async def run(self, asked: Asked) -> str:
        """One command; repeated after a crash, it says that it is done."""
        verb, *names = asked.args.split()[:3] or [""]
        files, hidden = await self._rows.seen(await asked.viewer())
        if not verb:
            return await self._listed(files, hidden)
        if verb.casefold() not in {"merge", "apart"} or len(names) != 2:
            return _HOW
        found = [await self._named(files, name) for name in names]
        for name, row in zip(names, found, strict=True):
            if row is None:
                return f"There is no file {name[:60]} here, or several are called that. {_HOW}"
        one, other = found
        if one is None or other is None or one.id == other.id:
            return "Both names mean one file already."
        if refusal := _refusal(asked.person, one, other):
            return refusal
        return await (
            self._merge(one, other) if verb.casefold() == "merge" else self._apart(one, other)
        )

    async def _named(self, files: list[PersonRow], name: str) -> PersonRow | None:
        """A file by its current or former name, or its person's; None for none or several."""
        slug = name.removeprefix("/people/").removesuffix(".md")
        row = await self._rows.at(slug)
        if row is not None and any(row.id == shown.id for shown in files):
            return row
        found = bearing(files, slug)
        return found[0] if len(found) == 1 else None

    async def _merge(self, one: PersonRow, other: PersonRow) -> str:
        gone, kept = (other, one) if one.accounts and not other.accounts else (one, other)
        try:
            await self._database.write(store.merge(gone, kept, format_utc(self._clock.now())))
        except UnitRejected:
            return "One of the two was changed just now. Try again."
        return f"{gone.path} is {kept.path} now, with the notes of both."

    async def _apart(self, one: PersonRow, other: PersonRow) -> str:
        await self._database.write(store.keep_apart(one, other))
        return (
            f"{one.name} ({one.slug}) and {other.name} ({other.slug}) are two people: I won't ask "
            "again."
        )

    async def _listed(self, files: list[PersonRow], hidden: int) -> str:
        lines = [
            f"- {row.name}{f', {row.title}' if row.title else ''} ({row.slug})"
            for row in files[:SHOWN]
        ]
        if len(files) > SHOWN:
            lines.append(f"- and {len(files) - SHOWN} more")
        twins = await pairs(self._rows, files)
        lines += [
            f"Maybe the same: `/people merge {two.slug} {one.slug}`, else `apart`."
            for one, two in twins[:SHOWN]
        ]
        lines += [f"{left_out(hidden)}."] if hidden else []
        return "\n".join(lines) or "I keep no files about people yet. Ask me who somebody is."


def _refusal(person: Person, one: PersonRow, other: PersonRow) -> str:
    """The maker of both files may merge them; a Partner may merge files that all members read."""
    if all(row.owner == person.id for row in (one, other)) or person.role.rank >= Role.PARTNER.rank:
        return ""
    return "Only a Partner or a MasterAdmin merges files that others read."


@dataclass(frozen=True)
class PairCommand:
    """Names strangers who asked to be known."""

    pairing: Pairing
    approvals: ApprovalStore
    decisions: Decisions
    takeovers: TakeOvers

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "pair",
                self.run,
                usage="REF friend|partner|guest|ban",
                least=Role.MASTER_ADMIN,
            ),
        )

    async def run(self, asked: Asked) -> str:
        """The sentence for the person who decided."""
        if asked.person.role is not Role.MASTER_ADMIN:
            return "Only a MasterAdmin can decide this."
        ref, _, word = asked.args.partition(" ")
        approval = await self.approvals.get(ref)
        if approval is None or approval.tool != PAIR:
            return (
                "Say who and as what: `/pair REF friend`. The card about them names the reference."
            )
        role = ROLES.get(word.strip().casefold())
        if role is None:
            return f"Say as what: `/pair {ref} {'|'.join(ROLES)}`."
        pairing = self.pairing
        async with pairing.lock:
            if closed := self.decisions.closed(approval, asked.person, again=asked.again):
                return closed
            try:
                contact = await pairing.name(approval, role)
            except (SettingsError, StorageError) as error:
                log.warning("error=<%s> | a stranger could not be written to the contacts", error)
                return (
                    "I can't write contacts.yaml, so nothing was changed. `bellhop doctor` says "
                    "why."
                )
            await self.decisions.named(approval, asked.person)
        name = approval.arguments["name"]
        if contact is None:
            return f"{name} is in contacts.yaml already; that entry was not changed."
        if role is Role.BANNED:
            return f"{name} is `{contact.id}` in contacts.yaml now: Banned. I don't answer them."
        return (
            f"{name} is `{contact.id}` in contacts.yaml now: {role}. I answer the message that "
            f"waited.{await self._former(contact)}"
        )

    async def _former(self, contact: Contact) -> str:
        """How the ids that this account had before are taken over."""
        accounts = sorted(accounts_of(contact))
        former = [id_ for one in accounts for id_ in await self.takeovers.offers(one)]
        if not former:
            return ""
        ways = " or ".join(f"`/takeover {id_} {contact.id}`" for id_ in former)
        return f" This account was a contact before; {ways} gives it what was kept."


TAKEOVER_USAGE = "OLD NEW [yes]"
_ANSWERS = {"yes": True, "no": False}


@dataclass(frozen=True)
class TakeOverCommand:
    """Gives a contact what is kept under another id, with its former owner's yes."""

    takeovers: TakeOvers
    contacts: Contacts

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "takeover",
                self.run,
                usage=TAKEOVER_USAGE,
                least=Role.MASTER_ADMIN,
            ),
        )

    async def run(self, asked: Asked) -> str:
        """The sentences for whoever asked or answered."""
        message = asked.message
        if message.conversation.place is not Place.DM:
            return "Say that in a direct message."
        words = asked.args.split()
        match words:
            case [ref, answer] if answer in _ANSWERS:
                account = self.contacts.account_of(message)
                return await self.takeovers.answer(
                    ref, account, yes=_ANSWERS[answer], again=asked.again
                )
            case [earlier, contact]:
                yes = False
            case [earlier, contact, "yes"]:
                yes = True
            case _:
                return (
                    "Say whose things and for whom: `/takeover OLD NEW`, with a former id or an "
                    "account (`discord:ID`) of the contact NEW. I list them first."
                )
        return await self.takeovers.run(asked.person, earlier, contact, yes=yes, key=message.key)
