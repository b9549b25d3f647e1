"""/status: the model, the role, and running or waiting work."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.agents.delegation.background import Background
from bot.domain.access import Role
from bot.domain.database import Database
from bot.domain.health import Liveness, PlatformState
from bot.domain.models import Model
from bot.domain.turns import TurnEngine
from bot.memory.passes_store import last_pass
from bot.sessions.commands.approvals import told_of
from bot.sessions.commands.asked import Asked
from bot.sessions.commands.session_commands import SessionCommands
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.inbox.reach import elsewhere
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.session_store import newest_session
from bot.tools.permission.approvals import ApprovalStore


@dataclass(frozen=True)
class StatusCommand:
    """Reads the state; MasterAdmins also read about the machine and all platforms."""

    database: Database
    engine: TurnEngine
    model: Model
    approvals: ApprovalStore
    background: Background
    channels: Channels
    platforms: Platforms
    session: SessionCommands
    off: Callable[[], str]
    """What this machine lacks a sandbox for; empty if nothing."""

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
        viewer = await asked.viewer(self.channels)
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
        if asked.person.role is Role.MASTER_ADMIN and (off := self.off()):
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
