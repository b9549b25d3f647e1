"""The cards of an approval: their text and their places."""

from dataclasses import dataclass

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval
from bot.domain.card_words import in_words
from bot.domain.messages import IncomingMessage, OutgoingFile, OutgoingMessage, ReplyTarget
from bot.sessions.approvals.card_places import CardPlaces, where
from bot.sessions.opening.attachments import Attachments
from bot.sessions.outbox.card_store import Asks
from bot.sessions.outbox.outbox import Sending
from bot.sessions.people.contacts import Contacts
from bot.sessions.wording import sentences
from bot.sessions.wording.card_text import Card, card_of
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.approvals import may_decide
from bot.tools.permission.shown import hides


@dataclass(frozen=True)
class ApprovalCards:
    """Makes the cards that ask for a decision about a stored call."""

    contacts: Contacts
    places: CardPlaces
    attachments: Attachments
    agent: str
    """Who asks."""

    async def sendings(
        self, message: IncomingMessage, approval: Approval
    ) -> list[tuple[str, Sending]]:
        """The messages for an approval of `message`'s turn, each with the end of its step key.

        One card goes to the conversation, and one to each MasterAdmin if they are notified
        (`approvals.notify`). A question about budgets goes to MasterAdmins only, if there are any.
        If only the asker reads along and may not decide, the card has no buttons and says who was
        asked. If others read along and the call must not be shown to them whole, those who may
        decide get it directly.
        """
        asker = self.contacts.sender_of(message)
        card = card_of(approval, asker.name, alone=message.private)
        about_budget = approval.tool == EXTEND_BUDGET and asker.role is not Role.MASTER_ADMIN
        told = await self.places.needs_admins(approval.approver_rank, message, asker)
        admins = (
            await self.places.admins(besides=asker, only_known=about_budget)
            if about_budget or told
            else []
        )
        if not message.private and hides(approval):
            admins = await self._deciders(message, approval, asker, admins)
        elsewhere = (
            f"{in_words(asker.name)} (`{asker.id}`) asks for this in "
            f"{where(message.conversation)}.\n"
        )
        direct = card_of(approval, asker.name, alone=True)
        text = direct.text if about_budget else elsewhere + direct.text
        attached = await self.file(direct) if admins else ()
        found = [
            (
                f":{id_}",
                Sending(
                    OutgoingMessage(target, text, direct.choices, attached), id_, self.agent,
                    in_order=False, asks=asks_of(approval, direct, id_),
                    on_record=direct.summary,
                ),
            )
            for id_, target in admins
        ]  # fmt: skip
        if about_budget and found:
            return found
        here, choices = card.text, card.choices
        if not card.shown and found:
            here += f"\n{sentences.sent_directly(self.places.names(admins))}"
        if message.private and not may_decide(approval, asker):
            names = await self.places.asked(approval.approver_rank, message, asker) if found else ()
            here, choices = f"{here}\n{sentences.waits_for(approval.approver_rank, names)}", ()
            here += "" if names else sentences.tell_them(approval.ref)
        sending = Sending(
            OutgoingMessage(message.reply_to, here, choices, await self.file(card)), asker.id,
            self.agent, asks=asks_of(approval, card, asker.id if message.private else ""),
            asker=message.sender.id, on_record=card.summary,
        )  # fmt: skip
        return [("", sending), *found]

    async def _deciders(
        self,
        message: IncomingMessage,
        approval: Approval,
        asker: Person,
        admins: list[tuple[str, ReplyTarget]],
    ) -> list[tuple[str, ReplyTarget]]:
        """Those who may decide, and how each is reached directly; `admins` are already told."""
        if may_decide(approval, asker):
            own = await self.places.direct(asker.id) or self._account(message)
            return [(asker.id, own)]
        found = dict(admins or await self.places.admins(besides=asker))
        for person in await self.places.present(approval.approver_rank, message):
            target = None if person.id in found else await self.places.direct(person.id)
            if target is not None:
                found[person.id] = target
        return list(found.items())

    def _account(self, message: IncomingMessage) -> ReplyTarget:
        """The direct conversation of an account that has not yet written there."""
        there = message.conversation
        traits = self.contacts.platforms[there.platform]
        return traits.direct(there.workspace, message.sender.id)

    async def file(self, card: Card) -> tuple[OutgoingFile, ...]:
        """The attached file of a card that is too long for one message."""
        if not card.file:
            return ()
        return (
            OutgoingFile(
                card.file_name, "application/json", await self.attachments.keep(card.file)
            ),
        )


def asks_of(approval: Approval, card: Card, reader: str) -> Asks:
    """What a card asks, for the record; `reader` is the person who alone reads it."""
    return Asks(approval.ref, "", card.shown, reader)
