"""Elements that the accessibility tree leaves out, and names for those that have none."""

import asyncio
from contextlib import suppress

from playwright.async_api import Error, Frame, Locator, Page

from bot.plugins.browser.page_scripts import SECRETS, script
from bot.plugins.browser.snapshot import NAME_CHARS, TYPED, PageNode, PageSnapshot

_FRAMES = 12
_UNNAMED = 40
_LOOK_S = 8.0


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
                bare = [one for one in snapshot.usable() if _lacks_something(one)][:_UNNAMED]
                await asyncio.gather(*(_fill(one, page) for one in bare))
                secret: set[str] = set()
                for number, frame in enumerate(page.frames[:_FRAMES]):
                    snapshot.root.children += await self._of(frame, number)
                    secret |= await _secrets(frame)
                for node in snapshot.usable() if secret else ():
                    if node.method == "type" and node.text in secret:
                        node.text = "•••"

    async def _of(self, frame: Frame, number: int) -> list[PageNode]:
        nodes: list[PageNode] = []
        with suppress(Error, ValueError, TypeError):
            for ref, role, name, marks in await frame.evaluate(script("extras"), number):
                label = " ".join(str(name).split())[:NAME_CHARS]
                node = PageNode(str(role), label, str(ref), dict(marks), interactive=True)
                nodes.append(PageNode("paragraph", children=[node]))
                self._found[node.ref] = frame.locator(f"[data-bellhop={node.ref}]").first
        return nodes


def _lacks_something(node: PageNode) -> bool:
    named = node.name if node.role in TYPED or node.role == "iframe" else node.label
    nameless = (node.interactive or node.role == "iframe") and not named
    return nameless or (node.role == "slider" and not node.text)


async def _fill(node: PageNode, page: Page) -> None:
    """A name for an element that has none; a slider's value."""
    with suppress(Error):
        told = await page.locator(f"aria-ref={node.ref}").evaluate(script("hint"), timeout=1_000)
        name, value = (" ".join(str(one).split())[:NAME_CHARS] for one in told)
        node.name = node.name or name
        node.text = value if node.role == "slider" else node.text


async def _secrets(frame: Frame) -> set[str]:
    """What stands in password fields: no result shows it."""
    with suppress(Error):
        return {str(one) for one in await frame.evaluate(SECRETS) if one}
    return set()
