"""`/answers`: whether long answers come whole, or their beginning with the rest apart."""

from dataclasses import dataclass

from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.completing import words
from bot.sessions.records.answer_length_store import AnswerLength, AnswerLengths
from bot.sessions.wording import phrases

_CHOICES = tuple(length.value for length in AnswerLength)
_SAID = {
    AnswerLength.WHOLE: phrases.ANSWERS_WHOLE,
    AnswerLength.SHORT: phrases.ANSWERS_SHORT,
    AnswerLength.THREAD: phrases.ANSWERS_THREAD,
}


@dataclass(frozen=True)
class AnswersCommand:
    """The choice holds for its person everywhere."""

    lengths: AnswerLengths

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn("answers", self.run, usage=f"[{'|'.join(_CHOICES)}]", offers=words(*_CHOICES)),
        )

    async def run(self, asked: Asked) -> CommandReply:
        """Store the choice, or tell it."""
        person, chosen = asked.person.id, asked.args.casefold()
        if chosen in _CHOICES:
            await self.lengths.choose(person, AnswerLength(chosen))
        said = _SAID[await self.lengths.of(person)]
        return CommandReply(said.said(asked.language), alone=True)
