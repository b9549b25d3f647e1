"""Trigger files: read and written back, errors with line, field and remedy."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.automations.matching import fits_emoji, fits_text, plain_emoji
from bot.automations.schedule_file import read_schedule, slug_of
from bot.automations.trigger_file import read_trigger, write_trigger
from bot.domain.automations import EventKind, Filter, Trigger
from bot.errors import DefinitionError
from tests.thoroughness import examples

FILE = "/automations/triggers/x.md"


def file(*lines: str, task: str = "Do it.") -> str:
    return "\n".join(["---", *lines, "---", task])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Do it.", "line 1: the front matter is missing"),
        (file("event: message"), "line 2: name must be a few words"),
        (file("name: x"), "line 2: event: nothing is not known; there are message, reaction"),
        (file("name: x", "event: mesage"), "line 3: event: mesage is not known"),
        (
            file("name: x", "event: EMAIL_RECEIVED"),
            "line 3: event: email_received needs mail, which is not connected",
        ),
        (
            file("name: x", "event: event_added"),
            "line 3: event: event_added needs a calendar, which is not connected",
        ),
        (
            file("name: x", "event: message", "filter: {label: work}"),
            "filter.label is not known; there are channel",
        ),
        (
            file("name: x", "event: message", "filtr: {}"),
            "line 4: filtr is not known; did you mean filter?",
        ),
        (file("name: x", "event: message", "filter: bug"), "line 4: filter must be indented lines"),
        (
            file("name: x", "event: message", "filter:", "  contain: bug"),
            "line 5: filter.contain is not known",
        ),
        (
            file("name: x", "event: webhook", "filter: {emoji: eyes}"),
            "filter.emoji is not known; there are contains",
        ),
        (
            file("name: x", "event: message", "filter:", "  matches: '('"),
            "line 5: filter.matches is no regular",
        ),
        (
            file("name: x", "event: message", "filter: {contains: [1]}"),
            "filter.contains must be a text or a list",
        ),
        (
            file("name: x", "event: message", "filter: {channel: [a]}"),
            "filter.channel must be the id of a channel",
        ),
        (
            file("name: x", "event: message", "window: soon"),
            "line 4: window must be a whole number from 1 to 86400",
        ),
        (
            file("name: x", "event: message", "enabled: maybe"),
            "line 4: enabled must be true or false",
        ),
        (
            file("name: x", "event: message", "kind: schedule"),
            "line 4: kind must be trigger in this folder",
        ),
        (
            file("name: x", "event: message", "owner: ben"),
            "line 4: owner must be ann, who writes the file",
        ),
        (
            file("name: x", "event: message", task=""),
            "the task is missing; write below the second ---",
        ),
        (file("name: x", "event: message", task="y" * 4_001), "the task has 4001 characters"),
    ],
)
def test_errors_name_line_field_and_remedy(text: str, problem: str):
    with pytest.raises(DefinitionError) as raised:
        read_trigger(text, FILE, "ann")
    assert str(raised.value).startswith(f"{FILE}, line ")
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (file("name: x"), "give exactly one of cron (again and again) and at (once)"),
        (file("name: x", "cron: 'x'"), "line 3: cron: 'x' is not a cron expression"),
        (
            file("name: x", "cron: '0 9 * * *'", "timezone: Mars"),
            "line 4: timezone: 'Mars' is not a time zone",
        ),
        (file("name: x", "cron: '0 9 * * *'", "event: message"), "line 4: event is not known"),
    ],
)
def test_errors_of_a_schedule_are_named(text: str, problem: str):
    with pytest.raises(
        DefinitionError, match=r"^/automations/schedules/x\.md, line \d+: "
    ) as raised:
        read_schedule(text, "/automations/schedules/x.md")
    assert problem in str(raised.value)


_TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=40)
_WORDS = st.lists(_TEXT.map(str.strip).filter(bool), max_size=3).map(tuple)


@given(
    name=_TEXT,
    prompt=_TEXT,
    contains=_WORDS,
    kind=st.sampled_from([one for one in EventKind if one is not EventKind.PLUGIN]),
    enabled=st.booleans(),
)
@settings(max_examples=examples(60))
def test_what_is_written_is_read_back(
    name: str, prompt: str, contains: tuple[str, ...], kind: EventKind, enabled: bool
):
    name, prompt = " ".join(name.split()), prompt.strip()
    if not name or not prompt:
        return
    rule = Filter() if kind is EventKind.NEW_PERSON else Filter(contains=contains)
    if kind in {EventKind.EMAIL_RECEIVED, EventKind.EMAIL_SENT}:
        rule = Filter(contains=contains, subject=contains, label=contains, author="@x.example")
    trigger = Trigger(name, kind, prompt, rule, "c1", 30, enabled)
    assert (
        read_trigger(write_trigger(trigger, "ann"), FILE, "ann", mail=True, calendar=True)
        == trigger
    )


def test_meetings_are_waited_for_where_something_knows_them():
    text = "---\nname: Prepare\nevent: meeting_prep\n---\nBring the numbers."
    assert read_trigger(text, FILE).event is EventKind.MEETING_PREP
    assert (
        read_trigger(text, FILE, calendar=True, unsent={EventKind.MEETING_PREP}).prompt
        == "Bring the numbers."
    )
    with pytest.raises(DefinitionError, match="meeting_prep needs meetings or a calendar, which"):
        read_trigger(text, FILE, unsent={EventKind.MEETING_PREP})
    polls = text.replace("meeting_prep", "poll_ended")
    assert read_trigger(polls, FILE).event is EventKind.POLL_ENDED
    with pytest.raises(DefinitionError, match="line 3: event: poll_ended needs the plug-in polls"):
        read_trigger(polls, FILE, unsent={EventKind.POLL_ENDED})


@given(st.text(max_size=400))
@settings(max_examples=examples(60))
def test_a_text_is_a_trigger_or_is_refused(text: str):
    for given_text in (text, f"---\n{text}\n---\nDo it."):
        with suppress(DefinitionError):
            assert read_trigger(given_text, FILE).prompt


def test_emoji_are_the_same_with_colons_skin_tones_and_variants():
    assert plain_emoji(":+1::skin-tone-3:") == plain_emoji("+1")
    assert plain_emoji("👍🏽") == plain_emoji("👍")
    assert fits_emoji(Filter(emoji=("❤",)), "❤\ufe0f")
    assert not fits_emoji(Filter(emoji=("eyes",)), "tada")
    assert fits_emoji(Filter(), "tada")


def test_words_and_pattern_both_have_to_fit():
    rule = Filter(contains=("Bug", "crash"), matches=r"v\d+")
    assert fits_text(rule, "a BUG in v2")
    assert not fits_text(rule, "a bug")
    assert not fits_text(rule, "v2")


def test_a_slug_is_small_letters_digits_and_hyphens():
    assert slug_of("Übersicht: Open todos!") == "ubersicht-open-todos"
    assert slug_of("日本") == "schedule"
