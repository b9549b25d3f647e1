"""The cards of one turn: below its answer, so that they are the newest thing there.

Then a yes in words means the card, see docs/rules.md#approvals. Several calls that wait for the
same people share a card.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.clock import Clock
from bot.domain.messages import Delivery, IncomingMessage
from bot.domain.origins import Trust
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.errors import UnitRejected
from bot.sessions.approvals.cards import ApprovalCards
from bot.sessions.outbox.outbox import Sending
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.bundles import bundle_of, bundled_unit, grouped

Post = Callable[[Turn, str, Sending, Trust], Awaitable[Delivery]]


class WaitingCards:
    """Collects what a turn's calls ask, and shows it."""

    def __init__(
        self,
        turn: Turn,
        message: IncomingMessage,
        approvals: ApprovalStore,
        cards: ApprovalCards,
        post: Post,
        clock: Clock,
        covers: Sequence[str] = (),
    ) -> None:
        """`covers`: see `OutgoingMessage`; it may grow."""
        self._turn = turn
        self._message = message
        self._approvals = approvals
        self._cards = cards
        self._post = post
        self._clock = clock
        self._covers = covers
        self._waiting: dict[str, Approval] = {}
        self._trust = Trust.MEMBER

    def add(self, approval: Approval, trust: Trust) -> None:
        """A call waits; its card is trusted as far as the run that asks."""
        self._waiting[approval.ref] = approval
        self._trust = max(self._trust, trust)

    async def show(self, *, waited_s: float = 0.0) -> None:
        """Post the cards, unless none has waited that long. A replay posts none twice."""
        first = min((one.asked_at for one in self._waiting.values()), default=None)
        if first is None or (self._clock.now() - first).total_seconds() < waited_s:
            return
        waiting, self._waiting = list(self._waiting), {}
        now = [stored for ref in waiting if (stored := await self._approvals.get(ref))]
        shown = [one for one in now if self._turn.done(_key(one.ref))]
        new = [
            one
            for one in now
            if one not in shown and not one.bundle and one.state is ApprovalState.OPEN
        ]
        bundled = {one.bundle for one in now if one.bundle}
        earlier = [stored for ref in bundled if (stored := await self._approvals.get(ref))]
        asking = [*shown, *earlier]
        for group in grouped(new):
            asking += await self._asking(group)
        for approval in asking:
            await self._show(approval)

    async def _asking(self, group: Sequence[Approval]) -> Sequence[Approval]:
        """The approvals whose cards ask about these calls: one, if nothing is decided yet."""
        if len(group) == 1:
            return group
        bundle = bundle_of(group)

        async def keep() -> Recorded:
            return Recorded({}, bundled_unit(bundle))

        try:
            await self._turn.step(step_key(StepKind.BUNDLE, bundle.ref), keep)
        except UnitRejected:  # one of them was decided just now
            return group
        return (bundle,)

    async def _show(self, approval: Approval) -> None:
        for to, sending in await self._cards.sendings(self._message, approval):
            about = replace(sending.message, covers=tuple(self._covers))
            sent = replace(sending, message=about)
            await self._post(self._turn, f"{_key(approval.ref)}{to}", sent, self._trust)


def _key(ref: str) -> str:
    return step_key(StepKind.SEND, f"approval:{ref}")
