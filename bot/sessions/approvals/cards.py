"""The cards of an approval: their text and their places."""

from bot.domain.access import Role
from bot.domain.approvals import Approval
from bot.domain.messages import IncomingMessage, OutgoingFile, OutgoingMessage
from bot.lazy_dataclass import dataclass
from bot.sessions.approvals.card_places import CardPlaces, where
from bot.sessions.opening.attachments import Attachments
from bot.sessions.outbox.card_store import Asks
from bot.sessions.outbox.outbox import Sending
from bot.sessions.people.contacts import Contacts
from bot.sessions.wording import sentences
from bot.sessions.wording.card_text import Card, card_of, in_words
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.approvals import may_decide


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
        asked.
        """
        asker, agent = self.contacts.sender_of(message), self.agent
        asks = Asks(approval.ref)
        card = card_of(approval, asker.name)
        files = await self._file(card)
        about_budget = approval.tool == EXTEND_BUDGET and asker.role is not Role.MASTER_ADMIN
        told = await self.places.needs_admins(approval.approver_rank, message, asker)
        admins = (
            await self.places.admins(besides=asker, only_known=about_budget)
            if about_budget or told
            else []
        )
        elsewhere = (
            f"{in_words(asker.name)} (`{asker.id}`) asks for this in "
            f"{where(message.conversation)}.\n"
        )
        text = card.text if about_budget else elsewhere + card.text
        found = [
            (
                f":{id_}",
                Sending(
                    OutgoingMessage(target, text, card.choices, files), id_, agent,
                    in_order=False, asks=asks, on_record=card.summary,
                ),
            )
            for id_, target in admins
        ]  # fmt: skip
        if about_budget and found:
            return found
        here, choices = card.text, card.choices
        if message.private and not may_decide(approval, asker):
            names = await self.places.asked(approval.approver_rank, message, asker) if found else ()
            here, choices = f"{here}\n{sentences.waits_for(approval.approver_rank, names)}", ()
            here += "" if names else sentences.tell_them(approval.ref)
        sending = Sending(
            OutgoingMessage(message.reply_to, here, choices, files), asker.id, agent,
            asks=asks, asker=message.sender.id, on_record=card.summary,
        )  # fmt: skip
        return [("", sending), *found]

    async def _file(self, card: Card) -> tuple[OutgoingFile, ...]:
        if not card.file:
            return ()
        return (
            OutgoingFile(
                card.file_name, "application/json", await self.attachments.keep(card.file)
            ),
        )
