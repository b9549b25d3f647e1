"""What calls of `manage_todos` do, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

CREATE = Phrase("put the todo {title} on their list{due}")
DUE = Phrase(", due {when}", context="call")
CHANGES: Mapping[str, Phrase] = {
    "update": Phrase("change the todo {title}{due}"),
    "complete": Phrase("complete the todo {title}{due}"),
    "dismiss": Phrase("dismiss the todo {title}{due}"),
    "delete": Phrase("delete the todo {title}{due}"),
    "list": Phrase("list the todo {title}{due}"),
}
"""By what is done with a todo that exists."""
