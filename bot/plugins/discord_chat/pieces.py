"""An answer in Discord's form: texts of at most 2,000 characters, files, buttons."""

from bot.plugin.chat import DeliveryError, OutgoingFile, OutgoingMessage, ReadBlob
from bot.plugin.drawing import Language, decimal, number, split_pieces, split_text, tables_as_code
from bot.plugins.discord_chat import words
from bot.plugins.discord_chat.components import choice_rows, full_options
from bot.plugins.discord_chat.rest import Post
from bot.plugins.discord_chat.seen import Upload

MOST_CHARS = 2000
MOST_PIECES = 5
"""A longer answer is its beginning and a file."""
MOST_FILES = 10
LARGEST_FILE = 10 * 2**20
_REST_CHARS = 2 + max(len(text) for text in words.REST_IN_FILE.all.values())


async def posts_of(
    message: OutgoingMessage, read_blob: ReadBlob, reply_to: str | None
) -> list[Post]:
    """Posts in order, at least one: files and buttons on the last, the reply on the first.

    Raises DeliveryError for a card that lacks its file.
    """
    language = message.language
    files, missing = await _uploads(message.files, read_blob, language)
    if missing and message.choices:  # a card whose call can't be read must not be decided
        raise DeliveryError(" ".join(missing))
    written = tables_as_code(message.text) + full_options(message.choices)
    text = "\n\n".join(part for part in (written, *missing) if part.strip())
    pieces = split_text(text, MOST_CHARS)
    if len(pieces) > MOST_PIECES:
        files = [Upload("answer.md", "text/markdown", text.encode()), *files]
        pieces = [_beginning(text, language)]
    if not pieces:
        pieces = ["" if files else words.NOTHING_TO_SAY.said(language)]
    batches = [
        tuple(files[start : start + MOST_FILES]) for start in range(0, len(files), MOST_FILES)
    ]
    while len(batches) > 1 and len(pieces) < len(batches):
        pieces.append("")
    rows = tuple(choice_rows(message.choices, message.language))
    bare = len(pieces) - max(len(batches), 1)
    # A frame shows no attached file, and plain text must be able to take its place.
    framed = bool(rows) and len(pieces) == 1 and not files
    posts: list[Post] = []
    for place, piece in enumerate(pieces):
        last = place == len(pieces) - 1
        attached = batches[place - bare] if batches and place >= bare else ()
        answered = reply_to if place == 0 else None
        posts.append(Post(piece, rows if last else (), attached, answered, framed))
    return posts


def _beginning(text: str, language: Language) -> str:
    """The beginning of a long text, and the length of the rest."""
    end = 0
    for piece in split_pieces(text, MOST_CHARS - _REST_CHARS):
        end += len(piece.body)
        if piece.text.strip():
            rest = words.REST_IN_FILE.said(language, count=number(len(text) - end, language))
            return f"{piece.text}\n\n{rest}"
    return ""


def with_line(content: str, line: str) -> str:
    """A short line in small print below a text; it is dropped if both are too long."""
    content = content.strip()
    small = f"\n-# {line}" if content else f"-# {line}"
    room = MOST_CHARS - len(small)
    return (content if len(content) <= room else split_text(content, room - 2)[0] + "\n…") + small


async def _uploads(
    files: tuple[OutgoingFile, ...], read_blob: ReadBlob, language: Language
) -> tuple[list[Upload], list[str]]:
    """The bytes of sendable files, and a sentence for each other file."""
    found: list[Upload] = []
    missing: list[str] = []
    for file in files:
        data = await read_blob(file.blob)
        if data is None:
            missing.append(words.FILE_GONE.said(language, name=file.name))
        elif len(data) > LARGEST_FILE:
            size = decimal(len(data) / 2**20, 1, language)
            most = LARGEST_FILE // 2**20
            told = words.FILE_TOO_LARGE.said(language, name=file.name, size=size, most=most)
            missing.append(told)
        else:
            found.append(Upload(file.name, file.mime, data))
    return found, missing
