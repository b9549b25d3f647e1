"""What a call of manage_todos does, in words for the card of a question."""

from collections.abc import Mapping

from bot.domain.card_words import titled
from bot.domain.languages import Language, Phrase, Translations

_ACTIONS: Mapping[str, Phrase] = {
    "create": Phrase("put the todo {title} on their list{due}"),
    "update": Phrase("change the todo {title}{due}"),
    "complete": Phrase("complete the todo {title}{due}"),
    "dismiss": Phrase("dismiss the todo {title}{due}"),
    "delete": Phrase("delete the todo {title}{due}"),
    "list": Phrase("list the todo {title}{due}"),
}
_DUE = Phrase(", due {when}", context="call")
_REPEATS = Phrase(", again and again: {when}", context="call")
_WAKES = Phrase(", to come back: {when}", context="call")
_ASSIGNED = Phrase(", which I then do by myself", context="call")
_THEIRS = Phrase(", which I then leave to them", context="call")


def told(
    action: str,
    titles: tuple[str, ...],
    *,
    due: str | None,
    repeats: str | None,
    wakes: str | None,
    assigned: bool | None,
) -> Translations:
    """The words; `titles` are what it is called, and what it will be called if that changes."""
    title = " → ".join(map(titled, titles))
    more = ((_DUE, due), (_REPEATS, repeats), (_WAKES, wakes))
    whose = {True: _ASSIGNED, False: _THEIRS, None: None}[assigned]

    def said(language: Language) -> str:
        parts = [one.said(language, when=titled(str(given))) for one, given in more if given]
        parts += [whose.said(language)] if whose is not None else []
        return _ACTIONS[action].said(language, title=title, due="".join(parts))

    return Translations.by(said)
