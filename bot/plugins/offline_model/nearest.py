"""What the offline model can do, as examples that each need a tool, and the nearest to a text."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches

from bot.plugins.offline_model.phrases import plain

REST_CHARS = 60
_WORD = re.compile(r"[^\W_]+")
_QUESTION = re.compile(r"^(?:who|what|where|which)\b", re.IGNORECASE)
_EXPLAIN = re.compile(r"^(?:why|how|can|could|do|does|did|should|would)\b", re.IGNORECASE)
"""Begins a question that stored text seldom answers."""
_ASKED = re.compile(
    r"^(?:(?:who|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|you)\b\s*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ability:
    """One kind of wish: the tool that serves it, how it is shown, the words that hint at it."""

    tool: str
    shown: str
    hints: frozenset[str]
    wish: Callable[[str], str]
    """What to suggest to somebody who wrote this."""


def _always(wish: str) -> Callable[[str], str]:
    return lambda _: wish


def _todo(text: str) -> str:
    title = text.partition(":")[2].strip()
    return f"add a todo: {title}" if title else "list my todos"


ABILITIES = (
    Ability(
        "manage_todos",
        (
            "todos: *add a todo: call Ann tomorrow*, *list my todos*, *mark call Ann as done*, "
            "*delete the todo call Ann*"
        ),
        frozenset({"todo", "todos", "task", "tasks", "list"}),
        _todo,
    ),
    Ability(
        "manage_todos",
        "what is due: *remind me tomorrow at 9 to call Ann*",
        frozenset({"remind", "reminder", "alarm", "timer", "wake"}),
        _always("remind me in 10 minutes to call Ann"),
    ),
    Ability(
        "schedule_task",
        "schedules: *every weekday at 9 list my todos here*, *what is scheduled?*",
        frozenset({"schedule", "schedules", "scheduled", "weekly", "daily"}),
        _always("what is scheduled?"),
    ),
    Ability(
        "search",
        "what was said: *what did Ben say about the budget last week?*, *search for budget*",
        frozenset({"search", "find", "said", "messages"}),
        _always("search for budget"),
    ),
    Ability(
        "meetings",
        "meetings: attach a transcript, *what did we decide?*, *list the meetings*",
        frozenset({"meeting", "meetings", "transcript", "decisions"}),
        _always("what did we decide?"),
    ),
    Ability(
        "people",
        "people: *who is Ben?*, *when did we last talk to Ben?*",
        frozenset({"people", "profile"}),
        _always("who am I?"),
    ),
    Ability(
        "manage_notes",
        "notes: *note: the printer is on floor 2*, *show my notes*",
        frozenset({"note", "notes", "jot"}),
        _always("show my notes"),
    ),
    Ability(
        "knowledge_search",
        (
            "knowledge: *remember that my bike is blue*, *what do you know about my bike?*, "
            "*forget that my bike is blue*"
        ),
        frozenset({"know", "remember", "recall", "fact", "facts", "memory", "knowledge"}),
        _always("what do you know about me?"),
    ),
    Ability(
        "write_file",
        "standing wishes: *always answer in German*, *show my preferences*",
        frozenset({"always", "never", "prefer", "preference", "preferences", "instructions"}),
        _always("show my preferences"),
    ),
    Ability(
        "list_directory",
        "files: *write plan.md: first step …*, *read plan.md*, *list my files*, *delete plan.md*",
        frozenset({"file", "files", "document", "documents", "folder"}),
        _always("list my files"),
    ),
    Ability(
        "remind_member",
        "members: *remind Ben tomorrow at 9 to sign*",
        frozenset({"member", "members", "colleague"}),
        _always("remind Ben tomorrow at 9 to sign"),
    ),
    Ability(
        "current_time",
        "time: *what time is it in Tokyo?*",
        frozenset({"time", "clock", "date", "day", "today"}),
        _always("what time is it?"),
    ),
    Ability(
        "calculate",
        "sums: *what is 15% of 80?*",
        frozenset({"sum", "plus", "minus", "times", "percent", "calculate", "math", "divided"}),
        _always("what is 15% of 80?"),
    ),
    Ability(
        "agent_observer",
        "other agents: *ask observer what happened recently*",
        frozenset({"agent", "agents", "observer", "happened", "log"}),
        _always("ask observer what happened recently"),
    ),
)


def able(tools: Collection[str]) -> list[str]:
    """The abilities that these tools serve, as lines to show."""
    return [ability.shown for ability in ABILITIES if ability.tool in tools]


def nearest(text: str, tools: Collection[str]) -> str | None:
    """A similar wish that is understood; None if there is none, or its tool is missing."""
    wish = plain(text)
    words = [word.casefold() for word in _WORD.findall(wish)]
    here = [ability for ability in ABILITIES if ability.tool in tools]
    hints = [(sum(_hinted(word, ability.hints) for word in words), ability) for ability in here]
    best, ability = max(hints, key=lambda one: one[0], default=(0, None))
    if best and ability is not None:
        return ability.wish(wish)
    if not words:
        return None
    if _EXPLAIN.match(wish):
        return None
    if text.strip().endswith("?") or _QUESTION.match(wish):
        rest = _short(_ASKED.sub("", wish))
        return f"what do you know about {rest}?" if rest and "knowledge_search" in tools else None
    return f"add a todo: {_short(wish)}" if "manage_todos" in tools else None


def offered(wish: str) -> str:
    """Ask whether a wish was meant; a wish that is a question keeps its question mark."""
    return f"Did you mean: *{wish}*" + ("" if wish.endswith("?") else "?")


def _hinted(word: str, hints: frozenset[str]) -> bool:
    return word in hints or (
        len(word) > 3 and bool(get_close_matches(word, hints, n=1, cutoff=0.8))
    )


def _short(text: str) -> str:
    folded = " ".join(text.replace("*", "").split())
    return folded if len(folded) <= REST_CHARS else f"{folded[: REST_CHARS - 1].rstrip()}…"
