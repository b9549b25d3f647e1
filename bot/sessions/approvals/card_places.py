"""Where approvals appear besides their conversation: directly to those who may decide.

Also how any person is reached directly.
"""

from collections.abc import Callable, Mapping, Sequence

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database
from bot.domain.messages import Conversation, IncomingMessage, Place, ReplyTarget
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.records.conversation_store import authors_of, own_place
from bot.sessions.records.envelope import incoming_from_json
from bot.tools.permission.approvals import may_decide_rank


class CardPlaces:
    """Finds the MasterAdmins of contacts.yaml, and tells when they are needed."""

    def __init__(
        self,
        database: Database,
        contacts: Callable[[], Contacts],
        adapters: Mapping[str, ChatAdapter],
        notify: str,
    ) -> None:
        """`notify` is the setting `approvals.notify`."""
        self._database = database
        self._contacts = contacts
        self._adapters = adapters
        self._notify = notify

    async def needs_admins(self, rank: int, message: IncomingMessage, asker: Person) -> bool:
        """By `approvals.notify`.

        Only for calls that wait for a role that the asker doesn't have.
        """
        if rank == 0 or may_decide_rank(rank, asker) or self._notify == "conversation":
            return False
        if self._notify == "admins" or message.private:
            return True
        return not await self.present(rank, message)

    async def asked(self, rank: int, message: IncomingMessage, asker: Person) -> tuple[str, ...]:
        """The people who may decide: the asker, notified MasterAdmins, or people in the place."""
        if rank == 0 or may_decide_rank(rank, asker):
            return (asker.name,)
        if await self.needs_admins(rank, message, asker):
            return tuple(self._name(id_) for id_, _ in await self.admins(besides=asker))
        return tuple(person.name for person in await self.present(rank, message))

    async def asked_for(self, approval: Approval) -> tuple[str, ...]:
        """The same for an existing approval."""
        message = incoming_from_json(approval.envelope)
        return await self.asked(
            approval.approver_rank, message, self._contacts().sender_of(message)
        )

    async def present(self, rank: int, message: IncomingMessage) -> list[Person]:
        """People who wrote here lately and may decide."""
        authors = await authors_of(self._database, message.conversation.key)
        known = [self._contacts().person(author) for author in authors]
        return [person for person in known if person is not None and may_decide_rank(rank, person)]

    def names(self, admins: Sequence[tuple[str, ReplyTarget]]) -> tuple[str, ...]:
        """The names of the people whom `admins` found."""
        return tuple(self._name(id_) for id_, _ in admins)

    def _name(self, id_: str) -> str:
        person = self._contacts().person(id_)
        return person.name if person is not None else id_

    async def admins(
        self, *, besides: Person | None = None, only_known: bool = False
    ) -> list[tuple[str, ReplyTarget]]:
        """Each MasterAdmin's id, and how they are reached on a platform that is connected.

        `only_known`: those alone who have written directly to Bellhop.
        """
        found: list[tuple[str, ReplyTarget]] = []
        for contact in self._contacts().people:
            asker = besides is not None and contact.id == besides.id
            if contact.role is not Role.MASTER_ADMIN or asker:
                continue
            place = await own_place(self._database, contact.id)
            target = self._direct(contact, place, only_known=only_known)
            if target is not None:
                found.append((contact.id, target))
        return found

    async def direct(self, person: str) -> ReplyTarget | None:
        """A direct way to reach a person id; None if no connected platform has one."""
        place = await own_place(self._database, person)
        if place is not None and place.platform in self._adapters:
            return ReplyTarget(place)
        contact = next((one for one in self._contacts().people if one.id == person), None)
        return None if contact is None else self._direct(contact, None, only_known=False)

    def _direct(
        self, contact: Contact, place: Conversation | None, *, only_known: bool
    ) -> ReplyTarget | None:
        """The place of their last direct message to Bellhop, else their first id there."""
        connected = self._adapters
        if place is not None and place.platform in connected:
            return ReplyTarget(place)
        if only_known:
            return None
        for traits in self._contacts().platforms:
            for written in contact.ids.get(traits.name, ()) if traits.name in connected else ():
                account = traits.account(written)
                return traits.direct(account.workspace, account.id)
        return None


def where(conversation: Conversation) -> str:
    """A place as an approval names it to somebody elsewhere."""
    if conversation.place is Place.DM:
        return f"a direct conversation on {conversation.platform}"
    title = " ".join(conversation.title.split()).replace("`", "'")[:80]
    return f"a {conversation.place} on {conversation.platform}{f' (`{title}`)' if title else ''}"
