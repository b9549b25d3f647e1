"""Web pages and RTF."""

from typing import Any, cast

from bot.plugin.readers import (
    DocumentSection,
    FoundText,
    ReadingLimits,
    line_sections,
    markdown_sections,
    read_page,
)


def read_html(data: bytes, limits: ReadingLimits) -> FoundText:
    """By the headings of the page's own text, without its menus."""
    text = read_page(data, limits.url, limits.charset)["text"]
    return FoundText([DocumentSection("", text)] if limits.whole else markdown_sections(text))


def read_rtf(data: bytes, limits: ReadingLimits) -> FoundText:
    from striprtf import striprtf  # noqa: PLC0415 - only for this kind

    reader = cast("Any", striprtf)  # it has no types
    text = str(reader.rtf_to_text(data.decode("latin-1"), errors="replace"))
    return FoundText([DocumentSection("", text)] if limits.whole else line_sections(text))
