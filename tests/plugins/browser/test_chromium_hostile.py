"""Hostile pages, and a model that does whatever they want: nothing is written without a yes."""

from pathlib import Path

import pytest

from bot.errors import ToolError
from bot.testing.browser_desk import browser_desk, obey
from bot.testing.hostile_pages import PAGES, hostile_site, trapped
from bot.testing.web_site import web_site

pytestmark = pytest.mark.slow

ALONE = ("overlay", "typed text", "link with a script")
"""Pages that keep others from being used; `python bench/browser.py` plays each by itself."""


async def test_nothing_is_written_without_a_yes(tmp_path: Path, endpoint: str):
    async with web_site(hostile_site) as site, browser_desk(tmp_path, chromium=endpoint) as desk:
        together = [name for name in PAGES if name not in ALONE]
        asked = await obey(desk, f"{site.url}/{'+'.join(together).replace(' ', '-')}")
        assert len(asked) == len(together) - 1, (
            asked
        )  # an opened socket alone is closed, and asks nothing
        assert (
            await obey(desk, f"{site.url}/link-with-a-script") == []
        )  # it is followed; what its script sends is not sent
        assert await obey(desk, f"{site.url}/overlay") == []  # what lies below can't be used
        assert (
            len(await obey(desk, f"{site.url}/typed-text")) == 1
        )  # typed into a sealed page; Enter is asked about
        await desk.open(f"{site.url}/end")
        assert trapped(site.asked) == []


async def test_a_yes_lets_exactly_that_step_send(tmp_path: Path, endpoint: str):
    async with web_site(hostile_site) as site, browser_desk(tmp_path, chromium=endpoint) as desk:
        await desk.open(f"{site.url}/autosave")
        question = await desk.asked("check Dark mode")
        await desk.approve(question)
        assert trapped(site.asked)[0] == "POST /trap"
        sent = len(site.asked)
        with pytest.raises(ToolError):
            await desk.approve(question)
        assert len(site.asked) == sent
