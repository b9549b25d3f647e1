"""Scripts that run in pages: they find what Playwright's snapshot leaves out, and scroll.

Pages can lie to each of them. The network limits what can be sent, not they. Those of more than a
few lines stand in `scripts/`.
"""

from pathlib import Path


def _script(name: str) -> str:
    return (Path(__file__).parent / "scripts" / f"{name}.js").read_text(encoding="utf-8")


EARLY = _script("early")
"""Before a page's own scripts: closed shadow roots open, and short messages are kept."""

SAID = "() => (window.__bellhopSaid || []).splice(0)"

BUSY = """() => document.readyState === 'loading' || [...document.querySelectorAll(
  '[aria-busy=true], progress:not([value]), [role=progressbar]:not([aria-valuenow])')].some(one =>
  one.getClientRects().length > 0)"""

HINT = _script("hint")
"""What stands for the name of an element that has none, such as its icon; and its value."""

SECRETS = """() => [...document.querySelectorAll('input[type=password]')]
  .slice(0, 20).map(one => one.value)"""

EXTRAS = _script("extras")
"""Elements that can be used though the accessibility tree does not show them as such."""

FACTS = _script("facts")
"""What an element is in its document."""

_LISTS = _script("lists")
"""The lists of a page that scroll, the largest first: it stands in the scripts that scroll."""
BELOW = f"() => {{ {_LISTS} return lists().some(one => left(one) > 40) }}"
SCROLL = _script("scroll").replace("/* lists.js */", _LISTS)
FIND = _script("find").replace("/* lists.js */", _LISTS)
"""Scrolls one list after the other until words show."""

LABEL_OF = "element => element.labels && element.labels[0] || element.closest('label')"
