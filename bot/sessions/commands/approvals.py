"""/approve and /reject: deciding about waiting calls."""

from collections.abc import Sequence

from bot.domain.grants import GrantScope
from bot.sessions.approvals.card_places import CardPlaces
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.asked import Asked
from bot.sessions.outbox.cards import Cards
from bot.tools.permission.approvals import ApprovalStore


class ApprovalCommands:
    """Finds the intended call, and decides about it."""

    def __init__(
        self, approvals: ApprovalStore, cards: Cards, decisions: Decisions, places: CardPlaces
    ) -> None:
        self._approvals = approvals
        self._cards = cards
        self._decisions = decisions
        self._places = places

    async def approve(self, asked: Asked) -> str:
        return await self._decide(asked, approve=True)

    async def reject(self, asked: Asked) -> str:
        return await self._decide(asked, approve=False)

    async def _decide(self, asked: Asked, *, approve: bool) -> str:
        ref, *more = asked.args.split() or [""]
        scope = next((one for one in GrantScope if more and more[0].casefold() == one), None)
        if not ref:
            waiting = await self._approvals.open_for(asked.person)
            here = await self._cards.only_one(asked.person, asked.message.conversation.key)
            if here is None or len(waiting) != 1:
                refs = ", ".join(item.ref for item in waiting)
                return f"Say which one: {refs}." if refs else "No approval is waiting for you."
            ref = here
        # Other words after the reference are politeness ("please").
        return await self._decisions.decide(
            ref,
            asked.person,
            approve=approve,
            again=asked.again,
            grant=scope if approve else None,
            lines=_numbers(more) if approve else (),
            asked=self._places.asked_for,
        )


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    """The intended calls of a plan: `1,3` or `1 3`. Other words are politeness."""
    found = " ".join(words).replace(",", " ").split()
    return tuple(int(word) for word in found if word.isascii() and word.isdigit())
