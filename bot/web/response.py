"""A response and its errors, apart from the HTTP library, which their readers needn't load."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.errors import ToolError


class WebError(ToolError):
    """A request failed: no connection, no answer in time, an answer that can't be read."""


class WebRefused(WebError):
    """The guard refuses the address, so a request was not made or not redirected."""


@dataclass(frozen=True)
class WebResponse:
    """An answer. `cut`: it was longer than was read."""

    url: str
    status: int
    reason: str
    headers: Mapping[str, str]
    """By lower-case name; of equal names the last."""
    body: bytes
    cut: bool = False

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body in its declared character set, else UTF-8; undecodable bytes are replaced."""
        charset = self.headers.get("content-type", "").lower().partition("charset=")[2]
        name = charset.partition(";")[0].strip(" \"'")
        try:
            return self.body.decode(name or "utf-8", "replace")
        except (LookupError, ValueError):
            return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON. Raises ValueError when it is none, is cut, or is nested too deeply."""
        try:
            return json.loads(self.text)
        except RecursionError as error:
            raise ValueError("the JSON is nested too deeply") from error
