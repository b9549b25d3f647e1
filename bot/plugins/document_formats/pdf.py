"""PDF: one section for each page. Scripts and attachments of the file are never looked at."""

import io
import logging
from typing import Any

import pypdf
from pypdf.errors import PyPdfError

from bot.plugin.readers import (
    BROKEN,
    DocumentSection,
    FoundText,
    Picture,
    ReadingLimits,
    UnreadableDocument,
)
from bot.plugins.document_formats.bounds import LOCKED
from bot.plugins.document_formats.pictures import EDGE, shrunk

MOST_PICTURES = 6
"""Of pages without text."""
_FEW = 8
"""A page with fewer letters is a picture, perhaps with a number."""
SCANNED = "its pages are pictures without text; run text recognition over it and add it again"


def read_pdf(data: bytes, limits: ReadingLimits) -> FoundText:
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableDocument(LOCKED)
        count, most = len(reader.pages), limits.pages
        found: list[DocumentSection] = []
        for number in range(1, min(count, most) + 1):
            if limits.is_late:
                break
            text = reader.pages[number - 1].extract_text()
            found.append(DocumentSection(f"page {number}", text))
    except UnreadableDocument:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise UnreadableDocument(BROKEN.format("PDF")) from error
    has_text = any(section.text.strip() for section in found)
    bare: list[int] = []
    if limits.whole:
        few = (at for at, section in enumerate(found) if len(section.text.strip()) < _FEW)
        bare = [at for at in few if _has_picture(reader.pages[at])]
    elif found and not has_text:
        raise UnreadableDocument(SCANNED)
    read = len(found)
    notes = [f"only the first {read:,} of {count:,} pages were read"] if count > read else []
    pictures = [
        picture
        for at in bare[:MOST_PICTURES]
        if (picture := _page(reader.pages[at], found[at].place)) is not None
    ]
    if len(bare) > len(pictures):
        shown = f", and {len(pictures)} of them are shown" if pictures else ""
        notes.append(f"{len(bare)} of its {count:,} pages are pictures without text{shown}")
    if bare and not pictures and not has_text:
        raise UnreadableDocument(SCANNED)
    return FoundText(found, "; ".join(notes), pictures)


def _has_picture(page: Any) -> bool:
    try:
        return bool(page.images.keys())
    except Exception:  # noqa: BLE001 - of a hostile file
        return False


def _page(page: Any, place: str) -> Picture | None:
    """The largest picture of a scanned page; None if it can't be read."""
    try:
        images: list[Any] = [one.image for one in page.images if one.image is not None]
        largest = max(images, key=_area)
        if max(largest.size) < EDGE // 8:
            return None
        rotated = int(page.rotation or 0)
        return shrunk(largest.rotate(-rotated, expand=True) if rotated else largest, place)
    except Exception:  # noqa: BLE001 - decoders of many kinds raise whatever they like
        return None


def _area(image: Any) -> int:
    return int(image.width) * int(image.height)
