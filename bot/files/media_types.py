"""Media types of text files by the endings of their names."""

_TYPES = {
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "htm": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "xml": "application/xml",
    "svg": "image/svg+xml",
    "ics": "text/calendar",
}


def media_type_of(name: str) -> str:
    """The media type of a text file, `text/plain` unless its ending says more."""
    return _TYPES.get(name.rpartition(".")[2].casefold(), "text/plain")
