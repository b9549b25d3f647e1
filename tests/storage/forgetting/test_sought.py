"""Which texts are meant by words, and that nothing of them is left in what is cut."""

import json
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from bot.storage.forgetting.sought import FORGOTTEN, Sought

WORDS = st.sampled_from(["Zebra", "schnäuzel", "HIV", "diagnosis", "北京饭店", "Ünlü", "naïve"])
AROUND = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(WORDS, WORDS, AROUND, AROUND, st.integers(0, 3))
def test_every_spelling_is_found_and_cut(
    one: str, other: str, before: str, after: str, levels: int
) -> None:
    text = f"{before} {one.upper()} and {other} {after}"
    for _ in range(levels):
        text = json.dumps({"text": text})
    sought = Sought.of(f"{one} {other}")
    assert sought.names(text)
    assert sought.names(quote(text))
    cut = sought.cut(text)
    assert not sought.touches(cut.replace(FORGOTTEN, ""))


def test_all_words_are_wanted_and_short_ones_whole() -> None:
    sought = Sought.of("my HIV diagnosis")
    assert sought.names("The hiv diagnosis came on Monday.")
    assert not sought.names("The diagnosis came.")
    assert not sought.names("The archive has a diagnosis.")
    assert Sought.of("zebra").names("https://example.com/myzebras.png")


def test_other_lines_stay() -> None:
    text = "milk\nthe zebra runs\r\nbread\n"
    assert Sought.of("zebra").cut(text) == f"milk\n{FORGOTTEN}\r\nbread\n"
    assert Sought.of("zebra").without_lines(text) == "milk\nbread\n"
    assert Sought.of("lion").cut(text) == text


@given(st.binary(max_size=60), WORDS)
def test_a_line_of_a_log_keeps_its_length(noise: bytes, word: str) -> None:
    data = noise.replace(b"\n", b" ") + f" {word} said".encode()
    line = data.decode("utf-8", "surrogateescape")
    sought = Sought.of(word)
    crossed = sought.overwritten(line)
    assert not sought.names(crossed)
    assert len(crossed.encode("utf-8", "surrogateescape")) == len(data)
