"""Moves through a page to see more of it; nothing here touches an element."""

import asyncio
from contextlib import suppress
from typing import cast

from playwright.async_api import Error, Page

from bot.plugins.browser.page_scripts import SAID, script

_FIND_S = 25.0
_SAID = 3
_ANSWER_S = 5.0


async def said(page: Page | None) -> list[str]:
    """Short messages that a page showed since the last call, such as a toast."""
    if page is None:
        return []
    with suppress(Error, TimeoutError, TypeError):
        async with asyncio.timeout(_ANSWER_S):
            told = cast("list[object]", await page.evaluate(SAID))
            return [str(one)[:200] for one in told][-_SAID:]
    return []


async def below(page: Page) -> bool:
    """Whether a list or the page can be scrolled further down."""
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(_ANSWER_S):
            return bool(await page.evaluate(script("below")))
    return False


async def scroll(page: Page) -> bool:
    """Go down by most of a screen; False at the end, or where the page does not answer."""
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(_ANSWER_S):
            return bool(await page.evaluate(script("scroll"), arg=True))
    return False


async def find(page: Page, words: str) -> bool:
    """Scroll down, through each list, until the words show; False when they never do."""
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(_FIND_S + _ANSWER_S):
            return bool(await page.evaluate(script("find"), [words[:200], _FIND_S]))
    return False
