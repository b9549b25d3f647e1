"""Learning from use: a bounded score per person, from stems, forgotten with the tool."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

from bot.domain.access import Role
from bot.domain.database import Database, Unit
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned, Viewer
from bot.memory.choices_store import EVERYBODY, EVERYWHERE, allows, choose, forbids
from bot.testing.tools import ToolFolder, a_scope, a_toolset
from bot.tools.catalog.past_requests import MEMORIES, PRUNED_EVERY, PastRequests, normalised
from bot.tools.catalog.past_requests_store import (
    PER_PERSON,
    PER_TOOL,
    Lesson,
    forget_unit,
    lesson_unit,
    read_lessons,
    unlearn_unit,
)
from bot.tools.toolset.toolset import Toolset

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def lesson(tool: str, *texts: str, person: str = "ann", learned: Learned = PUBLICLY) -> Lesson:
    return Lesson(person, (tool,), tuple(normalised(text) for text in texts), learned)


def in_dm(person: str) -> Viewer:
    return Viewer(person, True, IN_DM)


def in_public(person: str) -> Viewer:
    return Viewer(person, True, PUBLICLY)


def names(toolset: Toolset, query: str) -> list[str]:
    return [tool.name for tool in toolset.search(None, query).matches]


async def learned(files: ToolFolder, past: PastRequests, role: Role = Role.FRIEND) -> Toolset:
    catalog = files.catalog()
    catalog.past = past
    await catalog.load()
    return a_toolset(catalog, a_scope(role))


async def test_a_tool_is_found_by_words_that_only_a_past_request_had(
    files: ToolFolder, database: Database
):
    files.put("shared/climate_set", "")
    files.put("shared/blind_move", "")
    past = PastRequests(database)
    toolset = await learned(files, past)
    assert names(toolset, "I am freezing in here") == []
    past.learn(lesson("climate_set", "it's freezing, please make it warmer in the office"))
    assert names(toolset, "I am freezing in here") == ["climate_set"]


async def test_people_learn_apart_and_never_find_what_their_role_lacks(
    files: ToolFolder, database: Database
):
    files.put("shared/climate_set", "")
    files.put("shared/vault_open", "## Access\nPartner\n")
    past = PastRequests(database)
    past.learn(lesson("climate_set", "ask my oncologist", person="ben"))
    past.learn(lesson("vault_open", "fetch the gold"))
    toolset = await learned(files, past)
    assert names(toolset, "oncologist") == []
    assert names(toolset, "fetch the gold") == []
    past.learn(lesson("climate_set", "ask my oncologist"))
    assert names(toolset, "oncologist") == ["climate_set"]


async def test_private_requests_count_in_private_only(files: ToolFolder, database: Database):
    files.put("shared/climate_set", "")
    past = PastRequests(database)
    past.learn(lesson("climate_set", "ask my oncologist", learned=IN_DM))
    assert past.scores(in_dm("ann"), list(normalised("oncologist"))) == {"climate_set": 1.0}
    assert past.scores(in_public("ann"), list(normalised("oncologist"))) == {}


async def test_private_channel_requests_count_there_and_in_dms(
    database: Database,
):
    vault, attic = (Learned(Reach.PRIVATE, f"discord:1:{name}") for name in ("vault", "attic"))
    await database.write(
        lesson_unit(lesson("climate_set", "ask my oncologist", learned=vault), NOW)
    )
    past, query = PastRequests(database), list(normalised("oncologist"))
    await past.load()
    places = (vault, attic, PUBLICLY, IN_DM)
    assert [place for place in places if past.scores(Viewer("ann", True, place), query)] == [
        vault,
        IN_DM,
    ]
    assert not any(past.scores(Viewer("ben", True, place), query) for place in places)


async def test_nothing_is_stored_while_a_choice_forbids_it(database: Database):
    async def stores(person: str, channel: str, since: datetime) -> bool:
        unit = lesson_unit(
            lesson("greet", "good morning", person=person), NOW, allows(person, channel, since)
        )
        written = await database.write(unit)
        forbidden = await forbids(database, person, channel, since)
        assert forbidden is not bool(written.returned[0])
        return not forbidden

    await database.write(Unit.of(choose("ann", EVERYWHERE, NOW, learns=False)))
    await database.write(Unit.of(choose(EVERYBODY, "discord:1:vault", NOW, learns=False)))
    assert not await stores("ann", "discord:1:office", NOW)
    assert not await stores("ben", "discord:1:vault", NOW)
    assert [one.person for one in await read_lessons(database)] == []
    assert await stores("ben", "discord:1:office", NOW)
    await database.write(Unit.of(choose("ann", EVERYWHERE, NOW, learns=True)))
    assert not await stores("ann", "discord:1:office", NOW), "it began while learning was off"
    assert await stores("ann", "discord:1:office", NOW + timedelta(microseconds=1))
    assert {one.person for one in await read_lessons(database)} == {"ann", "ben"}


async def test_a_person_keeps_a_bounded_number_of_requests(database: Database):
    for number in range(PER_PERSON // PER_TOOL + 2):
        words = [f"request {chr(97 + number) * 3}{chr(97 + one) * 3}" for one in range(PER_TOOL)]
        await database.write(
            lesson_unit(lesson(f"tool_{number}", *words), NOW + timedelta(minutes=number))
        )
    kept = await read_lessons(database)
    assert len(kept) == PER_PERSON
    assert ("tool_0",) not in {one.tools for one in kept}


async def test_a_better_match_precedes_a_used_tool(files: ToolFolder, database: Database):
    files.put(
        "shared/invoice_send",
        "# invoice_send\n## Description\nSend an invoice by mail to a customer abroad.\n",
    )
    files.put("shared/letter_send", "# letter_send\n## Description\nSend a letter.\n")
    past = PastRequests(database)
    for _ in range(50):
        past.learn(lesson("letter_send", "send an invoice by mail to a customer abroad"))
    toolset = await learned(files, past)
    assert names(toolset, "send an invoice by mail to a customer abroad")[0] == "invoice_send"


async def test_it_is_kept_with_the_turn_bounded_and_old_requests_go(database: Database):
    for number in range(PER_TOOL + 5):
        text = f"request {'abcdefghijklmnopq'[number] * 5}"
        await database.write(lesson_unit(lesson("greet", text), NOW + timedelta(minutes=number)))
    kept = [one.requests[0] for one in await read_lessons(database)]
    assert len(kept) == PER_TOOL
    assert normalised("request aaaaa") not in kept
    await database.write(lesson_unit(lesson("greet", "much later"), NOW + timedelta(days=400)))
    assert [one.requests for one in await read_lessons(database)] == [(normalised("much later"),)]
    await database.write(forget_unit(["greet"]))
    assert await read_lessons(database) == []


async def test_requests_beyond_the_limits_do_not_count_before_they_are_deleted(database: Database):
    async def store(tool: str, *requests: str, days: int = 0, prune: bool = False) -> None:
        taught = lesson(tool, *requests)
        await database.write(lesson_unit(taught, NOW + timedelta(days=days), prune=prune))

    async def rows() -> int:
        return len(await database.read("SELECT 1 FROM tool_requests"))

    requests = [f"request {letter * 5}" for letter in "abcdefghijklm"]
    tools = [f"tool_{number}" for number in range(PER_PERSON // PER_TOOL + 1)]
    await store("tool_0", "long ago", days=-400)
    for tool in tools:
        await store(tool, *requests)
    read = await read_lessons(database)
    assert await rows() == len(tools) * len(requests) + 1
    assert len(read) == PER_PERSON
    assert max(Counter(one.tools for one in read).values()) == PER_TOOL
    assert {one.tools for one in read} == {(tool,) for tool in tools[1:]}
    await store(tools[-1], "request zzzzz", prune=True)
    assert await rows() == PER_PERSON
    assert (await read_lessons(database))[:-1] == [one for one in read if one != read[-PER_TOOL]]


async def test_an_old_request_does_not_count_once_its_tool_is_used_again(database: Database):
    await database.write(lesson_unit(lesson("greet", "long ago"), NOW))
    assert len(await read_lessons(database)) == 1
    later = NOW + timedelta(days=400)
    await database.write(lesson_unit(lesson("greet", "much later"), later, prune=False))
    assert [one.requests for one in await read_lessons(database)] == [(normalised("much later"),)]


async def test_a_persons_rows_are_pruned_at_the_first_and_then_at_few_of_their_lessons(
    database: Database,
):
    past = PastRequests(database)
    await database.write(lesson_unit(lesson("greet", "good morning"), NOW))
    await past.load()
    pruning: list[int] = []
    for number in range(2 * PRUNED_EVERY + 1):
        if "ann" not in past.pruned:
            pruning.append(number)
        past.learn(lesson("greet", f"request {number}"))
        past.learn(Lesson("ben"))
    assert pruning == [0, PRUNED_EVERY, 2 * PRUNED_EVERY]
    assert "ben" not in past.pruned, "a turn without a lesson stores nothing, and so prunes nothing"


async def test_it_is_there_again_after_a_restart(files: ToolFolder, database: Database):
    files.put("shared/climate_set")
    await database.write(lesson_unit(lesson("climate_set", "it is freezing"), NOW))
    assert names(await learned(files, PastRequests(database)), "freezing") == ["climate_set"]


async def test_a_tool_that_went_is_forgotten_so_that_its_name_begins_anew(
    files: ToolFolder, database: Database
):
    path = files.put("shared/climate_set")
    catalog = files.catalog()
    catalog.past = PastRequests(database)
    await catalog.load()
    await database.write(lesson_unit(lesson("climate_set", "it is freezing"), NOW))
    catalog.past.learn(lesson("climate_set", "it is freezing"))
    path.unlink()
    await catalog.reload_changed()
    files.put("shared/climate_set")
    await catalog.reload_changed()
    assert names(a_toolset(catalog), "freezing") == []
    assert await read_lessons(database) == []


def test_possible_secrets_and_numbers_are_not_kept():
    words = normalised(
        "the password=hunter2 of account DE44500105175407324931 is pa55word, call 030 1234567 "
        + "x" * 90
    )
    assert not any(letter.isdigit() for word in words for letter in word)
    assert "hunter" not in " ".join(words)
    assert "x" * 90 not in words
    assert (
        len(normalised(" ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(500))))
        == 40
    )


def catalogue(count: int, alike: int) -> tuple[dict[str, str], dict[str, list[list[str]]]]:
    """Made-up tools in groups of `alike` lookalikes, and requests mostly in other words."""
    chance = random.Random(1)  # noqa: S311 - repeatable, not secret
    words = [
        "".join(chance.choices("bdfgklmnprstvz", k=2)) + "".join(chance.choices("aeiou", k=5))
        for _ in range(900)
    ]
    files: dict[str, str] = {}
    requests: dict[str, list[list[str]]] = {}
    for group in range(count // alike):
        topic, said = chance.sample(words, 12), chance.sample(words, 10)
        for number in range(alike):
            own = chance.sample(words, 2)
            name = f"tool{group}_{number}"
            files[name] = " ".join([*topic, *own])
            requests[name] = [
                [
                    *chance.sample(said, 4),
                    *chance.sample(topic, 1),
                    *(own[:1] if alike > 1 else []),
                    chance.choice(words),
                ]
                for _ in range(6)
            ]
    return files, requests


async def share_at_5(
    files: ToolFolder, database: Database, alike: int, taught: int
) -> tuple[float, float]:
    """How often the wanted tool is in the first five, before and after lessons per group."""
    descriptions, requests = catalogue(200, alike)
    for name, text in descriptions.items():
        files.put(f"shared/{name}", f"# {name}\n## Description\n{text}\n")
    past = PastRequests(database)
    toolset = await learned(files, past)

    def share() -> float:
        hits = [name in names(toolset, " ".join(asked[0])) for name, asked in requests.items()]
        return sum(hits) / len(hits)

    before = share()
    for name, asked in requests.items():
        if int(name.rpartition("_")[2]) < taught:
            past.learn(lesson(name, *(" ".join(text) for text in asked[1:])))
    return before, share()


async def test_use_lifts_the_share_of_needed_tools_among_the_first_five(
    files: ToolFolder, database: Database
):
    before, after = await share_at_5(files, database, alike=1, taught=1)
    assert after >= before + 0.1, (before, after)


async def test_use_of_some_lookalikes_hardly_hurts_the_others(
    files: ToolFolder, database: Database
):
    before, after = await share_at_5(files, database, alike=10, taught=5)
    assert after >= before - 0.02, (before, after)


async def test_many_people_are_remembered_and_few_are_indexed_at_a_time(database: Database):
    past = PastRequests(database)
    for number in range(3 * MEMORIES):
        past.learn(lesson("climate_set", "it is freezing", person=f"p{number}"))
    query = list(normalised("freezing"))
    for _ in range(2):
        for number in range(3 * MEMORIES):
            assert past.scores(in_public(f"p{number}"), query) == {"climate_set": 1.0}
    past.learn(lesson("heater", "it is freezing outside", person="p0"))
    past.learn(lesson("heater", "it is freezing outside", person=f"p{3 * MEMORIES - 1}"))
    for number in (0, 3 * MEMORIES - 1):
        assert set(past.scores(in_public(f"p{number}"), query)) == {"climate_set", "heater"}
    assert len(vars(past)["_memories"]) == MEMORIES


async def test_memory_keeps_no_more_of_a_person_than_the_database(database: Database):
    past = PastRequests(database)
    for tool in range(PER_PERSON // PER_TOOL + 2):
        for one in range(PER_TOOL + 2):
            past.learn(lesson(f"tool_{tool}", f"request {chr(97 + tool) * 3}{chr(97 + one) * 3}"))
    kept = [tool for tool, _ in vars(past)["_kept"]["ann", PUBLICLY]]
    assert len(kept) == PER_PERSON
    assert max(kept.count(tool) for tool in kept) == PER_TOOL
    assert "tool_0" not in kept


async def test_a_strangers_requests_follow_them_when_they_become_known(database: Database):
    past = PastRequests(database)
    query = list(normalised("freezing rain"))
    past.learn(lesson("climate_set", "it is freezing", person="discord-7"))
    past.learn(lesson("umbrella", "rain", person="discord-7", learned=IN_DM))
    past.learn(lesson("heater", "freezing", person="ann"))
    assert set(past.scores(in_dm("ann"), query)) == {"heater"}
    for _ in range(2):  # it may be done again
        await past.move("discord-7", "ann")
    assert set(past.scores(in_dm("ann"), query)) == {"climate_set", "umbrella", "heater"}
    assert set(past.scores(in_public("ann"), query)) == {"climate_set", "heater"}
    assert past.scores(in_dm("discord-7"), query) == {}


async def test_a_request_is_unlearned_for_its_person_alone(files: ToolFolder, database: Database):
    files.put("shared/climate_set", "")
    past = PastRequests(database)
    toolset = await learned(files, past)
    words = "it's freezing, please make it warmer"
    for person in ("ann", "bob"):
        past.learn(lesson("climate_set", words, person=person))
        await database.write(lesson_unit(lesson("climate_set", words, person=person), NOW))
    assert names(toolset, "freezing") == ["climate_set"]
    await database.write(unlearn_unit("ann", [normalised(words)]))
    past.unlearn("ann", [normalised(words)])
    assert names(toolset, "freezing") == []
    assert [one.person for one in await read_lessons(database)] == ["bob"]
    assert past.scores(in_public("bob"), list(normalised("freezing")))["climate_set"] > 0
