"""A browser that doesn't answer is tried once more, and then it is an error of the call."""

import logging
import socket

import pytest

from bot.errors import ToolError
from bot.plugins.browser.chromium import Chromium
from bot.plugins.browser.guard import BrowserGuard
from bot.plugins.browser.settings import BrowserSettings
from bot.web.client import WebClient
from bot.web.settings import WebSettings


async def test_a_browser_that_never_answers_is_tried_twice(caplog: pytest.LogCaptureFixture):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        chromium = Chromium(BrowserSettings(chromium=address), start_s=0.2)
        with caplog.at_level(logging.WARNING), pytest.raises(ToolError, match="can't be started"):
            await chromium.context(BrowserGuard(WebClient(WebSettings())), None)
        await chromium.close()
    said = [text.message.rsplit("| ", 1)[1] for text in caplog.records if "browser" in text.name]
    assert said == ["the browser didn't answer, trying again", "the browser can't be started"]
