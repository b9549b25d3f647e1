"""No text of a person becomes a tag, on either platform."""

from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.plugins.demo.markup import Names, from_markdown, from_mrkdwn, plain
from bot.testing.markup_attacks import markup_attacks

READERS = (from_markdown, from_mrkdwn)
ALLOWED = {
    "p", "br", "em", "strong", "s", "code", "pre", "a", "ul", "ol", "li", "blockquote", "hr",
    "table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6",
}  # fmt: skip
LINKED = ("http://", "https://", "mailto:")
ATTRIBUTES = {"href", "target", "rel", "class", "start", "title"}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert {name for name, _ in attrs} <= ATTRIBUTES
        self.links += [value or "" for name, value in attrs if name == "href"]


def nobody(_id: str) -> None:
    return None


@pytest.mark.parametrize("reads", READERS)
@given(
    st.lists(
        st.sampled_from(
            [
                "<script>",
                "</p>",
                "<img src=x onerror=y>",
                "[a](javascript:x)",
                "<@1>",
                "<#C1|x>",
                "![x](http://h/)",
                "<http://a|b>",
                "&lt;b&gt;",
                "`",
                "*",
                "~",
                "\n",
                "<t:1:R>",
                "| a |",
                "[a](data:text/html,x)",
                '"',
                "'",
                "<a href=x>",
                "-# small",
                "http://h/x",
                "&#60;",
                "\\<",
            ]
        )
        | st.text(max_size=8),
        max_size=12,
    )
)
def test_whatever_is_written_no_tag_of_it_is_left(
    reads: Callable[[str, Names], str], parts: list[str]
):
    tags = Tags()
    tags.feed(reads("".join(parts), nobody))
    assert all(link.lower().startswith(LINKED) for link in tags.links)


@pytest.mark.parametrize("reads", READERS)
def test_no_attack_becomes_a_tag_or_leads_to_a_script(reads: Callable[[str, Names], str]):
    for attack in markup_attacks():
        tags = Tags()
        tags.feed(reads(attack, lambda _, name=attack: name))
        assert all(link.lower().startswith(LINKED) for link in tags.links), attack


def test_a_column_keeps_its_side_without_a_style():
    html = from_markdown("| a | b |\n|:-:|--:|\n| 1 | 2 |", nobody)
    assert '<th class="center">a</th>' in html
    assert '<td class="right">2</td>' in html


def test_names_stand_for_ids():
    names = {"U1": "Marek", "12": "Olivia"}.get
    assert "@Marek" in from_mrkdwn("<@U1> *now*", names)
    assert "<strong>now</strong>" in from_mrkdwn("<@U1> *now*", names)
    assert "@Olivia" in from_markdown("<@12>", names)
    assert plain("<@12>\nhello", names) == "@Olivia hello"


def test_a_link_of_slack_keeps_its_words():
    html = from_mrkdwn("see <https://example.org/a|the page>", nobody)
    assert 'href="https://example.org/a"' in html
    assert ">the page</a>" in html


@pytest.mark.parametrize("reads", READERS)
def test_an_address_in_a_text_is_a_link(reads: Callable[[str, Names], str]):
    html = reads("go to http://127.0.0.1:1/a_b/c_. `http://no.example`", nobody)
    assert '<a href="http://127.0.0.1:1/a_b/c_"' in html
    assert html.count("<a ") == 1
