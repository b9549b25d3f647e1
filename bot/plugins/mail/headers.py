"""What the header fields of a mail say: https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4."""

import re
from collections.abc import Mapping

_IDS = re.compile(r"<[!-;=?-~]{1,400}>")
"""Message ids. Some programs write none of the form `left@right`, and answers name them, too."""
_MOST_CHARS = 900
"""A line of a header has at most 998, and services add no breaks of their own."""


def thread_of(fields: Mapping[str, str], message_id: str) -> str:
    """The References of an answer to a mail, whose own id is the last.

    Empty if it has none. `fields` are the mail's, by lower-case names.
    """
    own = _IDS.findall(message_id or fields.get("message-id", ""))
    if not own:
        return ""
    before = _IDS.findall(fields.get("references", ""))
    if not before:
        answered = _IDS.findall(fields.get("in-reply-to", ""))
        before = answered if len(answered) == 1 else []
    ids = [*before, own[0]]
    while len(ids) > 2 and len(" ".join(ids)) > _MOST_CHARS:
        del ids[1]  # the first tells which thread it is, the last ones where in it
    return " ".join(ids)


def answering(thread: str) -> dict[str, str]:
    """The header fields of an answer, by the `thread_of` the mail that it answers."""
    return {"In-Reply-To": thread.rsplit(maxsplit=1)[-1], "References": thread} if thread else {}


def subject_of_answer(subject: str) -> str:
    return subject if subject[:3].casefold() == "re:" else f"Re: {subject}"
