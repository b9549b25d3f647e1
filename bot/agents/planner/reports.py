"""The report to the model about a finished plan, and why a task of it failed.

The cause is read from the text of the failure.
"""

import re
from collections.abc import Collection

from bot.domain.models import Usage
from bot.domain.plans import FailureKind, Plan, PlanTask, TaskState

RETRYABLE = frozenset({FailureKind.TIMEOUT, FailureKind.RATE_LIMIT, FailureKind.TRANSPORT})
"""Categories in which a retry may work. All others need another way."""

_SIGNS: tuple[tuple[FailureKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (FailureKind.RATE_LIMIT, r"rate.?limit|too many requests|\b429\b|\b529\b|overloaded|quota"),
        (FailureKind.TIMEOUT, r"timed? ?out|timeout|deadline|took too long|max_seconds="),
        (
            FailureKind.DENIED,
            r"denied|refused by|not allowed|forbidden|\b40[13]\b|lacks|policy|permission|no "
            r"approval"
            r"|stopped by the person|unauthori[sz]ed",
        ),
        (
            FailureKind.NOT_FOUND,
            (
                r"not found|no such|there is no|\b404\b|does not exist|doesn't exist|unknown "
                r"(?:agent|tool)"
            ),
        ),
        (
            FailureKind.BAD_ARGUMENTS,
            r"argument|invalid|malformed|blank|syntax|missing field|schema|\b4(?:00|22)\b",
        ),
        (
            FailureKind.TRANSPORT,
            r"connection|network|unreachable|\b50[0234]\b|reset by|broken pipe|subprocess|server "
            r"error"
            r"|consecutive LLM errors",
        ),
    )
)
UNRESOLVED = "ended unresolved: "
"""The prefix of an answer in which the agent itself reports a failure."""
IN_PART = "done in part: "
_EXHAUSTED = re.compile(
    r"max_(?:turns|tokens|tool_calls|seconds)=\S+ exhausted|no longer fits the model's window"
)


def kind_of(reason: str) -> FailureKind:
    """The category of a failure. The first matching sign decides; without one it is unknown.

    An agent's own report is free text that may contain any sign, so its category is unknown.
    """
    if reason.startswith(UNRESOLVED):
        return FailureKind.UNKNOWN
    return next((kind for kind, sign in _SIGNS if sign.search(reason)), FailureKind.UNKNOWN)


def is_too_large(reason: str) -> bool:
    """Whether the agent ran out of calls or room: splitting the task is better than a retry."""
    return not reason.startswith(UNRESOLVED) and _EXHAUSTED.search(reason) is not None


TASK_CHARS = 4000
"""Characters of one task's result; the cycle log of its run has all of it."""


def report(
    plan: Plan,
    tasks: tuple[PlanTask, ...],
    used: Usage,
    nano_usd: int,
    told: Collection[PlanTask] = (),
) -> str:
    """How the plan ended, the result of each task, and the cost of delegation.

    `told`: tasks as they were in an earlier report; their outcomes are not repeated.
    """
    done = sum(task.state is TaskState.COMPLETED for task in plan.tasks)
    struck = sum(task.struck and not task.result for task in plan.tasks)
    given_up = sum(task.struck and bool(task.result) for task in plan.tasks)
    failed = sum(task.state is TaskState.FAILED and not task.struck for task in plan.tasks)
    parts = [f"{done} of {len(plan.tasks)} tasks Completed"]
    parts += [f"{failed} Failed"] if failed else []
    parts += [f"{struck} struck by the person"] if struck else []
    parts += [f"{given_up} given up"] if given_up else []
    whole = "Complete" if not (failed or given_up) else "Partial" if done else "Failed"
    lines = [f"{whole}: {', '.join(parts)}. {cost(used, nano_usd)}"]
    if failed:
        lines.append(
            "Use what there is, and say what is missing. One open part you look up yourself; "
            "recovery goes on with a failed task where another way is likely."
        )
    lines += ["", *(_again(task) if task in told else _told(task) for task in tasks)]
    return "\n".join(lines)


def cost(used: Usage, nano_usd: int) -> str:
    """The extra cost of delegation in a sentence."""
    money = f", ${nano_usd / 1e9:.4f}" if nano_usd else ""
    return f"The agents used {used.total_input:,} tokens in, {used.output_tokens:,} out{money}."


def _again(task: PlanTask) -> str:
    return f"{task.id}. {'struck' if task.struck else task.state}, as before: {task.title}"


def _told(task: PlanTask) -> str:
    if task.struck:
        return f"{task.id}. {task.result or 'struck by the person'}: {task.title}"
    why = f" ({task.failure})" if task.failure else ""
    cut = "" if len(task.result) <= TASK_CHARS else "\n[cut]"
    return f"{task.id}. {task.state}{why}: {task.title}\n{task.result[:TASK_CHARS]}{cut}"
