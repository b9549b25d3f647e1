"""/why, /usage and /rights: what happened, what it used, and what somebody may do; /status.

/status tells what runs and waits for a person, and how the platforms are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.agents.delegation.background import Background, OpenTask
from bot.domain.access import Role
from bot.domain.budget_words import MODEL_CALLS
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply
from bot.domain.database import Database
from bot.domain.health import Liveness, PlatformState
from bot.domain.languages import CountedPhrase, Language, Phrase, decimal, number
from bot.domain.models import Model
from bot.domain.privacy import Viewer
from bot.memory.passes_store import MemoryPass, last_pass
from bot.sessions.commands.approvals import told_of
from bot.sessions.commands.session_commands import SessionCommands
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.inbox.session_names import elsewhere
from bot.sessions.records.session_store import newest_session
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.reports.trails import Trails
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.running.sandbox import Sandbox
from bot.turns.engine import TurnEngine

TOKENS = CountedPhrase(Phrase("{count} token"), Phrase("{count} tokens"))

_NANO = 1_000_000_000
SPANS = ((Phrase("Today"), 1), (Phrase("Last 30 days"), 30))


@dataclass(frozen=True)
class ReportCommands:
    """Everybody sees their own usage; `bellhop usage` shows all."""

    trails: Trails
    rights_reports: RightsReports
    meter: Meter

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand("why", self.why, usage="[REF]"),
            ChatCommand("usage", self.usage),
            ChatCommand("rights", self.rights, usage="[TOOL]"),
        )

    async def why(self, asked: Asked) -> CommandReply:
        here = asked.message.conversation.key
        viewer = await asked.viewer()
        return await self.trails.explain(asked.args, here, asked.person, viewer, asked.language)

    async def usage(self, asked: Asked) -> str:
        lines = await usage_lines(self.meter, asked.key.person, asked.language)
        return "\n".join(f"- {line}" for line in lines)

    async def rights(self, asked: Asked) -> str:
        report = await self.rights_reports.of(
            asked.person,
            await asked.located(),
            asked.args or None,
            operator=asked.person.role is Role.MASTER_ADMIN,
            language=asked.language,
        )
        return report.text()


async def usage_lines(meter: Meter, person: str, language: Language) -> list[str]:
    """What a person's requests used, of one day and of a month. Raises StorageError."""
    used = [(name, await meter.of_person(person, days)) for name, days in SPANS]
    return [f"{name.said(language)}: {used_in_words(sums, language)}" for name, sums in used]


def used_in_words(used: Mapping[str, int], language: Language) -> str:
    """Sums of `Meter.of_person` for a person."""
    if not used.get("calls"):
        return Phrase("nothing").said(language)
    came_in = used["input_tokens"] + used["cache_read_tokens"] + used["cache_write_tokens"]
    tokens = came_in + used["output_tokens"]
    calls = MODEL_CALLS.said(language, used["calls"])
    told = f"{calls}, {TOKENS.said(language, tokens)}{_money(used['nano_usd'], language)}"
    if not used["handed_calls"]:
        return told
    share = f" ({round(100 * used['handed_tokens'] / tokens)} %)" if tokens else ""
    handed = (
        f"{MODEL_CALLS.said(language, used['handed_calls'])}, "
        f"{TOKENS.said(language, used['handed_tokens'])}{share}"
        f"{_money(used['handed_nano_usd'], language)}"
    )
    return Phrase("{own}. Of that by agents that were called: {handed}").said(
        language, own=told, handed=handed
    )


def _money(nano_usd: int, language: Language) -> str:
    return f", ${decimal(nano_usd / _NANO, 4, language)}" if nano_usd else ""


MERGED = CountedPhrase(Phrase("{count} merged", context="one"), Phrase("{count} merged"))
ARCHIVED = CountedPhrase(
    Phrase("{count} moved to the archive", context="one"), Phrase("{count} moved to the archive")
)
FAILED = CountedPhrase(
    Phrase("{count} failed and are tried again", context="one"),
    Phrase("{count} failed and are tried again"),
)

SUMMARIES = CountedPhrase(Phrase("{count} summary"), Phrase("{count} summaries"))
PEOPLE = CountedPhrase(Phrase("{count} person"), Phrase("{count} people"))
ENTRIES = CountedPhrase(Phrase("{count} entry"), Phrase("{count} entries"))
RESTARTED = CountedPhrase(Phrase("restarted once"), Phrase("restarted {count} times"))
UNREADABLE = CountedPhrase(
    Phrase("could not read {count} of its objects (the log says which)", context="one"),
    Phrase("could not read {count} of its objects (the log says which)"),
)
_STATES = {
    PlatformState.STARTING: Phrase("starting"),
    PlatformState.SERVING: Phrase("serving"),
    PlatformState.DEAF: Phrase("deaf"),
    PlatformState.RESTARTING: Phrase("restarting"),
}
_SHORT = {"memory": Phrase("memory", context="machine"), "file descriptors": Phrase("open files")}


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

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("status", self.run),)

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
        running = (
            Phrase("Running for you here: yes, waiting: {count}")
            if runs
            else Phrase("Running for you here: no, waiting: {count}")
        )
        lines = [
            Phrase("You: {name} (`{id}`), role {role}").said(
                language, name=person.name, id=person.id, role=person.role
            ),
            Phrase("Model: {name}").said(language, name=self.model.capabilities.label),
            running.said(language, count=waiting),
        ]
        stored = await newest_session(self.database, asked.key)
        if stored is not None and stored.state == "open":
            lines.append(
                Phrase("Session `{id}` since {time} UTC, {came_in} tokens in, {out} out").said(
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
        lines: list[str] = []
        if question is not None:
            told = Phrase("Waiting for your answer: {question}")
            lines.append(told.said(language, question=question.text))
        threads = elsewhere(await self.session.reached_by(asked), here, language)
        lines += [
            Phrase("Running for you in {place}").said(language, place=thread) for thread in threads
        ]
        viewer = await asked.viewer()
        lines += [
            Phrase("In the background: {task}").said(language, task=_agent(one, viewer, language))
            for one in await self.background.open_of(asked.person.id)
        ]
        lines += [
            Phrase("Approval {ref} waits: {what}").said(
                language, ref=item.ref, what=told_of(item, asked)
            )
            for item in await self.approvals.open_for(asked.person)
        ]
        return lines

    async def _machine(self, asked: Asked) -> Sequence[str]:
        if asked.person.role is not Role.MASTER_ADMIN:
            return ()
        language, lines = asked.language, list[str]()
        if short := self.engine.short_of:
            what = _SHORT[short].said(language) if short in _SHORT else short
            lines.append(
                Phrase(
                    "The machine is short of {what}: requests wait and are tried again (see the "
                    "log)"
                ).said(language, what=what)
            )
        if (done := await last_pass(self.database)) is not None:
            at, told = f"{done.at:%Y-%m-%d %H:%M}", pass_in_words(done, language)
            lines.append(Phrase("Memory: {at} UTC, {told}").said(language, at=at, told=told))
        if off := self.sandbox.off:
            lines.append(Phrase("Off here: {what}").said(language, what=off))
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
    state = Phrase("waits") if one.waits else Phrase("at work")
    task = Phrase("agent {agent} ({ref}, {state})").said(
        language, agent=one.task.agent, ref=one.task.ref, state=state.said(language)
    )
    about = one.about(viewer)
    return f"{task}: {about}" if about else task


def _liveness(item: Liveness, language: Language, *, everything: bool) -> str:
    told = [_STATES[item.state].said(language)]
    if item.last_frame_age_s is not None:
        age = f"{item.last_frame_age_s:.0f}"
        told.append(Phrase("last heard {seconds} s ago").said(language, seconds=age))
    if item.restarts:
        told.append(RESTARTED.said(language, item.restarts))
    if everything and item.unreadable:
        told.append(UNREADABLE.said(language, item.unreadable))
    return ", ".join(told)


def pass_in_words(done: MemoryPass, language: Language) -> str:
    """What the last pass over memory did; the log and the command line have their own words."""
    told = Phrase("{summaries} of {people} gave {entries}").said(
        language,
        summaries=SUMMARIES.said(language, done.summaries),
        people=PEOPLE.said(language, done.people),
        entries=ENTRIES.said(language, done.entries),
    )
    told += f", {MERGED.said(language, done.merged)}" if done.merged else ""
    told += f", {ARCHIVED.said(language, done.archived)}" if done.archived else ""
    failed = len(done.failed)
    return f"{told}; {FAILED.said(language, failed)}" if failed else told
