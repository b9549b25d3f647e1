"""Does one step on a page with real clicks and keys, and copes with elements that hide or move."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass

from playwright.async_api import Error, FilePayload, Locator, Page

from bot.plugin.tools import ToolError
from bot.plugins.browser.elements import ElementFacts
from bot.plugins.browser.page_scripts import LABEL_OF, script
from bot.plugins.browser.steps import BrowserStep, Verb, read_keys

_REACH_MS = 8_000
"""How long an element may be covered or move before a click is abandoned."""
_TRY_MS = 1_500
_TYPED_CHARS = 300
"""Longer text is put in at once; shorter text comes key by key, which widgets listen to."""
_WHOLE = frozenset({"date", "time", "month", "week", "datetime-local", "color", "range"})
"""Fields that take a whole value, and no keys."""
_SLIDES = 200
_TYPING_REST_S = 0.4
"""Pages look up suggestions a moment after the last key."""
_CENTRE = "element => element.scrollIntoView({block: 'center', inline: 'center'})"
_CHANGED = "element => element.dispatchEvent(new Event('change', {bubbles: true}))"
_BOX = "element => element.getClientRects().length > 0 && !element.closest('canvas')"
_COVER = re.compile(r"(<[^>\n]{1,120}>).{0,400}?intercepts pointer events", re.DOTALL)


@dataclass(frozen=True)
class UploadFile:
    """A document as a page gets it."""

    name: str
    data: bytes


async def do(
    step: BrowserStep,
    page: Page,
    element: Locator | None,
    onto: Locator | None,
    facts: ElementFacts,
    file: UploadFile | None,
) -> None:
    """Raises the browser's errors, and ToolError."""
    if step.verb is Verb.SCROLL:
        await page.evaluate(script("scroll"), step.value == "down")
        return
    if step.verb is Verb.BACK:
        await page.go_back(wait_until="domcontentloaded")
        return
    if element is None:
        raise TypeError(f"{step.verb} needs an element")
    if onto is not None:
        await element.drag_to(onto, timeout=_REACH_MS)
    elif file is not None:
        await _upload(page, element, file, facts)
    else:
        await _use(step, page, element, facts)


async def _use(step: BrowserStep, page: Page, element: Locator, facts: ElementFacts) -> None:
    match step.verb:
        case Verb.CLICK:
            await _click(page, element, facts)
        case Verb.TYPE:
            await _type(page, element, step.value, facts)
        case Verb.CHOOSE:
            await _choose(page, element, step.value, facts)
        case Verb.CHECK | Verb.UNCHECK:
            await _check(page, element, facts, on=step.verb is Verb.CHECK)
        case Verb.PRESS:
            await _press(page, element, step.value)
        case _:
            await element.hover(timeout=_REACH_MS)


async def _click(page: Page, element: Locator, facts: ElementFacts) -> None:
    if facts.disabled:
        await _leave_field(page, element)
    if not await element.evaluate(_BOX):
        # It has no place of its own, as within a canvas.
        await element.evaluate("element => element.click()")
        return
    try:
        await element.click(timeout=_REACH_MS)
    except Error as error:
        if "intercepts pointer events" not in str(error) and "viewport" not in str(error):
            raise
        await element.evaluate(_CENTRE)
        try:
            await element.click(timeout=_TRY_MS)
        except Error as again:
            cover = _COVER.search(str(again))
            raise ToolError(
                f"another element lies over it{f' ({cover[1]})' if cover else ''}, so it can't be "
                "used; close that first, such as a banner or a dialog"
            ) from again


async def _leave_field(page: Page, element: Locator) -> None:
    """Some fields check their text only when they are left. Raises ToolError."""
    await page.evaluate("() => document.activeElement && document.activeElement.blur()")
    for _ in range(8):
        if await element.is_enabled():
            return
        await asyncio.sleep(0.15)
    raise ToolError("it is disabled; something on the page has to be filled in or chosen first")


async def _type(page: Page, element: Locator, text: str, facts: ElementFacts) -> None:
    if facts.role == "slider" and facts.type != "range":
        await _slide(element, text)
    elif facts.type in _WHOLE or "\n" in text or len(text) > _TYPED_CHARS:
        await element.fill(text)
    elif facts.tag in {"input", "textarea"} or facts.editable:
        await element.fill("")
        await element.press_sequentially(text)
        await element.evaluate(_CHANGED)  # else it comes when the field is left
    else:
        await element.click(timeout=_REACH_MS)  # a widget that opens a field of its own
        await page.keyboard.type(text)
    await asyncio.sleep(_TYPING_REST_S)


async def _slide(element: Locator, wanted: str) -> None:
    """Move a slider by its keys. Raises ToolError."""
    try:
        goal = float(wanted)
    except ValueError as error:
        raise ToolError("a slider takes a number") from error
    await element.focus()
    last = ""
    for _ in range(_SLIDES):
        now = await element.get_attribute("aria-valuenow") or ""
        if float(now or 0) == goal:
            return
        if now == last:
            break
        last = now
        await element.press("ArrowRight" if float(now or 0) < goal else "ArrowLeft")
    raise ToolError(f"the slider can't be set to {wanted[:20]}; it stands at {last}")


async def _choose(page: Page, element: Locator, wanted: str, facts: ElementFacts) -> None:
    if facts.tag == "select":
        await element.select_option(label=wanted, timeout=_REACH_MS)
        return
    option = element.get_by_role("option", name=wanted, exact=True)
    if not await option.count():
        await element.click(timeout=_REACH_MS)
        option = page.get_by_role("option", name=wanted, exact=True)
        with suppress(Error):
            await option.first.wait_for(state="visible", timeout=_TRY_MS)
    if await option.count():
        await option.first.click(timeout=_REACH_MS)
        return
    offered = [" ".join(one.split()) for one in await page.get_by_role("option").all_inner_texts()]
    told = f"it has: {', '.join(offered)[:400]}" if offered else "see what it shows now"
    raise ToolError(f"it is open, but has no option “{wanted[:80]}”; {told}")


async def _check(page: Page, element: Locator, facts: ElementFacts, *, on: bool) -> None:
    """A box that is hidden behind its label is ticked by the label."""
    if facts.boxed:
        try:
            await element.set_checked(on, timeout=_TRY_MS)
        except Error:
            pass
        else:
            return
    if await element.is_checked() == on:
        return
    if facts.tag != "input":
        await element.click(timeout=_REACH_MS)
        return
    label = (await element.evaluate_handle(LABEL_OF)).as_element()
    if label is None:
        raise ToolError("the box is hidden and has no label")
    await label.click(timeout=_REACH_MS)


async def _press(page: Page, element: Locator, keys: str) -> None:
    key, times = read_keys(keys)
    await element.press(key)
    for _ in range(times - 1):
        await page.keyboard.press(key)


async def _upload(page: Page, element: Locator, file: UploadFile, facts: ElementFacts) -> None:
    payload = FilePayload(name=file.name, mimeType="", buffer=file.data)
    if facts.type == "file":
        await element.set_input_files(payload)
        return
    async with page.expect_file_chooser(timeout=_REACH_MS) as choosing:
        await element.click(timeout=_REACH_MS)
    await (await choosing.value).set_files(payload)
