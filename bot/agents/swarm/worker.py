"""ProjectWorkerSession: one ant, try after try, until verified or out of tries.

Each try is its own run that begins with the defects of the last; the project's files carry the work
over. Tries and checks are steps, so that a run after a crash repeats no finished one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.agents.delegation.dispatch import result_of
from bot.agents.loop.outcome_json import outcome_from_json, outcome_to_json
from bot.agents.loop.run import Run
from bot.agents.planner.failures import RETRYABLE, is_too_large, kind_of
from bot.agents.swarm.briefs import ant_brief, quoted_discoveries, quoted_feedback
from bot.agents.swarm.hand_in import HandIn, HelpWanted, read_hand_in
from bot.agents.swarm.swarms import (
    DISCOVERY,
    TRIES,
    AntKind,
    AntTask,
    Criterion,
    Discovery,
    Swarm,
)
from bot.domain.agents import Assignment, Brief, Quoted, SpecialistReply
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust
from bot.domain.plans import TaskActivity, TaskNote
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import FactSaved, ForAsker, RunNote, ToolResult
from bot.domain.turns import Recorded, Turn

OUTPUT_CHARS = 1500
"""Characters of a failing check's output, from its end."""
NOT_HANDED_IN = "it ended without ant_execute_task, so nothing was handed in"


@dataclass(frozen=True)
class AntEnd:
    """How an ant ended. `text`: the verified result, or else why there is none."""

    task: AntTask
    verified: bool
    text: str
    origin: Origin
    tries: int
    checks: tuple[str, ...] = ()
    """How each criterion was met, one line each."""
    discoveries: tuple[Discovery, ...] = ()
    facts: tuple[FactSaved, ...] = ()
    found_faults: bool = False
    """A soldier whose work is verified, and who rejects the work that it tested."""

    @property
    def accepted(self) -> bool:
        """Whether others may build on it."""
        return self.verified and not self.found_faults


@dataclass(frozen=True)
class AntWork:
    """The actions that an ant's session leaves to others."""

    deliver: Callable[[str, Brief, Run, Turn], Awaitable[SpecialistReply | ToolResult]]
    check: Callable[[Run, Turn, str, str, str], Awaitable[ToolResult]]
    """Runs a command in a project (run, turn, key, project, command); an error if it fails."""
    judged: Callable[[str, Run, Turn, str], Unit]
    """Records whether a try was accepted (agent, run, scope of the try, defects)."""
    used: Callable[[Usage], None]
    note: Callable[[str, TaskNote], None]
    """Shows the ant's progress."""


@dataclass(frozen=True)
class _Verdict:
    lines: tuple[str, ...]
    """How each criterion was met."""
    lacking: str
    """The unmet criteria; empty: the work is verified."""


class ProjectWorkerSession:
    """One running ant of a run that leads a swarm."""

    def __init__(
        self,
        task: AntTask,
        swarm: Swarm,
        run: Run,
        turn: Turn,
        work: AntWork,
        quoted: Sequence[Quoted],
        assignment: Assignment,
    ) -> None:
        self._task = task
        self._swarm = swarm
        self._run = run
        self._turn = turn
        self._work = work
        self._quoted = tuple(quoted)
        self._assignment = assignment
        self._discoveries: list[Discovery] = []
        self._facts: list[FactSaved] = []
        self._origin = Origin(run.origin.trust, f"agent:{task.kind}")
        self.tries = 0
        """The number of begun tries."""

    async def run(self) -> AntEnd:
        """Try until the work is verified. Raises what the loop raises."""
        lacking = ""
        for number in range(1, TRIES[self._task.kind] + 1):
            if number > 1:
                tries = str(TRIES[self._task.kind])
                self._work.note(self._task.id, TaskNote(TaskActivity.TRY, str(number), tries))
            result = await self._try(number, lacking)
            handed = None if result.is_error else read_hand_in(result.content)
            match handed:
                case HandIn(found_faults=True) if self._task.kind is AntKind.SOLDIER:
                    return replace(self._ended(number, handed.result, await self._faults(number)),
                                   found_faults=True)  # fmt: skip
                case HelpWanted(problem):
                    return self._ended(number, f"it asks for help: {problem}")
                case HandIn():
                    verdict = await self._verify(number, handed)
                    if not verdict.lacking:
                        return self._ended(number, handed.result, verdict)
                    lacking = verdict.lacking
                case None if result.is_error and not _may_pass(result.content):
                    return self._ended(number, result.content)
                case None:
                    said = (
                        result.content
                        if result.is_error
                        else f"{NOT_HANDED_IN}. It said: {result.content}"
                    )
                    lacking = said[: OUTPUT_CHARS * 2]
        return self._ended(TRIES[self._task.kind], lacking)

    def scope(self, number: int) -> Turn:
        """The position of one try in the journal."""
        return self._turn.scope(step_key(StepKind.ANT, f"{self._task.id}.{number}"))

    async def _try(self, number: int, lacking: str) -> ToolResult:
        self.tries = number
        key = step_key(StepKind.ANT, f"{self._task.id}.{number}")
        feedback = (quoted_feedback(lacking, self._checked_origin()),) if lacking else ()
        brief = Brief(
            ant_brief(self._task, self._swarm, number),
            quoted=(*self._quoted, *quoted_discoveries(self._discoveries), *feedback),
            assignment=self._assignment,
        )

        async def perform() -> Recorded:
            given = await self._work.deliver(
                self._task.kind.value, brief, self._run, self.scope(number)
            )
            if isinstance(given, ToolResult):
                return Recorded({"outcome": outcome_to_json(given), "used": {}})
            result = result_of(given, self._task.kind.value, self._run)
            result = replace(result, effects=(*result.effects, *given.notes))
            value = {"outcome": outcome_to_json(result), "used": given.reply.usage.to_json()}
            return Recorded(value, self._unit_of(number, result))

        value = cast("JsonObject", await self._turn.step(key, perform))
        self._work.used(Usage(**value["used"]))
        result = cast("ToolResult", outcome_from_json(value["outcome"]))
        self._learn(result)
        return result

    def _unit_of(self, number: int, result: ToolResult) -> Unit:
        """The record of a try that ended without verifiable work."""
        if result.is_error:
            return Unit()
        match read_hand_in(result.content):
            case HandIn():
                return Unit()
            case HelpWanted(problem):
                return self._judged(number, f"it asks for help: {problem}")
            case None:
                return self._judged(number, NOT_HANDED_IN)

    def _judged(self, number: int, lacking: str) -> Unit:
        return self._work.judged(self._task.kind.value, self._run, self.scope(number), lacking)

    def _learn(self, result: ToolResult) -> None:
        trust = max(self._origin.trust, result.origin.trust)
        self._origin = replace(self._origin, trust=trust)
        for effect in result.effects:
            if isinstance(effect, RunNote) and effect.subject == DISCOVERY:
                found = Discovery.from_json(effect.note)
                self._discoveries += [found] if found not in self._discoveries else []
            elif isinstance(effect, FactSaved):
                self._facts.append(effect)
            elif isinstance(effect, ForAsker):
                self._run.record.for_asker = True

    async def _verify(self, number: int, handed: HandIn) -> _Verdict:
        key = step_key(StepKind.CHECK, f"{self._task.id}.{number}")

        async def perform() -> Recorded:
            lines, lacking = list[str](), list[str]()
            for at, criterion in enumerate(self._task.criteria, 1):
                met, said = await self._criterion(
                    step_key(StepKind.CHECK, f"{self._task.id}.{number}.{at}"),
                    at,
                    criterion,
                    handed,
                )
                (lines if met else lacking).append(said)
            said = "\n".join(lacking)
            return Recorded({"lines": lines, "lacking": said}, self._judged(number, said))

        value = cast("JsonObject", await self._turn.step(key, perform))
        return _Verdict(tuple(value["lines"]), value["lacking"])

    async def _faults(self, number: int) -> _Verdict:
        """A verdict of `fail` is a soldier's whole work: nothing is checked or tried again."""
        key = step_key(StepKind.CHECK, f"{self._task.id}.{number}")

        async def perform() -> Recorded:
            return Recorded({}, self._judged(number, ""))

        await self._turn.step(key, perform)
        return _Verdict((), "")

    async def _criterion(
        self, key: str, at: int, criterion: Criterion, handed: HandIn
    ) -> tuple[bool, str]:
        own = handed.checks.get(at)
        if own is None or not own.met:
            evidence = own.evidence if own is not None else "it said nothing of this one"
            return (
                False,
                f"Criterion {at} ({criterion.text}) is not met by the ant's own check: {evidence}",
            )
        if not criterion.command:
            return True, f"{at}. {criterion.text}: checked by the ant alone: {own.evidence}"
        ended = await self._work.check(
            self._run, self._turn, key, self._swarm.project, criterion.command
        )
        if ended.is_error:
            output = ended.content[-OUTPUT_CHARS:]
            return (
                False,
                (
                    f"Criterion {at} ({criterion.text}) is not met: `{criterion.command}` "
                    f"gave\n{output}"
                ),
            )
        return True, f"{at}. {criterion.text}: `{criterion.command}` ended with status 0"

    def _checked_origin(self) -> Origin:
        """Commands and ants may print text from anywhere."""
        return Origin(Trust.EXTERNAL, f"checks of the ant {self._task.id}")

    def _ended(self, tries: int, text: str, verdict: _Verdict | None = None) -> AntEnd:
        return AntEnd(
            self._task,
            verdict is not None,
            text,
            self._origin if verdict is not None else self._checked_origin(),
            tries,
            verdict.lines if verdict is not None else (),
            tuple(self._discoveries),
            tuple(self._facts),
        )


def _may_pass(reason: str) -> bool:
    """Whether another try may help: the ant ran out of calls, or a server was away."""
    return is_too_large(reason) or kind_of(reason) in RETRYABLE
