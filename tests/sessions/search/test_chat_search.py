"""The words themselves are found, by who may read their place now, and by nobody else."""

import asyncio
import itertools
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.clock import format_utc
from bot.domain import memory
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.messages import Conversation, Place
from bot.domain.origins import Trust
from bot.domain.search import SearchQuery
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.memory.finding import Memories
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.opening.blocks import OpeningRecall
from bot.sessions.people.person_store import move_unit
from bot.sessions.records.conversation_store import (
    NewMessage,
    conversation_write,
    edit_write,
    message_write,
)
from bot.sessions.search.index import AT_ONCE, BEFORE_SEARCH, MessageIndex
from bot.sessions.search.recall import PastTalk
from bot.sessions.search.words_store import (
    Filters,
    channels_on_record,
    newest_with,
    scope_words,
    unread_count,
    unread_messages,
    within,
    words_unit,
)
from bot.sessions.upkeep.purge_store import purge_messages
from bot.storage.home import open_database
from bot.storage.markdown import MarkdownStore
from bot.testing.contexts import NoTools
from bot.testing.fake_clock import FakeClock
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


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
async def test_nobody_finds_what_they_may_not_read_and_everybody_finds_the_rest(
    tmp_path: Path, seed: int
):
    async with town(tmp_path, seed) as made:
        await made.say(30)
        for _ in range(12):
            await made.change()
            who, here = made.chance.choice(made.people), made.chance.choice(made.places)
            if here.place is Place.DM:
                here = next(one for one in made.places if one.id == f"dm-{who}")
            allowed = made.may_find(who, here)
            query = made.chance.choice(("", *TOPICS, "budget garden"))
            found = await made.ask(
                SearchQuery(query, 200, place=made.chance.choice(("", "", "c1"))), who, here
            )
            assert marks(found) <= allowed
            whole = await made.ask(
                SearchQuery("", 200, after=made.clock.now().replace(year=2020)), who, here
            )
            assert marks(whole) == allowed


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
async def test_remember_and_the_opening_show_what_may_be_read_and_ones_own(
    tmp_path: Path, seed: int
):
    async with town(tmp_path, seed) as made:
        memories = Memories(
            MemoryStore(MarkdownStore(tmp_path / "memory")),
            MemorySettings(),
            [PastTalk(made.database, made.search)],
        )
        await made.say(30)
        for _ in range(8):
            await made.change()
            who, here = made.chance.choice(made.people), made.chance.choice(made.places)
            if here.place is Place.DM:
                here = next(one for one in made.places if one.id == f"dm-{who}")
            context = replace(await made.context(who, here), tools=ToolsFor(("search", "remember")))
            allowed = made.may_find(who, here) | own_marks(made, who, here)
            query = f"{made.chance.choice(TOPICS)} {made.chance.choice(TOPICS)}"
            found = await memories.find(context, memory.RecallQuery(query))
            assert words_marked(" ".join(thing.text for thing in found.things)) <= allowed
            block = await OpeningRecall(memories).block(context, query, ())
            assert block is None or words_marked(str(block.block["text"])) <= allowed
            every = await memories.find(context, memory.RecallQuery(" ".join(TOPICS)))
            assert words_marked(" ".join(thing.text for thing in every.things)) == allowed
            dated = await memories.find(
                context, memory.RecallQuery(f"what happened on {made.clock.now():%Y-%m-%d}?")
            )
            assert words_marked(" ".join(thing.text for thing in dated.things)) == allowed


def own_marks(made: SearchTown, who: str, here: Conversation) -> set[str]:
    """A person's messages and answers: visible in their DMs and where they were said."""
    own = [
        one
        for one in made.lines
        if not one.gone and f"discord-{who}" in {one.author, one.addressee}
    ]
    same = {
        one.mark
        for one in own
        if one.place.place is not Place.DM
        and one.place.channel_key == here.channel_key
        and (one.place == here or not one.place.closed)
    }
    return {one.mark for one in own} if here.place is Place.DM else same


def words_marked(text: str) -> set[str]:
    return {word for word in text.split() if word.startswith("mark")}


@dataclass(frozen=True)
class ToolsFor(NoTools):
    """A toolset in which these tools may be used."""

    names: tuple[str, ...]

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        kept = [name for name in names if name in self.names]
        return tuple(
            ToolDefinition(name, "", {}, "shared", NativeImplementation(name)) for name in kept
        )


async def test_ones_own_words_are_found_however_much_was_said_since(tmp_path: Path):
    async with town(tmp_path) as made:
        here = next(one for one in made.places if one.id == "dm-ann")
        rows = [
            NewMessage(
                f"discord:x{at}",
                here.key,
                "discord-ann",
                "Ann",
                Trust.MEMBER,
                text,
                made.clock.now(),
            )
            for at, text in enumerate(["the zeppelin lands at noon", *["small talk"] * 700])
        ]
        await made.database.write(
            Unit.of(conversation_write(here, True, made.clock.now()), *map(message_write, rows))
        )
        context = await made.context("ann", here)
        talk = PastTalk(made.database, made.search)
        found = await talk.recall(context, memory.RecallQuery("when does the zeppelin land"))
        assert found[0].text == "the zeppelin lands at noon"
        assert len(found) < 5, "nothing else is read"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("who was here on 13 November 2026?", "tomorrow the auditors visit"),
        ("what happened on 12 November 2026?", "tomorrow the auditors visit"),
        ("was war am 24. November 2026 geplant?", "die Brandschau ist am 24. November"),
        ("who visited in November 2026?", "tomorrow the auditors visit"),
        ("who was here on 14 November 2026?", None),
    ],
)
async def test_a_message_is_found_by_its_day_and_by_the_day_that_it_names(
    tmp_path: Path, query: str, found: str | None
):
    async with town(tmp_path) as made:
        here = next(one for one in made.places if one.id == "dm-ann")
        said = made.clock.now().replace(month=11, day=12, hour=12)
        await made.database.write(
            Unit.of(
                conversation_write(here, True, said),
                *(
                    message_write(
                        NewMessage(
                            text, here.key, "discord-ann", "Ann", Trust.PERSON, text, said, ""
                        )
                    )
                    for text in (
                        "die Brandschau ist am 24. November",
                        "tomorrow the auditors visit",
                    )
                ),
            )
        )
        memories = Memories(
            MemoryStore(MarkdownStore(tmp_path / "memory")),
            MemorySettings(),
            [PastTalk(made.database, made.search)],
        )
        context = replace(await made.context("ann", here), now=said.replace(day=20))
        things = (await memories.find(context, memory.RecallQuery(query))).things
        assert (found in [thing.text for thing in things]) if found else not things


async def test_a_changed_or_deleted_message_is_found_by_what_it_says_now(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(5)
        line = next(one for one in made.lines)
        made.chat.readers.of[line.place.channel or line.place.id] = {"ann"}
        made.chat.readers.of.setdefault(line.place.id, set()).add("ann")
        ann = next(one for one in made.places if one.id == "dm-ann")
        assert marks(await made.ask(SearchQuery(line.mark, 10), "ann", ann)) == {line.mark}
        await made.database.write(
            Unit.of(edit_write(line.key, "something newword", made.clock.now()))
        )
        assert not (await made.ask(SearchQuery(line.mark, 10), "ann", ann)).hits
        assert (await made.ask(SearchQuery("newwords", 10), "ann", ann)).hits
        rows = await made.database.read("SELECT id FROM messages WHERE key = ?", (line.key,))
        await made.database.write(purge_messages([row["id"] for row in rows]))
        assert not (await made.ask(SearchQuery("newword", 10), "ann", ann)).hits
        left = await made.database.read(
            "SELECT count(*) AS n FROM message_terms WHERE term LIKE 'newword%'"
        )
        assert left[0]["n"] == 0


async def test_a_missing_place_is_named_and_a_closed_one_looks_the_same(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(5)
        ann = next(one for one in made.places if one.id == "dm-ann")
        room = next(one for one in made.places if one.place is Place.CHANNEL)
        made.chat.readers.of[room.id] = {"ben"}
        found = [
            await made.ask(SearchQuery("budget", 10, place=name), "ann", ann)
            for name in ("#nowhere", f"#{room.id}")
        ]
        assert [one.notes[-1].replace(room.id, "nowhere") for one in found] == [
            "in: I read no place called '#nowhere'; leave `in` out to search everywhere"
        ] * 2
        assert not (await made.ask(SearchQuery("budget", 10, place="dm"), "ann", ann)).notes


async def test_only_channels_of_the_workspaces_asked_for_are_looked_at(database: Database):
    now = FakeClock().now()
    places = [
        Conversation("discord", "w", "one", Place.CHANNEL),
        Conversation("discord", "elsewhere", "two", Place.CHANNEL),
        Conversation("slack", "w", "three", Place.CHANNEL),
    ]
    writes = [conversation_write(place, False, now) for place in places]
    await database.write(Unit.of(*writes))

    async def found(*within: tuple[str, str]) -> set[str]:
        return {one.conversation.id for one in await channels_on_record(database, within)}

    assert await found(("discord", "")) == {"one", "two"}
    assert await found(("discord", "w"), ("slack", "x")) == {"one"}
    assert await found(("discord", "elsewhere"), ("slack", "w")) == {"two", "three"}
    assert await found() == set()


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
        await made.database.write(
            Unit.of(Write("UPDATE messages SET text = ?, author = 'discord-ann'", (said,)))
        )
        found = await made.ask(SearchQuery(query, 10), "ann", ann)
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


async def test_a_message_changed_during_indexing_keeps_its_new_words(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(1)
        line = made.lines[0]
        read = await unread_messages(made.database, 10)
        await made.database.write(Unit.of(edit_write(line.key, "fresh", made.clock.now())))
        await made.database.write(words_unit([(one, "stale") for one in read]))
        assert await made.index.read_on() == 1
        terms = await made.database.read("SELECT term FROM message_terms")
        scope = scope_words("discord", line.place.workspace, (line.author, line.addressee))
        assert [row["term"] for row in terms] == ["fresh", "¶20261121", *sorted(scope.split())], (
            "its word, the day it was said, where, and by whom"
        )


async def test_every_message_that_may_be_found_is_found_by_its_words(tmp_path: Path):
    async with town(tmp_path) as made:
        await made.say(30)
        for who in made.people:
            direct = next(one for one in made.places if one.id == f"dm-{who}")
            room = next(one for one in made.places if one.place is Place.CHANNEL)
            for here in (direct, room):
                for mark in made.may_find(who, here):
                    assert marks(await made.ask(SearchQuery(mark, 5), who, here)) == {mark}


async def test_people_who_search_together_share_one_look_for_new_messages(database: Database):
    reads: list[str] = []

    class CountedPhrase:
        write = database.write
        read_one = database.read_one
        read_all = database.read_all

        async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
            reads.append(sql)
            return await database.read(sql, params)

    made = SearchTown(database, random.Random(1), ("ann",))  # noqa: S311
    await made.build(1)
    await made.say(3)
    index = MessageIndex(CountedPhrase(), made.clock)
    assert await asyncio.gather(*(index.before_search() for _ in range(20))) == [0] * 20
    assert len(reads) == 1
    assert await unread_messages(database, 10) == []


async def test_messages_of_somebody_whose_id_changed_stay_findable(database: Database):
    made = SearchTown(database, random.Random(1), ("ann", "ben"))  # noqa: S311
    await made.build(2)
    await made.say(30)
    mine = {line.mark for line in made.lines if "discord-ben" in (line.author, line.addressee)}
    assert mine
    await made.index.before_search()
    await database.write(move_unit("discord-ben", "benjamin", made.clock.now()))
    await made.index.before_search()
    filters = Filters((), of_person="benjamin", scope=within((), ("benjamin",)))
    found = [await newest_with(database, f'"{one}"', filters, 9, None) for one in mine]
    assert {one.text.split()[1] for said in found for one in said} == mine


async def test_messages_that_were_indexed_without_their_scope_are_found_until_they_are_read_again(
    tmp_path: Path,
):
    async with town(tmp_path) as made:
        ann = next(one for one in made.places if one.id == "dm-ann")
        made.places = [ann]
        await made.say(BEFORE_SEARCH + 1)
        (last,) = await made.database.read("SELECT max(id) AS id FROM messages")
        insert = "INSERT INTO message_words (rowid, words) VALUES (?, 'lynx')"
        await made.database.write(Unit.of(Write(insert, (last["id"],))))
        assert len((await made.ask(SearchQuery("lynx", 5), "ann", ann)).hits) == 1


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
                Write(
                    "UPDATE messages SET author = 'discord-ben', author_name = 'Ben Lee' WHERE "
                    "id <= 3"
                ),
                Write(
                    "UPDATE messages SET at = ? WHERE id = 2",
                    (format_utc(made.clock.now().replace(month=3)),),
                ),
            )
        )
        by_ben = {line.mark for line in made.lines[:3]} | {
            line.mark for line in made.lines[3:] if line.author == "discord-ben"
        }
        for name in ("ben", "@Ben", "<@ben>", "Lee"):
            named = marks(
                await made.ask(SearchQuery("", 50, author=name, place=f"#{room.id}"), "ann", ann)
            )
            assert {line.mark for line in made.lines[:3]} <= named <= by_ben, name
        before = made.clock.now().replace(month=4)
        march = await made.ask(SearchQuery("", 50, author="ben", before=before), "ann", ann)
        assert marks(march) == {made.lines[1].mark}
        hit = march.hits[0]
        assert hit.more["link"] == f"https://chat.example/{room.id}/2"
        assert hit.more["where"] == f"#{room.id}"
        assert not (await made.ask(SearchQuery("", 50, author="ben"), "cy", ann)).hits
