"""/new, /compact and /stop: ending sessions and running work."""

from collections.abc import Sequence

from bot.agents.delegation.background import Background
from bot.clock import parse_utc
from bot.domain.sessions import SessionKey
from bot.domain.turns import OpenTurn, TurnEngine
from bot.domain.work import CompactionWork, DelegationWork, dump_work, find_work
from bot.sessions.commands.asked import Asked
from bot.sessions.inbox.reach import elsewhere, place_of, reached
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.session_store import Sessions


class SessionCommands:
    """Ends sessions, and stops the turns that a command means."""

    def __init__(self, sessions: Sessions, engine: TurnEngine, background: Background) -> None:
        self._sessions = sessions
        self._engine = engine
        self._background = background

    async def new(self, asked: Asked) -> str:
        turns = [
            turn
            for turn in await self.reached_by(asked)
            if not isinstance(find_work(turn.body), DelegationWork)
        ]
        await self._stop_all(turns)
        before = parse_utc(asked.at) if asked.at else None
        places = {(asked.key, asked.message.conversation.key)}
        places |= {(SessionKey.parse(turn.session), place_of(turn)) for turn in turns}
        ended = [await self._sessions.end(key, place, "new", before) for key, place in places]
        threads = elsewhere(turns, asked.message.conversation)
        if threads:
            return f"Started afresh in {' and '.join(threads)}."
        return "Started afresh." if any(ended) or asked.again else "This is a fresh start already."

    async def compact(self, asked: Asked) -> str:
        """Queue a turn in the session itself, so that no message is answered meanwhile."""
        engine, session = self._engine, str(asked.key)
        if not asked.again:
            if await engine.open_question(asked.message.conversation.key, asked.person.id):
                return "I am waiting for your answer; answer first, or /stop, then /compact."
            if await engine.under_way(session) or await engine.waiting(session):
                return (
                    "I am busy with your last message; try /compact again when I have answered, or "
                    "/stop first."
                )
        body = dump_work(CompactionWork(incoming_to_json(asked.message)))
        await engine.submit(session, f"compact:{asked.message.key}", body)
        return ""

    async def stop(self, asked: Asked) -> str:
        turns = await self.reached_by(asked)
        stopped = any([await self._stop_all(turns), await self._stop_waiting(asked)])
        threads = elsewhere(turns, asked.message.conversation)
        if stopped and threads:
            return f"Stopping in {' and '.join(threads)}."
        if stopped or (asked.again and asked.ran):
            return "Stopping."
        return "Nothing is running or waiting here."

    async def reached_by(self, asked: Asked) -> list[OpenTurn]:
        """The turns that the command means: accepted earlier, and running when it was given."""
        turns = [turn for turn in await self._engine.open_turns() if turn.id < asked.turn.id]
        if asked.again:
            turns = [turn for turn in turns if turn.id in asked.ran]
        return reached(turns, asked.message.conversation, asked.person.id)

    async def _stop_waiting(self, asked: Asked) -> bool:
        """Stop background agents of this conversation that wait for an earlier one."""
        here = asked.message.conversation
        waiting = [one for one in await self._background.open_of(asked.person.id) if one.waits]
        meant = [one for one in waiting if one.turn < asked.turn.id and one.is_in(here)]
        return any([await self._background.stop(one) for one in meant])

    async def _stop_all(self, turns: Sequence[OpenTurn]) -> bool:
        stopped = [await self._engine.stop_turn(turn.session, [turn.id]) for turn in turns]
        return any(stopped)
