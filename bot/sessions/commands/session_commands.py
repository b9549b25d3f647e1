"""/new, /compact and /stop end sessions and running work; /status and /usage tell about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.agents.delegation.background import Background
from bot.clock import parse_utc
from bot.domain.access import Role
from bot.domain.database import Database
from bot.domain.health import Liveness, PlatformState
from bot.domain.models import Model
from bot.domain.sessions import SessionKey
from bot.domain.turns import OpenTurn, TurnEngine
from bot.domain.work import CompactionWork, DelegationWork, dump_work, find_work
from bot.memory.passes_store import last_pass
from bot.sessions.commands.approvals import told_of
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.inbox.session_names import elsewhere, place_of, reached
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.session_store import Sessions, newest_session
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.running.sandbox import Sandbox


@dataclass(frozen=True)
class SessionCommands:
    """Ends sessions, and stops the turns that a command means."""

    sessions: Sessions
    engine: TurnEngine
    background: Background

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "new",
                "start afresh: I forget our conversation; files, todos, notes and memory stay",
                self.new,
                ("end",),
            ),
            BuiltIn(
                "compact",
                "go on from a summary of our conversation, to make room",
                self.compact,
            ),
            BuiltIn("stop", "stop what I am doing for you here", self.stop),
        )

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
        ended = [await self.sessions.end(key, place, "new", before) for key, place in places]
        threads = elsewhere(turns, asked.message.conversation)
        if threads:
            return f"Started afresh in {' and '.join(threads)}."
        return "Started afresh." if any(ended) or asked.again else "This is a fresh start already."

    async def compact(self, asked: Asked) -> str:
        """Queue a turn in the session itself, so that no message is answered meanwhile."""
        engine, session = self.engine, str(asked.key)
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
        turns = [turn for turn in await self.engine.open_turns() if turn.id < asked.turn.id]
        if asked.again:
            turns = [turn for turn in turns if turn.id in asked.ran]
        return reached(turns, asked.message.conversation, asked.person.id)

    async def _stop_waiting(self, asked: Asked) -> bool:
        """Stop background agents of this conversation that wait for an earlier one."""
        here = asked.message.conversation
        waiting = [one for one in await self.background.open_of(asked.person.id) if one.waits]
        meant = [one for one in waiting if one.turn < asked.turn.id and one.is_in(here)]
        return any([await self.background.stop(one) for one in meant])

    async def _stop_all(self, turns: Sequence[OpenTurn]) -> bool:
        stopped = [await self.engine.stop_turn(turn.session, [turn.id]) for turn in turns]
        return any(stopped)


@dataclass(frozen=True)
class StatusCommand:
    """Reads the state; MasterAdmins also read about the machine and all platforms."""

    database: Database
    engine: TurnEngine
    model: Model
    approvals: ApprovalStore
    background: Background
    platforms: Platforms
    session: SessionCommands
    sandbox: Sandbox
    """Says what this machine lacks a sandbox for."""

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("status", "model, role, and what is running or waiting", self.run),)

    async def run(self, asked: Asked) -> str:
        engine = self.engine
        stored = await newest_session(self.database, asked.key)
        opened = stored is not None and stored.state == "open"
        question = await engine.open_question(asked.message.conversation.key, asked.person.id)
        approvals = await self.approvals.open_for(asked.person)
        lines = [
            f"- You: {asked.person.name} (`{asked.person.id}`), role {asked.person.role}",
            f"- Model: {self.model.capabilities.label}",
            f"- Running for you here: {'yes' if await engine.under_way(str(asked.key)) else 'no'},"
            f" waiting: {await engine.waiting(str(asked.key))}",
        ]
        if opened and stored is not None:
            used = f"{stored.usage.total_input:,} tokens in, {stored.usage.output_tokens:,} out"
            lines.append(
                f"- Session `{stored.session.id}` since {stored.session.opened_at:%H:%M} UTC, "
                f"{used}"
            )
        if question is not None:
            lines.append(f"- Waiting for your answer: {question.text}")
        threads = elsewhere(await self.session.reached_by(asked), asked.message.conversation)
        lines += [f"- Running for you in {thread}" for thread in threads]
        viewer = await asked.viewer()
        lines += [
            f"- In the background: {one.line(viewer)}"
            for one in await self.background.open_of(asked.person.id)
        ]
        lines += [f"- Approval {item.ref} waits: {told_of(item, asked)}" for item in approvals]
        if engine.short_of and asked.person.role is Role.MASTER_ADMIN:
            lines.append(
                f"- The machine is short of {engine.short_of}: requests wait and are tried again "
                "(see the log)"
            )
        if (
            asked.person.role is Role.MASTER_ADMIN
            and (done := await last_pass(self.database)) is not None
        ):
            lines.append(f"- Memory: {done.at:%Y-%m-%d %H:%M} UTC, {done.in_words()}")
        if asked.person.role is Role.MASTER_ADMIN and (off := self.sandbox.off):
            lines.append(f"- Off here: {off}")
        lines += self._platforms(asked)
        return "\n".join(lines)

    def _platforms(self, asked: Asked) -> list[str]:
        """All platforms for a MasterAdmin; for others only their own, if it has a problem."""
        everything = asked.person.role is Role.MASTER_ADMIN
        here = asked.message.conversation.platform
        return [
            f"- {item.platform}: {_liveness(item)}{_skipped(item) if everything else ''}"
            for item in self.platforms.liveness()
            if everything or (item.platform == here and item.state is not PlatformState.SERVING)
        ]


def _liveness(item: Liveness) -> str:
    heard = (
        "" if item.last_frame_age_s is None else f", last heard {item.last_frame_age_s:.0f} s ago"
    )
    times = "once" if item.restarts == 1 else f"{item.restarts} times"
    restarts = f", restarted {times}" if item.restarts else ""
    return f"{item.state}{heard}{restarts}"


def _skipped(item: Liveness) -> str:
    return (
        f", could not read {item.unreadable} of its objects (the log says which)"
        if item.unreadable
        else ""
    )
