"""What people can choose in a platform's own menu of a message or a person.

A menu hands in the command `ask` with the action as a field, and the message as a quoted one: its
words stay those of their author.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.languages import Language, Phrase, language_of_locale
from bot.domain.messages import Command
from bot.domain.native_commands import Form, FormField, file_field

ASK_COMMAND = "ask"
_ACTION = "action"
_QUESTION = "question"
QUESTION_CHARS = 2000


class MenuAction(StrEnum):
    ASK = "ask"
    """The person writes a question about the message."""
    REMEMBER = "remember"
    TODO = "todo"
    TRANSLATE = "translate"
    ABOUT = "about"
    """What is known about a person, to whoever asks."""


MESSAGE_ACTIONS = (MenuAction.ASK, MenuAction.REMEMBER, MenuAction.TODO, MenuAction.TRANSLATE)

LABELS: Mapping[MenuAction, Phrase] = {
    MenuAction.ASK: Phrase("Ask about this"),
    MenuAction.REMEMBER: Phrase("Remember this"),
    MenuAction.TODO: Phrase("Make a todo"),
    MenuAction.TRANSLATE: Phrase("Translate"),
    MenuAction.ABOUT: Phrase("What do you know?"),
}
"""At most 24 characters, which is Slack's limit and shorter than Discord's."""

_WISHES: Mapping[MenuAction, Phrase] = {
    MenuAction.REMEMBER: Phrase("Remember what this message says."),
    MenuAction.TODO: Phrase("Make a todo for me of this message."),
    MenuAction.TRANSLATE: Phrase("Translate this message into English."),
    MenuAction.ABOUT: Phrase("What do you know about {name}?"),
}
_ANY_LANGUAGE = "Translate this message into the language “{locale}”."


@dataclass(frozen=True)
class MenuWish:
    """What a person asks for by a menu; `typed` is what of it others did not choose."""

    text: str
    typed: str


def menu_command(action: MenuAction, *, question: str = "") -> Command:
    """What a menu hands in; `question` goes with ASK."""
    return Command(ASK_COMMAND, question, ((_ACTION, action.value),))


def menu_action(command: Command | None) -> MenuAction | None:
    """The action of such a command; None for a typed one."""
    chosen = dict(command.fields).get(_ACTION) if command is not None else None
    return MenuAction(chosen) if chosen in set(MenuAction) else None


def wish_of(action: MenuAction, locale: str, *, name: str = "", who: str = "") -> MenuWish:
    """The action in words, in the language of the person's app.

    `name` and `who` are of the person that it is about: others may have chosen the name.
    """
    language = language_of_locale(locale)
    if action is MenuAction.TRANSLATE and language is None and locale:
        text = _ANY_LANGUAGE.format(locale=locale)
        return MenuWish(text, text)
    phrase = _WISHES[action]
    said = language or Language.EN
    return MenuWish(phrase.said(said, name=name), phrase.said(said, name=who))


def question_form(language: Language) -> Form:
    """Asks for the question of ASK, and takes files with it."""
    field = FormField(
        _QUESTION,
        Phrase("Your question").said(language),
        Phrase("Only you read the answer.").said(language),
        QUESTION_CHARS,
        long=True,
    )
    fields = (field, file_field(language, required=False))
    return Form(
        ASK_COMMAND,
        Phrase("Ask about this message").said(language),
        ASK_COMMAND,
        "",
        fields,
        language,
    )


def question_in(fields: tuple[tuple[str, str], ...]) -> str:
    return dict(fields).get(_QUESTION, "").strip()
