"""What searching what was said costs, and whether it ever shows what it must not.

    python bench/search.py [messages] [searches]

First 100,000 messages in 60 channels and 600 threads: the words of each are read into the index,
then 300 searches are made by somebody who reads half of the channels, as the tool makes them. The
same texts in a plain FTS5 table of the sqlite3 module, ranked with bm25, are the measure. One
search follows the other, so the processor time of each is judged, which the load of the machine
hardly changes. Goals: p50 20 ms, p95 60 ms.

Then 10,000 searches in towns whose people join and leave channels, which become private and public,
while messages are edited and deleted: not one snippet may come from a place that its person may not
read, or that may not be shown.
"""

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from figures import Figures

from bot.clock import format_utc
from bot.domain.database import Unit, Write
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.search import SearchQuery
from bot.sessions.records.conversation_store import conversation_write
from bot.sessions.search.index import AT_ONCE
from bot.storage.home import open_database
from bot.testing.search_town import TOPICS, SearchTown, marks

MESSAGES, SEARCHES = 100_000, 10_000
QUERIES = 300
PEOPLE = ("ann", "ben", "cy", "dee")
GOAL_MS = (20, 60)
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
ENDINGS = ("", "", "", "s", "ed", "ing", "er")


class Language:
    """8,000 words, in five forms each, whose frequencies fall like those of a language.

    The 60 commonest are no words to search for.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        made = {"".join(chance.choices(SYLLABLES, k=chance.randint(2, 5))) for _ in range(12_000)}
        self._words = sorted(made)[:8_000]
        chance.shuffle(self._words)
        self._weights = [1 / (rank + 3) for rank in range(len(self._words))]

    def text(self) -> str:
        words = self._chance.choices(self._words, self._weights, k=self._chance.randint(3, 30))
        return " ".join(word + self._chance.choice(ENDINGS) for word in words)

    def query(self) -> str:
        return " ".join(
            self._chance.choices(self._words[60:], self._weights[60:], k=self._chance.randint(1, 4))
        )


def spread(times: Sequence[float]) -> tuple[float, float]:
    """Give p50 and p95 in milliseconds."""
    ordered = sorted(times)
    return ordered[len(ordered) // 2] * 1000, ordered[int(len(ordered) * 0.95)] * 1000


def plain(folder: Path, texts: Sequence[str], queries: Sequence[str]) -> list[float]:
    """The same texts and queries in the sqlite3 module alone."""
    database = sqlite3.connect(folder / "plain.db")
    database.execute("PRAGMA journal_mode=WAL")
    database.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61 "
        "remove_diacritics 2')"
    )
    begun = time.perf_counter()
    for at in range(0, len(texts), AT_ONCE):
        with database:
            rows = list(enumerate(texts[at : at + AT_ONCE], at + 1))
            database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", rows)
    print(f"  plain FTS5: {(time.perf_counter() - begun) / len(texts) * 1e6:.0f} µs a message")
    times: list[float] = []
    for query in queries:
        match = " OR ".join(f'"{word}"' for word in query.split())
        begun = time.process_time()
        database.execute(
            "SELECT rowid, text FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10", (match,)
        ).fetchall()
        times.append(time.process_time() - begun)
    database.close()
    return times


async def fill(town: SearchTown, texts: Sequence[str], chance: random.Random) -> None:
    """Put the messages on record, in channels and threads that Ann reads every second of."""
    now = town.clock.now()
    for number in range(60):
        room = Conversation(
            "discord", "w", f"c{number}", Place.CHANNEL, visibility=Visibility.PUBLIC
        )
        threads = [
            Conversation(
                "discord", "w", f"c{number}-{one}", Place.THREAD, "", room.id, "", room.visibility
            )
            for one in range(10)
        ]
        town.places += [room, *threads]
        town.chat.readers.of[room.id] = {"ann"} if number % 2 else set()
        await town.database.write(
            Unit(tuple(conversation_write(one, False, now) for one in (room, *threads)))
        )
    insert = (
        "INSERT INTO messages (key, conversation, author, author_name, trust, text, at)"
        " SELECT 'discord:' || json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        "json_extract(value, '$[2]'),"
        " json_extract(value, '$[2]'), 'member', json_extract(value, '$[3]'), ? FROM json_each(?)"
    )
    for at in range(0, len(texts), 2_000):
        rows = [
            [number, chance.choice(town.places).key, f"discord-p{chance.randrange(50)}", text]
            for number, text in enumerate(texts[at : at + 2_000], at)
        ]
        await town.database.write(Unit.of(Write(insert, (format_utc(now), json.dumps(rows)))))


async def cost(folder: Path, count: int, figures: Figures) -> None:
    chance = random.Random(7)  # noqa: S311
    language = Language(chance)
    texts, queries = (
        [language.text() for _ in range(count)],
        [language.query() for _ in range(QUERIES)],
    )
    measure = plain(folder, texts, queries)
    database = await open_database(folder / "bellhop.db")
    try:
        town = SearchTown(database, chance, ("ann",))
        await fill(town, texts, chance)
        before = (folder / "bellhop.db").stat().st_size
        begun, used = time.perf_counter(), time.process_time()
        while await town.index.read_on():
            pass
        wall, cpu = time.perf_counter() - begun, time.process_time() - used
        grown = (folder / "bellhop.db").stat().st_size - before
        took = f"{wall / count * 1e6:.0f} µs a message ({cpu / count * 1e6:.0f} µs CPU)"
        figures.told(f"the index of {count:,} messages", f"{took}, {grown / count:.0f} bytes")
        here = Conversation("discord", "dm", "dm-ann", Place.DM)
        times: list[float] = []
        for query in queries:
            begun = time.process_time()
            await town.ask(SearchQuery(query, 10), "ann", here)
            times.append(time.process_time() - begun)
    finally:
        await database.close()
    for name, ours, theirs, most in zip(
        ("p50", "p95"), spread(times), spread(measure), GOAL_MS, strict=True
    ):
        more = f"(plain FTS5, everything open: {theirs:.1f} ms)"
        figures.at_most(
            f"CPU of a search, permissions and links included: {name}", ours, most, "ms", more
        )


async def safety(folder: Path, searches: int, figures: Figures) -> None:
    """Nothing forbidden may be shown, and nothing that may be found may be missing."""
    made = forbidden = missing = shown = 0
    seed = 0
    while made < searches:
        seed += 1
        database = await open_database(folder / f"town-{seed}.db")
        try:
            town = SearchTown(database, random.Random(seed), PEOPLE)  # noqa: S311
            await town.build(4)
            await town.say(60)
            for number in range(min(500, searches - made)):
                if number % 3 == 0:
                    await town.change()
                who, here = town.chance.choice(town.people), town.chance.choice(town.places)
                if here.place is Place.DM:
                    here = next(one for one in town.places if one.id == f"dm-{who}")
                query = town.chance.choice(("", *TOPICS, "budget garden", "häuser"))
                wanted = SearchQuery(
                    query, 300, after=None if query else town.clock.now().replace(year=2020)
                )
                allowed, found = town.may_find(who, here), marks(await town.ask(wanted, who, here))
                forbidden += len(found - allowed)
                missing += 0 if query else len(allowed - found)
                shown += len(found)
                made += 1
        finally:
            await database.close()
    what = f"of {shown:,} snippets of {made:,} searches in {seed} towns"
    figures.at_most(f"{what}: forbidden", forbidden, 0)
    figures.at_most(f"{what}: missing", missing, 0)


async def main(messages: int, searches: int) -> int:
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        await cost(Path(folder), messages, figures)
        await safety(Path(folder), searches, figures)
    return figures.close()


if __name__ == "__main__":
    given = [int(one.replace("_", "")) for one in sys.argv[1:]]
    sys.exit(asyncio.run(main(*(given + [MESSAGES, SEARCHES][len(given) :]))))
