"""The words themselves are found, by who may read their place now, and by nobody else."""

import itertools
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.clock import format_utc
from bot.domain.database import Unit, Write
from bot.domain.messages import Place
from bot.domain.search import Wanted
from bot.sessions.conversation_store import edit_write
from bot.sessions.message_index import AT_ONCE, MessageIndex
from bot.sessions.message_words_store import unread_count, unread_messages, words_unit
from bot.sessions.purge_store import purge_messages
from bot.storage.home import open_database
from bot.testing.search_town import TOPICS, SearchTown, marks

NUMBERS = itertools.count()


@asynccontextmanager
async def town(folder: Path, seed: int = 1, channels: int = 3) -> AsyncGenerator[SearchTown]:
    folder /= f"{next(NUMBERS)}"
    folder.mkdir()
    database = await open_database(folder / "bellhop.db")
    try:
        made = SearchTown(database, random.Random(seed), ("ann", "ben", "cy"))  # noqa: S311
        await made.build(channels)
        yield made
    finally:
        await database.close()


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
async def test_nobody_finds_what_they_may_not_read_and_everybody_finds_the_rest(tmp_path: Path, seed: int):
    async with town(tmp_path, seed) as made:
        await made.say(30)
        for _ in range(12):
            await made.change()
            who, here = made.chance.choice(made.people), made.chance.choice(made.places)
            if here.place is Place.DM:
                here = next(one for one in made.places if one.id == f"dm-{who}")
            allowed = made.may_find(who, here)
            query = made.chance.choice(("", *TOPICS, "budget garden"))
            found = await made.ask(Wanted(query, 200, place=made.chance.choice(("", "", "c1"))), who, here)
            assert marks(found) <= allowed
            whole = await made.ask(Wanted("", 200, after=made.clock.now().replace(year=2020)), who, here)
            assert marks(whole) == allowed


async def test_a_changed_or_deleted_message_is_found_by_what_it_says_now(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(5)
        line = next(one for one in made.lines)
        made.chat.readers.of[line.place.channel or line.place.id] = {"ann"}
        made.chat.readers.of.setdefault(line.place.id, set()).add("ann")
        ann = next(one for one in made.places if one.id == "dm-ann")
        assert marks(await made.ask(Wanted(line.mark, 10), "ann", ann)) == {line.mark}
        await made.database.write(Unit.of(edit_write(line.key, "something newword", made.clock.now())))
        assert not (await made.ask(Wanted(line.mark, 10), "ann", ann)).hits
        assert (await made.ask(Wanted("newwords", 10), "ann", ann)).hits
        rows = await made.database.read("SELECT id FROM messages WHERE key = ?", (line.key,))
        await made.database.write(purge_messages([row["id"] for row in rows]))
        assert not (await made.ask(Wanted("newword", 10), "ann", ann)).hits
        left = await made.database.read("SELECT count(*) AS n FROM message_terms WHERE term LIKE 'newword%'")
        assert left[0]["n"] == 0


async def test_a_place_that_is_not_there_is_named_and_a_closed_one_no_differently(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(5)
        ann = next(one for one in made.places if one.id == "dm-ann")
        room = next(one for one in made.places if one.place is Place.CHANNEL)
        made.chat.readers.of[room.id] = {"ben"}
        found = [await made.ask(Wanted("budget", 10, place=name), "ann", ann) for name in ("#nowhere", f"#{room.id}")]
        assert [one.notes[-1].replace(room.id, "nowhere") for one in found] == [
            "in: I read no place called '#nowhere'; leave `in` out to search everywhere"
        ] * 2
        assert not (await made.ask(Wanted("budget", 10, place="dm"), "ann", ann)).notes


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("We talked about the budgets", "budget"),
        ("Die Häuser sind verkauft", "haus"),
        ("Die Häuser sind verkauft", "hauser"),
        ("El presupuesto está listo", "presupuestos esta"),
        ("les réunions de jeudi", "reunion"),
        ("我们讨论了预算的问题", "预算"),
        ("我们讨论了预算的问题", "题"),
        ("Straße gesperrt", "strasse"),
    ],
)
async def test_words_are_found_in_other_forms_and_spellings(tmp_path: Path, said: str, query: str):
    async with town(tmp_path) as made:
        ann = next(one for one in made.places if one.id == "dm-ann")
        made.places = [ann]
        await made.say(1)
        made.lines[0].author = "discord-ann"
        await made.database.write(Unit.of(Write("UPDATE messages SET text = ?, author = 'discord-ann'", (said,))))
        found = await made.ask(Wanted(query, 10), "ann", ann)
        assert [hit.snippet for hit in found.hits] == [said]


async def test_an_old_home_is_read_in_the_background_and_goes_on_after_a_restart(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(2 * AT_ONCE + 5)
        assert await made.index.read_on() == AT_ONCE
        again = MessageIndex(made.database, made.clock)
        assert await unread_count(made.database) == AT_ONCE + 5
        assert [await again.read_on() for _ in range(3)] == [AT_ONCE, 5, 0]
        rows = await made.database.read("SELECT count(*) AS n FROM message_words")
        assert rows[0]["n"] == 2 * AT_ONCE + 5


async def test_a_message_that_changes_while_its_words_are_read_keeps_the_new_ones(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(1)
        line = made.lines[0]
        read = await unread_messages(made.database, 10)
        await made.database.write(Unit.of(edit_write(line.key, "fresh", made.clock.now())))
        await made.database.write(words_unit([(one, "stale") for one in read]))
        assert await made.index.read_on() == 1
        terms = await made.database.read("SELECT term FROM message_terms")
        assert [row["term"] for row in terms] == ["fresh"]


async def test_a_search_by_person_place_and_time(tmp_path: Path):
    async with town(tmp_path) as made:
        room = next(one for one in made.places if one.place is Place.CHANNEL)
        made.chat.readers.of[room.id] = {"ann", "ben"}
        ann, others = next(one for one in made.places if one.id == "dm-ann"), made.places
        made.places = [room]
        await made.say(20)
        made.places = others
        await made.database.write(
            Unit.of(
                Write("UPDATE messages SET author = 'discord-ben', author_name = 'Ben Lee' WHERE id <= 3"),
                Write("UPDATE messages SET at = ? WHERE id = 2", (format_utc(made.clock.now().replace(month=3)),)),
            )
        )
        by_ben = {line.mark for line in made.lines[:3]} | {
            line.mark for line in made.lines[3:] if line.author == "discord-ben"
        }
        for name in ("ben", "@Ben", "<@ben>", "Lee"):
            named = marks(await made.ask(Wanted("", 50, author=name, place=f"#{room.id}"), "ann", ann))
            assert {line.mark for line in made.lines[:3]} <= named <= by_ben, name
        before = made.clock.now().replace(month=4)
        march = await made.ask(Wanted("", 50, author="ben", before=before), "ann", ann)
        assert marks(march) == {made.lines[1].mark}
        hit = march.hits[0]
        assert hit.more["link"] == f"https://chat.example/{room.id}/2"
        assert hit.more["where"] == f"#{room.id}"
        assert not (await made.ask(Wanted("", 50, author="ben"), "cy", ann)).hits
