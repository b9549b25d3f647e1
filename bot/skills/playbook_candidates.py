"""Finds ways of working that recur in conversations, and keeps each as a playbook candidate.

A candidate holds the names of tools, their order and ids of sessions. It holds nothing that anybody
said, so there is nothing in it that somebody could not read.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.domain.summaries import ConversationSummary, Resolution
from bot.errors import DefinitionError
from bot.memory.distillation.routing import Scope
from bot.skills.playbooks import CANDIDATE, CANDIDATES, Playbook, read_playbook
from bot.skills.skill_file import FILE_BYTES
from bot.storage.confined import open_folder, read_bytes, replace_bytes

TOOLS = 4
"""The shortest sequence that counts."""
LONGEST = 12
SESSIONS = 3
"""In how many sessions a sequence must recur."""
NEW_AT_ONCE = 20
"""Candidates that one pass may add; the most frequent come first."""
SESSIONS_LISTED = 100
SLUG_CHARS = 46
UPKEEP = frozenset(
    {
        "activate_skill",
        "ask_user_for_clarification",
        "deactivate_skill",
        "finish_task",
        "get_capabilities",
        "read_skill",
        "recall_recent",
        "remember",
        "request_more_turns",
        "save_fact",
        "tool_search",
    }
)
"""Tools that every way of working uses, so they say nothing about one."""
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_COUNTED = ("occurrences", "sessions", "first_seen", "last_seen")


@dataclass(frozen=True)
class SessionWork:
    """What one session did; nothing that was said in it."""

    session: str
    tools: tuple[str, ...]
    """In the order of their first call, each once."""
    at: datetime


@dataclass(frozen=True)
class Recurring:
    """A sequence of tools and the sessions that it occurred in, oldest first."""

    tools: tuple[str, ...]
    sessions: tuple[str, ...]
    first_seen: datetime
    last_seen: datetime

    @property
    def signature(self) -> str:
        return " > ".join(self.tools)


def shareable_work(summaries: Iterable[ConversationSummary]) -> list[SessionWork]:
    """Resolved sessions of members in public places without text from outside, oldest first.

    A compacted session has several summaries. All of them must be shareable; the last one tells the
    outcome.
    """
    return _work(summaries, lambda part: Scope.of(part).shareable)


def own_work(summaries: Iterable[ConversationSummary]) -> list[SessionWork]:
    """Resolved sessions of one person without text from outside, in whatever place."""
    return _work(summaries, lambda part: not Scope.of(part).untrusted)


def _work(
    summaries: Iterable[ConversationSummary], counts: Callable[[ConversationSummary], bool]
) -> list[SessionWork]:
    parts: dict[str, list[ConversationSummary]] = defaultdict(list)
    for summary in summaries:
        parts[summary.session_id].append(summary)
    found: list[SessionWork] = []
    for session, of_session in parts.items():
        ordered = sorted(of_session, key=lambda part: part.epoch)
        if all(map(counts, ordered)) and ordered[-1].fields.outcome is Resolution.RESOLVED:
            names = dict.fromkeys(
                name for part in ordered for name in part.tools if name not in UPKEEP
            )
            found.append(SessionWork(session, tuple(names), ordered[-1].ended_at))
    return sorted(found, key=lambda work: (work.at, work.session))


def recurring(work: Sequence[SessionWork]) -> list[Recurring]:
    """Sequences of at least 4 tools in a row in at least 3 sessions, the most frequent first.

    A sequence inside a longer one with the same sessions is left out.
    """
    sessions: dict[tuple[str, ...], dict[str, datetime]] = defaultdict(dict)
    for one in work:
        for run in _runs(one.tools):
            sessions[run][one.session] = one.at
    often = {run: seen for run, seen in sessions.items() if len(seen) >= SESSIONS}
    covered = {
        part
        for run, seen in often.items()
        for part in _runs(run)
        if part != run and often[part].keys() == seen.keys()
    }
    found = [
        Recurring(run, tuple(seen), min(seen.values()), max(seen.values()))
        for run, seen in often.items()
        if run not in covered
    ]
    return sorted(found, key=lambda one: (-len(one.sessions), -len(one.tools), one.signature))


def _runs(tools: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [
        tools[start : start + length]
        for length in range(TOOLS, min(LONGEST, len(tools)) + 1)
        for start in range(len(tools) - length + 1)
    ]


def keep_candidates(
    home: Path, found: Sequence[Recurring], one_liner: Callable[[str], str]
) -> list[str]:
    """Write new candidates and update the counts of known ones; returns the new slugs.

    A known candidate is recognised by its signature. Only its counts change, so what somebody wrote
    into it stays. Promoted, rejected and unreadable ones are left alone. `one_liner` describes a
    tool in a line. Blocks. Raises OSError.
    """
    added: list[str] = []
    with open_folder(home, CANDIDATES, create=True) as folder:
        names = sorted(path.name for path in home.joinpath(*CANDIDATES).glob("*.md"))
        texts = {name: text for name in names if (text := _text(folder, name)) is not None}
        known = {
            playbook.signature: name
            for name, text in texts.items()
            if (playbook := _read(name, text)) is not None
        }
        taken = {name.removesuffix(".md") for name in names}
        for one in found:
            if name := known.get(one.signature):
                if (text := _counted(texts[name], name, one)) != texts[name]:
                    replace_bytes(folder, name, text.encode())
            elif len(added) < NEW_AT_ONCE:
                slug = _slug(one.tools, taken)
                replace_bytes(
                    folder, f"{slug}.md", candidate_text(one, one_liner).encode("utf-8", "replace")
                )
                taken.add(slug)
                added.append(slug)
    return added


def candidate_text(one: Recurring, one_liner: Callable[[str], str]) -> str:
    """The file of a new candidate."""
    steps = [_step(number, tool, one_liner(tool)) for number, tool in enumerate(one.tools, 1)]
    name = f"{', '.join(one.tools[:-1])} and {one.tools[-1]}"
    return "\n".join(
        [
            "---",
            f"name: {json.dumps(name)}",
            f"signature: {json.dumps(one.signature)}",
            f"tools: {json.dumps(list(one.tools))}",
            *(f"{key}: {value}" for key, value in _counts(one).items()),
            f"status: {CANDIDATE}",
            "---",
            "",
            *steps,
            "",
        ]
    )


def _step(number: int, tool: str, what: str) -> str:
    return (
        f"{number}. `{tool}`: {' '.join(what.split())}" if what.strip() else f"{number}. `{tool}`"
    )


def _counts(one: Recurring) -> dict[str, str]:
    return {
        "occurrences": str(len(one.sessions)),
        "sessions": json.dumps(list(one.sessions[-SESSIONS_LISTED:])),
        "first_seen": one.first_seen.date().isoformat(),
        "last_seen": one.last_seen.date().isoformat(),
    }


def _counted(text: str, name: str, one: Recurring) -> str:
    """The text with new counts; unchanged if they span several lines, or it is settled."""
    playbook = _read(name, text)
    if playbook is None or playbook.status != CANDIDATE:
        return text
    counts = _counts(one)
    counts["first_seen"] = min(counts["first_seen"], playbook.first_seen[:10])
    changed = text
    for key in _COUNTED:
        changed = re.sub(
            rf"(?m)^{key}:[^\n\[]*(?:\[[^\n\]]*\])?[ \t]*$",
            f"{key}: {counts[key]}",
            changed,
            count=1,
        )
    again = _read(name, changed)
    same = again is not None and again.steps == playbook.steps and again.tools == playbook.tools
    return changed if same else text


def _text(folder: int, name: str) -> str | None:
    try:
        return read_bytes(folder, name, FILE_BYTES).decode()
    except (OSError, UnicodeDecodeError):
        return None


def _read(name: str, text: str) -> Playbook | None:
    """None for a file that is no playbook: promoting it says what is wrong with it."""
    try:
        return read_playbook(text, Path(name))
    except DefinitionError:
        return None


def _slug(tools: Sequence[str], taken: set[str]) -> str:
    name = (
        _NOT_IN_SLUG.sub("_", f"{tools[0]} to {tools[-1]}".lower()).strip("_")[:SLUG_CHARS]
        or "playbook"
    )
    number = 1
    while (slug := name if number == 1 else f"{name}_{number}") in taken:
        number += 1
    return slug
