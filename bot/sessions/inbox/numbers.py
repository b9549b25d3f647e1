"""Numbers typed as an answer, where the platform prints the number of each choice."""

from bot.domain.messages import Choice
from bot.domain.platforms import PlatformTraits
from bot.domain.turns import Question
from bot.sessions.inbox.verdict_words import number_of


def option_of(question: Question, typed: str, traits: PlatformTraits) -> str | None:
    """The option whose printed number somebody typed.

    None where no numbers stand, and where the words are an option themselves: "2" of "1, 2 or 5".
    """
    number, options = number_of(typed), question.options
    if number is None or number > len(options) or typed.strip() in options:
        return None
    choices = [Choice(option, question.ref, "answer", option) for option in options]
    return options[number - 1] if traits.prints_numbers(choices) else None
