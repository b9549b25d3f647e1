"""`/answers`: whether long answers come whole, or short with the rest as a file."""

from dataclasses import dataclass

from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.completing import words
from bot.sessions.records.answer_length_store import AnswerLengths
from bot.sessions.wording import phrases

_SHORT, _WHOLE = "short", "whole"


@dataclass(frozen=True)
class AnswersCommand:
    """The choice holds for its person everywhere."""

    lengths: AnswerLengths

    def commands(self) -> tuple[BuiltIn, ...]:
        usage = f"[{_SHORT}|{_WHOLE}]"
        return (BuiltIn("answers", self.run, usage=usage, offers=words(_SHORT, _WHOLE)),)

    async def run(self, asked: Asked) -> CommandReply:
        """Store the choice, or tell it."""
        person, chosen = asked.person.id, asked.args.casefold()
        if chosen in {_SHORT, _WHOLE}:
            await self.lengths.choose(person, short=chosen == _SHORT)
        short = await self.lengths.wants_short(person)
        said = phrases.ANSWERS_SHORT if short else phrases.ANSWERS_WHOLE
        return CommandReply(said.said(asked.language), alone=True)
