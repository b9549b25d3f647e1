"""Markdown as a PDF, with letters of most of the world's alphabets."""

import re
from html import escape
from pathlib import Path
from typing import Any

from bot.knowledge.making.markdown import parser
from bot.knowledge.making.orders import CantMake, FileOrder, MadeFile

FONTS = Path(__file__).parent / "fonts"
_STYLES = {
    "": "DejaVuSans.ttf",
    "B": "DejaVuSans-Bold.ttf",
    "I": "DejaVuSans-Oblique.ttf",
    "BI": "DejaVuSans-Bold.ttf",
}
_SIZE = 10
_MARGIN_MM = 20
_NAMED = 20
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


_LINK = re.compile(r'<a href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
"""As the renderer above writes it."""


def _with_address(link: re.Match[str]) -> str:
    """On paper nobody can follow a link whose address isn't there."""
    address, words = link[1], link[2]
    shown = address.removeprefix("mailto:")
    return link[0] if words == shown else f"{link[0]} ({shown})"


def made_pdf(order: FileOrder) -> MadeFile:
    from fpdf import FPDF  # noqa: PLC0415 - after the limits
    from fpdf.errors import FPDFException  # noqa: PLC0415
    from fpdf.fonts import FontFace, TextStyle  # noqa: PLC0415

    document: Any = FPDF(format="A4")
    document.set_margin(_MARGIN_MM)
    document.set_auto_page_break(auto=True, margin=_MARGIN_MM)
    document.set_title(order.title)
    for style, file in _STYLES.items():
        document.add_font("Sans", style, FONTS / file)
        document.add_font("Mono", style, FONTS / "DejaVuSansMono.ttf")
    document.add_page()
    document.set_font("Sans", size=_SIZE)
    content = _CONTROL.sub("", order.content)
    missing = sorted({one for one in content if one.isprintable()} - _known(document))
    html = parser().render(
        "".join("\N{REPLACEMENT CHARACTER}" if one in missing else one for one in content)
    )
    html = _LINK.sub(_with_address, html)
    styles: dict[str, Any] = {
        f"h{level}": TextStyle(
            font_style="B",
            font_size_pt=size,
            color=(0, 0, 0),
            t_margin=5,
            b_margin=2,
        )
        for level, size in enumerate((18, 15, 13, 11, 10, 10), 1)
    }
    styles["code"] = FontFace(family="Mono")
    styles["pre"] = TextStyle(font_family="Mono", font_size_pt=_SIZE - 1)
    styles["a"] = FontFace(color=(0, 0, 160), emphasis="UNDERLINE")
    try:
        document.write_html(
            html.replace("<table>", '<table border="1" cellpadding="2">'),
            tag_styles=styles,
            font_family="Sans",
        )
        data = bytes(document.output())
    except (FPDFException, ValueError, LookupError, NotImplementedError) as error:
        raise CantMake(
            f"it can't be laid out as a PDF ({error}); make its tables narrower, or a .docx"
        ) from error
    note = ""
    if missing:
        shown = " ".join(escape(one) for one in missing[:_NAMED])
        note = f"characters that the PDF can't show were replaced: {shown}"
    return MadeFile(data, note)


def _known(document: Any) -> set[str]:
    """The characters that the font has."""
    return {chr(code) for code in document.fonts["sans"].cmap} | {"\n", "\t"}
