"""Removes hidden elements from HTML."""

import re
from typing import Any

_STYLE = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|font-size:0(?![.\d])|max-height:0(?![.\d])"
    r"|opacity:0(?:\.0+)?(?![.\d])"
)
"""In a style without spaces."""


def drop_hidden(tree: Any) -> str:
    """Drop elements marked as hidden from an lxml tree; returns the remaining HTML.

    Rules in style sheets are not followed.
    """
    import lxml.html  # noqa: PLC0415 - only the process with limits parses

    elements: list[Any] = [
        one for one in tree.iter() if isinstance(one.tag, str) and one.tag not in {"html", "body"}
    ]
    for element in elements:
        style = "".join(str(element.get("style") or "").lower().split())
        hidden = element.get("hidden") is not None or _STYLE.search(style)
        if hidden and element.getparent() is not None:
            element.drop_tree()
    written: Any = lxml.html
    return str(written.tostring(tree, encoding="unicode"))
