"""Media types of files by the endings of their names."""

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
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "pdf": "application/pdf",
    "zip": "application/zip",
}


def media_type_of(name: str) -> str:
    """The media type of a file, `text/plain` unless its ending says more."""
    return _TYPES.get(name.rpartition(".")[2].casefold(), "text/plain")
