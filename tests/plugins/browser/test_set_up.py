"""What the operator hears of the browser's set-up, and who else is told that it is missing."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest

from bot.plugin.plugin import Setup
from bot.plugins.browser.plugin import Browser
from bot.plugins.browser.settings import BrowserSettings

HERE = {"enabled": True, "executable": sys.executable}


@pytest.mark.parametrize(
    ("settings", "lacks", "problems", "state"),
    [
        ({}, "set browser.enabled: true", "", ""),
        ({**HERE, "executable": "nowhere"}, "nowhere is not there", "nowhere is not there", ""),
        ({**HERE, "sandbox": False}, "", "runs without its own sandbox", sys.executable),
        ({"enabled": True, "cdp_url": "http://chromium:9222"}, "", "", "http://chromium:9222"),
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
