"""A town with secrets, changing roles and channels that open and close; it knows who may see what.

Its models are hostile. Every secret that they see becomes a fact of the summary, and the
memorymaster would tell everybody each of them. So only the program can keep a secret where it
belongs.
"""

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bot.domain.access import INNER_RANK, Role
from bot.domain.json_types import JsonObject
from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelReply, ModelRequest, Usage
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.fake_clock import settle
from bot.testing.plan_model import PlanModel, PlanStep, begun_plan
from bot.testing.scripted_model import calls, say

PLACES = ("dm", "vault", "attic", "unsure", "square", "plaza")
"""A direct message, two private channels, one of unknown visibility, two public ones."""
THREADS = ("square/thread", "vault/thread")
"""Threads in a public and a private channel, where one person hands findings to the next."""
_VISIBILITY = {
    "square": Visibility.PUBLIC,
    "plaza": Visibility.PUBLIC,
    "unsure": Visibility.UNKNOWN,
}
_SECRET = re.compile(r"zq-(\d+)")
_TYPED = re.compile(r"\\n\[person:\w+\] do:e(\d+)")
"""A line that a person typed in a conversation to summarise.

Quotes from elsewhere are indented.
"""
LEFT = (
    "SELECT (SELECT count(*) FROM sessions WHERE state = 'open' OR summarised_epoch < epoch)"
    " + (SELECT count(*) FROM summaries WHERE fields IS NOT NULL AND distilled_at IS NULL)"
    " + (SELECT count(*) FROM distillations) AS n"
)


class Telling(StrEnum):
    """How somebody tells the assistant something."""

    FACT = "fact"
    HABIT = "habit"
    CORRECTION = "correction"
    SHARED = "shared"
    """The person says in passing that everybody should know it, which shares nothing."""
    NOTE = "note"
    TODO = "todo"
    KNOWN_FACT = "known_fact"
    KNOWLEDGE = "knowledge"
    FILE = "file"


_WORDS: dict[Telling, str] = {
    Telling.FACT: "fact: the codeword is {}",
    Telling.HABIT: "preference: always sign with the codeword {}",
    Telling.CORRECTION: "error: no, the codeword is {}",
    Telling.SHARED: "Everyone should know that the codeword is {}",
}


def _keeping(how: Telling, secret: str, answer: PlanStep) -> Sequence[PlanStep]:
    """Return what the assistant does with a secret, followed by its answer."""
    made: dict[Telling, tuple[str, dict[str, Any]]] = {
        Telling.NOTE: ("manage_notes", {"action": "add", "title": secret, "is_agent_note": False}),
        Telling.TODO: ("manage_todos", {"action": "create", "title": secret}),
        Telling.KNOWN_FACT: ("save_fact", {"key": "codeword", "value": secret}),
        Telling.FILE: (
            "write_file",
            {"path": f"/documents/{secret}.md", "content": f"the codeword is {secret}"},
        ),
        Telling.KNOWLEDGE: (
            "knowledge_store",
            {"content": secret, "type": "fact", "importance": 0.5},
        ),
    }
    unlock = calls(("tool_search", {"pattern": "*"}))
    return (unlock, calls(made[how]), answer) if how in made else (answer,)


LOOKS: Sequence[PlanStep] = (
    calls(("tool_search", {"pattern": "*"})),
    calls(
        ("remember", {"query": "codeword zq", "limit": 50}),
        ("knowledge_search", {"query": "codeword zq"}),
        ("manage_notes", {"action": "list", "is_agent_note": False}),
        ("manage_notes", {"action": "list", "is_agent_note": True}),
        ("manage_todos", {"action": "list"}),
        ("search", {"query": "codeword"}),
        ("list_directory", {"path": "/documents"}),
    ),
    say("Done."),
)


@dataclass(frozen=True)
class Event:
    """Somebody writes somewhere, with the role and visibility of that moment."""

    person: int
    where: str
    rank: int
    public: bool
    """Whether the place was public until then."""
    how: Telling | None = None
    """How the secret is told; None when the person only looks."""


@dataclass
class Town:
    """People with roles. Play their events, then check `leaks` and `pairs`."""

    home: Path
    roles: list[Role]
    events: list[Event] = field(default_factory=list[Event])
    opened: set[str] = field(default_factory=set[str])
    """Private channels that became public."""
    closed: set[str] = field(default_factory=set[str])
    """Public channels that became private."""

    heard: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Pairs of a person and a secret that an answer told them in the secret's own place."""

    def __post_init__(self) -> None:
        self.plans: dict[str, Sequence[PlanStep]] = {}
        self.model = PlanModel(self.plans)
        self.model.structure = hostile_answer
        self.lives = AppLives(self.home)
        self._write_contacts()

    def _write_contacts(self) -> None:
        lines = [
            f'- {{id: p{number}, name: Sam, role: {role}, ids: {{discord: ["p{number}"]}}}}\n'
            for number, role in enumerate(self.roles)
        ]
        (self.home / "contacts.yaml").write_text("".join(lines))

    # --- what people do ---

    async def write(self, life: AppLife, person: int, where: str, how: Telling | None) -> int:
        """Tell a secret, or only look (None) at what is there; return the event's number."""
        number = len(self.events)
        channel = channel_of(where)
        public = channel in {"square", "plaza"} and channel not in self.closed
        self.events.append(Event(person, where, self.roles[person].rank, public, how))
        secret = f"zq-{number}"
        self.plans[f"e{number}"] = (
            LOOKS if how is None else _keeping(how, secret, self._answer(person, where, how))
        )
        told = (
            _WORDS.get(how, "the codeword is {}").format(secret) if how else "what is the codeword?"
        )
        place = Place.DM if where == "dm" else Place.CHANNEL if where == channel else Place.THREAD
        visibility = _VISIBILITY.get(channel, Visibility.PRIVATE)
        if channel in self.opened:
            visibility = Visibility.PUBLIC
        if channel in self.closed:
            visibility = Visibility.PRIVATE
        said = {
            "where": f"p{person}" if where == "dm" else where,
            "place": place,
            "visibility": visibility,
        }
        if place is Place.THREAD:
            said["channel"] = channel
        await life.chat.say(f"p{person}", f"do:e{number}. {told}", key=f"e{number}", **said)
        await life.settle()
        return number

    def _answer(self, person: int, where: str, how: Telling) -> PlanStep:
        """Return the answer; for a habit it repeats every visible secret told in this place."""

        def echo(request: ModelRequest) -> ModelReply:
            seen = sorted(secrets_in(json.dumps(request.messages)))
            there = [number for number in seen if self.events[number].where == where]
            self.heard |= {(person, number) for number in there}
            return say(f"Done. {' '.join(f'zq-{number}' for number in there)}")

        return echo if how is Telling.HABIT and where != "dm" else say("Done.")

    async def become(self, life: AppLife, person: int, role: Role) -> None:
        self.roles[person] = role
        await asyncio.to_thread(self._write_contacts)
        await life.app.contacts.reload_if_changed()

    async def night(self, life: AppLife, step_s: float = 1_800) -> None:
        """Wait until all sessions are over, summarised and distilled. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE_S * 10):
            while (await life.database.read(LEFT))[0]["n"]:
                await self.lives.clock.advance(step_s)
                await settle()

    # --- what may be seen ---

    def may_enter(self, secret: int, event: Event) -> bool:
        """Whether a request of this event may hold the secret that was told in another."""
        told = self.events[secret]
        if channel_of(told.where) == channel_of(event.where) != "dm":
            return True  # members of the channel have read it there
        if told.person == event.person and (event.where == "dm" or told.public):
            return True
        if (event.person, secret) in self.heard and (
            event.where == "dm" or (told.public and told.rank >= INNER_RANK)
        ):
            return True  # the answer is theirs; nothing is learned from a guest
        members = told.rank >= INNER_RANK and event.rank >= INNER_RANK
        return members and told.public

    def leaks(self) -> list[str]:
        """Return secrets in requests or entries of people who may not see them.

        For distillations it checks the entries, not the requests: a public conversation that holds
        something private is read together with private ones, and its entries stay private.
        """
        found: list[str] = []
        for request in self.model.requests:
            begun = begun_plan(request.messages)
            if begun is not None:
                found += self._wrong(request, [int(begun[0].removeprefix("e"))])
        for request in self.model.structured:
            found += self._wrong(request, events_in(request))
        return found + self._wrong_in_files()

    def _wrong(self, request: ModelRequest, events: Sequence[int]) -> list[str]:
        secrets = secrets_in(json.dumps([request.system, request.tools, request.messages]))
        return [
            f"zq-{secret} ({self.events[secret]}) in a request of {self.events[event]}"
            for event in events
            for secret in secrets
            if not self.may_enter(secret, self.events[event])
        ]

    def _wrong_in_files(self) -> list[str]:
        found: list[str] = []
        for path in (self.home / "memory").glob("*_long_term.md"):
            for secret in secrets_in(path.read_text()):
                told = self.events[secret]
                if told.rank < INNER_RANK or not told.public:
                    found.append(f"zq-{secret} ({told}) in {path.name}")
        for path in (self.home / "memory").glob("p*/*_memory.md"):
            for line in path.read_text().splitlines():
                wide = "[private]" not in line and "[channel:" not in line
                for secret in secrets_in(line) if wide else ():
                    told = self.events[secret]
                    if not told.public:
                        found.append(f"zq-{secret} ({told}) in {path.parent.name}'s public entries")
        return found

    def pairs(self) -> int:
        """Count the pairs of a secret and a later look by somebody else."""
        return sum(
            not self.may_enter(secret, event) and told.person != event.person
            for number, event in enumerate(self.events)
            for secret, told in enumerate(self.events[:number])
            if told.how is not None
        )

    def seen(self) -> int:
        """Count the secrets seen where they belong, by another request than their own."""
        count = 0
        for request in self.model.requests:
            begun = begun_plan(request.messages)
            text = json.dumps([request.system, request.messages])
            count += (
                len(secrets_in(text) - {int(begun[0].removeprefix("e"))})
                if begun is not None
                else 0
            )
        return count


def channel_of(where: str) -> str:
    """Return the channel of a thread; any other place is its own channel."""
    return where.partition("/")[0]


def secrets_in(text: str) -> set[int]:
    return {int(number) for number in _SECRET.findall(text)}


def events_in(request: ModelRequest) -> list[int]:
    """Return the events of the conversation to summarise; none for a distillation."""
    return sorted({int(number) for number in _TYPED.findall(json.dumps(request.messages))})


def hostile_answer(request: ModelRequest) -> ModelReply:
    """Return a summary with every secret as a fact, or entries of each secret for every tier."""
    text = json.dumps(request.messages, ensure_ascii=False)
    words = [f"the codeword is zq-{number}" for number in sorted(secrets_in(text))]
    properties: JsonObject = dict((request.answer_schema or {}).get("properties") or {})
    answer = _entries(words) if "Entries" in properties else _summary(words)
    return ModelReply(
        say(json.dumps(answer)).content, "end_turn", Usage(400, 0, 0, 80), "scripted-cheap"
    )


def _entries(words: Sequence[str]) -> JsonObject:
    empty: JsonObject = {"Sources": [], "Replaces": []}
    return {
        "Entries": [
            {"Tier": tier, "Text": text, "Significance": 5, **empty}
            for text in words
            for tier in ("shared", "agent", "user")
        ][:60]
    }


def _summary(words: Sequence[str]) -> JsonObject:
    return {
        "Intent": "to tell a codeword",
        "TechnicalDepth": "casual",
        "UserMood": "",
        "Significance": 5,
        "RelationshipNotes": " ".join(words)[:1_000],
        "WIH": " ".join(words)[:1_000] or "nothing",
        "WIS": "",
        "WID": "",
        "Outcome": "resolved",
        "FactsLearned": list(words),
        "PreferencesNoted": list(words),
        "FollowUp": "",
        "ActiveGoals": [],
        "ToolsUsed": [],
        "ErrorsEncountered": [],
    }
