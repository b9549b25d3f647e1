"""Whether somebody's words decide a card: only where they can mean nothing else.

They do as a reply to the card itself, or as the person's next message while it is the newest thing
there and asks the only open question. After other talk the card is shown again instead.

See docs/rules.md#approvals.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.database import Database, Row, Unit
from bot.domain.messages import Command, IncomingMessage
from bot.domain.platforms import KnownPlatforms
from bot.sessions.inbox.verdict_words import asks_something, contradicts, number_of, verdict_of
from bot.sessions.outbox.card_store import KeptCard, cards_of
from bot.sessions.records.conversation_store import newest_guard, newest_rows
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.plans import has_lines
from bot.tools.permission.shown import calls_of

LOOKED_AT = 12
"""Newest messages of a place; a card above them is not what somebody answers."""


@dataclass(frozen=True)
class Meant:
    """The command that words stand for; `guard` fails if something else was said meanwhile."""

    command: Command
    guard: Unit = Unit()


@dataclass(frozen=True)
class Verdicts:
    """Reads yes, no and numbers."""

    database: Database
    approvals: ApprovalStore
    open_here: Callable[[Person, str], Awaitable[list[str]]]
    """References of what a person may decide in a conversation."""
    platforms: KnownPlatforms = field(default_factory=lambda: KnownPlatforms(()))

    async def of(self, message: IncomingMessage, person: Person) -> Meant | None:
        """What these words decide, or that the card is shown again; None for ordinary words."""
        words = message.own_words
        if message.attachments or message.to_others:
            return None
        if verdict_of(words) is None and number_of(words) is None:
            return None
        if message.answers is not None:
            replied = await self._replied_to(message, person)
            if replied is not None:
                return self._decision(words, *replied)
        refs = await self.open_here(person, message.conversation.key)
        approval = await self.approvals.get(refs[0]) if len(refs) == 1 else None
        return None if approval is None else await self._next(message, approval)

    async def _replied_to(
        self, message: IncomingMessage, person: Person
    ) -> tuple[Approval, KeptCard] | None:
        """The open card that the message replies to."""
        there = message.conversation
        for approval in await self.approvals.open_for(person):
            for card in await cards_of(self.database, approval.ref):
                place = card.posted.message.target.conversation
                if (
                    message.answers in card.posted.receipt.message_ids
                    and (place == there or place.channel_key == there.channel_key)
                    # In a thread below the card, nothing else may have been said.
                    and (place == there or not await newest_rows(self.database, there.key, 1))
                ):
                    return approval, card
        return None

    async def _next(self, message: IncomingMessage, approval: Approval) -> Meant | None:
        """By the newest messages of the place."""
        there = message.conversation.key
        cards = {card.posted.key: card for card in await cards_of(self.database, approval.ref)}
        rows = await newest_rows(self.database, there, LOOKED_AT)
        position = next((n for n, row in enumerate(rows) if row["key"] in cards), None)
        if position is None or any(map(_asks, rows[:position])):
            return None
        card = cards[rows[position]["key"]]
        if _answers_else(message, card):
            return None
        if position > 0:
            return Meant(Command("approvals", approval.ref))
        if message.sent_at < card.posted.receipt.sent_at:
            return None
        if _asked_before(rows[1:]) and not self._has_number(message, card):
            return None
        meant = self._decision(message.own_words, approval, card)
        return None if meant is None else Meant(meant.command, newest_guard(there, rows[0]["id"]))

    def _has_number(self, message: IncomingMessage, card: KeptCard) -> bool:
        """Whether it is a number that stands on the card alone, whatever was asked above it."""
        prints = self.platforms[message.conversation.platform].prints_numbers
        return number_of(message.own_words) is not None and prints(card.posted.message.choices)

    def _decision(self, words: str, approval: Approval, card: KeptCard) -> Meant | None:
        verdict, number, ref = verdict_of(words), number_of(words), approval.ref
        if verdict is False:
            return Meant(Command("reject", ref))
        if verdict and contradicts(words, _does(approval)):
            return Meant(Command("approvals", ref))
        if verdict:
            return Meant(Command("approve", ref))
        choices = card.posted.message.choices
        # The calls of a plan have numbers, too.
        if number is None or number > len(choices) or len(choices) < 2 or has_lines(approval):
            return None
        verb, _, scope = choices[number - 1].verb.partition("_")
        return Meant(Command(verb, f"{ref} {scope}".strip()))


def _answers_else(message: IncomingMessage, card: KeptCard) -> bool:
    """Whether it replies to something else, or is written in another thread than the card."""
    root = card.posted.message.target.start_thread_from
    return message.answers not in {None, root} and not message.conversation.id.endswith(
        message.answers or ""
    )


def _is_own(row: Row) -> bool:
    return str(row["author"]).startswith("agent:")


def _asks(row: Row) -> bool:
    """Whether this message of ours may ask something that a yes could answer."""
    return _is_own(row) and asks_something(str(row["text"]))


def _asked_before(rows: list[Row]) -> bool:
    """Whether what we said directly above a card asks something, too."""
    for row in rows:
        if not _is_own(row):
            return False
        if _asks(row):
            return True
    return False


def _does(approval: Approval) -> list[str]:
    """The words of the calls: names of tools, and short values of arguments."""
    texts = [
        text
        for tool, arguments in calls_of(approval)
        for text in (
            tool,
            *(one for one in arguments.values() if isinstance(one, str) and len(one) <= 20),
        )
    ]
    return [word for text in texts for word in re.findall("[a-z]+", text.casefold())]
