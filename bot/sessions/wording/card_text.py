"""The text of an approval card: who wants what, every character of the call, how to decide.

A card that hides or shortens anything of the call offers no yes. The targets are the objects of the
call, with the text that named them: see docs/rules.md#trust.

See docs/security.md#what-a-card-shows.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.domain.approvals import Approval
from bot.domain.card_words import in_words, visible
from bot.domain.grants import GrantScope
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language
from bot.domain.messages import Choice
from bot.domain.targets import Stem, Target
from bot.log import redact
from bot.sessions.wording import phrases
from bot.sessions.wording.call_text import CallText, call_text, unfenced
from bot.tools.permission.grants import offered
from bot.tools.permission.plans import PLAN_CALLS, has_lines
from bot.tools.permission.shown import calls_of, concealed, digest_of, hides

SHOWN = 10
MOST_NAMES = 20
_VALUE_CHARS = 200


def targets_text(approval: Approval, *, hidden: bool = False) -> str:
    """A fenced block for the card that its content can't close; "" without targets.

    It may shorten, as the card shows each argument whole. `hidden`: not what looks like a secret.
    """
    doubtful = {stem.target.field for stem in approval.stems}
    known = [target for target in approval.targets if target.field not in doubtful]
    lines = [line for stem in approval.stems[:SHOWN] for line in _doubtful(stem, hidden=hidden)]
    lines += [
        f"{_plain(target.field)}: {_value(target, hidden=hidden)}"
        for target in known[: max(0, SHOWN - len(approval.stems))]
    ]
    if not lines:
        return ""
    more = len(approval.stems) + len(known) - SHOWN
    lines += [f"and {more} more"] if more > 0 else []
    said = (
        "It acts on this. You did not name all of it, so check it:"
        if approval.stems
        else "It acts on:"
    )
    return f"{said}\n```text\n" + "\n".join(lines) + "\n```\n"


def names_text(approval: Approval, *, hidden: bool = False) -> str:
    """What the call's ids stand for, or what each call of several does, in a fenced block."""
    names = [redact(name) if hidden else name for name in approval.about.names]
    lines = [_plain(name) for name in names[:MOST_NAMES]]
    more = len(names) - MOST_NAMES
    lines += [f"and {more} more"] if more > 0 else []
    return "```text\n" + "\n".join(lines) + "\n```\n" if lines else ""


def _doubtful(stem: Stem, *, hidden: bool) -> Iterable[str]:
    yield f"{_plain(stem.target.field)}: {_value(stem.target, hidden=hidden)}"
    if stem.source:  # the excerpt is another text, which is not sent
        yield f"   from {_plain(redact(stem.source))}: {_plain(redact(stem.excerpt))}"
    else:
        yield "   in no text that I read here"


def _value(target: Target, *, hidden: bool) -> str:
    """The value, with letters spelt out where they are not plain ones: this reveals look-alikes."""
    value = redact(target.value) if hidden else target.value
    shown = _plain(value)
    return shown if value.isascii() else f"{shown} (written {value[:_VALUE_CHARS]!a})"


def _plain(text: str) -> str:
    """One line that shows the same in every chat: no fence, no hidden or reversing characters."""
    folded = " ".join(text.split()).replace("`", "'")
    plain = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in folded)
    more = len(plain) - 2 * _VALUE_CHARS
    return f"{plain[: 2 * _VALUE_CHARS]}… ({more:,} more characters)" if more > 0 else plain


CARD_CHARS = 3_000
"""Characters of arguments on the card itself; longer ones are attached as a file."""
UNCUT_CHARS = 1_200
"""A longer card may be cut into two messages, where nobody sees what ends a line of a text."""
LARGEST_FILE = 5 * 2**20
"""Bytes; every platform takes a file of this size. A longer call can't be shown, nor approved."""
LABEL_CHARS = 60


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
    shown: str = ""
    """Identifies the calls that a reader can read from it; empty if it does not show all of one."""


def card_of(approval: Approval, asker: str, *, alone: bool = False) -> Card:
    """The card of an approval; `asker` is the name of who wants it.

    `alone`: only one person reads it. Elsewhere what looks like a secret is hidden.
    """
    plan = has_lines(approval)
    hidden = not alone and hides(approval)
    lines = [
        (tool, unfenced(visible(concealed(arguments)) if hidden else shown(arguments)))
        for tool, arguments in calls_of(approval)
    ]
    digest = "" if hidden else _read_back(lines)
    names = names_text(approval, hidden=not alone)
    targets = targets_text(approval, hidden=hidden)
    whole = _numbered(lines) if plan else lines[0][1]
    part, file, note = f"```json\n{whole}\n```", b"", ""
    if len(whole) > CARD_CHARS and hidden:
        part = f"```json\n{whole[:CARD_CHARS]}\n…\n```"
    elif len(whole) > CARD_CHARS:
        part, file = f"```json\n{whole[:CARD_CHARS]}\n…\n```", whole.encode()
        note = (
            f"{len(whole) - CARD_CHARS:,} more characters are not shown here. The whole call is in "
            f"the attached file `{approval.ref}.json`.\n"
        )
    elif not (plan or hidden) and len(whole) + len(names) + len(targets) <= UNCUT_CHARS:
        told = call_text(approval.arguments)
        part, digest = told.blocks, _digest([(approval.tool, told)])
    if len(file) > LARGEST_FILE:
        file, digest, note = b"", "", f"{len(whole):,} characters are too many to show them all.\n"
    what = f"make {len(lines)} calls" if plan else f"run `{approval.tool}`"
    wanted = f"{in_words(asker)} asks to {what}"
    text = (
        f"{_head(approval, wanted, in_words(asker), hidden=not alone)}"
        f"{names}{part}\n{note}{targets}"
        f"{_how(approval) if digest else _no_yes(approval, hidden=hidden)}"
    )
    file_name = f"{approval.ref}.json" if file else ""
    summary = f"{wanted}. Approval {approval.ref}."
    return Card(text, choices_of(approval, yes=bool(digest)), file_name, file, summary, digest)


def _head(approval: Approval, wanted: str, asker: str, *, hidden: bool) -> str:
    """Who wants what and why it is asked: in the tool's words, if it has some for this call."""
    words = approval.about.words
    why = _why(approval.reason)
    if not words:
        return f"**{wanted}**{why}. Approval {approval.ref}.\n"
    told = redact(words) if hidden else words
    return (
        f"**{asker} asks to {told}** OK?\n"
        f"This runs `{approval.tool}`{why}. Approval {approval.ref}.\n"
    )


def asked_for(approval: Approval, language: Language = Language.EN) -> str:
    """The tool, or how many calls, for lists."""
    if not has_lines(approval):
        return approval.tool
    return phrases.CALLS.said(language, len(calls_of(approval)))


def choices_of(approval: Approval, *, yes: bool = True) -> tuple[Choice, ...]:
    """Once, for longer where a grant is possible, or not at all; without `yes` only that."""
    if not yes:
        return (Choice("Reject", approval.ref, "reject"),)
    grants = [
        Choice(_label(approval, scope), approval.ref, f"approve_{scope}")
        for scope in offered(approval)
    ]
    return (
        Choice("Approve", approval.ref, "approve"),
        *grants,
        Choice("Reject", approval.ref, "reject"),
    )


def whole_call(approval: Approval) -> tuple[str, str]:
    """All of a call for a command line, and what identifies what this shows."""
    lines = [(tool, shown(arguments)) for tool, arguments in calls_of(approval)]
    return "\n".join(f"{visible(tool)} {text}" for tool, text in lines), _read_back(lines)


def _numbered(lines: Sequence[tuple[str, str]]) -> str:
    """Each call of a plan under its number."""
    return "\n".join(
        f"{number}. {unfenced(visible(tool))} {text}"
        for number, (tool, text) in enumerate(lines, 1)
    )


def _read_back(lines: Sequence[tuple[str, str]]) -> str:
    """What identifies the calls as a reader gets them from the card; empty if that fails."""
    return _digest([(tool, CallText(text)) for tool, text in lines])


def _digest(lines: Sequence[tuple[str, CallText]]) -> str:
    try:
        return digest_of([(tool, text.arguments()) for tool, text in lines])
    except (ValueError, RecursionError):
        return ""


def shown(arguments: JsonObject) -> str:
    """Arguments as JSON with every character visible: hidden and reversing ones are spelt out."""
    return visible(json.dumps(arguments, ensure_ascii=False, indent=2))


def _how(approval: Approval) -> str:
    """How a person decides."""
    return (
        f"Answer yes or no{_number(approval)}, or use `/approve {approval.ref}{_wider(approval)}` "
        f"or `/reject {approval.ref}`."
        f"{_plan_note(approval) if has_lines(approval) else _session_note(approval)}"
    )


def _no_yes(approval: Approval, *, hidden: bool) -> str:
    """Why a card offers no yes."""
    if not hidden:
        return f"So nobody can approve it: ask for less. `/reject {approval.ref}` ends it."
    return (
        "Something in it looks like a secret and is hidden, as others read here. So nobody can "
        f"approve it here: send me `/approve {approval.ref}` in a direct message, where I show all "
        "of it."
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
    label = f"Always for {visible(values[0]) if len(values) == 1 else f'these {len(values)}'}"
    return label if len(label) <= LABEL_CHARS else "Always for this one"


def _number(approval: Approval) -> str:
    """A terminal counts on over several cards; the calls of a plan have numbers already."""
    return "" if has_lines(approval) else " or with the number of a choice"


def _wider(approval: Approval) -> str:
    scopes = offered(approval)
    return f" [{'|'.join(scopes)}]" if scopes else ""


def _plan_note(approval: Approval) -> str:
    if approval.tool != PLAN_CALLS:
        return (
            f"\nA yes runs these calls now. `/approve {approval.ref} 1,3` runs only some of them, "
            "and the others are rejected."
        )
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
