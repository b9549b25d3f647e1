"""What the operator hears of the browser's set-up, and who else is told that it is missing."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from bot.errors import ToolError
from bot.plugin.plugin import Setup
from bot.plugins.browser.guard import own_address
from bot.plugins.browser.plugin import Browser
from bot.plugins.browser.settings import BrowserSettings

HERE = {"enabled": True, "chromium": sys.executable}


@pytest.mark.parametrize(
    ("settings", "lacks", "problems", "state"),
    [
        ({}, "set browser.enabled: true", "", ""),
        ({**HERE, "chromium": "nowhere"}, "nowhere is not there", "nowhere is not there", ""),
        ({**HERE, "sandbox": False}, "", "runs without its own sandbox", sys.executable),
        ({"enabled": True, "chromium": "http://chromium:9222"}, "", "", "http://chromium:9222"),
    ],
)
def test_what_is_missing_is_named_with_the_way_to_it(
    settings: Mapping[str, Any], lacks: str, problems: str, state: str
):
    setup, browser = Setup(BrowserSettings(**settings), lambda _: ""), Browser()
    steps = [(one.step, one.begun) for one in browser.lacks(setup)]
    assert [begun for _, begun in steps] == ([bool(settings)] if lacks else [])
    for found, wanted in (
        ([step for step, _ in steps], lacks),
        (browser.problems(setup), problems),
    ):
        assert bool(found) == bool(wanted)
        assert all(wanted in one for one in found)
    if state:
        assert browser.state(setup) == state


@pytest.mark.parametrize("endpoint", ["", "http://127.0.0.1:9222", "ws://localhost/devtools"])
def test_a_browser_reaches_bellhop_where_bellhop_reaches_it_from(endpoint: str):
    assert own_address(endpoint) in {"127.0.0.1", "::1"}


def test_a_browser_at_no_host_is_named():
    with pytest.raises(ToolError, match=r"the browser at a\.\.b can't be reached"):
        own_address("http://a..b:9222")


@pytest.mark.parametrize("wrong", ["ftp://chromium:9222", "http://"])
def test_an_endpoint_is_an_address(wrong: str):
    with pytest.raises(ValidationError, match=r"like http://127\.0\.0\.1:9222"):
        BrowserSettings(chromium=wrong)
