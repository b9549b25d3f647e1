"""summary.md: decisions, tasks with owner and date, open points; editable markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.plugin.people import PersonFile
from bot.plugin.tools import one_entry
from bot.plugins.meetings.store import Meeting

_DECISIONS = "Decisions"
_TASKS = "To do"
_QUESTIONS = "Open questions"
_HEADING = re.compile(r"^#{1,6}\s+(?P<title>.*?)\s*#*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)$")


@dataclass(frozen=True)
class TaskLine:
    """Who does a task and by when; `people`: the files of those whom the owner's name may mean."""

    what: str
    owner: str = ""
    due: str = ""
    people: tuple[PersonFile, ...] = ()

    def markdown(self) -> str:
        owner = self.owner
        if len(self.people) == 1:
            owner = f"[{self.people[0].name}]({self.people[0].path})"
        parts = [part for part in (owner, f"due {self.due}" if self.due else "") if part]
        return f"{one_entry(self.what)} ({', '.join(parts)})" if parts else one_entry(self.what)


@dataclass(frozen=True)
class MeetingSummary:
    """The results of a meeting."""

    text: str = ""
    decisions: tuple[str, ...] = ()
    tasks: tuple[TaskLine, ...] = ()
    questions: tuple[str, ...] = ()

    def markdown(self, meeting: Meeting) -> str:
        people = f", with {', '.join(meeting.people)}" if meeting.people else ""
        parts = [f"# {meeting.title}\n\n{meeting.day}{people}\n"]
        parts += [f"{self.text.strip()}\n"] if self.text.strip() else []
        parts += _section(_DECISIONS, [one_entry(line) for line in self.decisions])
        parts += _section(_TASKS, [f"[ ] {task.markdown()}" for task in self.tasks])
        parts += _section(_QUESTIONS, [one_entry(line) for line in self.questions])
        return "\n".join(parts)


def decisions_of(summary: str) -> list[str]:
    """The decisions in a summary, also in one that somebody wrote by hand."""
    return _bullets(summary, "decision")


def tasks_of(summary: str) -> list[str]:
    return _bullets(summary, "to do", "todo", "action", "task")


def _bullets(summary: str, *titles: str) -> list[str]:
    found: list[str] = []
    inside = False
    for line in summary.splitlines():
        if heading := _HEADING.match(line):
            inside = heading["title"].casefold().startswith(titles)
        elif inside and (bullet := _BULLET.match(line)):
            found.append(bullet["text"])
    return found


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}\n\n" + "".join(f"- {line}\n" for line in lines)] if lines else []
