"""The queen's report about a batch, and the lines for memory.md.

Words of ants are fenced, with their origin.
"""

from collections.abc import Mapping, Sequence

from bot.plugin.agents import fenced
from bot.plugin.projects import path_of
from bot.plugin.tools import Origin
from bot.plugins.swarm.swarms import (
    BREAKER_FAILURES,
    BREAKER_WINDOW,
    TRIES,
    AntKind,
    AntTask,
    Swarm,
)
from bot.plugins.swarm.worker import AntEnd

RESULT_CHARS = 4000
"""Characters of one ant's result; the cycle log of its run has all of it."""
TITLE_CHARS = 100
STRUCK = "the person struck it"
BROKEN = (
    f"The breaker is open: {BREAKER_FAILURES} of the last {BREAKER_WINDOW} ants failed. No batch "
    "begins now. Find out why; perhaps go back with pm_restore_snapshot. Then send one ant with "
    "pm_spawn_ant: when it is verified, batches go on."
)


def report(
    tasks: Sequence[AntTask],
    ends: Mapping[str, AntEnd],
    waited: Mapping[str, str],
    swarm: Swarm,
    cost: str,
) -> str:
    """How each ant ended. `waited`: why the others did not begin or were struck."""
    verified = sum(end.accepted for end in ends.values())
    faults = [f"soldier {end.task.id} says FAIL" for end in ends.values() if end.found_faults]
    failed = len(ends) - verified - len(faults)
    parts = [f"{verified} of {len(tasks)} ants verified", *faults]
    parts += [f"{failed} failed"] if failed else []
    struck = sum(why == STRUCK for why in waited.values())
    parts += [f"{struck} struck by the person"] if struck else []
    parts += [f"{len(waited) - struck} not begun"] if len(waited) > struck else []
    lines = [
        f"{', '.join(parts)}. {cost}",
        f"Name files to your caller as {path_of(swarm.project, '…')}: by that path they are read "
        "and handed over.",
    ]
    for task in tasks:
        lines += [
            "",
            *(
                _told(ends[task.id], _mended_by(task.id, ends))
                if task.id in ends
                else [_not_told(task, waited[task.id])]
            ),
        ]
    if found := [one for end in ends.values() for one in end.discoveries]:
        lines += ["", "Discoveries (later ants are told of them):"]
        lines += [_fenced(f"discovery of the ant {one.ant}", one.text, one.origin) for one in found]
    if swarm.broken:
        lines += ["", BROKEN]
    return "\n".join(lines)


def _not_told(task: AntTask, why: str) -> str:
    if why == STRUCK:
        return f"{task.id}: {why}; files that it changed are still changed. Don't send it again."
    return f"{task.id}: not begun: {why}"


def _mended_by(soldier: str, ends: Mapping[str, AntEnd]) -> str | None:
    """The verified debugger that began after what this soldier found."""
    return next(
        (
            end.task.id
            for end in ends.values()
            if end.verified and end.task.kind is AntKind.DEBUGGER and soldier in end.task.depends_on
        ),
        None,
    )


def _told(end: AntEnd, mended_by: str | None) -> list[str]:
    tries = f"try {end.tries} of {TRIES[end.task.kind]}"
    head = f"{end.task.id} ({end.task.kind}): {'verified' if end.verified else 'FAILED'} in {tries}"
    if end.found_faults:
        follows = (
            f"{mended_by} was to mend it, see below: see that nothing is left"
            if mended_by
            else "What it tested is not right: have it mended"
        )
        verdict = f"{end.task.id} (soldier): FAIL. {follows}."
        return [verdict, _fenced("what the soldier found", end.text, end.origin)]
    if not end.verified:
        return [f"{head}. Its work is not accepted; files that it changed are still changed.",
                _fenced("why the ant failed", end.text, end.origin)]  # fmt: skip
    return [
        head,
        _fenced("result", end.text, end.origin),
        _fenced("checks", "\n".join(end.checks), end.origin),
    ]


def _fenced(kind: str, text: str, origin: Origin) -> str:
    cut = text if len(text) <= RESULT_CHARS else f"{text[:RESULT_CHARS]}\n[cut]"
    return fenced(kind, cut, origin)


def memory_lines(ends: Mapping[str, AntEnd], day: str, mark: str) -> list[str]:
    """Lines for memory.md; `mark` identifies the batch, so that each line is added once."""
    lines: list[str] = []
    for end in ends.values():
        how = "found faults" if end.found_faults else "verified" if end.verified else "failed"
        lines.append(f"- {day} {how}: {one_line(end.task.task)} [{mark} {end.task.id}]")
        lines += [
            f"- {day} {one.ant} found: {one_line(one.text, 400)} [{mark}]"
            for one in end.discoveries
        ]
    return lines


def one_line(text: str, most: int = TITLE_CHARS) -> str:
    """A text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
