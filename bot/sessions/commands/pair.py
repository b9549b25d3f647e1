"""`/pair REF ROLE`, and the buttons of a card about a stranger: naming them."""

import logging

from bot.domain.access import Role
from bot.errors import SettingsError, StorageError
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.asked import Asked
from bot.sessions.people.contact_record import accounts_of
from bot.sessions.people.contacts_file import Contact
from bot.sessions.people.pairing import PAIR, ROLES, Pairing
from bot.sessions.people.takeovers import TakeOvers
from bot.tools.permission.approvals import ApprovalStore

log = logging.getLogger(__name__)


class PairCommand:
    """Names strangers who asked to be known."""

    def __init__(
        self,
        pairing: Pairing,
        approvals: ApprovalStore,
        decisions: Decisions,
        takeovers: TakeOvers,
    ) -> None:
        self._pairing, self._approvals = pairing, approvals
        self._decisions, self._takeovers = decisions, takeovers

    async def run(self, asked: Asked) -> str:
        """The sentence for the person who decided."""
        if asked.person.role is not Role.MASTER_ADMIN:
            return "Only a MasterAdmin can decide this."
        ref, _, word = asked.args.partition(" ")
        approval = await self._approvals.get(ref)
        if approval is None or approval.tool != PAIR:
            return (
                "Say who and as what: `/pair REF friend`. The card about them names the reference."
            )
        role = ROLES.get(word.strip().casefold())
        if role is None:
            return f"Say as what: `/pair {ref} {'|'.join(ROLES)}`."
        pairing = self._pairing
        async with pairing.lock:
            if closed := self._decisions.closed(approval, asked.person, again=asked.again):
                return closed
            try:
                contact = await pairing.name(approval, role)
            except (SettingsError, StorageError) as error:
                log.warning("error=<%s> | a stranger could not be written to the contacts", error)
                return (
                    "I can't write contacts.yaml, so nothing was changed. `bellhop doctor` says "
                    "why."
                )
            await self._decisions.named(approval, asked.person)
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
        former = [id_ for one in accounts for id_ in await self._takeovers.offers(one)]
        if not former:
            return ""
        ways = " or ".join(f"`/takeover {id_} {contact.id}`" for id_ in former)
        return f" This account was a contact before; {ways} gives it what was kept."
