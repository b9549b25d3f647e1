"""Messages that somebody asks about from their menu, while the question is being written."""

from dataclasses import replace

from bot.plugin.commands import ASK_COMMAND, MenuAction, question_form, question_in
from bot.plugin.drawing import language_of_app
from bot.plugins.discord_chat.interactions import modal
from bot.plugins.discord_chat.places import Recent
from bot.plugins.discord_chat.seen import Answer, SeenCommand

_FORMS = 200
"""The most open forms whose message is remembered."""


class ChosenMessages:
    """In memory: the bot may not be able to read them again, and what comes back is not proof."""

    def __init__(self) -> None:
        self._chosen: Recent[SeenCommand] = Recent(_FORMS)
        """By the interaction that opened the form."""

    def form(self, seen: SeenCommand) -> Answer:
        """Asks for the question."""
        self._chosen.put(seen.id, seen)
        language = language_of_app(seen.locale)
        return modal(question_form(language), {}, seen.id)

    def completed(self, seen: SeenCommand) -> SeenCommand:
        """A handed-in question with its message; without it after a restart."""
        if seen.name != ASK_COMMAND or not seen.fields:
            return seen
        opened = self._chosen.pop(seen.form)
        question = replace(seen, args=question_in(seen.fields), fields=())
        if opened is None or opened.person.id != seen.person.id:
            return question
        return replace(question, menu=MenuAction.ASK, target=opened.target)
