"""The text of a raw mail (RFC 5322, MIME).

Nested parts take the parser quadratic time: `bot.web.pages` bounds it.
"""

from email import message_from_bytes, policy
from email.message import EmailMessage

MOST_PARTS = 100


def text_of_mail(raw: bytes) -> tuple[str, bool]:
    """The first readable part, and whether it is HTML; empty when there is none.

    Never raises for a broken mail.
    """
    message = message_from_bytes(raw, policy=policy.default)
    found = {"text/plain": "", "text/html": ""}
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            break
        kind = part.get_content_type()
        if kind in found and not found[kind] and part.get_content_disposition() != "attachment":
            found[kind] = _decoded(part)
    return (found["text/plain"], False) if found["text/plain"] else (found["text/html"], True)


def _decoded(part: EmailMessage) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        return payload.decode(part.get_content_charset() or "utf-8", "replace").strip()
    except (LookupError, ValueError):
        return payload.decode("utf-8", "replace").strip()
