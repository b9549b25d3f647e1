"""The brief of an ant: its task and criteria, quoted findings, and defects of its last try."""

from collections.abc import Sequence

from bot.plugin.agents import Quoted
from bot.plugin.tools import Origin
from bot.plugins.swarm.swarms import TRIES, AntKind, AntTask, Discovery, Swarm

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
