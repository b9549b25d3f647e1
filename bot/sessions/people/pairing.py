"""Pairing: a stranger's message waits for a MasterAdmin (`access.unknown_people: pair`).

The question is an approval: it is stored, expires, and is decided once, also across crashes. A
person has at most one, and at most three people have one at a time, so nobody can flood those who
decide. The stranger's later messages are stored, and answered together with the first one after the
yes.
"""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.card_words import in_words, visible
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Choice, IncomingMessage, MessageKind
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.records.conversation_store import message_now, recorded_text, waited_behind
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.wording.card_text import Card
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.refs import hashed_ref

PAIR = "pair_person"
"""Stands in place of a tool's name in approvals; no tool has this name."""
LIFE = timedelta(days=3)
OPEN_CARDS = 3
ROLES = {"friend": Role.FRIEND, "partner": Role.PARTNER, "guest": Role.GUEST, "ban": Role.BANNED}
"""The choices on a card, by their words."""
_EXCERPT_CHARS = 300


@dataclass(eq=False)
class Pairing:
    """Strangers who wait to be known, and the decisions about them."""

    database: Database
    clock: Clock
    approvals: ApprovalStore
    contacts: Contacts
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while asking about or naming somebody: two at once would not know of each other."""

    async def is_settled(self, person: Person) -> bool:
        """Whether not to ask about this stranger now: somebody was asked, or just said no."""
        newest = await self.approvals.newest_of(person.id, PAIR)
        return newest is not None and newest.asked_at + LIFE > self.clock.now()

    async def is_full(self) -> bool:
        """Whether the limit of waiting people is reached."""
        return await self.approvals.count_open(PAIR) >= OPEN_CARDS

    def request(
        self, message: IncomingMessage, envelope: JsonObject, person: Person, session: str
    ) -> Approval:
        """The question about a stranger. The same message gives the same question."""
        now, there = self.clock.now(), message.conversation
        return Approval(
            ref=hashed_ref("a", PAIR, message.key),
            session=session,
            person=person.id,
            agent="",
            tool=PAIR,
            arguments={
                "name": in_words(message.sender.name),
                "platform": there.platform,
                "id": self.contacts.account_of(message)[1],
            },
            risk=None,
            reason="",
            approver_rank=Role.MASTER_ADMIN.rank,
            state=ApprovalState.OPEN,
            asked_at=now,
            expires_at=now + LIFE,
            private=message.private,
            conversation=there.key,
            envelope=envelope,
        )

    async def name(self, approval: Approval, role: Role) -> Contact | None:
        """Make the stranger a contact; None when contacts.yaml names them already.

        Raises SettingsError or StorageError when the file can't be changed.
        """
        message = incoming_from_json(approval.envelope)
        if not self.contacts.is_stranger(message.conversation, message.sender):
            return None
        contact = self.contacts.newcomer(message, role)
        await self.contacts.set_contact(contact)
        return contact

    async def waiting(self, message: IncomingMessage) -> IncomingMessage | None:
        """The waiting message as edited, with later ones added; None if all were deleted."""
        known, there = self.contacts.sender_of(message).id, message.conversation
        traits = self.contacts.platforms[there.platform]
        stranger = traits.person_id(there.workspace, message.sender.id)
        first = await message_now(self.database, message.key)
        # A command is recorded only as itself.
        unchanged = first is None or first == recorded_text(message)
        files = message.attachments if unchanged or first else ()
        behind = await waited_behind(self.database, message.key, (stranger, known))
        said = (message.text if unchanged else first or "", *behind)
        text = "\n".join(part for part in said if part.strip())
        if not text and not files:
            return None
        # Later or edited text may contain names that others chose, so it vouches for nothing.
        typed = message.own_words if unchanged else ""
        kept = replace(message, text=text, typed=typed, attachments=files)
        return replace(kept, kind=MessageKind.TEXT, command=None)


def card_about(approval: Approval, words: str, language: Language = Language.EN) -> Card:
    """The text for a MasterAdmin: the platform's facts about the stranger, and their words."""
    who, ref = approval.arguments, approval.ref
    excerpt = visible(" ".join(words.split())[:_EXCERPT_CHARS]).replace("```", "'''")
    wrote = Phrase("They wrote:").said(language)
    began = f"{wrote}\n```\n{excerpt}\n```\n" if excerpt else ""
    asks = Phrase(
        "**{name} ({platform}) asks for access.** Their id there is `{id}`. They chose the name "
        "themselves."
    ).said(language, name=who["name"], platform=who["platform"], id=who["id"])
    choose = Phrase("Choose, or use `/pair {ref} {roles}`. Their message waits until then.").said(
        language, ref=ref, roles="|".join(ROLES)
    )
    choices = tuple(Choice(word.capitalize(), ref, f"pair_{word}") for word in ROLES)
    return Card(f"{asks}\n{began}{choose}", choices, choose)
