"""The cards of an approval: their text, and where they appear besides their conversation.

They go directly to those who may decide. `CardPlaces` also tells how any person is reached
directly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval
from bot.domain.card_words import in_words
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database
from bot.domain.languages import Language, Phrase, joined
from bot.domain.messages import (
    Asks,
    Conversation,
    IncomingMessage,
    OutgoingFile,
    OutgoingMessage,
    Place,
    ReplyTarget,
)
from bot.domain.platforms import KnownPlatforms
from bot.sessions.opening.attachments import Attachments
from bot.sessions.outbox.outbox import Sending
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.records.conversation_store import authors_of, own_place
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.wording import phrases
from bot.sessions.wording.card_text import Card, card_of
from bot.sessions.wording.languages import language_for
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.approvals import may_decide, may_decide_rank
from bot.tools.permission.shown import hides

PLACES = {
    Place.DM: Phrase("a direct conversation on {platform}"),
    Place.CHANNEL: Phrase("a channel on {platform}"),
    Place.THREAD: Phrase("a thread on {platform}"),
}
SENT_DIRECTLY = Phrase("I sent all of it directly to {names}.")
TELL_THEM = Phrase("I can reach none from here: give one of them the reference {ref}.")


@dataclass(frozen=True)
class CardPlaces:
    """Finds the MasterAdmins of contacts.yaml, and tells when they are needed.

    `notify` is the setting `approvals.notify`.
    """

    database: Database
    contacts: Contacts
    adapters: Mapping[str, ChatAdapter]
    notify: str

    async def needs_admins(self, rank: int, message: IncomingMessage, asker: Person) -> bool:
        """By `approvals.notify`.

        Only for calls that wait for a role that the asker doesn't have.
        """
        if rank == 0 or may_decide_rank(rank, asker) or self.notify == "conversation":
            return False
        if self.notify == "admins" or message.private:
            return True
        return not await self.present(rank, message)

    async def asked(self, rank: int, message: IncomingMessage, asker: Person) -> tuple[str, ...]:
        """The people who may decide: the asker, notified MasterAdmins, or people in the place."""
        if rank == 0 or may_decide_rank(rank, asker):
            return (asker.name,)
        if await self.needs_admins(rank, message, asker):
            return self.names(await self.admins(besides=asker))
        return tuple(person.name for person in await self.present(rank, message))

    async def asked_for(self, approval: Approval) -> tuple[str, ...]:
        """The same for an existing approval."""
        message = incoming_from_json(approval.envelope)
        return await self.asked(approval.approver_rank, message, self.contacts.sender_of(message))

    async def present(self, rank: int, message: IncomingMessage) -> list[Person]:
        """People who wrote here lately and may decide."""
        authors = await authors_of(self.database, message.conversation.key)
        known = [self.contacts.person(author) for author in authors]
        return [person for person in known if person is not None and may_decide_rank(rank, person)]

    def names(self, admins: Sequence[tuple[str, ReplyTarget]]) -> tuple[str, ...]:
        """The names of the people whom `admins` found."""
        found = [(id_, self.contacts.person(id_)) for id_, _ in admins]
        return tuple(id_ if person is None else person.name for id_, person in found)

    async def admins(
        self, *, besides: Person | None = None, only_known: bool = False
    ) -> list[tuple[str, ReplyTarget]]:
        """Each MasterAdmin's id, and how they are reached on a platform that is connected.

        `only_known`: those alone who have written directly to Bellhop.
        """
        found: list[tuple[str, ReplyTarget]] = []
        for contact in self.contacts.people:
            asker = besides is not None and contact.id == besides.id
            if contact.role is not Role.MASTER_ADMIN or asker:
                continue
            place = await own_place(self.database, contact.id)
            target = self._direct(contact, place, only_known=only_known)
            if target is not None:
                found.append((contact.id, target))
        return found

    async def direct(self, person: str) -> ReplyTarget | None:
        """A direct way to reach a person id; None if no connected platform has one."""
        place = await own_place(self.database, person)
        if place is not None and place.platform in self.adapters:
            return ReplyTarget(place)
        contact = next((one for one in self.contacts.people if one.id == person), None)
        return None if contact is None else self._direct(contact, None, only_known=False)

    def _direct(
        self, contact: Contact, place: Conversation | None, *, only_known: bool
    ) -> ReplyTarget | None:
        """The place of their last direct message to Bellhop, else their first id there."""
        connected = self.adapters
        if place is not None and place.platform in connected:
            return ReplyTarget(place)
        if only_known:
            return None
        for traits in self.contacts.platforms:
            for written in contact.ids.get(traits.name, ()) if traits.name in connected else ():
                account = traits.account(written)
                return traits.direct(account.workspace, account.id)
        return None


def where(conversation: Conversation, platforms: KnownPlatforms, language: Language) -> str:
    """A place as an approval names it to somebody elsewhere."""
    platform = platforms[conversation.platform]
    name = platform.title or platform.name
    place = PLACES[conversation.place].said(language, platform=name)
    if conversation.place is Place.DM:
        return place
    title = " ".join(conversation.title.split()).replace("`", "'")[:80]
    return f"{place}{f' (`{title}`)' if title else ''}"


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
        asker, language = self.contacts.sender_of(message), language_for(message)
        card = card_of(approval, asker.name, alone=message.private, language=language)
        about_budget = _about_budget(approval, asker)
        told = await self.places.needs_admins(approval.approver_rank, message, asker)
        admins = (
            await self.places.admins(besides=asker, only_known=about_budget)
            if about_budget or told
            else []
        )
        if not message.private and hides(approval):
            admins = await self._deciders(message, approval, asker, admins)
        found = [
            (f":{id_}", await self._direct(approval, asker, id_, target, message))
            for id_, target in admins
        ]
        if about_budget and found:
            return found
        how, choices = card.how, card.choices
        if not card.shown and found:
            names = joined(self.places.names(admins), language)
            how += f"\n{SENT_DIRECTLY.said(language, names=names)}"
        if message.private and not may_decide(approval, asker):
            names = await self.places.asked(approval.approver_rank, message, asker) if found else ()
            waits = phrases.waits_for(approval.approver_rank, names, language)
            nobody = f" {TELL_THEM.said(language, ref=approval.ref)}"
            waits += "" if names else nobody
            how, choices = waits if card.shown else f"{how}\n{waits}", ()
        outgoing = OutgoingMessage(
            message.reply_to,
            card.text.removesuffix(card.how) + how,
            choices,
            await self.file(card),
            language=language,
            while_open=how,
        )
        sending = Sending(
            outgoing,
            asker.id,
            self.agent,
            asks=asks_of(approval, card, asker.id if message.private else ""),
            asker=message.sender.id,
            on_record=card.summary,
        )
        return [("", sending), *found]

    async def _direct(
        self,
        approval: Approval,
        asker: Person,
        reader: str,
        target: ReplyTarget,
        message: IncomingMessage,
    ) -> Sending:
        """The whole card for one person alone, who may decide, in their language."""
        if reader == asker.id:
            language = language_for(message)
        else:
            language = await spoken_at(self.places.database, target.conversation)
        card = card_of(approval, asker.name, alone=True, language=language)
        place = where(message.conversation, self.contacts.platforms, language)
        asked = Phrase("{who} (`{id}`) asks for this in {where}.")
        if reader == asker.id:
            asked = Phrase("You asked for this in {where}, where others read.")
        asked = asked.said(language, who=in_words(asker.name), id=asker.id, where=place)
        text = card.text if _about_budget(approval, asker) else f"{asked}\n{card.text}"
        outgoing = OutgoingMessage(
            target,
            text,
            card.choices,
            await self.file(card),
            language=language,
            while_open=card.how,
        )
        asks, said = asks_of(approval, card, reader), card.summary
        return Sending(outgoing, reader, self.agent, in_order=False, asks=asks, on_record=said)

    async def _deciders(
        self,
        message: IncomingMessage,
        approval: Approval,
        asker: Person,
        admins: list[tuple[str, ReplyTarget]],
    ) -> list[tuple[str, ReplyTarget]]:
        """Those who may decide, and how each is reached directly; `admins` are already told."""
        if may_decide(approval, asker):
            own = await self.places.direct(asker.id)
            if own is None:  # an account that has not yet written there
                there = message.conversation
                traits = self.contacts.platforms[there.platform]
                own = traits.direct(there.workspace, message.sender.id)
            return [(asker.id, own)]
        found = dict(admins or await self.places.admins(besides=asker))
        for person in await self.places.present(approval.approver_rank, message):
            target = None if person.id in found else await self.places.direct(person.id)
            if target is not None:
                found[person.id] = target
        return list(found.items())

    async def file(self, card: Card) -> tuple[OutgoingFile, ...]:
        """The attached file of a card that is too long for one message."""
        if not card.file:
            return ()
        blob = await self.attachments.keep(card.file)
        return (OutgoingFile(card.file_name, "application/json", blob),)


def _about_budget(approval: Approval, asker: Person) -> bool:
    """Whether somebody may go on only after a MasterAdmin's yes."""
    return approval.tool == EXTEND_BUDGET and asker.role is not Role.MASTER_ADMIN


def asks_of(approval: Approval, card: Card, reader: str) -> Asks:
    """What a card asks, for the record; `reader` is the person who alone reads it."""
    return Asks(approval.ref, "", card.shown, reader)
