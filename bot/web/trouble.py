"""Errors of web requests, in words for the model."""

from bot.errors import ToolError


class WebError(ToolError):
    """A request failed: no connection, no answer in time, an answer that can't be read."""


class WebRefused(WebError):
    """The guard refuses the address, so a request was not made or not redirected."""
