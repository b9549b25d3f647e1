"""The text of an approval card: who wants what, every character of the call, how to decide."""

import hashlib
import json
import re

from bot.domain.approvals import Approval
from bot.domain.grants import GrantScope
from bot.domain.json_types import JsonObject
from bot.domain.messages import Choice
from bot.lazy_dataclass import dataclass
from bot.log import redact
from bot.sessions.wording.card_targets import targets_text
from bot.tools.permission.grants import offered
from bot.tools.permission.plans import PLAN_CALLS, lines_of

CARD_CHARS = 3_000
"""Characters of arguments on the card itself; longer ones are attached as a file."""
LABEL_CHARS = 60
_NAME_CHARS = 80
_MARKDOWN = re.compile(r"[*_`~|<>\[\]()\\#@]")
_FENCE = re.compile("`{3,}")
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that fonts show as nothing although Unicode calls them printable."""


@dataclass(frozen=True)
class Card:
    """A card as it is posted. `file` holds the whole call if it is too long for the text.

    `summary` names the tool and no argument: other people's sessions may read only this.
    """

    text: str
    choices: tuple[Choice, ...]
    file_name: str = ""
    file: bytes = b""
    summary: str = ""


def card_of(approval: Approval, asker: str) -> Card:
    """The card of an approval; `asker` is the name of who wants it."""
    plan = approval.tool == PLAN_CALLS
    whole = _unfenced(_plan(approval) if plan else shown(approval.arguments))
    part, file, note = whole, b"", ""
    if len(whole) > CARD_CHARS:
        part, file = whole[:CARD_CHARS] + "\n…", whole.encode()
        note = (
            f"{len(whole) - CARD_CHARS:,} more characters are not shown here. The whole call is in "
            f"the attached file `{approval.ref}.json` (SHA-256 "
            f"`{hashlib.sha256(file).hexdigest()}`).\n"
        )
    what = f"make {len(lines_of(approval))} calls" if plan else f"run `{approval.tool}`"
    wanted = f"{in_words(asker)} asks to {what}"
    text = (
        f"**{wanted}**{_why(approval.reason)}. Approval {approval.ref}.\n"
        f"```json\n{part}\n```\n{note}"
        f"{targets_text(approval)}"
        f"Answer yes or no, or use `/approve {approval.ref}{_wider(approval)}` or `/reject "
        f"{approval.ref}`."
        f"{_plan_note(approval) if plan else _session_note(approval)}"
    )
    file_name = f"{approval.ref}.json" if file else ""
    return Card(text, choices_of(approval), file_name, file, f"{wanted}. Approval {approval.ref}.")


def choices_of(approval: Approval) -> tuple[Choice, ...]:
    """Once, for longer where a grant is possible, or not at all."""
    grants = [
        Choice(_label(approval, scope), approval.ref, f"approve_{scope}")
        for scope in offered(approval)
    ]
    return (
        Choice("Approve", approval.ref, "approve"),
        *grants,
        Choice("Reject", approval.ref, "reject"),
    )


def _plan(approval: Approval) -> str:
    """Each call of a plan under its number."""
    lines = enumerate(lines_of(approval), 1)
    return "\n".join(
        f"{number}. {visible(str(line['tool']))} {shown(line['arguments'])}"
        for number, line in lines
    )


def shown(arguments: JsonObject) -> str:
    """Arguments as JSON with every character visible: hidden and reversing ones are spelt out."""
    return visible(redact(json.dumps(arguments, ensure_ascii=False, indent=2)))


def visible(text: str) -> str:
    """The text with invisible or reordering characters escaped as in JSON."""
    return "".join(
        char
        if char == "\n" or (char.isprintable() and not _INVISIBLE.match(char))
        else json.dumps(char)[1:-1]
        for char in text
    )


def _unfenced(text: str) -> str:
    """Text that can't close the block around it: a row of backticks is spelt out."""
    return _FENCE.sub(lambda row: "\\u0060" * len(row[0]), text)


def in_words(name: str) -> str:
    """A person's name as plain words: nothing in it is markup, a mention or a link."""
    return (
        " ".join(_MARKDOWN.sub("", visible(" ".join(name.split()))).split())[:_NAME_CHARS]
        or "Somebody"
    )


def _why(reason: str) -> str:
    """The reason as a clause.

    Those of risks begin with `it`, those of policies are sentences of their own.
    """
    if reason.startswith("it "):
        return f", which {reason.removeprefix('it ')}"
    return f" ({reason.rstrip('.')})" if reason else ""


def _label(approval: Approval, scope: GrantScope) -> str:
    """The label of a grant's button."""
    if scope is GrantScope.SESSION:
        return "For this session"
    values = sorted({target.value for target in approval.targets})
    return f"Always for {visible(values[0]) if len(values) == 1 else f'these {len(values)}'}"[
        :LABEL_CHARS
    ]


def _wider(approval: Approval) -> str:
    scopes = offered(approval)
    return f" [{'|'.join(scopes)}]" if scopes else ""


def _plan_note(approval: Approval) -> str:
    return (
        "\nA yes lets exactly these calls run, each once, within an hour. `/approve "
        f"{approval.ref} 1,3` allows only some of them; any other call is asked about by itself."
    )


def _session_note(approval: Approval) -> str:
    if GrantScope.SESSION not in offered(approval):
        return ""
    return (
        f'\n"For this session" covers later calls of `{approval.tool}` until /new. It does not '
        "cover other tools, nor calls made after text from outside was read."
    )
