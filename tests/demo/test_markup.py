"""No text of a person becomes a tag, on either platform."""

from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.demo.markup import Names, from_markdown, from_mrkdwn, plain

READERS = (from_markdown, from_mrkdwn)
ALLOWED = {
    "p", "br", "em", "strong", "s", "code", "pre", "a", "ul", "ol", "li", "blockquote", "hr",
    "table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6",
}  # fmt: skip
ATTRIBUTES = {"href", "target", "rel", "class", "start", "style", "title"}


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
    assert not any(link.lower().startswith(("javascript:", "data:text")) for link in tags.links)


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
