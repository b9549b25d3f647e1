"""Elements that the accessibility tree leaves out, and names for those that have none."""

import asyncio
from contextlib import suppress

from playwright.async_api import Error, Frame, Locator, Page

from bot.connectors.browser.page_scripts import EXTRAS, HINT
from bot.connectors.browser.snapshot import NAME_CHARS, PageNode, PageSnapshot

_FRAMES = 12
_UNNAMED = 40
_LOOK_S = 3.0


class PageExtras:
    """Editors without a role, boxes behind their labels, buttons in a canvas, what can be dragged.

    Found anew for each snapshot.
    """

    def __init__(self) -> None:
        self._found: dict[str, Locator] = {}

    def locator(self, ref: str) -> Locator | None:
        return self._found.get(ref)

    async def complete(self, snapshot: PageSnapshot, page: Page) -> None:
        """Add to a snapshot what it lacks, as far as the page answers in time."""
        self._found = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_S):
                unnamed = [one for one in snapshot.elements() if not one.label][:_UNNAMED]
                await asyncio.gather(*(_name(one, page) for one in unnamed))
                for number, frame in enumerate(page.frames[:_FRAMES]):
                    snapshot.root.children += await self._of(frame, number)

    async def _of(self, frame: Frame, number: int) -> list[PageNode]:
        nodes: list[PageNode] = []
        with suppress(Error, ValueError, TypeError):
            for ref, role, name, marks in await frame.evaluate(EXTRAS, number):
                label = " ".join(str(name).split())[:NAME_CHARS]
                node = PageNode(str(role), label, str(ref), dict(marks), interactive=True)
                nodes.append(PageNode("paragraph", children=[node]))
                self._found[node.ref] = frame.locator(f"[data-bellhop={node.ref}]").first
        return nodes


async def _name(node: PageNode, page: Page) -> None:
    with suppress(Error):
        told = await page.locator(f"aria-ref={node.ref}").evaluate(HINT, timeout=1_000)
        node.name = " ".join(str(told).split())[:NAME_CHARS]
