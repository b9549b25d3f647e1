"""What the header fields of a mail say: its thread, and whether a program wrote it.

See https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4 and https://www.rfc-editor.org/rfc/rfc3834.
"""

import re
from collections.abc import Mapping

from bot.plugin.mail import Automatic

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


_BY_PROGRAM = "Auto-Submitted"
_TO_MANY = frozenset({"bulk", "list", "junk"})
_NO_ANSWER = frozenset({"all", "autoreply"})
"""Of X-Auto-Response-Suppress, which Microsoft's programs write: "answer this by no program"."""


def automatic_of(fields: Mapping[str, str]) -> Automatic:
    """Whether a program wrote a mail. `fields` are the mail's, by lower-case names."""
    submitted = _keyword(fields.get(_BY_PROGRAM.lower(), ""))
    if submitted == "auto-replied" or fields.get("return-path", "-").strip() in {"", "<>"}:
        return Automatic.REPLY
    wishes = {one.strip() for one in fields.get("x-auto-response-suppress", "").lower().split(",")}
    noticed = (
        submitted not in {"", "no"}
        or _keyword(fields.get("precedence", "")) in _TO_MANY
        or "list-id" in fields
        or not wishes.isdisjoint(_NO_ANSWER)
    )
    return Automatic.NOTICE if noticed else Automatic.NO


def _keyword(value: str) -> str:
    """The first word of a field, without parameters and comments."""
    return value.partition(";")[0].partition("(")[0].strip().lower()


def by_program(*, answers: bool) -> dict[str, str]:
    """The header field of a mail that nobody asked for when it was sent."""
    return {_BY_PROGRAM: "auto-replied" if answers else "auto-generated"}


def subject_of_answer(subject: str) -> str:
    return subject if subject[:3].casefold() == "re:" else f"Re: {subject}"
