"""Model calls and tokens of ten tasks, done by the assistant itself and handed to specialists.

    python bench/delegation.py

A scripted reader plays each task twice in a home of its own: once it reads the documents itself,
once it briefs one specialist for each subject, which reads them and answers with 400 characters.
Tokens are a quarter of the characters of every request and reply, so what a request repeats of the
one before counts again. A provider's cache makes that part cheap; the last column counts it at a
tenth, as it costs there. After its answer the person asks once more about it, since that is when
what was read is sent again. Exits with 1 where delegation costs more than its goal.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from figures import Figures

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, ModelSize
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import CAPABILITIES, NAME, calls, say

READER = (
    "---\ndescription: Reads documents and reports.\nturns: 20\n---\n\nYou read documents and "
    "answer briefly.\n"
)
Call: TypeAlias = tuple[str, JsonObject]
REPORT = "It says so. " * 33
CHARS_PER_TOKEN = 4
CACHED = 0.1
MOST = 1.0
"""Over all tasks together, delegation must not cost more than it saves."""
AGENTS = ("reader", "checker", "auditor", "clerk")


@dataclass(frozen=True)
class Task:
    """Documents of `chars` characters to read, `at_once` per round, about some `subjects`."""

    name: str
    documents: int
    chars: int
    at_once: int = 1
    subjects: int = 1


TASKS = (
    Task("look up one short note", 1, 500),
    Task("compare two short notes", 2, 500, at_once=2),
    Task("follow a trail of four short notes", 4, 500),
    Task("sum up one long document", 1, 15_000),
    Task("compare three long documents", 3, 15_000, at_once=3),
    Task("follow a trail of four long documents", 4, 15_000),
    Task("follow a trail of eight long documents", 8, 15_000),
    Task("two subjects, two long documents each", 4, 15_000, subjects=2),
    Task("four subjects, one long document each", 4, 15_000, subjects=4),
    Task("four subjects, four long documents each", 16, 15_000, at_once=2, subjects=4),
)


@dataclass
class Counting:
    """A model that counts what it reads and writes.

    `cached` is what each request has in common with an earlier one.
    """

    plan: PlanModel
    calls: int = 0
    read: int = 0
    cached: int = 0
    written: int = 0
    seen: set[str] = field(default_factory=set[str])
    capabilities: ModelCapabilities = CAPABILITIES

    def name(self, size: ModelSize) -> str:
        return NAME

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        reply = await self.plan.sample(request, on_delta)
        if request.answer_schema is None:
            self._count(request, reply)
        return reply

    def _count(self, request: ModelRequest, reply: ModelReply) -> None:
        self.calls += 1
        before = ""
        for part in (
            [*request.system, *request.tools],
            *([message] for message in request.messages),
        ):
            text = json.dumps(part, ensure_ascii=False)
            before += text
            self.read += len(text)
            if before in self.seen:
                self.cached += len(text)
            self.seen.add(before)
        self.written += len(json.dumps(reply.content, ensure_ascii=False))

    def begin(self) -> None:
        """Count from here on."""
        self.calls = self.read = self.cached = self.written = 0

    async def close(self) -> None:
        """A server goes on when its clients leave."""
        return

    @property
    def figures(self) -> tuple[int, int, int]:
        """Model calls, tokens, and tokens with those from the cache at a tenth."""
        dear = self.read - self.cached + self.cached * CACHED
        return (
            self.calls,
            (self.read + self.written) // CHARS_PER_TOKEN,
            round(dear + self.written) // CHARS_PER_TOKEN,
        )


def reads(task: Task, subject: int) -> list[ModelReply]:
    """The rounds in which the documents of a subject are read."""
    mine = range(subject, task.documents, task.subjects)
    wanted: list[Call] = [("read_file", {"path": f"/documents/d{number}.md"}) for number in mine]
    return [calls(*wanted[at : at + task.at_once]) for at in range(0, len(wanted), task.at_once)]


def plans(task: Task) -> dict[str, list[Any]]:
    subjects = range(task.subjects)
    alone = [reply for subject in subjects for reply in reads(task, subject)]
    briefs: list[tuple[str, JsonObject]] = [
        (f"agent_{AGENTS[subject]}", {"instruction": f"do:subject-{subject}"})
        for subject in subjects
    ]
    return {
        "alone": [*alone, say(REPORT)],
        "delegated": [calls(*briefs), say(REPORT)],
        **{f"subject-{subject}": [*reads(task, subject), say(REPORT)] for subject in subjects},
        "more": [say("Yes, as I said.")],
    }


def make_home(folder: Path) -> Path:
    agents = folder / "prompts" / "agents"
    agents.mkdir(parents=True)
    for name in AGENTS:
        (agents / f"{name}.md").write_text(READER)
    (folder / "contacts.yaml").write_text(
        "- {id: ann, name: Ann, role: Partner, ids: {discord: [ann]}}\n"
    )
    return folder


def written(task: Task) -> list[ModelReply]:
    """The rounds in which the documents are written, before anything is counted."""
    line = "One line of a document, as long as the next one.\n"
    text = line * (task.chars // len(line) or 1)
    each: list[Call] = [
        ("write_file", {"path": f"/documents/d{number}.md", "content": text})
        for number in range(task.documents)
    ]
    return [*(calls(*each[at : at + 4]) for at in range(0, len(each), 4)), say("Written.")]


async def play(folder: Path, task: Task, how: str) -> tuple[int, int, int]:
    model = Counting(PlanModel({**plans(task), "write": written(task)}, checked=False))
    async with running_app(make_home(folder), model) as house:
        await ask(house, "do:write")
        await house.command("ann", "new")
        model.begin()
        await ask(house, f"do:{how}")
        await ask(house, "do:more")
    return model.figures


async def ask(house: Harness, words: str) -> None:
    await house.ask("ann", words)
    await house.until_idle()


async def main() -> int:
    figures, sums = Figures(), [0] * 6
    with tempfile.TemporaryDirectory() as name:
        for number, task in enumerate(TASKS):
            alone = await play(Path(name) / f"{number}-alone", task, "alone")
            handed = await play(Path(name) / f"{number}-delegated", task, "delegated")
            figures.told(task.name, compared([*alone, *handed]))
            sums = [before + one for before, one in zip(sums, [*alone, *handed], strict=True)]
    figures.at_most(
        "all ten: cost delegated, times alone", sums[5] / sums[2], MOST, more=f"({compared(sums)})"
    )
    return figures.close()


def compared(found: list[int]) -> str:
    first, tokens, cached, second, more, more_cached = found
    return (
        f"alone {first} calls, {tokens:,} tokens, {cached:,} as a cache counts them; delegated "
        f"{second} calls, {more:,} tokens, {more_cached:,}; times {more_cached / cached:.2f}"
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
