"""A conversation is told more plainly until a model takes it, whatever block it refuses."""

from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.agents.loop.history import History
from bot.agents.loop.refusals import (
    BLIND,
    LEFT,
    MOST_PICTURES,
    OFF,
    Plainness,
    Refusals,
    Spoken,
)
from bot.domain.json_types import JsonObject
from bot.domain.models import Images
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.errors import ModelTrouble
from bot.llm.failures import names_pictures, takes_no_pictures
from bot.loopback.messages_api.history_rules import structure_problem
from bot.storage.database import SqliteDatabase
from bot.testing.fake_clock import FakeClock

TOOLS: tuple[JsonObject, ...] = (
    {"name": "look", "description": "Look.", "input_schema": {}, "defer_loading": True},
)
ADDED: JsonObject = {"name": "dig", "description": "Dig.", "input_schema": {}}


def picture(number: int = 0) -> JsonObject:
    source = {"type": "base64", "media_type": "image/png", "data": f"aGVsbG8{number}"}
    return {"type": "image", "source": source}


USER: list[JsonObject] = [
    picture(),
    {"type": "document", "source": {"type": "base64", "media_type": "application/pdf"}},
    {"type": "search_result", "title": "t", "content": [text_block("found")]},
    {"type": "hologram", "data": 7},
]
OWN: list[JsonObject] = [
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "redacted_thinking", "data": "x"},
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
]
IN_RESULT = [picture(1), {"type": "tool_reference", "tool_name": "look"}, *USER[2:]]


@st.composite
def histories(draw: st.DrawFn) -> tuple[History, int]:
    """Turns with odd blocks in every place, the last of them open; and where it begins."""
    messages: list[TranscriptMessage] = []
    begins = 0
    for turn in range(draw(st.integers(1, 3))):
        begins = len(messages)
        odd = draw(st.lists(st.sampled_from(USER), max_size=3))
        at = draw(st.integers(0, len(odd)))
        _add(messages, "user", [*odd[:at], text_block(f"question {turn}"), *odd[at:]])
        if draw(st.booleans()):
            added: JsonObject = {"type": "tool_definition", "definition": ADDED}
            _add(messages, "system", [text_block("note"), {"type": "tool_addition", "tool": added}])
        if draw(st.booleans()):
            use: JsonObject = {
                "type": "tool_use",
                "id": f"u{turn}",
                "name": "look",
                "input": {},
                "caller": 1,
            }
            _add(messages, "assistant", [*draw(st.lists(st.sampled_from(OWN), max_size=2)), use])
            content = draw(st.lists(st.sampled_from([text_block("seen"), *IN_RESULT]), min_size=1))
            result = {"type": "tool_result", "tool_use_id": f"u{turn}", "content": content}
            _add(messages, "user", [result, *draw(st.lists(st.sampled_from(USER), max_size=2))])
        _add(
            messages,
            "assistant",
            [*draw(st.lists(st.sampled_from(OWN), max_size=2)), text_block("yes")],
        )
    messages = messages[:-1]
    return History((text_block("system"),), TOOLS, messages), begins


def _add(messages: list[TranscriptMessage], role: Any, blocks: list[JsonObject]) -> None:
    messages.append(TranscriptMessage(role, tuple(StoredBlock(block) for block in blocks)))


def kinds(value: Any) -> set[str]:
    """The kinds of all blocks within a request, and the roles of its messages."""
    if isinstance(value, dict):
        block = cast("JsonObject", value)
        own = {str(block[key]) for key in ("type", "role") if key in block}
        return own.union(*(kinds(part) for part in block.values()))
    parts = cast("list[Any]", value) if isinstance(value, list | tuple) else []
    return set[str]().union(*map(kinds, parts))


REFUSABLE = sorted(
    {str(one["type"]) for one in [*USER, *OWN]}
    | {"tool_use", "tool_result", "tool_reference", "tool_addition", "system"}
)


def refusals(database: SqliteDatabase, images: Images = Images.AUTO) -> Refusals:
    return Refusals(database, FakeClock(), images, "here")


@given(
    histories(),
    st.sets(st.sampled_from(REFUSABLE), min_size=1),
    st.sampled_from([(400, "bad_request"), (422, "bad_request"), (500, "overloaded")]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # nothing asks it
def test_some_form_is_taken_whatever_is_refused(
    database: SqliteDatabase, told: tuple[History, int], refused: set[str], error: tuple[int, str]
):
    history, begins = told
    state = refusals(database)
    spoken = Spoken("s1", history, begins, 100)
    sent = state.form(spoken, "m")
    tries = 1
    while kinds(sent.request.messages) & refused:
        trouble = ModelTrouble(error[1], "it does not fit", status=error[0])
        further = state.plainer(spoken, "m", sent, trouble)
        assert further is not None, (sent.plainness, refused)
        assert further.plainness > sent.plainness
        sent, tries = further, tries + 1
    assert tries <= len(Plainness)
    if sent.plainness >= Plainness.PLAIN_BLOCKS:
        assert structure_problem(sent.request.messages, system_notes=False) is None
        assert not any("defer_loading" in tool for tool in sent.request.tools)
    last = [m for m in history.messages if m.role == "user" and "question" in str(m.api)][-1]
    words = next(str(b.block["text"]) for b in last.blocks if b.block["type"] == "text")
    assert words in str(sent.request.messages), "the newest words are always there"


def conversation(*pictures: int) -> Spoken:
    messages: list[TranscriptMessage] = []
    for number in pictures:
        _add(messages, "user", [text_block(f"see {number}"), picture(number)])
        _add(messages, "assistant", [text_block("seen")])
    _add(messages, "user", [text_block("and?")])
    return Spoken("s1", History((), (), messages), len(messages) - 1, 100)


async def test_a_model_without_eyes_is_remembered_across_restarts(database: SqliteDatabase):
    spoken, state = conversation(1), refusals(database)
    first = await state.first(spoken, "m")
    trouble = ModelTrouble("bad_request", "HTTP 400: m is not a multimodal model", status=400)
    plain = state.plainer(spoken, "m", first, trouble)
    assert plain is not None
    unit, told = state.learned(spoken, "m", [(first, trouble)], plain)
    await database.write(unit)
    assert told == "blind"
    for one in (state, refusals(database)):
        sent = await one.first(conversation(2), "m")
        assert BLIND in str(sent.request.messages)
        assert "aGVsbG8" not in str(sent.request.messages)
        assert not sent.request.pictures
        assert (await one.first(conversation(2), "another")).request.pictures
    assert (await refusals(database, Images.ON).first(spoken, "m")).request.pictures
    assert OFF in str((await refusals(database, Images.OFF).first(spoken, "x")).request.messages)


async def test_one_bad_picture_does_not_blind_a_model(database: SqliteDatabase):
    state = refusals(database)
    for number in (1, 2, 3):
        spoken = conversation(number)
        first = await state.first(spoken, "m")
        assert first.request.pictures
        trouble = ModelTrouble("bad_request", "Could not process image", status=400)
        plain = state.plainer(spoken, "m", first, trouble)
        assert plain is not None
        assert state.learned(spoken, "m", [(first, trouble)], plain)[1] == "picture"
        assert not (await state.first(spoken, "m")).request.pictures


async def test_who_fails_at_every_picture_without_saying_why_takes_none(database: SqliteDatabase):
    state, told = refusals(database), list[str]()
    for number in (1, 2):
        spoken = conversation(number)
        first = await state.first(spoken, "m")
        trouble = ModelTrouble("overloaded", "HTTP 500: internal error", status=500)
        plain = state.plainer(spoken, "m", first, trouble)
        assert plain is not None
        told.append(state.learned(spoken, "m", [(first, trouble)], plain)[1])
    assert told == ["picture", "blind"]
    assert not (await state.first(conversation(3), "m")).request.pictures


async def test_older_pictures_leave_and_the_prefix_stays(database: SqliteDatabase):
    state, before, changes = refusals(database), "", 0
    for count in range(1, 3 * MOST_PICTURES):
        sent = await state.first(conversation(*range(count)), "m")
        shown = str(sent.request.messages)
        assert shown.count("aGVsbG8") <= MOST_PICTURES
        assert f"aGVsbG8{count - 1}'" in shown, "the newest is there"
        changes += not str(sent.request.messages[:-1]).startswith(before)
        before = str(sent.request.messages[:-1]).removesuffix(",)").removesuffix(")")
    assert LEFT in before
    assert changes <= 4


@pytest.mark.parametrize(
    ("detail", "about", "none"),
    [
        ("Could not process image", True, False),
        ("messages.1.content.0.image.source.base64: image exceeds 5 MB maximum", True, False),
        ("messages.8.content.2.image.source.base64.data: At least one of the image dimensions"
         " exceed max allowed size for many-image requests: 2000 pixels", True, False),
        ("messages.0.content.1: Input tag 'image' found using 'type' does not match any of the"
         " expected tags: 'text', 'tool_use'", True, True),
        ("this model does not support image input (ref: b8bd630e)", True, True),
        ("Failed to create new sequence: this model is missing data required for image input",
         True, True),
        ("image input is not supported - hint: you may need to provide the mmproj", True, True),
        ("vision model only supports a single image per message", True, False),
        ("qwen3-8b is not a multimodal model", True, True),
        ("At most 1 image(s) may be provided in one prompt.", True, False),
        ("Model does not support images. Please use a model that does.", True, True),
        ("No endpoints found that support image input", True, True),
        ("litellm.BadRequestError: Invalid content type. image_url is only supported by certain"
         " models.", True, False),
        ("[{'loc': ('body', 'messages', 0, 'content'), 'msg': \"Input should be 'text'\"}]",
         False, False),
        ("Overloaded", False, False),
        ("prompt is too long: 207368 tokens > 200000 maximum", False, False),
    ],
)  # fmt: skip
def test_the_words_of_servers(detail: str, about: bool, none: bool):
    assert (names_pictures(detail), takes_no_pictures(detail)) == (about, none)
