"""What searching a team's documents costs, and how often the part that answers a question is found.

    python bench/knowledge.py [parts] [--embedder http://localhost:11434 --model NAME]

The project's own docs/ lie among documents of invented words, 10,000 parts in all. Questions that
people ask of such docs, in their own words, are put to it: found means that a part below the right
heading is among the first five. The same parts in a plain FTS5 table (porter, bm25, any of the
words) are the measure. Without `--embedder` the vectors are those of a stub that knows spelling and
no meaning: they show what comparing costs, and that it harms nothing. Exits with 1 where a goal is
missed.
"""

import argparse
import asyncio
import random
import re
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from figures import Figures, shown

from bot.clock import SystemClock
from bot.domain.access import Person, Role
from bot.domain.database import Database
from bot.domain.memory import Embedder
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, PUBLICLY, Viewer
from bot.knowledge.chunks import Chunk, chunked, markdown_sections
from bot.memory.embedding import OllamaEmbedder
from bot.memory.settings import EmbedderSettings
from bot.plugin.meaning import VectorModel
from bot.plugins.collections import store
from bot.plugins.collections.documents import DocumentCollections
from bot.plugins.collections.store import CollectedDocument
from bot.plugins.collections.vectors import DocumentVectors
from bot.storage.home import open_database
from bot.testing.hashing_embedder import HashingEmbedder
from bot.web.client import WebClient
from bot.web.settings import WebSettings

PARTS = 10_000
MOST_CPU_MS = 20.0
HARMED = 1
"""The most questions that vectors of a stub, which knows no meaning, may spoil."""
FIRST = 5
SEARCHES = 300
PARTS_OF_ONE = 50
DOCS = Path(__file__).parent.parent / "docs"
ANN = Person("ann", "Ann", Role.FRIEND, known=True)
SYLLABLES = (
    "ba",
    "cor",
    "del",
    "fin",
    "gra",
    "hol",
    "ka",
    "lum",
    "mer",
    "no",
    "pri",
    "qua",
    "ri",
    "sen",
    "tu",
    "vo",
)

QUESTIONS = (
    ("how do I restore from a backup", "running.md", "Restoring"),
    ("where do I put the api keys", "setting-up.md", "Secrets"),
    ("move the installation to another server", "running.md", "Moving"),
    ("how do I install a new version", "running.md", "Upgrading"),
    ("which bot token scopes does Slack need", "setting-up.md", "Slack"),
    ("invite the bot to a Discord server", "setting-up.md", "Discord"),
    ("limit how much money a person may spend per day", "people.md", "Budgets"),
    ("remind me every Monday at nine", "daily-use.md", "Schedules"),
    ("start a run when a webhook comes in", "daily-use.md", "Automations"),
    (
        "what happens to messages that came while it was down",
        "running.md",
        "After a time without",
    ),
    ("forbid a tool in one channel", "people.md", "Rights per place"),
    (
        "approve the same call for the future without asking again",
        "people.md",
        "Yeses that last",
    ),
    ("add an MCP server", "setting-up.md", "MCP servers"),
    ("is it healthy, how can a monitor check", "running.md", "Health"),
    ("undo a version of a document", "daily-use.md", "Documents and daily notes"),
    ("who decides about a destructive call", "rules.md", "Approvals"),
    ("in which order is a tool call checked", "rules.md", "Order of checks"),
    ("time zone of a schedule when daylight saving changes", "rules.md", "Time"),
    ("can somebody else see what I said in a direct message", "rules.md", "Privacy"),
    ("how is text from strangers marked", "rules.md", "Trust"),
    ("how many levels of delegation may a specialist use", "rules.md", "Specialists"),
    ("prompt injection from a web page", "security.md", "Text from others"),
    ("where may a recipient of a mail come from", "security.md", "Where targets come from"),
    ("can a shell tool read my files", "security.md", "Files and processes"),
    ("which roles are there and what may a guest do", "security.md", "Who may do what"),
    ("pairing of unknown people and claiming ownership", "security.md", "Owners and strangers"),
    ("skills imported from the internet", "security.md", "Skills from elsewhere"),
    (
        "what becomes of a message from arrival to answer",
        "architecture.md",
        "The way of one message",
    ),
    ("what happens after kill -9 in the middle of a turn", "architecture.md", ""),
    ("write a tool that runs a script", "writing-tools.md", ""),
)
"""A question, the document that answers it, and the heading (empty: anywhere in it)."""

Find = Callable[[str], Awaitable[Sequence[tuple[str, str]]]]


def own_parts() -> dict[str, list[Chunk]]:
    """The parts of each of the project's documents."""
    return {
        path.name: list(chunked(markdown_sections(path.read_text())))
        for path in sorted(DOCS.glob("*.md"))
    }


def invented(chance: random.Random, count: int) -> list[Chunk]:
    """Parts with a language's word frequencies and some English words among them."""
    words = sorted(
        {"".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(8_000)}
    )
    usual = [
        *("server", "tool", "message", "channel", "person", "role", "file"),
        *("backup", "key", "token", "run", "schedule", "budget", "approve"),
    ]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    made: list[Chunk] = []
    for number in range(count):
        text = " ".join(chance.choices(words, weights, k=130) + chance.choices(usual, k=8))
        made.append(Chunk(f"Chapter {number}", text))
    return made


async def add(
    collections: DocumentCollections, database: Database, name: str, parts: Sequence[Chunk]
) -> None:
    at = "2026-11-20T12:00:00Z"
    origin = Origin(Trust.MEMBER, "bench")
    document = CollectedDocument(name, "team", "", name, name, name, at, PUBLICLY, origin)
    unit = await asyncio.to_thread(store.document_unit, document, parts)
    await database.write(store.collection_unit("team", "Friend+", at) + unit)


async def recall(find: Find) -> tuple[int, list[str]]:
    """How many questions find their part, and those that don't."""
    missed: list[str] = []
    for question, name, heading in QUESTIONS:
        found = await find(question)
        if not any(document == name and heading in place for document, place in found[:FIRST]):
            missed.append(question)
    return len(QUESTIONS) - len(missed), missed


async def timed(find: Find, queries: Sequence[str]) -> tuple[float, str]:
    """Milliseconds of CPU of a search, which other work hardly changes; p50 and p95 in words."""
    await find(queries[0])
    used = time.process_time()
    took: list[float] = []
    for query in queries:
        begun = time.perf_counter()
        await find(query)
        took.append((time.perf_counter() - begun) * 1000)
    cpu = (time.process_time() - used) * 1000 / len(queries)
    took.sort()
    return cpu, f"(p50 {shown(took[len(took) // 2])}, p95 {shown(took[int(len(took) * 0.95)])} ms)"


def plain(parts: Sequence[tuple[str, Chunk]]) -> Find:
    """FTS5 as one would write it in five minutes."""
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE VIRTUAL TABLE t USING fts5 (name UNINDEXED, place, text, tokenize = 'porter "
        "unicode61')"
    )
    database.executemany(
        "INSERT INTO t VALUES (?, ?, ?)", [(name, one.place, one.text) for name, one in parts]
    )

    async def find(query: str) -> Sequence[tuple[str, str]]:
        match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        if not match:
            return []
        sql = "SELECT name, place FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?"
        return database.execute(sql, (match, FIRST)).fetchall()

    return find


def finding(collections: DocumentCollections) -> Find:
    viewer = Viewer(ANN.id, inner=True, place=IN_DM)

    async def find(query: str) -> Sequence[tuple[str, str]]:
        found = await collections.finder.find(ANN, viewer, query, FIRST)
        return [(one.part.document.name, one.part.place) for one in found.parts]

    return find


async def judged(
    figures: Figures, name: str, find: Find, queries: Sequence[str], least: int | None = None
) -> tuple[int, list[str]]:
    """The number of questions that found their part, and those that did not.

    With `least` both the number and the cost of a search are judged.
    """
    found, missed = await recall(find)
    cpu, times = await timed(find, queries)
    what, cost = f"{name}: of {len(QUESTIONS)} questions found", f"{name}: CPU of a search"
    if least is None:
        figures.told(what, str(found))
        figures.told(cost, f"{shown(cpu)} ms {times}")
    else:
        figures.at_least(what, found, least)
        figures.at_most(cost, cpu, MOST_CPU_MS, "ms", times)
    return found, missed


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def measure(figures: Figures, count: int, embedder: Embedder, model: str) -> None:
    chance = random.Random(17)  # noqa: S311 - a bench
    docs = own_parts()
    others = invented(chance, count - sum(map(len, docs.values())))
    files = {**docs} | {
        f"book-{at}": others[at : at + PARTS_OF_ONE] for at in range(0, len(others), PARTS_OF_ONE)
    }
    everything = [(name, one) for name, parts in files.items() for one in parts]
    queries = [
        " ".join(chance.sample(chance.choice(everything)[1].text.split(), 3))
        for _ in range(SEARCHES - 30)
    ]
    queries += [question for question, _, _ in QUESTIONS]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bellhop.db")
        database = await open_database(path)
        vectors = DocumentVectors(database, VectorModel(model, embedder), 30.0)
        web = WebClient(WebSettings())
        words = DocumentCollections(database, SystemClock(), web)
        both = DocumentCollections(database, SystemClock(), web, vectors)
        before, begun = megabytes(), time.perf_counter()
        longest = 0.0
        for name, parts in files.items():
            at = time.perf_counter()
            await add(words, database, name, parts)
            longest = max(longest, time.perf_counter() - at)
        took = time.perf_counter() - begun
        size = (await asyncio.to_thread(path.stat)).st_size // 1024**2
        name = f"{len(everything):,} parts of {len(files)} documents"
        figures.told(f"{name}: indexed", f"{took:.1f} s, one at most {longest:.2f} s")
        figures.told(f"{name}: on disk", f"{size} MB")
        least, _ = await judged(figures, "plain FTS5", plain(everything), queries)
        by_words, missed = await judged(figures, "words", finding(words), queries, least)
        begun = time.perf_counter()
        while await vectors.embed_some():
            pass
        figures.told("vectors", f"made in {time.perf_counter() - begun:.1f} s by {model}")
        _, still = await judged(
            figures, "words and vectors", finding(both), queries, by_words - HARMED
        )
        figures.told("memory", f"{megabytes()} MB at most, {before} before the first document")
        for what, questions in (("words", missed), ("words and vectors", still)):
            for one in questions:
                print(f"    missed by {what}: {one}")
        await database.close()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", type=int, nargs="?", default=PARTS)
    parser.add_argument("--embedder", default="")
    parser.add_argument("--model", default="qwen3-embedding:0.6b")
    given, figures = parser.parse_args(), Figures()
    if given.embedder:
        settings = EmbedderSettings(base_url=given.embedder, name=given.model)
        asyncio.run(measure(figures, given.parts, OllamaEmbedder(settings, 120.0), given.model))
    else:
        asyncio.run(measure(figures, given.parts, HashingEmbedder(), "a stub"))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
