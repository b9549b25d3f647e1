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
from bot.domain.chat_commands import Asked, ChatCommand, Completing
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.messages import Place
from bot.domain.native_commands import Completion
from bot.domain.privacy import left_out
from bot.errors import SettingsError, StorageError, UnitRejected
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.people.contact_record import accounts_of
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.people.pairing import PAIR, ROLES, Pairing
from bot.sessions.people.takeovers import TakeOvers
from bot.sessions.wording import phrases as access
from bot.sessions.wording.approval_phrases import SAY_ROLE
from bot.tools.permission.approvals import ApprovalStore

PEOPLE_HOW = Phrase(
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md."
)
MORE_PEOPLE = CountedPhrase(
    Phrase("and {count} more", context="one file"), Phrase("and {count} more", context="files")
)

log = logging.getLogger(__name__)

PEOPLE_USAGE = "[merge|apart NAME NAME]"
SHOWN = 30


class PeopleCommands:
    """Files about people, without a model. Only a typed command merges two of them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock
        self._rows = PeopleRows(database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("people", self.run, usage=PEOPLE_USAGE, offers=self.offered),)

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
        language = asked.language
        if not verb:
            return await self._listed(files, hidden, language)
        if verb.casefold() not in {"merge", "apart"} or len(names) != 2:
            return PEOPLE_HOW.said(language)
        found = [await self._named(files, name) for name in names]
        for name, row in zip(names, found, strict=True):
            if row is None:
                told = Phrase("There is no file {name} here, or several are called that.").said(
                    language, name=name[:60]
                )
                return f"{told} {PEOPLE_HOW.said(language)}"
        one, other = found
        if one is None or other is None or one.id == other.id:
            return Phrase("Both names mean one file already.").said(language)
        if not _may_merge(asked.person, one, other):
            return Phrase("Only a Partner or a MasterAdmin merges files that others read.").said(
                language
            )
        act = self._merge if verb.casefold() == "merge" else self._apart
        return await act(one, other, language)

    async def _named(self, files: list[PersonRow], name: str) -> PersonRow | None:
        """A file by its current or former name, or its person's; None for none or several."""
        slug = name.removeprefix("/people/").removesuffix(".md")
        row = await self._rows.at(slug)
        if row is not None and any(row.id == shown.id for shown in files):
            return row
        found = bearing(files, slug)
        return found[0] if len(found) == 1 else None

    async def _merge(self, one: PersonRow, other: PersonRow, language: Language) -> str:
        gone, kept = (other, one) if one.accounts and not other.accounts else (one, other)
        try:
            await self._database.write(store.merge(gone, kept, format_utc(self._clock.now())))
        except UnitRejected:
            return Phrase("One of the two was changed just now. Try again.").said(language)
        return Phrase("{gone} is {kept} now, with the notes of both.").said(
            language, gone=gone.path, kept=kept.path
        )

    async def _apart(self, one: PersonRow, other: PersonRow, language: Language) -> str:
        await self._database.write(store.keep_apart(one, other))
        names = (f"{row.name} ({row.slug})" for row in (one, other))
        return Phrase("{one} and {other} are two people: I won't ask again.").said(
            language, **dict(zip(("one", "other"), names, strict=True))
        )

    async def _listed(self, files: list[PersonRow], hidden: int, language: Language) -> str:
        lines = [
            f"- {row.name}{f', {row.title}' if row.title else ''} ({row.slug})"
            for row in files[:SHOWN]
        ]
        if len(files) > SHOWN:
            lines.append(f"- {MORE_PEOPLE.said(language, len(files) - SHOWN)}")
        twins = await pairs(self._rows, files)
        lines += [
            Phrase("Maybe the same: `/people merge {two} {one}`, else `apart`.").said(
                language, one=one.slug, two=two.slug
            )
            for one, two in twins[:SHOWN]
        ]
        lines += [f"{left_out(hidden, language)}."] if hidden else []
        return "\n".join(lines) or Phrase(
            "I keep no files about people yet. Ask me who somebody is."
        ).said(language)


def _may_merge(person: Person, one: PersonRow, other: PersonRow) -> bool:
    """The maker of both files may merge them; a Partner may merge files that all members read."""
    own = all(row.owner == person.id for row in (one, other))
    return own or person.role.rank >= Role.PARTNER.rank


@dataclass(frozen=True)
class PairCommand:
    """Names strangers who asked to be known."""

    pairing: Pairing
    approvals: ApprovalStore
    decisions: Decisions
    takeovers: TakeOvers

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "pair",
                self.run,
                usage="REF friend|partner|guest|ban",
                listed_from=Role.MASTER_ADMIN,
            ),
        )

    async def run(self, asked: Asked) -> str:
        """The sentence for the person who decided."""
        if asked.person.role is not Role.MASTER_ADMIN:
            return access.ADMIN_ALONE.said(asked.language)
        ref, _, word = asked.args.partition(" ")
        approval = await self.approvals.get(ref)
        if approval is None or approval.tool != PAIR:
            return Phrase(
                "Say who and as what: `/pair REF friend`. The card about them names the reference."
            ).said(asked.language)
        role = ROLES.get(word.strip().casefold())
        if role is None:
            return SAY_ROLE.said(asked.language, ref=ref, roles="|".join(ROLES))
        pairing = self.pairing
        async with pairing.lock:
            if closed := self.decisions.closed(
                approval, asked.person, asked.language, again=asked.again
            ):
                return closed
            try:
                contact = await pairing.name(approval, role)
            except (SettingsError, StorageError) as error:
                log.warning("error=<%s> | a stranger could not be written to the contacts", error)
                return Phrase(
                    "I can't write contacts.yaml, so nothing was changed. `bellhop doctor` says "
                    "why."
                ).said(asked.language)
            await self.decisions.named(approval, asked.person)
        name = approval.arguments["name"]
        if contact is None:
            return Phrase("{name} is in contacts.yaml already; that entry was not changed.").said(
                asked.language, name=name
            )
        if role is Role.BANNED:
            return Phrase(
                "{name} is `{id}` in contacts.yaml now: Banned. I don't answer them."
            ).said(asked.language, name=name, id=contact.id)
        known = Phrase(
            "{name} is `{id}` in contacts.yaml now: {role}. I answer the message that waited."
        ).said(asked.language, name=name, id=contact.id, role=role)
        return f"{known}{await self._former(contact, asked.language)}"

    async def _former(self, contact: Contact, language: Language) -> str:
        """How the ids that this account had before are taken over."""
        accounts = sorted(accounts_of(contact))
        former = [id_ for one in accounts for id_ in await self.takeovers.offers(one)]
        if not former:
            return ""
        ways = [f"`/takeover {id_} {contact.id}`" for id_ in former]
        told = Phrase("This account was a contact before; {ways} gives it what was kept.").said(
            language, ways=Phrase(" or ").said(language).join(ways)
        )
        return f" {told}"


TAKEOVER_USAGE = "OLD NEW [yes]"
_ANSWERS = {"yes": True, "no": False}


@dataclass(frozen=True)
class TakeOverCommand:
    """Gives a contact what is kept under another id, with its former owner's yes."""

    takeovers: TakeOvers
    contacts: Contacts

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "takeover",
                self.run,
                usage=TAKEOVER_USAGE,
                listed_from=Role.MASTER_ADMIN,
            ),
        )

    async def run(self, asked: Asked) -> str:
        """The sentences for whoever asked or answered."""
        message, language = asked.message, asked.language
        if message.conversation.place is not Place.DM:
            return Phrase("Say that in a direct message.").said(language)
        words = asked.args.split()
        match words:
            case [ref, answer] if answer in _ANSWERS:
                account = self.contacts.account_of(message)
                return await self.takeovers.answer(
                    ref, account, language, yes=_ANSWERS[answer], again=asked.again
                )
            case [earlier, contact]:
                yes = False
            case [earlier, contact, "yes"]:
                yes = True
            case _:
                return Phrase(
                    "Say whose things and for whom: `/takeover OLD NEW`, with a former id or an "
                    "account (`discord:ID`) of the contact NEW. I list them first."
                ).said(language)
        return await self.takeovers.run(
            asked.person, earlier, contact, language, yes=yes, key=message.key
        )
