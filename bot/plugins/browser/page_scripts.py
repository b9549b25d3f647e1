"""Scripts that run in pages: they find what Playwright's snapshot leaves out, and scroll.

Pages can lie to each of them. The network limits what can be sent, not they. Those of more than a
few lines stand in `scripts/`.
"""

from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

PageScript: TypeAlias = Literal["early", "hint", "extras", "facts", "below", "scroll", "find"]

SAID = "() => (window.__bellhopSaid || []).splice(0)"

BUSY = """() => document.readyState === 'loading' || [...document.querySelectorAll(
  '[aria-busy=true], progress:not([value]), [role=progressbar]:not([aria-valuenow])')].some(one =>
  one.getClientRects().length > 0)"""

SECRETS = """() => [...document.querySelectorAll('input[type=password]')]
  .slice(0, 20).map(one => one.value)"""

LABEL_OF = "element => element.labels && element.labels[0] || element.closest('label')"


@cache
def script(name: PageScript) -> str:
    """A script of `scripts/`, read with its first use.

    - `early` runs before a page's own: closed shadow roots open, and short messages are kept.
    - `hint` is what stands for the name of an element without one, such as its icon; and its value.
    - `extras` are elements that can be used though the accessibility tree does not show them so.
    - `facts` tells what an element is in its document.
    - `below`, `scroll` and `find` scroll the lists of a page, the largest first: whether one goes
      on, the first that does, and one after the other until words show.
    """
    return _text(name).replace("/* lists.js */", _text("lists"))


def _text(name: str) -> str:
    return (Path(__file__).parent / "scripts" / f"{name}.js").read_text(encoding="utf-8")
