"""Who somebody is: `/claim`, `/pair` and the buttons of a card about a stranger, `/takeover`.

A person who has a one-time code from the terminal becomes owner by `/claim CODE`. `/pair REF ROLE`
names a stranger. `/takeover OLD NEW [yes]` of a MasterAdmin asks a former owner, whose card has
buttons.
"""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.clock import format_utc
from bot.domain.access import Role
from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.messages import IncomingMessage, Place
from bot.domain.platforms import PlatformTraits
from bot.errors import SettingsError, StorageError
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.people.contact_record import AccountKey, accounts_of
from bot.sessions.people.contacts import Contacts, with_platform_id
from bot.sessions.people.contacts_file import TERMINAL, Contact
from bot.sessions.people.pairing import PAIR, ROLES, Pairing
from bot.sessions.people.takeovers import TakeOvers
from bot.sessions.wording.phrases import ADMIN_ALONE, SAY_ROLE
from bot.storage.values import (
    HomeValue,
    drop_but_newest,
    drop_home_value,
    drop_old_values,
    home_values,
    put_home_value,
)
from bot.tools.permission.approvals import ApprovalStore

WELCOME = Phrase(
    "You are my owner here now: {name}, MasterAdmin. What you told me before is still yours."
    " People who write to me are guests until you add them; /help says what I can do."
)

log = logging.getLogger(__name__)

CODE_LIFE = timedelta(hours=24)
_WINDOW = timedelta(hours=1)
_TRIES = 5
"""Wrong codes that one account may try in an hour.

There is no limit for all together: it would let strangers keep the owner out.
"""
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_CODE_CHARS = 28
"""140 random bits: too many to find, however many accounts try."""


@dataclass(eq=False)
class Claims:
    """Makes codes, and makes their senders owners, in direct messages only.

    `own` is told of a contact and an account that showed by a code that they are one.
    """

    database: Database
    clock: Clock
    contacts: Contacts
    own: Callable[[str, AccountKey], Awaitable[None]] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("claim", self.run, usage="CODE"),)

    async def new_code(self, operator: str = "") -> str:
        """A code for the person at the terminal, to be shown once; only its hash is stored."""
        code = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_CHARS))
        now = self.clock.now()
        expired = drop_old_values(HomeValue.CLAIM_CODE, now)
        ends = now + CODE_LIFE
        made = put_home_value(HomeValue.CLAIM_CODE, operator, _hash(code), at=ends)
        await self.database.write(Unit.of(expired, made))
        return "-".join(code[start : start + 4] for start in range(0, len(code), 4))

    async def run(self, asked: Asked) -> str:
        """`/claim CODE`: the sentence for its sender."""
        async with self._lock:
            return await self._claim(asked)

    async def _claim(self, asked: Asked) -> str:
        message, person, language = asked.message, asked.person, asked.language
        platform = message.conversation.platform
        if platform == TERMINAL:
            return Phrase(
                "You are at the terminal, so you need no code. Send it to me on {platforms}."
            ).said(language, platforms=self.contacts.platforms.shared)
        now, sender, code = self.clock.now(), _sender(message), _hash(asked.args)
        operator = await self._operator(code)
        if operator is not None and message.conversation.place is not Place.DM:
            await self._drop(code)
            return Phrase(
                "Others could read that code here, so it is void. Get a new one, and send it in a "
                "direct message."
            ).said(language)
        if message.conversation.place is not Place.DM:
            return Phrase("Send me `/claim CODE` in a direct message.").said(language)
        if person.known and person.role is Role.MASTER_ADMIN:
            if operator is not None:  # perhaps the process ended before this was done
                await self._take(message, person.id)
            await self._drop(code)
            return WELCOME.said(language, name=person.name)
        if has_owner(self.contacts, platform):
            log.warning("person=<%s> | tried to claim a platform that has an owner", person.id)
            return Phrase("I have an owner here already. Ask them to add you.").said(language)
        if await wrong_tries(self.database, sender, now - _WINDOW) >= _TRIES:
            return Phrase("You tried too many wrong codes. Try again in an hour.").said(language)
        if operator is None:
            await self.database.write(add_try(sender, now, now - _WINDOW))
            return Phrase(
                "That code is not valid: it is mistyped, was used before, or is older than "
                "{hours} hours. `bellhop contacts code` shows a new one."
            ).said(language, hours=CODE_LIFE // timedelta(hours=1))
        return await self._make_owner(message, operator, code, language)

    async def _operator(self, code: str) -> str | None:
        """Who was shown the code with this hash, if it may still be used.

        Each is compared, in a time that tells nothing of its hash.
        """
        codes = await home_values(self.database, HomeValue.CLAIM_CODE, after=self.clock.now())
        found = [operator for one, operator in codes.items() if secrets.compare_digest(one, code)]
        return found[0] if found else None

    async def _drop(self, code: str) -> None:
        await self.database.write(Unit.of(drop_home_value(HomeValue.CLAIM_CODE, code)))

    async def _make_owner(
        self, message: IncomingMessage, operator: str, code: str, language: Language
    ) -> str:
        """Write the file first: after a crash the code is useless, because there is an owner."""
        contact = self._contact_of(message, operator)
        try:
            await self.contacts.set_contact(contact)
        except (SettingsError, StorageError) as error:
            log.warning("error=<%s> | an owner could not be written to the contacts", error)
            return Phrase(
                "Your code is right, but I can't write contacts.yaml. `bellhop doctor` says why."
            ).said(language)
        await self._take(message, contact.id)
        await self._drop(code)
        log.warning(
            "person=<%s>, platform=<%s> | is owner now", contact.id, message.conversation.platform
        )
        return WELCOME.said(language, name=contact.name)

    async def _take(self, message: IncomingMessage, contact: str) -> None:
        """What the account made before is the owner's: the account itself has sent the code."""
        if self.own is not None:
            await self.own(contact, self.contacts.account_of(message))

    def _contact_of(self, message: IncomingMessage, operator: str) -> Contact:
        """The claiming person: a contact, else the only owner elsewhere, else a new one."""
        contacts, there = self.contacts, message.conversation
        known = contacts.person(contacts.sender_of(message).id)
        owners = [one for one in contacts.people if one.role is Role.MASTER_ADMIN]
        contact = next(
            (one for one in contacts.people if known is not None and one.id == known.id), None
        )
        if contact is None and len(owners) == 1 and not owners[0].ids.get(there.platform):
            contact = owners[0]
        contact = contact or contacts.newcomer(message, Role.MASTER_ADMIN)
        if operator and not any(operator in one.ids.get(TERMINAL, ()) for one in contacts.people):
            contact = with_platform_id(contact, TERMINAL, operator)
        contact = with_platform_id(contact, *contacts.account_of(message))
        return replace(contact, role=Role.MASTER_ADMIN)


MOST_TRIES = 1_000
"""Wrong codes that are counted at a time."""


async def wrong_tries(database: Database, sender: str, since: datetime) -> int:
    """The number of wrong codes by this sender since a moment."""
    tried = await home_values(database, HomeValue.WRONG_CODE, after=since)
    return list(tried.values()).count(sender)


def add_try(sender: str, now: datetime, forget: datetime) -> Unit:
    """Count a wrong code; those before `forget`, and all but the newest `MOST_TRIES`, are deleted.

    Somebody with so many accounts is counted less, which the length of a code allows for.
    """
    key = f"{format_utc(now)} {secrets.token_hex(4)}"
    return Unit.of(
        put_home_value(HomeValue.WRONG_CODE, sender, key, at=now),
        drop_old_values(HomeValue.WRONG_CODE, forget),
        drop_but_newest(HomeValue.WRONG_CODE, MOST_TRIES),
    )


def has_owner(contacts: Contacts, platform: str) -> bool:
    """Whether a MasterAdmin is known by an id of this platform."""
    return any(one.role is Role.MASTER_ADMIN and one.ids.get(platform) for one in contacts.people)


def how_to_claim(codes: Sequence[tuple[PlatformTraits, str]]) -> str:
    """The text for the operator at the terminal; empty when every platform has an owner.

    Each platform has a code of its own, because a code works once.
    """
    lines = [f"  {one.claim.format(code=code)}    ({one.title})" for one, code in codes]
    if not lines:
        return ""
    one = len(lines) == 1
    return "\n".join(
        (
            "Make yourself the owner: send Bellhop "
            f"{'this' if one else 'each of these on its platform'} in a direct message, within 24 "
            "hours.",
            *lines,
            f"{'The code works' if one else 'Each code works'} once. Keep "
            f"{'it' if one else 'them'} to yourself.",
        )
    )


def _sender(message: IncomingMessage) -> str:
    return f"{message.conversation.platform}:{message.conversation.workspace}:{message.sender.id}"


def _hash(code: str) -> str:
    """Case and dashes don't matter.

    The code is random and long, so its plain hash can't be guessed.
    """
    return hashlib.sha256("".join(filter(str.isalnum, code)).upper().encode()).hexdigest()


@dataclass(frozen=True)
class PairCommand:
    """Names strangers who asked to be known."""

    pairing: Pairing
    approvals: ApprovalStore
    decisions: Decisions
    takeovers: TakeOvers

    def commands(self) -> tuple[ChatCommand, ...]:
        usage = "REF friend|partner|guest|ban"
        return (ChatCommand("pair", self.run, usage=usage, listed_from=Role.MASTER_ADMIN),)

    async def run(self, asked: Asked) -> str:
        """The sentence for the person who decided."""
        if asked.person.role is not Role.MASTER_ADMIN:
            return ADMIN_ALONE.said(asked.language)
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
            known = Phrase("{name} is in contacts.yaml already; that entry was not changed.")
            return known.said(asked.language, name=name)
        if role is Role.BANNED:
            now = Phrase("{name} is `{id}` in contacts.yaml now: Banned. I don't answer them.")
            return now.said(asked.language, name=name, id=contact.id)
        now = Phrase(
            "{name} is `{id}` in contacts.yaml now: {role}. I answer the message that waited."
        )
        told = now.said(asked.language, name=name, id=contact.id, role=role)
        return f"{told}{await self._former(contact, asked.language)}"

    async def _former(self, contact: Contact, language: Language) -> str:
        """How the ids that this account had before are taken over."""
        accounts = sorted(accounts_of(contact))
        former = [id_ for one in accounts for id_ in await self.takeovers.offers(one)]
        if not former:
            return ""
        ways = (
            Phrase(" or ").said(language).join(f"`/takeover {id_} {contact.id}`" for id_ in former)
        )
        told = Phrase("This account was a contact before; {ways} gives it what was kept.")
        return f" {told.said(language, ways=ways)}"


TAKEOVER_USAGE = "OLD NEW [yes]"
_ANSWERS = {"yes": True, "no": False}


@dataclass(frozen=True)
class TakeOverCommand:
    """Gives a contact what is kept under another id, with its former owner's yes."""

    takeovers: TakeOvers
    contacts: Contacts

    def commands(self) -> tuple[ChatCommand, ...]:
        admin = Role.MASTER_ADMIN
        return (ChatCommand("takeover", self.run, usage=TAKEOVER_USAGE, listed_from=admin),)

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
