"""Matches in every language, by time and by meaning; corrected things are marked."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memory import Embedder, RecallQuery, Recollection, Tier
from bot.domain.origins import Origin, Trust
from bot.domain.tool_outcomes import ToolResult
from bot.memory.embedding import Similarity
from bot.memory.finding import Memories
from bot.memory.forget import Forget, forget_tool
from bot.memory.ranking import Candidate, covering, fits
from bot.memory.remember import WORDS_ALONE, Remember, remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.testing.contexts import make_context
from bot.testing.hashing_embedder import HashingEmbedder
from bot.testing.remembered import Remembers, told

WriteFile = Callable[[str, str], None]
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
OWN = Origin(Trust.PERSON, "conversation")
BUSY = [
    "Die Katze schläft auf dem Sofa", "Le chat dort sur le canapé", "El gato duerme en el sofá",
    "Il gatto dorme sul divano", "The cat sleeps on the sofa", "猫在沙发上睡觉",
]  # fmt: skip
SAID = {
    "The backups are copied to Helsinki every night": "Where do we copy a backup?",
    "Die Rechnungen gehen immer an die Buchhaltung in Graz": "Wohin geht die Rechnung?",
    "Les réunions du comité ont lieu à Orléans": "Où se tient la réunion ?",
    "Las facturas se envían a Zaragoza": "¿Adónde enviamos la factura?",
    "Le riunioni si tengono nella città di Perugia": "In quale città teniamo la riunione?",
    "服务器的备份放在赫尔辛基": "备份放在哪里",
}


def said(text: str, days_ago: float = 1, **more: Any) -> Recollection:
    return told(text, NOW, days_ago, **more)


async def ask(
    store: MemoryStore, query: str, *things: Recollection, embedder: Embedder | None = None
) -> list[dict[str, Any]]:
    similarity = Similarity(embedder, wait_s=5.0) if embedder else None
    tool = remember_tool(Memories(store, MemorySettings(), [Remembers(things)], similarity))
    outcome = await tool.run(make_context(now=NOW), Remember(query=query))
    assert isinstance(outcome, ToolResult)
    return json.loads(outcome.content)


@pytest.mark.parametrize("text", SAID)
async def test_a_question_in_the_same_language_finds_other_forms_of_its_words(
    store: MemoryStore, text: str
):
    things = [said(one) for one in (*BUSY, *SAID)]
    assert (await ask(store, SAID[text], *things))[0]["text"] == text


async def test_accents_and_case_make_no_difference(store: MemoryStore):
    assert (await ask(store, "REUNION ORLEANS", *map(said, SAID)))[0]["text"].startswith(
        "Les réunions"
    )


async def test_a_time_in_the_question_puts_what_is_from_then_first(store: MemoryStore):
    things = [
        said("the budget is 9,000 euro", 8),
        said("the budget of the garden", 1),
        said("budget budget", 40),
    ]
    found = await ask(store, "what did I say about the budget last week?", *things)
    assert found[0]["text"] == "the budget is 9,000 euro"
    assert (await ask(store, "budget in October", *things))[0]["text"] == "budget budget"


async def test_a_time_that_a_thing_names_counts_from_the_day_it_was_said(store: MemoryStore):
    things = [
        said("the fire inspection is on 25 November", 10),
        said("the auditors visit tomorrow", 8),
        said("tea", 1),
    ]
    for question, text in {
        "what is planned for next week?": things[0].text,
        "was steht nächste Woche an?": things[0].text,
        "who was here on 13 November?": things[1].text,
    }.items():
        assert (await ask(store, question, *things))[0]["text"] == text, question


async def test_an_answer_is_found_by_the_question_that_was_asked_before_it(store: MemoryStore):
    answer = said("At the lake, three o'clock", around=("Ben", "where is the summer party?"))
    found = await ask(store, "summer party", said("parties are loud"), answer)
    assert {one["text"] for one in found} == {answer.text, "parties are loud"}


async def test_corrected_statements_are_marked_and_come_later(store: MemoryStore):
    old, new = (
        said("The release is on Friday", 9),
        said("The release has moved, it is now on Monday", 1),
    )
    other = said("The release party is at Ben's", 3)
    found = await ask(store, "release", old, other, new)
    assert [one["text"] for one in found].index(new.text) < [one["text"] for one in found].index(
        old.text
    )
    marked = next(one for one in found if one["text"] == old.text)
    assert (marked["superseded"], marked["newer"]) == (True, new.id)
    assert [one["text"] for one in found if one.get("superseded")] == [old.text]


async def test_a_correction_of_one_thing_says_nothing_about_another(store: MemoryStore):
    printer, boiler = (
        said("The printer opens at 8 o'clock", 9),
        said("The boiler now opens at 9 o'clock instead", 1),
    )
    found = await ask(store, "when does the printer open?", printer, boiler)
    assert [one["text"] for one in found if one.get("superseded")] == []
    assert found[0]["text"] == printer.text


async def test_a_correction_fits_at_least_as_well(store: MemoryStore):
    old, noise = said("Tilda approves holidays", 60), said("Holidays, holidays, who approves", 1)
    middle, new = (
        said("Now Oskar approves holidays", 30),
        said("Actually, since May it is Marek who approves holidays", 9),
    )
    found = [
        one["text"] for one in await ask(store, "who approves holidays?", old, middle, new, noise)
    ]
    assert found.index(new.text) < found.index(middle.text)
    assert found.index(new.text) < found.index(old.text)


async def test_each_part_of_a_question_finds_its_answer_early(store: MemoryStore):
    others = [
        said(f"Firm {name} checked the roof")
        for name in ("North", "East", "South", "West", "Up", "Down")
    ]
    wanted = [said("Ann is responsible for the drone"), said("Firm Hill checked the drone")]
    found = await ask(
        store, "which firm checked the drone, and who is responsible?", *others, *wanted
    )
    assert {one["text"] for one in found[:2]} == {one.text for one in wanted}


@given(st.lists(st.tuples(st.floats(0, 2), st.frozensets(st.integers(0, 5))), max_size=12))
def test_covering_loses_nothing_and_keeps_the_best_first(
    fitting: list[tuple[float, frozenset[int]]],
):
    fitting.sort(key=lambda one: -one[0])
    order = covering(fitting)
    assert sorted(order) == list(range(len(fitting)))
    by_score = [at for at in order if not fitting[at][1]]
    assert by_score == sorted(by_score), "what holds no word is moved by nothing"


async def test_archived_entries_are_found_marked_behind_their_replacement(
    store: MemoryStore, write: WriteFile
):
    write("ann/assistant_memory.md", "- [2026-11-02] The staging server is called Birch\n")
    write(
        "archive/ann/assistant_memory.md",
        "- [S5][2026-10-01][superseded:2026-11-02] The staging server is called Alder\n"
        "- [2026-09-01] The old staging server was noisy\n",
    )
    new, old, other = await ask(store, "what is the staging server called?")
    assert (new["text"], "archived" in new) == ("The staging server is called Birch", False)
    assert (old["text"], old["archived"], old["superseded"]) == (
        "The staging server is called Alder",
        True,
        True,
    )
    assert old["newer"] == new["id"]
    assert (other["archived"], "superseded" in other) == (True, False)


async def test_the_archive_is_shown_by_the_same_rules(store: MemoryStore, write: WriteFile):
    write(
        "archive/ann/assistant_memory.md",
        "- [private] the server is secret\n- the server is loud\n",
    )
    for private, texts in (
        (False, {"the server is loud"}),
        (True, {"the server is loud", "the server is secret"}),
    ):
        found = await Memories(store, MemorySettings()).find(
            make_context(now=NOW, private=private), RecallQuery("server")
        )
        assert {one.text for one in found.things} == texts


async def test_archived_entries_can_be_forgotten(store: MemoryStore, write: WriteFile):
    write("archive/ann/assistant_memory.md", "- [2026-09-01] The old server was noisy\n- stays\n")
    (found,) = await ask(store, "noisy server")
    outcome = await forget_tool(store).run(make_context(now=NOW), Forget(ids=[found["id"]]))
    assert isinstance(outcome, ToolResult)
    assert not outcome.is_error
    (nothing,) = await ask(store, "noisy server")
    assert "nothing fits" in nothing["note"]
    assert [
        one.text for one in await store.archived(Tier.USER, agent="assistant", person_id="ann")
    ] == ["stays"]


async def test_each_hit_says_where_it_is_from(store: MemoryStore):
    assert (await ask(store, "tea", said("tea", where="#kitchen")))[0]["where"] == "#kitchen"


async def test_an_embedder_finds_other_words_and_keeps_its_vectors(store: MemoryStore):
    embedder = HashingEmbedder({"automobile": "car"})
    memories = Memories(
        store,
        MemorySettings(),
        [Remembers([said("Ann's automobile"), said("the cellar is dry")])],
        Similarity(embedder, wait_s=5.0),
    )
    wanted = RecallQuery("Ann's car")
    assert [one.text for one in (await memories.find(make_context(now=NOW), wanted)).things] == [
        "Ann's automobile"
    ]
    asked = len(embedder.asked)
    await memories.find(make_context(now=NOW), wanted)
    assert len(embedder.asked) == asked


async def test_an_embedder_alone_never_outweighs_words(store: MemoryStore):
    things = [said("the car is red"), said("automobile")]
    found = await ask(store, "car", *things, embedder=HashingEmbedder({"automobile": "car"}))
    assert [one["text"] for one in found] == ["the car is red", "automobile"]


async def test_without_an_answer_of_the_embedder_words_alone_decide(store: MemoryStore):
    things = [said("the red car"), said("cellar")]
    without = await ask(store, "car", *things)
    assert await ask(store, "car", *things, embedder=HashingEmbedder(broken=True)) == [
        *without,
        {"note": WORDS_ALONE},
    ]


@given(
    st.lists(st.text("ab c", max_size=12), max_size=6),
    st.text("ab c", max_size=8),
    st.floats(-1, 1),
    st.integers(1, 5),
)
def test_bounds_hold_for_any_texts(texts: list[str], query: str, similarity: float, weight: int):
    candidates = [Candidate(text, NOW, weight, similarity=similarity) for text in texts]
    for text, fit in zip(texts, fits(query, candidates, NOW), strict=True):
        assert 0 <= fit.words <= 2.3, text
        assert 0 <= fit.score <= fit.words + 0.3 + 0.02 * 4 + 0.04 + 1e-9
