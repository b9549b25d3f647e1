"""Transcripts as meeting programs write them, and as they come when something went wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ToolError
from bot.plugins.meetings.transcripts import (
    MOST_CHARS,
    Utterance,
    looks_like_transcript,
    read_transcript,
    seconds_of,
)
from tests.thoroughness import examples

VTT = """WEBVTT

NOTE made by a program
that writes two lines

1
00:00:01.000 --> 00:00:04.000
<v Ann Lee>Shall we take the <i>blue</i> one &amp; go on?</v>

intro
00:00:04.500 --> 00:00:06.000 align:start
<v Ben>Yes.</v>

00:00:06.000 --> 00:00:08.000
<v Ben>Blue it is.</v>
"""
SRT = (
    "1\r\n00:00:01,000 --> 00:00:02,000\r\nAnn: Hello\r\n\r\n2\r\n01:02:03,500 --> "
    "01:02:04,000\r\nBen: Bye\r\n"
)


def test_webvtt_with_voices_notes_and_names_of_cues():
    read = read_transcript("standup.vtt", VTT)
    assert read.lines == (
        Utterance("Shall we take the blue one & go on?", "Ann Lee", 1),
        Utterance("Yes. Blue it is.", "Ben", 4),
    )
    assert read.speakers == ("Ann Lee", "Ben")
    assert (
        read.markdown().splitlines()[0] == "[00:00:01] Ann Lee: Shall we take the blue one & go on?"
    )
    assert read.remarks == ()


def test_subrip_with_the_line_ends_of_windows():
    read = read_transcript("a.srt", SRT)
    assert read.lines == (Utterance("Hello", "Ann", 1), Utterance("Bye", "Ben", 3723))
    assert read.minutes == 62


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[00:01:05] Ann: hello", Utterance("hello", "Ann", 65)),
        ("00:05 Ann Lee: hello", Utterance("hello", "Ann Lee", 5)),
        ("**Ann:** hello", Utterance("hello", "Ann")),
        ("Ann Lee  0:12\nhello", Utterance("hello", "Ann Lee", 12)),
        ("Søren Ünal: hej", Utterance("hej", "Søren Ünal")),
        ("we talked about the roof", Utterance("we talked about the roof")),
        ("What I want to say is this: no", Utterance("What I want to say is this: no")),
    ],
)
def test_plain_text_in_the_ways_of_several_programs(text: str, line: Utterance):
    assert read_transcript("a.txt", text).lines == (line,)


@pytest.mark.parametrize(
    ("first", "title", "when"),
    [
        ("Garden meeting, 2026-11-20 10:00", "Garden meeting", "2026-11-20T10:00"),
        ("# Garden meeting (2026-11-20)", "Garden meeting", "2026-11-20"),
        ("2026-11-20 9:05", "", "2026-11-20T09:05"),
    ],
)
def test_a_first_line_with_a_date_is_the_heading_and_nobodys_words(
    first: str, title: str, when: str
):
    read = read_transcript("meeting.txt", f"\n{first}\nAnn: Hello\nBen: Bye\n")
    assert (read.title, read.when) == (title, when)
    assert read.lines == (Utterance("Hello", "Ann"), Utterance("Bye", "Ben"))


@pytest.mark.parametrize(
    "first", ["Garden meeting, 2026-13-20", "Ann: on 2026-11-20 I think", "Hello 10:00:00 all"]
)
def test_another_first_line_is_no_heading(first: str):
    read = read_transcript("meeting.txt", f"{first}\nBen: Bye\n")
    assert (read.title, read.when) == ("", "")
    assert len(read.lines) == 2


def test_parts_that_are_out_of_order_are_sorted_and_that_is_said():
    parts = [
        f"00:00:{second:02}.000 --> 00:00:{second + 1:02}.000\nAnn: at {second}\n"
        for second in (9, 3, 6)
    ]
    read = read_transcript("a.vtt", "WEBVTT\n\n" + "\n".join(parts))
    assert [line.text for line in read.lines] == ["at 3 at 6 at 9"]
    assert read.remarks == ("its parts were out of order and were sorted by their times",)


def test_times_that_no_clock_shows_and_parts_without_words_are_told():
    text = "WEBVTT\n\n00:00:99.000 --> 00:01:00.000\nBen: lost\n\n00:00:01.000 --> 00:00:02.000\n\n"
    read = read_transcript("a.vtt", text)
    assert read.lines == (Utterance("lost", "Ben"),)
    assert read.remarks == ("1 time could not be read", "1 part had no words")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.vtt", "", "a.vtt is empty; nothing was made of it"),
        ("a.vtt", "\ufeff\n \n", "a.vtt is empty"),
        ("a.srt", "just words", "holds no line with times like 00:01:05.000 --> 00:01:09.000"),
        ("a.vtt", "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n\n", "times but no words"),
        ("a.txt", "x" * (MOST_CHARS + 1), f"a transcript at most {MOST_CHARS}; divide it"),
    ],
)
def test_unreadable_transcripts_are_refused_in_words(name: str, text: str, words: str):
    with pytest.raises(ToolError) as refused:
        read_transcript(name, text)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("a.vtt", "", True),
        ("A.SRT", "whatever", True),
        ("talk.txt", "Ann: a\nBen: b\nAnn: c\nBen: d", True),
        ("readme.md", "# Title\n\nSome words.\n\nMore words.", False),
        ("log.txt", "GET / 200\nGET /a 404\nGET /b 500\nPOST / 200", False),
        ("photo.png", "Ann: a\nBen: b\nAnn: c\nBen: d", False),
    ],
)
def test_which_files_are_taken_for_transcripts(name: str, text: str, is_one: bool):
    assert looks_like_transcript(name, text) is is_one


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=40),
            st.sampled_from(
                [
                    "WEBVTT",
                    "",
                    "1",
                    "00:00:01.000 --> 00:00:02.000",
                    "99:99 --> 1",
                    "Ann: hi",
                    "NOTE",
                    "-->",
                ]
            ),
        ),
        max_size=30,
    ),
    st.sampled_from(["a.vtt", "a.srt", "a.txt"]),
)
def test_any_input_is_read_in_order_of_time_or_refused(parts: list[str], name: str):
    try:
        read = read_transcript(name, "\n".join(parts))
    except ToolError:
        return  # in words, as the test above reads them
    assert read.lines
    assert all(line.text.strip() for line in read.lines)
    if any("-->" in part for part in parts):
        times = [line.at for line in read.lines if line.at is not None]
        assert times == sorted(times)


@pytest.mark.parametrize(
    ("text", "seconds"), [("01:02:03.500", 3723), ("75:00", 4500), ("1:75:00", None), ("x", None)]
)
def test_seconds(text: str, seconds: int | None):
    assert seconds_of(text) == seconds
