"""Accepts work durably, once per key, and changes or withdraws it while it is queued."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.work import HeardMessage, dump_work
from bot.errors import UnitRejected
from bot.turns import store
from bot.turns.attempt import Attempt
from bot.turns.questions import seen_before
from bot.turns.store import Begun, Claim
from bot.turns.tasks import EngineTasks


class Arrives(Protocol):
    def __call__(self, session: str, turn: int, due: datetime | None = None) -> None: ...


CLAIMS = 1_000
"""The most claims that are remembered; without one, a message claims its session anew."""


@dataclass(frozen=True)
class Begins:
    """The engine's part in accepting work."""

    reserve: Callable[[str], Attempt | None]
    """Returns an attempt for a message to an idle session; None if the message must wait."""
    begin: Callable[[Attempt, Begun], None]
    ended: Callable[[Attempt], None]
    """Called with a reserved attempt that is not needed."""
    arrives: Arrives
    """Called when a turn is queued, or changed while queued."""


class Admission:
    """The part of `TurnEngine` that writes accepted work."""

    def __init__(
        self, database: Database, clock: Clock, owner: str, tasks: EngineTasks, begins: Begins
    ) -> None:
        self._database, self._clock = database, clock
        self._owner = owner
        self._tasks = tasks
        self._begins = begins
        self._on_the_way: Counter[str] = Counter()
        """Acceptances being written, by session: no later work may overtake them."""
        self._claims: dict[str, Claim] = {}
        """Claims of sessions whose turns began here, in the order of their last turns."""

    async def submit(
        self,
        session: str,
        key: str,
        body: JsonObject,
        *,
        due: datetime | None = None,
        unit: Unit = Unit(),
    ) -> bool:
        """Accept work under a unique key, in one unit with the caller's writes.

        False (and nothing written) when the key was seen before. Raises StorageError.
        """
        now = self._clock.now()
        text = store.to_json(body, f"the body of {key}")
        later = due if due is not None and due > now else None
        for_later = partial(self._accept, session, key, text, due, now, unit)
        attempt = None if later or self._on_the_way[session] else self._begins.reserve(session)
        if attempt is None:
            return await self._tasks.certainly(for_later())
        return await self._tasks.certainly(
            self._accept_begun(attempt, key, text, now, unit, for_later)
        )

    async def _accept(
        self, session: str, key: str, text: str, due: datetime | None, now: datetime, unit: Unit
    ) -> bool:
        self._on_the_way[session] += 1
        accept = store.accept(session, key, text, due, now)
        try:
            written = await self._database.write(Unit((accept, *unit.writes)))
            turn = int(written.returned[0][0]["id"])
            self._begins.arrives(session, turn, due if due is not None and due > now else None)
        except UnitRejected as error:
            return seen_before(error, 1)
        finally:
            self._on_the_way[session] -= 1
            if not self._on_the_way[session]:
                del self._on_the_way[session]
        return True

    async def _accept_begun(
        self,
        attempt: Attempt,
        key: str,
        text: str,
        now: datetime,
        unit: Unit,
        for_later: Callable[[], Awaitable[bool]],
    ) -> bool:
        """Accept and begin a turn in one unit; only write `for_later` if another process has it."""
        session = attempt.session
        try:
            attempt.id, claim = await self._begun(session, key, text, now, unit)
        except UnitRejected as error:
            self._begins.ended(attempt)
            taken = error.index == 1 + len(unit.writes)
            return await for_later() if taken else seen_before(error, 1)
        except BaseException:
            self._begins.ended(attempt)
            raise
        body = json.loads(text)
        self._begins.begin(attempt, Begun(claim, attempt.id, key, body, 1, stop=False, error=None))
        return True

    async def _begun(
        self, session: str, key: str, text: str, now: datetime, unit: Unit
    ) -> tuple[int, Claim]:
        """The turn and its claim, which is that of the session's last turn if it still holds."""
        if (claim := self._claims.pop(session, None)) is not None:
            accept = store.accept_begun(session, key, text, now, claim.holds)
            try:
                written = await self._database.write(Unit((accept, *unit.writes)))
            except UnitRejected as error:
                if error.index:
                    raise
                # The key was seen before, or the claim is lost: the writes below tell which.
            else:
                self._claims[session] = claim
                return int(written.returned[0][0]["id"]), claim
        accept, claiming = (
            store.accept_begun(session, key, text, now),
            store.claim(session, self._owner),
        )
        written = await self._database.write(Unit((accept, *unit.writes, claiming)))
        claim = Claim(session, self._owner, int(written.returned[-1][0]["epoch"]))
        self._claims[session] = claim
        if len(self._claims) > CLAIMS:
            del self._claims[next(iter(self._claims))]
        return int(written.returned[0][0]["id"]), claim

    async def record(self, session: str, key: str, body: JsonObject, unit: Unit = Unit()) -> bool:
        """Accept a message that needs no turn (context, an ignored one): its key is settled."""
        write = store.record(
            session, key, store.to_json(body, f"the body of {key}"), self._clock.now()
        )
        try:
            await self._database.write(Unit.of(write) + unit)
        except UnitRejected as error:
            return seen_before(error, 1)
        return True

    async def revise(
        self, event: str, key: str, session: str, body: JsonObject, unit: Unit = Unit()
    ) -> bool:
        """Apply an edit (`event`) of the message `key`, if queued; make a turn of recorded context.

        One unit does this and uses up the key `event`. Returns False and writes nothing if `event`
        was seen before, or if `key` has begun, is settled as a turn, or is unknown. The caller
        knows which of the two it is.
        """
        now, text = self._clock.now(), store.to_json(body, f"the body of {key}")
        waiting = await self._tasks.certainly(self._change(event, store.amend(key, text), unit))
        if waiting is not None:
            return waiting
        return bool(
            await self._tasks.certainly(
                self._change(event, store.reopen(key, session, text, now), unit)
            )
        )

    async def withdraw(self, event: str, key: str, unit: Unit = Unit()) -> bool:
        """The message `key` was taken back by `event` before its turn was begun.

        False as with `revise`.
        """
        return bool(
            await self._tasks.certainly(
                self._change(event, store.withdraw(key, self._clock.now()), unit)
            )
        )

    async def _change(self, event: str, change: Write, unit: Unit) -> bool | None:
        """Whether accepted work was changed; None if it was missing or in another state."""
        changed = dump_work(HeardMessage("context", "changed"))
        used_up = store.record("", event, store.to_json(changed, event), self._clock.now())
        try:
            written = await self._database.write(Unit.of(used_up, change) + unit)
        except UnitRejected as error:
            if error.index == 1:
                return None
            return seen_before(error, 1)
        row = written.returned[1][0]
        # The agenda may already know it: a settled row is skipped when its turn comes.
        self._begins.arrives(str(row["session"]), int(row["id"]))
        return True
