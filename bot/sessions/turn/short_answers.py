"""Long answers for those who want the beginning first: the rest is a file, or in the thread."""

from dataclasses import dataclass, replace

from bot.domain.languages import Language, Phrase
from bot.domain.messages import OutgoingFile, OutgoingMessage, Place, ReplyTarget
from bot.sessions.opening.attachments import Attachments
from bot.sessions.outbox.outbox import Sending
from bot.sessions.records.answer_length_store import AnswerLength, AnswerLengths

REST_IN_THREAD = Phrase("The rest is in the thread.")

LONG_CHARS = 1_200
"""A shorter answer is shown whole: reading on is less work than opening a file."""
SHOWN_CHARS = 700
_FENCE = "```"


@dataclass(frozen=True)
class FittedAnswer:
    """An answer as its person wants it."""

    answer: Sending
    first: Sending | None = None
    """Its beginning, to be sent before it to the channel; the answer is the rest."""


@dataclass(frozen=True)
class ShortAnswers:
    lengths: AnswerLengths
    attachments: Attachments

    async def fitted(self, sending: Sending, person: str, language: Language) -> FittedAnswer:
        """The message as this person wants it. Others' sessions know the whole text.

        Where the answer begins no thread, one who wants the rest there gets it whole.

        Raises StorageError.
        """
        if len(sending.message.text) <= LONG_CHARS:
            return FittedAnswer(sending)
        match await self.lengths.of(person):
            case AnswerLength.WHOLE:
                return FittedAnswer(sending)
            case AnswerLength.SHORT:
                return FittedAnswer(await self._with_file(sending, language))
            case AnswerLength.THREAD:
                return _in_thread(sending, language)

    async def _with_file(self, sending: Sending, language: Language) -> Sending:
        text = sending.message.text
        name = Phrase("answer.md").said(language)
        blob = await self.attachments.keep(text.encode())
        file = OutgoingFile(name, "text/markdown", blob)
        more = Phrase("The whole answer, {count} characters, is in the file.").said(
            language, count=f"{len(text):,}"
        )
        shown = f"{beginning(text)}\n\n*{more}*"
        message = replace(sending.message, text=shown, files=(*sending.message.files, file))
        return replace(sending, message=message, on_record=text)


def _in_thread(sending: Sending, language: Language) -> FittedAnswer:
    """The beginning in the channel, the rest in the thread that the answer opens."""
    target = sending.message.target
    channel = target.stands_in
    if channel.place is not Place.CHANNEL or target.conversation.place is not Place.THREAD:
        return FittedAnswer(sending)
    shown, rest = parted(sending.message.text)
    note = REST_IN_THREAD.said(language)
    above = OutgoingMessage(ReplyTarget(channel, target.message), f"{shown}\n\n*{note}*")
    first = replace(sending, message=above, in_order=False, on_record=shown)
    below = replace(sending.message, text=rest)
    return FittedAnswer(replace(sending, message=below, on_record=sending.message.text), first)


def beginning(text: str) -> str:
    """Whole paragraphs, as far as they fit; of a first one that is too long, whole words."""
    return parted(text)[0]


def parted(text: str) -> tuple[str, str]:
    """A text's beginning and the rest. A block of code that is parted is closed and opened again.

    The beginning has whole paragraphs, as far as they fit; of a first one that is too long, whole
    words.
    """
    shown, text = "", text.strip("\n")
    for paragraph in text.split("\n\n"):
        longer = f"{shown}\n\n{paragraph}" if shown else paragraph
        if len(longer) > SHOWN_CHARS:
            break
        shown = longer
    if shown.strip():
        rest = text[len(shown) :].lstrip("\n")
    else:
        cut = text[:SHOWN_CHARS]
        shown = (cut.rpartition(" ")[0] or cut).rstrip()
        rest = text[len(shown) :].lstrip(" ")
        shown += " …"
    fences = [line for line in shown.splitlines() if line.lstrip().startswith(_FENCE)]
    if len(fences) % 2:
        return f"{shown}\n{_FENCE}", f"{fences[-1]}\n{rest}"
    return shown, rest
