"""How much `remember` finds again and how fast, compared with plain FTS5 in the same run.

    python bench/recall.py [chatter] [--embedder http://localhost:11434 --model NAME]

Two sets of questions in five languages about three months of a team of four (`recall_corpus.py`,
made up here): 360 that the ranking was tuned on, and 180 held out. Recall@k is the share of the
lines that answer a question among the first k hits, MRR the mean of 1 / rank of the first of them.
Without `--embedder` the embedder is the stub of the tests, which compares spelling: it shows that
its score is bounded, not what a model would find. Last, the automatic recall: how many sessions
open with an answer to their first message; without it, none.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from random import Random

from figures import Figures
from recall_corpus import ASKING, PEOPLE, Corpus, Question, held_out_corpus, tuning_corpus

from bot.domain.database import Database, Unit
from bot.domain.memory import Embedder, RecallQuery
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.origins import Trust
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.memory.embedding import OllamaEmbedder, Similarity
from bot.memory.finding import Memories
from bot.memory.settings import EmbedderSettings, MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.opening.blocks import OpeningRecall
from bot.sessions.records.conversation_store import NewMessage, conversation_write, message_write
from bot.sessions.search.recall import PastTalk
from bot.storage.home import open_database
from bot.storage.markdown import MarkdownStore
from bot.testing.contexts import NoTools, make_context
from bot.testing.hashing_embedder import HashingEmbedder
from bot.testing.search_town import SearchTown

FIRST = 10
Ask = Callable[[Question], Awaitable[Sequence[int]]]


class EveryTool(NoTools):
    """A toolset in which everything may be used that is asked about."""

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        return tuple(
            ToolDefinition(name, "", {}, "shared", NativeImplementation(name)) for name in names
        )


class Team:
    """The corpus on record in one public channel, asked about in Ann's direct messages."""

    def __init__(self, database: Database, corpus: Corpus, town: SearchTown) -> None:
        self._database, self._corpus, self._town = database, corpus, town
        self._here = Conversation("discord", "dm", "dm-ann", Place.DM)
        self.talk = PastTalk(database, town.search)
        self.context = make_context()

    async def fill(self) -> None:
        room = Conversation("discord", "w", "square", Place.CHANNEL, visibility=Visibility.PUBLIC)
        self._town.chat.readers.of[room.id] = set(PEOPLE)
        writes = [conversation_write(room, False, self._town.clock.now())]
        for line in self._corpus.lines:
            key, author = f"discord:{line.number}", f"discord-{line.author}"
            row = NewMessage(
                key, room.key, author, line.author, Trust.MEMBER, line.text, line.at, ""
            )
            writes.append(message_write(row))
        for at in range(0, len(writes), 500):
            await self._database.write(Unit(tuple(writes[at : at + 500])))
        while await self._town.index.read_on():
            pass

        context = await self._town.context(ASKING, self._here)
        self.context = replace(context, tools=EveryTool(), now=self._corpus.now, timezone="UTC")

    def asking(self, memories: Memories) -> Ask:
        async def ask(question: Question) -> Sequence[int]:
            found = await memories.find(self.context, RecallQuery(question.text))
            return [int(thing.id.partition(":")[2]) for thing in found.things[:FIRST]]

        return ask


def plain(folder: Path, corpus: Corpus) -> Ask:
    """FTS5 of the sqlite3 module with its own stemmer for English, and nothing else."""
    database = sqlite3.connect(folder / "plain.db")
    database.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61 "
        "remove_diacritics 2')"
    )
    with database:
        database.executemany(
            "INSERT INTO words (rowid, text) VALUES (?, ?)",
            [(line.number, line.text) for line in corpus.lines],
        )

    async def ask(question: Question) -> Sequence[int]:
        words = "".join(one if one.isalnum() else " " for one in question.text).split()
        match = " OR ".join(f'"{word}"' for word in words)
        rows = database.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10", (match,)
        )
        return [row[0] for row in rows]

    return ask


@dataclass(frozen=True)
class Scores:
    """Of one group of questions."""

    questions: int
    at_5: float
    at_10: float
    mrr: float

    def __str__(self) -> str:
        return (
            f"{self.questions:>4}   recall@5 {self.at_5:6.1%}   recall@10 {self.at_10:6.1%}   MRR "
            f"{self.mrr:.3f}"
        )

    def is_below(self, other: "Scores") -> bool:
        return self.at_10 < other.at_10 or self.mrr < other.mrr


async def measure(name: str, corpus: Corpus, ask: Ask) -> dict[str, Scores]:
    """Print a table; gives its rows by the name of the group."""
    answers: list[tuple[Question, Sequence[int]]] = []
    times: list[float] = []
    for question in corpus.questions:
        begun = time.perf_counter()
        answers.append((question, await ask(question)))
        times.append((time.perf_counter() - begun) * 1000)
    times.sort()
    print(
        f"{name}: p50 {times[len(times) // 2]:.1f} ms, p95 {times[int(len(times) * 0.95)]:.1f} ms "
        "a question"
    )
    groups: dict[str, list[tuple[Question, Sequence[int]]]] = {"all": []}
    for question, found in answers:
        if question.evidence:
            for group in ("all", question.kind.value, question.language):
                groups.setdefault(group, []).append((question, found))
    scores = {group: _scores(items) for group, items in groups.items()}
    for group, score in scores.items():
        print(f"  {group:<16}{score}")
    shown = [(q, found) for q, found in answers if q.outdated & set(found)]
    behind = sum(_rank(found, q.evidence) < _rank(found, q.outdated) for q, found in shown)
    print(f"  {behind} of {len(shown)} shown answers that a newer one corrects stand behind it")
    return scores


def _scores(items: Sequence[tuple[Question, Sequence[int]]]) -> Scores:
    mean = sum(1 / _rank(found, question.evidence) for question, found in items) / len(items)
    return Scores(len(items), _recall(items, 5), _recall(items, 10), mean)


def _rank(found: Sequence[int], wanted: frozenset[int]) -> float:
    return next((at for at, one in enumerate(found, 1) if one in wanted), inf)


def _recall(items: Sequence[tuple[Question, Sequence[int]]], first: int) -> float:
    shares = [
        len(q.evidence & set(found[:first])) / min(first, len(q.evidence)) for q, found in items
    ]
    return sum(shares) / len(shares)


async def openings(team: Team, memories: Memories, corpus: Corpus) -> None:
    """How many sessions open with the answer to their first message, or with something else."""
    recall = OpeningRecall(memories)
    texts = {line.number: line.text for line in corpus.lines}
    helped = empty = sizes = 0
    answerable = [question for question in corpus.questions if question.evidence]
    for question in corpus.questions:
        block = await recall.block(team.context, question.text, ())
        text = str(block.block["text"]) if block else ""
        sizes += len(text)
        helped += any(texts[one] in text for one in question.evidence)
        empty += not question.evidence and not text
    nothing = len(corpus.questions) - len(answerable)
    print("automatic recall, at a session's start")
    print(
        f"  {helped} of {len(answerable)} open with an answer "
        f"({helped / len(answerable):.1%}); without it 0"
    )
    print(f"  {empty} of {nothing} that have no answer open with nothing")
    print(f"  {sizes // len(corpus.questions)} characters on average")


async def run(
    name: str, make: Callable[..., Corpus], chatter: int, embedder: Embedder, model: str
) -> list[str]:
    """Measure one set; gives the groups in which plain FTS5 is better."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        database = await open_database(folder / "bellhop.db")
        try:
            town = SearchTown(database, Random(7), PEOPLE)  # noqa: S311 - no secret
            corpus = make(
                town.clock.now().replace(year=2026, month=11, day=20, hour=12), chatter=chatter
            )
            team = Team(database, corpus, town)
            await team.fill()
            print(f"\n{name}: {len(corpus.questions)} questions about {len(corpus.lines):,} lines")
            store = MemoryStore(MarkdownStore(folder / "memory"))
            words = Memories(store, MemorySettings(), [team.talk])
            meaning = Memories(
                store, MemorySettings(), [team.talk], Similarity(embedder, wait_s=60.0)
            )
            theirs = await measure("plain FTS5", corpus, plain(folder, corpus))
            ours = await measure("remember", corpus, team.asking(words))
            await measure(f"remember with {model}", corpus, team.asking(meaning))
            await openings(team, words, corpus)
        finally:
            await database.close()
    return [f"{name}, {group}" for group, score in ours.items() if score.is_below(theirs[group])]


async def main(chatter: int, embedder: Embedder, model: str) -> int:
    figures = Figures()
    worse = [
        *await run("tuned on", tuning_corpus, chatter, embedder, model),
        *await run("held out", held_out_corpus, chatter, embedder, model),
    ]
    more = f"({'; '.join(worse)})" if worse else ""
    figures.at_most("groups of questions that plain FTS5 answers better", len(worse), 0, more=more)
    return figures.close()


def arguments() -> tuple[int, Embedder, str]:
    parser = argparse.ArgumentParser()
    parser.add_argument("chatter", type=int, nargs="?", default=40)
    parser.add_argument("--embedder", default="")
    parser.add_argument("--model", default="qwen3-embedding:0.6b")
    given = parser.parse_args()
    if not given.embedder:
        return given.chatter, HashingEmbedder(), "the stub embedder"
    settings = EmbedderSettings(base_url=given.embedder, name=given.model)
    return given.chatter, OllamaEmbedder(settings, 120.0), given.model


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*arguments())))
