"""Steps as exact lines, pages as text, and guesses of writing steps, without a browser."""

import asyncio
import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ToolError
from bot.plugins.browser.elements import ElementFacts, effect_of
from bot.plugins.browser.guard import BrowserGuard
from bot.plugins.browser.snapshot import PageNode, read_snapshot
from bot.plugins.browser.steps import (
    BrowserStep,
    Verb,
    read_exact,
    read_keys,
    read_simple,
    step_on,
)
from bot.plugins.browser.wording import checked, named_step
from bot.testing.browser_desk import LOOPBACK
from bot.testing.web_site import answer, web_site
from bot.web.client import WebClient
from tests.thoroughness import examples

SNAPSHOT = """- generic [active] [ref=e1]:
  - heading "News: \\"today\\"" [level=1] [ref=e2]
  - paragraph [ref=e3]:
    - text: "Some: text"
    - link "a link" [ref=e4] [cursor=pointer]:
      - /url: /x?y=1
  - combobox "Size" [ref=e8]:
    - option "Small" [selected]
    - option "Large"
  - checkbox "agree" [checked] [ref=e10]
  - textbox "Name" [ref=e7]: Ann
  - button "Buy" [ref=e11]
  - button "Buy" [ref=e12]
  - generic [ref=e13] [cursor=pointer]: fake
  - 'img "It''s: here" [ref=e24]'
  - table [ref=e16]:
    - row [ref=e18]:
      - cell "1" [ref=e22]
      - cell "2" [ref=e23]
"""
PAGE = read_snapshot("https://shop.example/", "Shop", SNAPSHOT)


def test_a_page_reads_in_order_with_its_elements():
    assert PAGE.text() == (
        '# News: "today"\nSome: text {e4 a link}\n{e8 combobox Size (= Small)} {e10 checkbox agree '
        "(checked)}"
        " {e7 textbox Name (= Ann)} {e11 button Buy} {e12 button Buy} {e13 element fake} [image: "
        "It's: here]\n1 | 2"
    )
    assert "{e4 a link </x?y=1>}" in PAGE.text(links=True)
    assert [one.ref for one in PAGE.elements()] == ["e4", "e8", "e10", "e7", "e11", "e12", "e13"]


@settings(max_examples=examples(60))
@given(st.text(alphabet=" -\"':[]{}=\\\n\tabe1", max_size=200))
def test_any_snapshot_can_be_read(text: str):
    assert isinstance(read_snapshot("", "", text).text(), str)


def test_a_deep_page_takes_no_deep_stack():
    deep = "\n".join(f"{'  ' * level}- generic [ref=e{level}]: x" for level in range(3_000))
    assert read_snapshot("", "", deep).text().count("x") == 3_000


words = st.text(min_size=1, max_size=40)


@settings(max_examples=examples(60))
@given(st.sampled_from([Verb.CLICK, Verb.TYPE, Verb.CHECK]), words, words, st.integers(1, 30))
def test_a_line_is_read_back_as_the_same_step(verb: Verb, name: str, value: str, nth: int):
    step = BrowserStep(
        verb, value if verb is Verb.TYPE else "", "button", name, nth, "shop.example"
    )
    assert read_exact(step.line) == step


@settings(max_examples=60)
@given(words, words, st.integers(1, 30), st.integers(1, 30))
def test_a_drag_is_read_back_with_both_its_ends(name: str, onto: str, nth: int, to: int):
    step = BrowserStep(
        Verb.DRAG, "", "draggable", name, nth, "a.example", "", "region", onto, to, ""
    )
    assert read_exact(step.line) == step


def test_keys_may_be_pressed_several_times_and_no_others():
    assert read_keys("ArrowDown") == ("ArrowDown", 1)
    assert read_keys("ArrowDown*12") == ("ArrowDown", 12)
    for wrong in ("", "F5", "Control+W", "ArrowDown*0", "ArrowDown*99", "Enter*x", "*3"):
        assert read_keys(wrong) == ("", 0)


def test_a_model_gets_no_text_and_no_document_that_the_action_does_not_hold():
    field = PageNode("textbox", "Name", "e7")
    for verb in (Verb.TYPE, Verb.UPLOAD):
        step = step_on(field, verb, "secret", PAGE, "h")
        checked(step, "put secret in it", field, ElementFacts())
        with pytest.raises(ToolError, match="say in the action"):
            checked(step, "fill it in", field, ElementFacts())
    day = step_on(field, Verb.TYPE, "2027-03-14", PAGE, "h")
    checked(day, "on 14 March 2027", field, ElementFacts(type="date"))
    with pytest.raises(ToolError):
        checked(day, "on 14 March 2027", field, ElementFacts(type="text"))


def test_texts_that_only_look_plain_are_offered_by_their_words():
    text = """- list [ref=e1]:
  - listitem [ref=e2]: Green
  - listitem [ref=e3]: Red
  - button "Green" [ref=e4]
"""
    page = read_snapshot("", "", text)
    assert [one.ref for one in page.others("choose green")] == ["e2"]


@pytest.mark.parametrize(
    "name", ['Pay" on other.example', "x #2 on a.example", '" on b.example\nclick']
)
def test_no_name_of_an_element_changes_what_a_line_says(name: str):
    step = BrowserStep(Verb.CLICK, "", "button", name, 1, "shop.example")
    found = read_exact(step.line)
    assert found is not None
    assert (found.host, found.name) == ("shop.example", name)


def test_words_and_ids_name_elements():
    assert read_simple("click e12", PAGE, "h") == BrowserStep(
        Verb.CLICK, "", "button", "Buy", 2, "h", "e12"
    )
    assert read_simple("scroll down.", PAGE, "h") == BrowserStep(Verb.SCROLL, "down")
    assert read_simple("click e99", PAGE, "h") is None
    typed = named_step('type "Bo" into the Name field', PAGE, "h")
    assert typed is not None
    assert (typed.verb, typed.value, typed.ref) == (Verb.TYPE, "Bo", "e7")
    assert named_step("click the Buy button", PAGE, "h") is None  # two have this name
    linked = named_step("click a link", PAGE, "h")
    assert linked is not None
    assert linked.ref == "e4"


def judged(role: str, name: str, verb: Verb = Verb.CLICK, value: str = "", **facts: object) -> bool:
    node = PageNode(role, name, "e1", {})
    step = step_on(node, verb, value, PAGE, "shop.example")
    return bool(effect_of(step, node, ElementFacts.model_validate(facts)).writes)


def test_writing_steps_are_asked_about():
    link: dict[str, Any] = {"href": "https://shop.example/orders"}
    assert not judged("link", "My orders", **link)
    assert not judged("button", "Show more")
    assert not judged(
        "button", "Search", submits=True, method="get", action="https://shop.example/find"
    )
    assert not judged("textbox", "Name", Verb.PRESS, "Tab")
    assert judged("link", "Delete account", **link)
    assert judged("link", "Next", href="https://shop.example/?logout=1")
    assert judged("link", "News", href="javascript:pay()")
    assert judged("link", "News", scripted=True, **link)
    assert not judged("button", "Go")  # what it makes the page send waits at the door
    assert not judged("button", "Apply")
    assert judged("button", "Apply for the post")
    assert judged("button", "Pay now")
    assert judged("generic", "Delete all")
    assert judged("button", "Show more", submits=True, method="post")
    assert judged(
        "button", "Search", submits=True, method="get", action="https://a.example", password=True
    )
    assert judged("textbox", "Name", Verb.PRESS, "Enter", method="post")
    assert judged("button", "File", type="file")


async def test_the_guard_lets_nobody_else_through_and_seals():
    async def ask(guard: BrowserGuard, url: str, password: str) -> bytes:
        host, port = guard.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        key = base64.b64encode(f"bellhop:{password}".encode()).decode()
        writer.write(
            f"GET {url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic {key}\r\n\r\n".encode()
        )
        told = await reader.read()
        writer.close()
        await writer.wait_closed()
        return told

    guard = BrowserGuard(WebClient(LOOPBACK))
    await guard.start()
    async with web_site(lambda asked: answer(json.dumps(dict(asked.headers)))) as site:
        assert (await ask(guard, site.url, "guessed")).startswith(b"HTTP/1.1 407")
        told = await ask(guard, site.url, guard.password)
        assert b"200 OK" in told
        assert b"proxy-authorization" not in told
        assert b"not on the public internet" in await ask(guard, "http://10.0.0.1/", guard.password)
        guard.sealed = True
        assert (await ask(guard, site.url, guard.password)).startswith(b"HTTP/1.1 403")
        guard.sealed = False
        guard.may_reach = lambda host: host == "elsewhere.example"
        assert b"may be reached now" in await ask(guard, site.url, guard.password)
    assert len(site.asked) == 1
    await guard.close()
