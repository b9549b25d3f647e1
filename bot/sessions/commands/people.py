"""Who somebody is: `/pair` and the buttons of a card about a stranger, `/takeover`.

`/pair REF ROLE` names a stranger. `/takeover OLD NEW [yes]` of a MasterAdmin asks a former owner,
whose card has buttons.
"""

import logging
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Place
from bot.errors import SettingsError, StorageError
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.people.contact_record import accounts_of
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.people.pairing import PAIR, ROLES, Pairing
from bot.sessions.people.takeovers import TakeOvers
from bot.sessions.wording.phrases import ADMIN_ALONE, SAY_ROLE
from bot.tools.permission.approvals import ApprovalStore

log = logging.getLogger(__name__)


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
