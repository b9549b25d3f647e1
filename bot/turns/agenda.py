"""What may run next: a view of the inbox in memory, with one lane per session.

Pure bookkeeping, no waiting.
"""

import heapq
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bot.turns.shares import Share, ShareOf, Urgency


@dataclass(frozen=True)
class DueTurn:
    """A due turn. `fresh`: it was never begun, so it has no steps yet.

    `id` is 0 while its acceptance, in the unit that begins it, is not committed yet.
    """

    session: str
    id: int
    fresh: bool
    urgency: Urgency = Urgency.REQUEST


@dataclass
class _Lane:
    queue: list[int] = field(default_factory=list[int])
    """Heap of waiting ids; some may no longer wait."""
    queued: set[int] = field(default_factory=set[int])
    begun: int | None = None
    """The begun and unsettled turn: nothing else of this session runs before it is settled."""
    held: bool = False
    """The begun turn waits for a person or for its due time."""
    busy: bool = False
    """The begun turn runs right now."""
    listed: bool = False


@dataclass
class _Owner:
    """One person with all of their sessions."""

    sessions: deque[str] = field(default_factory=deque[str])
    """Sessions that may have work, in order of arrival."""
    busy: int = 0
    """The number of their turns that are begun and don't wait for a person."""
    listed: bool = False


@dataclass(eq=False)
class Agenda:
    """People take turns; within a session the order is that of acceptance (ids).

    Every change may be repeated without harm, because the rows in the database decide and this is
    only a view of them.
    """

    arrived: Callable[[str], None] = lambda _session: None
    """Called with the session whenever its queue gets work."""
    share_of: ShareOf = Share
    per_person: int = 3
    """The most turns of one owner at the same time."""

    def __post_init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}
        self._owners: dict[Share, _Owner] = {}
        self._ready: dict[Urgency, deque[Share]] = {urgency: deque() for urgency in Urgency}
        """Owners that may have work to start; a served owner goes to the end."""
        self.later: list[tuple[datetime, int, str]] = []
        """Heap of the work that is due later; some of it may be due no more."""
        self._due: dict[int, datetime] = {}
        self.listed = 0
        """How many sessions may have work that could begin. Those left are held back: by their
        owner's share, or because there is no room.
        """
        self.asked: set[tuple[str, str]] = set()
        """Conversations, and the persons in them who may have an open question."""

    def clear(self) -> None:
        """Forget everything before the inbox is read again."""
        self.asked.clear()
        self._lanes.clear()
        self._owners.clear()
        for owners in self._ready.values():
            owners.clear()
        self.later.clear()
        self._due.clear()
        self.listed = 0

    def forget(self, session: str) -> None:
        """Forget a session that another process may take; none of its turns runs here."""
        for _, turn, of in self.later:
            if of == session:
                self._due.pop(turn, None)
        lane = self._lanes.pop(session, None)
        if lane is None:
            return
        share = self.share_of(session)
        if lane.listed and (owner := self._owners.get(share)) is not None:
            owner.sessions.remove(session)
            self.listed -= 1
            self._list_owner(share, owner)

    # --- what happened ---

    def add(self, session: str, turn: int, due: datetime | None = None) -> None:
        """New work was accepted; with `due` it stays hidden until that moment."""
        if due is not None:
            self._wait(session, turn, due)
            return
        lane = self._lane(session)
        if turn not in lane.queued and turn != lane.begun:
            lane.queued.add(turn)
            heapq.heappush(lane.queue, turn)
            self._list(session, lane)
            self.arrived(session)

    def hold(self, session: str, turn: int, until: datetime | None = None) -> None:
        """A begun turn waits for a person, or `until` a moment. Its session waits with it."""
        lane = self._lane(session)
        lane.begun, lane.held = turn, True
        if until is not None:
            self._wait(session, turn, until)

    def resume(self, session: str, turn: int) -> None:
        """A begun turn may continue (as soon as its attempt has ended)."""
        lane = self._lane(session)
        self._due.pop(turn, None)
        lane.begun, lane.held = turn, False
        self._list(session, lane)

    def reserve(self, session: str) -> bool:
        """Reserve a session for a turn that begins on acceptance; False if it is busy."""
        share = self.share_of(session)
        lane, owner = self._lane(session), self._owner(share)
        if lane.busy or lane.queued or lane.begun is not None or owner.busy >= self.per_person:
            return False
        lane.busy = True
        owner.busy += 1
        return True

    def goes_on(self, session: str, turn: int) -> None:
        """A held turn runs now, before any session is served."""
        lane = self._lane(session)
        lane.begun, lane.held, lane.busy = turn, False, True
        self._owner(self.share_of(session)).busy += 1

    def began(self, session: str, turn: int) -> None:
        """A reserved session's turn is accepted and begun; if that fails, call `rested` instead."""
        self._lane(session).begun = turn

    def joined(self, session: str, turns: Collection[int]) -> None:
        """The running turn took waiting work."""
        self._lane(session).queued.difference_update(turns)

    def settled(self, session: str, turn: int) -> None:
        lane = self._lane(session)
        if lane.begun == turn:
            lane.begun, lane.held = None, False

    def rested(self, session: str) -> int | None:
        """No turn of this session runs now; its next turn may start. See `waits_before_work`."""
        lane, share = self._lane(session), self.share_of(session)
        owner = self._owner(share)
        if lane.busy:
            lane.busy = False
            owner.busy -= 1
        if lane.begun is None and not lane.queued and not lane.listed:
            del self._lanes[session]
            self._list_owner(share, owner)
            return None
        self._list(session, lane)
        return self.waits_before_work(session)

    # --- what is next ---

    def next(self, urgencies: Iterable[Urgency] = tuple(Urgency)) -> DueTurn | None:
        """Take the next turn that may run; its session is busy until `rested`.

        Returns only work of these urgencies, in their order. Owners are served in turn, however
        much they have waiting.
        """
        for urgency in urgencies:
            ready = self._ready[urgency]
            while ready:
                share = ready.popleft()
                owner = self._owners[share]
                owner.listed = False
                start = None if owner.busy >= self.per_person else self._next_of(owner, urgency)
                if start is not None:
                    owner.busy += 1
                self._list_owner(share, owner)
                if start is not None:
                    return start
        return None

    def _next_of(self, owner: _Owner, urgency: Urgency) -> DueTurn | None:
        while owner.sessions:
            session = owner.sessions.popleft()
            self.listed -= 1
            lane = self._lanes[session]
            lane.listed = False
            if lane.busy or lane.held:
                continue
            fresh = lane.begun is None
            if lane.begun is None and (first := _first(lane)) is not None:
                lane.begun = first
            if lane.begun is None:
                del self._lanes[session]
                continue
            lane.busy = True
            return DueTurn(session, lane.begun, fresh, urgency)
        return None

    def at_rest(self, session: str) -> bool:
        """Whether the session has no turn that runs or could run now."""
        lane = self._lanes.get(session)
        if lane is None:
            return True
        return not lane.busy and (lane.held or (lane.begun is None and not lane.queued))

    def is_busy(self, session: str) -> bool:
        """Whether a turn of the session runs, or is about to."""
        lane = self._lanes.get(session)
        return lane is not None and lane.busy

    def next_due(self) -> datetime | None:
        """The next due time of waiting work."""
        while self.later and self._due.get(self.later[0][1]) != self.later[0][0]:
            heapq.heappop(self.later)
        return self.later[0][0] if self.later else None

    def queued(self, session: str) -> int:
        """How many turns of this session are queued and were due at the last `come_due`."""
        lane = self._lanes.get(session)
        return len(lane.queued) if lane else 0

    def come_due(self, now: datetime) -> None:
        """Release everything that is due."""
        while (due := self.next_due()) is not None and due <= now:
            _, turn, session = heapq.heappop(self.later)
            del self._due[turn]
            if self._lane(session).begun == turn:
                self.resume(session, turn)
            else:
                self.add(session, turn)

    def waits_before_work(self, session: str) -> int | None:
        """The turn that waits for a person while other work of its session waits behind it."""
        lane = self._lanes.get(session)
        if lane is None or lane.begun is None or not lane.held or lane.busy or not lane.queued:
            return None
        return None if lane.begun in self._due else lane.begun

    def _wait(self, session: str, turn: int, due: datetime) -> None:
        if self._due.get(turn) != due:
            self._due[turn] = due
            heapq.heappush(self.later, (due, turn, session))

    def _lane(self, session: str) -> _Lane:
        lane = self._lanes.get(session)
        if lane is None:
            lane = self._lanes[session] = _Lane()
        return lane

    def _owner(self, share: Share) -> _Owner:
        owner = self._owners.get(share)
        if owner is None:
            owner = self._owners[share] = _Owner()
        return owner

    def _list(self, session: str, lane: _Lane) -> None:
        share = self.share_of(session)
        owner = self._owner(share)
        if not lane.listed:
            lane.listed = True
            owner.sessions.append(session)
            self.listed += 1
        self._list_owner(share, owner)

    def _list_owner(self, share: Share, owner: _Owner) -> None:
        """An owner with all their turns running is listed again when one of them ends."""
        if not owner.listed and owner.sessions and owner.busy < self.per_person:
            owner.listed = True
            self._ready[share.urgency].append(share)
        elif not owner.listed and not owner.sessions and not owner.busy:
            self._owners.pop(share, None)


def _first(lane: _Lane) -> int | None:
    while lane.queue:
        turn = heapq.heappop(lane.queue)
        if turn in lane.queued:
            lane.queued.remove(turn)
            return turn
    return None
