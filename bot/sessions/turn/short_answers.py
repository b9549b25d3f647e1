"""Long answers for those who want short ones: the beginning, and the whole text as a file."""

from dataclasses import dataclass, replace

from bot.domain.languages import Language
from bot.domain.messages import OutgoingFile
from bot.sessions.opening.attachments import Attachments
from bot.sessions.outbox.outbox import Sending
from bot.sessions.records.answer_length_store import AnswerLengths
from bot.sessions.wording import phrases

LONG_CHARS = 1_200
"""A shorter answer is shown whole: reading on is less work than opening a file."""
SHOWN_CHARS = 700
_FENCE = "```"


@dataclass(frozen=True)
class ShortAnswers:
    lengths: AnswerLengths
    attachments: Attachments

    async def fitted(self, sending: Sending, person: str, language: Language) -> Sending:
        """The message as this person wants it. Others' sessions know the whole text.

        Raises StorageError.
        """
        text = sending.message.text
        if len(text) <= LONG_CHARS or not await self.lengths.wants_short(person):
            return sending
        name = phrases.ANSWER_FILE.said(language)
        blob = await self.attachments.keep(text.encode())
        file = OutgoingFile(name, "text/markdown", blob)
        more = phrases.REST_IN_FILE.said(language, count=f"{len(text):,}")
        shown = f"{beginning(text)}\n\n*{more}*"
        message = replace(sending.message, text=shown, files=(*sending.message.files, file))
        return replace(sending, message=message, on_record=text)


def beginning(text: str) -> str:
    """Whole paragraphs, as far as they fit; of a first one that is too long, whole words.

    A block of code that began is closed.
    """
    shown = ""
    for paragraph in text.split("\n\n"):
        longer = f"{shown}\n\n{paragraph}" if shown else paragraph
        if len(longer) > SHOWN_CHARS:
            break
        shown = longer
    if not shown.strip():
        cut = text[:SHOWN_CHARS]
        shown = f"{(cut.rpartition(' ')[0] or cut).rstrip()} …"
    fences = sum(line.lstrip().startswith(_FENCE) for line in shown.splitlines())
    return f"{shown}\n{_FENCE}" if fences % 2 else shown
