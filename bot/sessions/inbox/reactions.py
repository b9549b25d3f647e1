"""Reactions as quick answers: ✅ and ❌ decide a card, 👍 and 👎 rate an answer.

A decision counts only from the card's owner, and only while no newer card waits there.

See docs/rules.md#approvals.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.access import Person
from bot.domain.database import Database
from bot.domain.messages import Command, IncomingMessage
from bot.domain.platforms import KnownPlatforms
from bot.domain.step_keys import step_in, turn_of
from bot.domain.turns import TurnEngine
from bot.sessions.inbox.verdicts import LOOKED_AT
from bot.sessions.outbox.card_store import KeptCard, cards_of, posted_cards
from bot.sessions.records.conversation_store import newest_rows
from bot.sessions.records.envelope import receipt_ids
from bot.tools.permission.approvals import ApprovalStore

_SIGNS: Mapping[str, str] = {
    "✅": "approve",
    "✔": "approve",
    "❌": "reject",
    "👍": "good",
    "👎": "bad",
}
_NAMES: Mapping[str, str] = {
    "white_check_mark": "✅",
    "heavy_check_mark": "✔",
    "x": "❌",
    "+1": "👍",
    "thumbsup": "👍",
    "-1": "👎",
    "thumbsdown": "👎",
}
"""What platforms call these signs that send names."""
_LOOKS = str.maketrans(dict.fromkeys([0xFE0F, *range(0x1F3FB, 0x1F400)]))
"""Marks behind a sign that change its look and not its meaning."""


def sign_of(emoji: str, *, named: bool) -> str:
    """What an emoji stands for: `approve`, `reject`, `good`, `bad`, or nothing.

    `named`: the platform sends names that nobody else can give to another picture.
    """
    bare = emoji.partition("::")[0] if named else emoji
    sign = _NAMES.get(bare, bare) if named else bare
    return _SIGNS.get(sign.translate(_LOOKS), "")


@dataclass(frozen=True)
class QuickAnswers:
    """Reads what a reaction of a person decides about our own messages."""

    database: Database
    engine: TurnEngine
    approvals: ApprovalStore
    platforms: KnownPlatforms

    async def of(self, message: IncomingMessage, person: Person) -> Command | None:
        """The command that it stands for; None for any other reaction."""
        action = message.action
        if action is None or message.missed:
            return None
        named = self.platforms[message.conversation.platform].names_emoji
        sign, posted = sign_of(action.value, named=named), action.ref.rpartition(":")[2]
        match sign:
            case "approve" | "reject":
                return await self._decision(sign, posted, message, person)
            case "good" | "bad":
                return await self._rating(sign, posted, message)
            case _:
                return None

    async def _decision(
        self, verb: str, posted: str, message: IncomingMessage, person: Person
    ) -> Command | None:
        """A yes or no; on an older card it only shows that card again."""
        for approval in await self.approvals.open_for(person):
            if approval.person != person.id:
                continue
            for card in await cards_of(self.database, approval.ref):
                if posted in card.posted.receipt.message_ids and _is_in(card, message):
                    newest = await self._is_newest(card, message)
                    return Command(verb if newest else "approvals", approval.ref)
        return None

    async def _is_newest(self, card: KeptCard, message: IncomingMessage) -> bool:
        here = [one for one in await posted_cards(self.database) if _is_in(one, message)]
        newest = max(here, key=lambda one: one.posted.receipt.sent_at)
        return newest.posted.key == card.posted.key

    async def _rating(self, sign: str, posted: str, message: IncomingMessage) -> Command | None:
        """The rating of one of the newest answers here; `/rate` checks whose it is."""
        for row in await newest_rows(self.database, message.conversation.key, LOOKED_AT):
            key = str(row["key"])
            record = await self.engine.recorded(turn_of(key)) if "/" in key else None
            if record is not None and posted in receipt_ids(record.steps.get(step_in(key))):
                return Command("rate", f"{record.ref} {sign}")
        return None


def _is_in(card: KeptCard, message: IncomingMessage) -> bool:
    place, there = card.posted.message.target.conversation, message.conversation
    return place == there or place.channel_key == there.channel_key
