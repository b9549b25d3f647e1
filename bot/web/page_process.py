"""Turns a web page or raw mail into text in its own process: `python -m bot.web.page_process`.

Parsers read strangers' text. Here they have no secrets and no files to write, and limited memory
and time. Standard input: a line of JSON, then the bytes. Standard output: JSON.

Nested parts of a mail (RFC 5322, MIME) take the parser quadratic time: `bot.web.pages` bounds it.
"""

import json
import re
import resource
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

MEMORY_BYTES = 768 * 1024 * 1024
CPU_S = 8
MOST_CHARS = 400_000
"""The most characters of a page; the rest is cut."""
FIELD_CHARS = 300
_STYLE = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|font-size:0(?![.\d])|max-height:0(?![.\d])"
    r"|opacity:0(?:\.0+)?(?![.\d])"
)
"""In a style without spaces."""
_MOST_PARTS = 100


def limit_itself(memory_bytes: int = MEMORY_BYTES, cpu_s: int = CPU_S, file_bytes: int = 0) -> None:
    """Limit the memory and time of this process, and each file that it writes."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))


def read_page(data: bytes, url: str, charset: str) -> dict[str, Any]:
    """Title, date, author and text of a page. The text is empty where the page has none.

    HTML without an address comes from a mail, so its hidden elements are dropped. On pages, scripts
    often show them later.
    """
    import trafilatura  # noqa: PLC0415 - after the limits are set
    from trafilatura.utils import decode_file  # noqa: PLC0415

    html = _decoded(data, charset) or decode_file(data)
    if "<body" not in html.casefold():  # trafilatura finds nothing in a piece of a page
        html = f"<html><body>{html}</body></html>"
    tree = trafilatura.load_html(html)
    if tree is None:
        return {"title": "", "date": "", "author": "", "text": ""}
    if not url:
        html = _drop_hidden(tree)
    found = trafilatura.extract_metadata(tree, default_url=url)
    text = trafilatura.extract(
        tree,
        url=url,
        output_format="markdown",
        include_links=True,
        include_tables=True,
        include_comments=False,
        favor_recall=True,
    )
    return {
        "title": _field(found.title),
        "date": _field(found.date),
        "author": _field(found.author),
        "text": (text or trafilatura.html2txt(html))[:MOST_CHARS],
    }


def _drop_hidden(tree: Any) -> str:
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


def read_mail(data: bytes) -> dict[str, Any]:
    """The text of a raw mail, in the same form as a page's."""
    text, is_html = text_of_mail(data)
    if is_html and text:
        return read_page(text.encode("utf-8", "replace"), "", "utf-8")
    return {"title": "", "date": "", "author": "", "text": text[:MOST_CHARS]}


def _decoded(data: bytes, charset: str) -> str:
    """The page in the character set that its server declares; empty if wrong or unknown."""
    try:
        return data.decode(charset) if charset else ""
    except (LookupError, ValueError):
        return ""


def _field(value: str | None) -> str:
    return " ".join((value or "").split())[:FIELD_CHARS]


def main() -> None:
    """Read one page or mail from standard input and write its text."""
    head = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    limit_itself()
    page = read_mail(data) if head["mail"] else read_page(data, head["url"], head["charset"])
    sys.stdout.buffer.write(json.dumps(page, ensure_ascii=False).encode("utf-8", "replace"))


if __name__ == "__main__":
    main()


def text_of_mail(raw: bytes) -> tuple[str, bool]:
    """The first readable part, and whether it is HTML; empty when there is none.

    Never raises for a broken mail.
    """
    message = message_from_bytes(raw, policy=policy.default)
    found = {"text/plain": "", "text/html": ""}
    for number, part in enumerate(message.walk()):
        if number >= _MOST_PARTS:
            break
        kind = part.get_content_type()
        if kind in found and not found[kind] and part.get_content_disposition() != "attachment":
            found[kind] = _decoded_part(part)
    return (found["text/plain"], False) if found["text/plain"] else (found["text/html"], True)


def _decoded_part(part: EmailMessage) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        return payload.decode(part.get_content_charset() or "utf-8", "replace").strip()
    except (LookupError, ValueError):
        return payload.decode("utf-8", "replace").strip()
