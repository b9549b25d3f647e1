"""ProjectWorkerSession: one ant, try after try, until verified or out of tries.

Each try is its own run that begins with the defects of the last; the project's files carry the work
over. Tries and checks are steps, so that a run after a crash repeats no finished one.

The brief of an ant has its task and criteria, quoted findings, and defects of its last try.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.plugin.agents import (
    AgentRun,
    Assignment,
    Brief,
    Quoted,
    Recorded,
    StepKind,
    TaskActivity,
    TaskNote,
    Worked,
    step_key,
)
from bot.plugin.tools import JsonObject, Origin, Trust
from bot.plugins.swarm.arguments import SHELL, ExecuteArguments, HelpArguments
from bot.plugins.swarm.hand_in import read_final
from bot.plugins.swarm.swarms import (
    DISCOVERY,
    TRIES,
    AntKind,
    AntTask,
    Criterion,
    Discovery,
    Swarm,
)

MET = "When every criterion is met, call "
JUDGED = "When every criterion has its check, met or not, hand in your `verdict` with "
HANDING_IN = (
    "ant_execute_task: it ends your run, and the commands are run again to verify it. A final text "
    "without it counts as a failed try. Tell others what they must know with ant_report_discovery. "
    "If you can't go on, call ant_request_help."
)
AGAIN = (
    "The files of the tries before are still there; what they lacked is quoted above. Mend that."
)


def ant_brief(task: AntTask, swarm: Swarm, number: int) -> str:
    """The instruction of try `number`."""
    lines = [
        (
            f"You are the ant {task.id} ({task.kind}) in the project {swarm.project}. The goal of "
            f"all: {swarm.goal}"
        ),
        *([f"What all ants know: {swarm.context}"] if swarm.context else []),
        "",
        f"Your task: {task.task}",
        f"Files that you may change: {', '.join(task.files) or 'none, unless the task says which'}",
        "Acceptance criteria:",
        *(
            f"{at}. {one.text} ({f'checked by: {one.command}' if one.command else 'you check it'})"
            for at, one in enumerate(task.criteria, 1)
        ),
        "",
        f"This is try {number} of {TRIES[task.kind]}. "
        f"{f'{AGAIN} ' if number > 1 else ''}"
        f"{JUDGED if task.kind is AntKind.SOLDIER else MET}{HANDING_IN}",
    ]
    return "\n".join(lines)


def quoted_discoveries(discoveries: Sequence[Discovery]) -> tuple[Quoted, ...]:
    """The ants' findings so far, each with its origin."""
    return tuple(
        Quoted(f"discovery of the ant {one.ant}", one.text, one.origin) for one in discoveries
    )


def quoted_result(ant: str, text: str, origin: Origin) -> Quoted:
    """The verified result of an ant that this one builds on."""
    return Quoted(f"result of the ant {ant}", text, origin)


def quoted_feedback(text: str, origin: Origin) -> Quoted:
    """The defects of the previous try."""
    return Quoted("what the try before lacked", text, origin)


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
    found_faults: bool = False
    """A soldier whose work is verified, and who rejects the work that it tested."""

    @property
    def accepted(self) -> bool:
        """Whether others may build on it."""
        return self.verified and not self.found_faults


class ProjectWorkerSession:
    """One running ant of a run that leads a swarm. `note` shows its progress."""

    def __init__(
        self,
        run: AgentRun,
        swarm: Swarm,
        task: AntTask,
        quoted: Sequence[Quoted],
        assignment: Assignment,
        note: Callable[[TaskNote], None],
    ) -> None:
        self._run = run
        self._swarm = swarm
        self._task = task
        self._quoted = tuple(quoted)
        self._assignment = assignment
        self._note = note
        self._discoveries: list[Discovery] = []
        self._origin = Origin(run.origin.trust, f"agent:{task.kind}")
        self._tries = 0

    async def run(self) -> AntEnd:
        """Try until the work is verified. Raises what the loop raises."""
        lacking = ""
        for number in range(1, TRIES[self._task.kind] + 1):
            if number > 1:
                tries = str(TRIES[self._task.kind])
                self._note(TaskNote(TaskActivity.TRY, str(number), tries))
            worked = await self._try(number, lacking)
            match handed := None if worked.failed else read_final(worked.text):
                case ExecuteArguments() if self._rejects(handed):
                    return replace(self._ended(handed.result, ()), found_faults=True)
                case ExecuteArguments():
                    checks, lacking = await self._verify(number, handed)
                    if not lacking:
                        return self._ended(handed.result, checks)
                case HelpArguments(problem=problem):
                    return self._ended(_asks(problem))
                case None if worked.failed and not worked.passing:
                    return self._ended(worked.text)
                case None:
                    said = (
                        worked.text if worked.failed else f"{NOT_HANDED_IN}. It said: {worked.text}"
                    )
                    lacking = said[: OUTPUT_CHARS * 2]
        return self._ended(lacking)

    async def struck(self) -> None:
        """Record the end of a try that the person cut off."""
        if self._tries:
            await self._run.struck(self._key(self._tries), self._task.kind.value)

    def _key(self, number: int) -> str:
        return step_key(StepKind.ANT, f"{self._task.id}.{number}")

    async def _try(self, number: int, lacking: str) -> Worked:
        self._tries = number
        feedback = (quoted_feedback(lacking, self._checked_origin()),) if lacking else ()
        brief = Brief(
            ant_brief(self._task, self._swarm, number),
            quoted=(*self._quoted, *quoted_discoveries(self._discoveries), *feedback),
            assignment=self._assignment,
        )
        worked = await self._run.work(self._key(number), self._task.kind.value, brief, self._lacks)
        self._origin = replace(self._origin, trust=max(self._origin.trust, worked.trust))
        for one in worked.notes:
            if one.subject == DISCOVERY and (found := Discovery.from_json(one.note)) not in (
                self._discoveries
            ):
                self._discoveries.append(found)
        return worked

    def _lacks(self, text: str) -> str | None:
        """What a final text lacks that needs no check; None: there is work to verify."""
        match handed := read_final(text):
            case ExecuteArguments():
                return "" if self._rejects(handed) else None
            case HelpArguments(problem=problem):
                return _asks(problem)
            case None:
                return NOT_HANDED_IN

    def _rejects(self, handed: ExecuteArguments) -> bool:
        """A verdict of `fail` is a soldier's whole work: nothing is checked or tried again."""
        return handed.verdict == "fail" and self._task.kind is AntKind.SOLDIER

    async def _verify(self, number: int, handed: ExecuteArguments) -> tuple[tuple[str, ...], str]:
        """How each criterion was met, and those that were not."""
        key = step_key(StepKind.CHECK, f"{self._task.id}.{number}")

        async def perform() -> Recorded:
            lines, lacking = list[str](), list[str]()
            for at, criterion in enumerate(self._task.criteria, 1):
                met, said = await self._criterion(f"{key}.{at}", at, criterion, handed)
                (lines if met else lacking).append(said)
            said = "\n".join(lacking)
            unit = self._run.judged(self._key(number), self._task.kind.value, said)
            return Recorded({"lines": lines, "lacking": said}, unit)

        value = cast("JsonObject", await self._run.step(key, perform))
        return tuple(value["lines"]), value["lacking"]

    async def _criterion(
        self, key: str, at: int, criterion: Criterion, handed: ExecuteArguments
    ) -> tuple[bool, str]:
        own = next((one for one in handed.checks if one.criterion == at), None)
        if own is None or not own.met:
            evidence = own.evidence if own is not None else "it said nothing of this one"
            said = f"is not met by the ant's own check: {evidence}"
            return False, f"Criterion {at} ({criterion.text}) {said}"
        if not criterion.command:
            return True, f"{at}. {criterion.text}: checked by the ant alone: {own.evidence}"
        given: JsonObject = {"project": self._swarm.project, "command": criterion.command}
        ended = await self._run.call(key, SHELL, given)
        if ended.is_error:
            output = ended.content[-OUTPUT_CHARS:]
            said = f"is not met: `{criterion.command}` gave\n{output}"
            return False, f"Criterion {at} ({criterion.text}) {said}"
        return True, f"{at}. {criterion.text}: `{criterion.command}` ended with status 0"

    def _checked_origin(self) -> Origin:
        """Commands and ants may print text from anywhere."""
        return Origin(Trust.EXTERNAL, f"checks of the ant {self._task.id}")

    def _ended(self, text: str, checks: tuple[str, ...] | None = None) -> AntEnd:
        """`checks`: how the criteria of verified work were met; None: it is not verified."""
        verified = checks is not None
        return AntEnd(
            self._task,
            verified,
            text,
            self._origin if verified else self._checked_origin(),
            self._tries,
            checks or (),
            tuple(self._discoveries),
        )


def _asks(problem: str) -> str:
    return f"it asks for help: {problem}"
