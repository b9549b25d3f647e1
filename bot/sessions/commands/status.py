"""`/status`: what runs and waits for a person, and how the platforms are."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.agents.delegation.background import Background, OpenTask
from bot.domain.access import Role
from bot.domain.database import Database
from bot.domain.health import Liveness, PlatformState
from bot.domain.languages import Language, number
from bot.domain.models import Model
from bot.domain.privacy import Viewer
from bot.domain.turns import TurnEngine
from bot.memory.passes_store import MemoryPass, last_pass
from bot.sessions.commands.approvals import told_of
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.commands.session_commands import SessionCommands
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.inbox.session_names import elsewhere
from bot.sessions.records.session_store import newest_session
from bot.sessions.wording import status_phrases as said
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.running.sandbox import Sandbox

_STATES = {
    PlatformState.STARTING: said.STARTING,
    PlatformState.SERVING: said.SERVING,
    PlatformState.DEAF: said.DEAF,
    PlatformState.RESTARTING: said.RESTARTING,
}
_SHORT = {"memory": said.SHORT_OF_MEMORY, "file descriptors": said.SHORT_OF_FILES}


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
        return (BuiltIn("status", self.run),)

    async def run(self, asked: Asked) -> str:
        lines = [
            *await self._own(asked),
            *await self._waiting(asked),
            *await self._machine(asked),
            *self._platforms(asked),
        ]
        return "\n".join(f"- {line}" for line in lines)

    async def _own(self, asked: Asked) -> Sequence[str]:
        """Who asks, the model, and the session."""
        language, person = asked.language, asked.person
        runs = await self.engine.under_way(str(asked.key))
        waiting = await self.engine.waiting(str(asked.key))
        lines = [
            said.YOU.said(language, name=person.name, id=person.id, role=person.role),
            said.MODEL.said(language, name=self.model.capabilities.label),
            (said.AT_WORK if runs else said.IDLE).said(language, count=waiting),
        ]
        stored = await newest_session(self.database, asked.key)
        if stored is not None and stored.state == "open":
            lines.append(
                said.SESSION.said(
                    language,
                    id=stored.session.id,
                    time=f"{stored.session.opened_at:%H:%M}",
                    came_in=number(stored.usage.total_input, language),
                    out=number(stored.usage.output_tokens, language),
                )
            )
        return lines

    async def _waiting(self, asked: Asked) -> Sequence[str]:
        """What waits for the person, and what runs for them elsewhere."""
        language, here = asked.language, asked.message.conversation
        question = await self.engine.open_question(here.key, asked.person.id)
        lines = [] if question is None else [question.text]
        lines = [said.WAITS_FOR_YOU.said(language, question=line) for line in lines]
        threads = elsewhere(await self.session.reached_by(asked), here, language)
        lines += [said.RUNS_IN.said(language, place=thread) for thread in threads]
        viewer = await asked.viewer()
        lines += [
            said.IN_BACKGROUND.said(language, task=_agent(one, viewer, language))
            for one in await self.background.open_of(asked.person.id)
        ]
        lines += [
            said.APPROVAL_WAITS.said(language, ref=item.ref, what=told_of(item, asked))
            for item in await self.approvals.open_for(asked.person)
        ]
        return lines

    async def _machine(self, asked: Asked) -> Sequence[str]:
        if asked.person.role is not Role.MASTER_ADMIN:
            return ()
        language, lines = asked.language, list[str]()
        if short := self.engine.short_of:
            what = _SHORT[short].said(language) if short in _SHORT else short
            lines.append(said.MACHINE_SHORT.said(language, what=what))
        if (done := await last_pass(self.database)) is not None:
            at, told = f"{done.at:%Y-%m-%d %H:%M}", pass_in_words(done, language)
            lines.append(said.MEMORY_PASS.said(language, at=at, told=told))
        if off := self.sandbox.off:
            lines.append(said.OFF_HERE.said(language, what=off))
        return lines

    def _platforms(self, asked: Asked) -> list[str]:
        """All platforms for a MasterAdmin; for others only their own, if it has a problem."""
        everything = asked.person.role is Role.MASTER_ADMIN
        here = asked.message.conversation.platform
        return [
            f"{item.platform}: {_liveness(item, asked.language, everything=everything)}"
            for item in self.platforms.liveness()
            if everything or (item.platform == here and item.state is not PlatformState.SERVING)
        ]


def _agent(one: OpenTask, viewer: Viewer, language: Language) -> str:
    state = said.AGENT_WAITS if one.waits else said.AGENT_WORKS
    task = said.AGENT.said(
        language, agent=one.task.agent, ref=one.task.ref, state=state.said(language)
    )
    about = one.about(viewer)
    return f"{task}: {about}" if about else task


def _liveness(item: Liveness, language: Language, *, everything: bool) -> str:
    told = [_STATES[item.state].said(language)]
    if item.last_frame_age_s is not None:
        told.append(said.LAST_HEARD.said(language, seconds=f"{item.last_frame_age_s:.0f}"))
    if item.restarts:
        told.append(said.RESTARTED.said(language, item.restarts))
    if everything and item.unreadable:
        told.append(said.UNREADABLE.said(language, item.unreadable))
    return ", ".join(told)


def pass_in_words(done: MemoryPass, language: Language) -> str:
    """What the last pass over memory did; the log and the command line have their own words."""
    told = said.GAVE.said(
        language,
        summaries=said.SUMMARIES.said(language, done.summaries),
        people=said.PEOPLE.said(language, done.people),
        entries=said.ENTRIES.said(language, done.entries),
    )
    told += f", {said.MERGED.said(language, done.merged)}" if done.merged else ""
    told += f", {said.ARCHIVED.said(language, done.archived)}" if done.archived else ""
    failed = len(done.failed)
    return f"{told}; {said.FAILED.said(language, failed)}" if failed else told
