"""MCP tool names for models: `mcp__<server>__<tool>`, within the API's limits."""

import hashlib
import re

_FITS = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEPT = 55
"""Characters kept of an unsuitable name, before `_` and eight digits."""


def tool_name(server: str, tool: str) -> str:
    """The name for a server's tool; it never changes, and different tools have different names.

    A name that is too long or has other characters ends in a hash of the original instead.
    """
    plain = f"mcp__{server}__{tool}"
    if _FITS.fullmatch(plain):
        return plain
    digest = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "replace")).hexdigest()[:8]
    return f"{re.sub('[^a-zA-Z0-9_-]', '_', plain)[:_KEPT]}_{digest}"
