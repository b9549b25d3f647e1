"""A mail as a file (.eml), with the documents that are attached to it."""

from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage

from bot.plugin.readers import (
    DocumentSection,
    FoundText,
    Picture,
    ReadingLimits,
    UnreadableDocument,
    read_mail,
)

MOST_PARTS = 100
MOST_ATTACHED = 10
_FIELDS = ("From", "To", "Cc", "Date", "Subject")


def read_eml(data: bytes, limits: ReadingLimits) -> FoundText:
    message = message_from_bytes(data, policy=policy.default)
    lines = [f"{name}: {value}" for name in _FIELDS if (value := _field(message, name))]
    text = read_mail(data)["text"]
    found = [DocumentSection("mail", "\n".join([*lines, "", text]))]
    pictures: list[Picture] = []
    notes: list[str] = []
    attached = _attached(message)
    for name, media_type, content in attached[:MOST_ATTACHED]:
        try:
            inner = limits.within(content, name, media_type)
        except UnreadableDocument as error:
            notes.append(f"the attached {name} can't be read: {error}")
            continue
        found += [
            DocumentSection(f"attached {name}, {one.place}".rstrip(", "), one.text)
            for one in inner.sections
        ]
        pictures += [
            Picture(one.media_type, one.data, f"attached {name}") for one in inner.pictures
        ]
        notes += [f"{name}: {inner.note}"] if inner.note else []
    if len(attached) > MOST_ATTACHED:
        notes.append(f"{len(attached) - MOST_ATTACHED} more attached files were not read")
    return FoundText(found, "; ".join(notes), pictures)


def _field(message: EmailMessage, name: str) -> str:
    """A header on one line; as it stands in the mail if Python's parser trips over it."""
    try:
        value = str(message[name] or "")
    except (AttributeError, IndexError, LookupError, TypeError, ValueError):
        raw = next(
            (one for key, one in message.raw_items() if key.casefold() == name.casefold()), ""
        )
        value = str(raw)
    return " ".join(value.encode("utf-8", "replace").decode().split())


def _attached(message: EmailMessage) -> Sequence[tuple[str, str, bytes]]:
    found: list[tuple[str, str, bytes]] = []
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            break
        name = " ".join((part.get_filename() or "").split())[:200]
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and (name or part.get_content_disposition() == "attachment"):
            found.append((name or "file", part.get_content_type(), content))
    return found
