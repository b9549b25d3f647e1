"""The targets on an approval card: the objects of the call, and the text that named them.

See docs/rules.md#trust.
"""

from collections.abc import Iterable

from bot.domain.approvals import Approval
from bot.domain.targets import Stem, Target
from bot.log import redact

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
