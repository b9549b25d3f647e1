"""The text of an approval card: who wants what, every character of the call, how to decide.

A card that hides or shortens anything of the call offers no yes. The targets are the objects of the
call, with the text that named them: see docs/rules.md#trust. Arguments are shown as JSON, a text of
several lines below it: reading either back gives the same bytes, which a yes is compared with.

See docs/security.md#what-a-card-shows.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from bot.domain.approvals import Approval, GrantScope
from bot.domain.card_words import in_words, visible
from bot.domain.json_types import JsonObject
from bot.domain.languages import CountedPhrase, Language, Phrase, number
from bot.domain.messages import Choice
from bot.domain.sessions import SessionKey
from bot.domain.targets import OWN_WORDS, Stem, Target
from bot.log import redact
from bot.sessions.wording.card_reasons import why_asked
from bot.sessions.wording.phrases import AND_MORE
from bot.tools.permission.grants import offered
from bot.tools.permission.plans_store import PLAN_CALLS, has_lines
from bot.tools.permission.shown import calls_of, concealed, digest_of, hides

RUN = Phrase("{who} asks to run `{tool}`")
WANTED = Phrase("{who} asks to {what}")
"""`what` is a clause in the infinitive."""
OK = Phrase("OK?")
RUNS = Phrase("This runs `{tool}`")
FROM = Phrase("from {source}: {excerpt}")
FROM_NOWHERE = Phrase("in no text that I read here")
NOT_ORDERED = Phrase("in the words of who asks, but not as a plain order")
WRITTEN = Phrase("written {letters}")
MORE_CHARS = CountedPhrase(Phrase("{count} more character"), Phrase("{count} more characters"))
REST_IN_FILE = CountedPhrase(
    Phrase(
        "{count} more character is not shown here. The whole call is in the attached file"
        " `{ref}.json`."
    ),
    Phrase(
        "{count} more characters are not shown here. The whole call is in the attached file"
        " `{ref}.json`."
    ),
)
TOO_MANY = Phrase("{count} characters are too many to show them all.")
SESSION_COVERS = Phrase(
    '"{button}" covers later calls of `{tool}` until /new. It does not cover other tools, nor calls'
    " made after text from outside was read."
)
FOR_SESSION = Phrase("For this session")
BY_ITSELF = Phrase("No message asks for it: a schedule, a todo or an automation began this.")
ALWAYS_FOR = Phrase("Always for {what}")

_BELOW = Phrase("(the text below)")
_WITH_END = Phrase("(the text below and a line end)")
BELOW, WITH_END = _BELOW.en, _WITH_END.en
_ENDS = frozenset(_WITH_END.all.values())
_MARKS = _ENDS | frozenset(_BELOW.all.values())
"""What stands for the text below, in any language."""
_FENCE = re.compile("`{3,}")
_UNSEEN = re.compile(r"[ \t](\n|\Z)|\A\n|\n\Z")
"""White space that nobody sees in a block."""


@dataclass(frozen=True)
class _CallText:
    """The arguments as `json`, and behind it `body`: the argument that says so."""

    json: str
    body: str | None = None

    @property
    def blocks(self) -> str:
        """Fenced blocks, which the text can't close."""
        below = "" if self.body is None else f"\n```text\n{self.body}\n```"
        return f"```json\n{self.json}\n```{below}"

    def arguments(self) -> JsonObject:
        """The arguments as a reader gets them. Raises ValueError, RecursionError."""
        found = cast("JsonObject", json.loads(self.json))
        if self.body is None:
            return found
        [name] = [name for name, value in found.items() if _is_mark(value)]
        end = "\n" if found[name] in _ENDS else ""
        return {**found, name: f"{self.body}{end}"}


def _call_text(arguments: JsonObject, language: Language = Language.EN) -> _CallText:
    """One text of several lines stands below, if all of it can be seen there."""
    texts = [name for name, value in arguments.items() if isinstance(value, str) and "\n" in value]
    name = max(texts, key=lambda one: len(arguments[one]), default=None)
    marks = any(map(_is_mark, arguments.values()))
    if name is None or marks:
        return _CallText(_as_json(arguments))
    body = str(arguments[name]).removesuffix("\n")
    if visible(body) != body or _FENCE.search(body) or _UNSEEN.search(body):
        return _CallText(_as_json(arguments))
    mark = (_BELOW if body == arguments[name] else _WITH_END).said(language)
    return _CallText(_as_json({**arguments, name: mark}), body)


def _is_mark(value: object) -> bool:
    return isinstance(value, str) and value in _MARKS


def _as_json(arguments: JsonObject) -> str:
    """JSON with every character visible, which can't close the block around it."""
    return unfenced(visible(json.dumps(arguments, ensure_ascii=False, indent=2)))


def unfenced(text: str) -> str:
    """Text that can't close the block around it: a row of backticks is spelt out."""
    return _FENCE.sub(lambda row: "\\u0060" * len(row[0]), text)


SHOWN = 10
MOST_NAMES = 20
_VALUE_CHARS = 200


def targets_text(
    approval: Approval, *, hidden: bool = False, language: Language = Language.EN
) -> str:
    """A fenced block for the card that its content can't close; "" without targets.

    It may shorten, as the card shows each argument whole. `hidden`: not what looks like a secret.
    """
    doubtful = {stem.target.field for stem in approval.stems}
    known = [target for target in approval.targets if target.field not in doubtful]
    lines = [
        line for stem in approval.stems[:SHOWN] for line in _doubtful(stem, language, hidden=hidden)
    ]
    lines += [
        f"{_plain(target.field, language)}: {_value(target, language, hidden=hidden)}"
        for target in known[: max(0, SHOWN - len(approval.stems))]
    ]
    if not lines:
        return ""
    more = len(approval.stems) + len(known) - SHOWN
    lines += [AND_MORE.said(language, more)] if more > 0 else []
    said = Phrase("It acts on:")
    if approval.stems:
        said = Phrase("It acts on this. You did not name all of it, so check it:")
    return f"{said.said(language)}\n```text\n" + "\n".join(lines) + "\n```\n"


def names_text(
    approval: Approval, *, hidden: bool = False, language: Language = Language.EN
) -> str:
    """What the call's ids stand for, or what each call of several does, in a fenced block."""
    told = approval.about.read_in(language).names
    names = [redact(name) if hidden else name for name in told]
    lines = [_plain(name, language) for name in names[:MOST_NAMES]]
    more = len(names) - MOST_NAMES
    lines += [AND_MORE.said(language, more)] if more > 0 else []
    return "```text\n" + "\n".join(lines) + "\n```\n" if lines else ""


def _doubtful(stem: Stem, language: Language, *, hidden: bool) -> Iterable[str]:
    target = stem.target
    yield f"{_plain(target.field, language)}: {_value(target, language, hidden=hidden)}"
    if stem.source == OWN_WORDS:
        yield f"   {NOT_ORDERED.said(language)}"
    elif stem.source:  # the excerpt is another text, which is not sent
        source, excerpt = (_plain(redact(one), language) for one in (stem.source, stem.excerpt))
        yield f"   {FROM.said(language, source=source, excerpt=excerpt)}"
    else:
        yield f"   {FROM_NOWHERE.said(language)}"


def _value(target: Target, language: Language, *, hidden: bool) -> str:
    """The value, with letters spelt out where they are not plain ones: this reveals look-alikes."""
    value = redact(target.value) if hidden else target.value
    shown = _plain(value, language)
    if value.isascii():
        return shown
    return f"{shown} ({WRITTEN.said(language, letters=ascii(value[:_VALUE_CHARS]))})"


def _plain(text: str, language: Language) -> str:
    """One line that shows the same in every chat: no fence, no hidden or reversing characters."""
    folded = " ".join(text.split()).replace("`", "'")
    plain = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in folded)
    more = len(plain) - 2 * _VALUE_CHARS
    if more <= 0:
        return plain
    return f"{plain[: 2 * _VALUE_CHARS]}… ({MORE_CHARS.said(language, more)})"


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
    how: str
    """The end of the text, for as long as it waits: how to decide."""
    file_name: str = ""
    file: bytes = b""
    summary: str = ""
    shown: str = ""
    """Identifies the calls that a reader can read from it; empty if it does not show all of one."""


def card_of(
    approval: Approval, asker: str, *, alone: bool = False, language: Language = Language.EN
) -> Card:
    """The card of an approval; `asker` is the name of who wants it, `language` that of its reader.

    `alone`: only one person reads it. Elsewhere what looks like a secret is hidden.
    """
    plan = has_lines(approval)
    hidden = not alone and hides(approval)
    lines = [
        (tool, unfenced(visible(concealed(arguments)) if hidden else shown(arguments)))
        for tool, arguments in calls_of(approval)
    ]
    digest = "" if hidden else _read_back(lines)
    names = names_text(approval, hidden=not alone, language=language)
    targets = targets_text(approval, hidden=hidden, language=language)
    whole = _numbered(lines) if plan else lines[0][1]
    part, file, note = f"```json\n{whole}\n```", b"", ""
    if (rest := len(whole) - CARD_CHARS) > 0:
        part = f"```json\n{whole[:CARD_CHARS]}\n…\n```"
        if not hidden:
            file = whole.encode()
            note = f"{REST_IN_FILE.said(language, rest, ref=approval.ref)}\n"
    elif not (plan or hidden) and len(whole) + len(names) + len(targets) <= UNCUT_CHARS:
        told = _call_text(approval.arguments, language)
        part, digest = told.blocks, _digest([(approval.tool, told)])
    if len(file) > LARGEST_FILE:
        file, digest = b"", ""
        note = f"{TOO_MANY.said(language, count=number(len(whole), language))}\n"
    how = _how(approval, language) if digest else _no_yes(approval, language, hidden=hidden)
    text = (
        f"{_head(approval, in_words(asker), language, hidden=not alone)}"
        f"{names}{part}\n{note}{targets}{how}"
    )
    file_name = f"{approval.ref}.json" if file else ""
    summary = f"{_wanted(approval, in_words(asker), Language.EN)}. Approval {approval.ref}."
    choices = choices_of(approval, yes=bool(digest), language=language)
    return Card(text, choices, how, file_name, file, summary, digest)


def _wanted(approval: Approval, asker: str, language: Language) -> str:
    if has_lines(approval):
        return CountedPhrase(
            Phrase("{who} asks to make {count} call"), Phrase("{who} asks to make {count} calls")
        ).said(language, len(calls_of(approval)), who=asker)
    return RUN.said(language, who=asker, tool=approval.tool)


def _head(approval: Approval, asker: str, language: Language, *, hidden: bool) -> str:
    """Who wants what and why it is asked: in the tool's words, if it has some for this call."""
    why = why_asked(approval, language)
    ref = Phrase("Approval {ref}.").said(language, ref=approval.ref)
    ref += f" {BY_ITSELF.said(language)}" if _began_by_itself(approval) else ""
    told = approval.about.read_in(language).words
    if not told:
        return f"**{_wanted(approval, asker, language)}**{why}. {ref}\n"
    what = redact(told) if hidden else told
    return (
        f"**{WANTED.said(language, who=asker, what=what)}** {OK.said(language)}\n"
        f"{RUNS.said(language, tool=approval.tool)}{why}. {ref}\n"
    )


def _began_by_itself(approval: Approval) -> bool:
    """Whether no message began the run that asks. Agents in the background began with one."""
    try:
        run = SessionKey.parse(approval.session).run
    except ValueError:
        return False
    return bool(run) and not run.startswith("agent:")


def asked_for(approval: Approval, language: Language = Language.EN) -> str:
    """The tool, or how many calls, for lists."""
    if not has_lines(approval):
        return approval.tool
    calls = CountedPhrase(Phrase("{count} call"), Phrase("{count} calls"))
    return calls.said(language, len(calls_of(approval)))


def choices_of(
    approval: Approval, *, yes: bool = True, language: Language = Language.EN
) -> tuple[Choice, ...]:
    """Once, for longer where a grant is possible, or not at all; without `yes` only that."""
    no = Choice(Phrase("Reject").said(language), approval.ref, "reject")
    if not yes:
        return (no,)
    grants = [
        Choice(_label(approval, scope, language), approval.ref, f"approve_{scope}")
        for scope in offered(approval)
    ]
    return (Choice(Phrase("Approve").said(language), approval.ref, "approve"), *grants, no)


def whole_call(approval: Approval) -> tuple[str, str]:
    """All of a call for a command line, and what identifies what this shows."""
    lines = [(tool, shown(arguments)) for tool, arguments in calls_of(approval)]
    return "\n".join(f"{visible(tool)} {text}" for tool, text in lines), _read_back(lines)


def _numbered(lines: Sequence[tuple[str, str]]) -> str:
    """Each call of a plan under its number."""
    return "\n".join(
        f"{at}. {unfenced(visible(tool))} {text}" for at, (tool, text) in enumerate(lines, 1)
    )


def _read_back(lines: Sequence[tuple[str, str]]) -> str:
    """What identifies the calls as a reader gets them from the card; empty if that fails."""
    return _digest([(tool, _CallText(text)) for tool, text in lines])


def _digest(lines: Sequence[tuple[str, _CallText]]) -> str:
    try:
        return digest_of([(tool, text.arguments()) for tool, text in lines])
    except (ValueError, RecursionError):
        return ""


def shown(arguments: JsonObject) -> str:
    """Arguments as JSON with every character visible: hidden and reversing ones are spelt out."""
    return visible(json.dumps(arguments, ensure_ascii=False, indent=2))


def _how(approval: Approval, language: Language) -> str:
    """How a person decides. A terminal counts on over several cards; a plan has its own numbers."""
    several, scopes = has_lines(approval), offered(approval)
    wider = f" [{'|'.join(scopes)}]" if scopes else ""
    how = (
        Phrase("Answer yes or no, or use `/approve {ref}{wider}` or `/reject {ref}`.")
        if several
        else Phrase(
            "Answer yes or no or with the number of a choice, or use `/approve {ref}{wider}` or "
            "`/reject {ref}`."
        )
    )
    note = _plan_note(approval, language) if several else _session_note(approval, language)
    return f"{how.said(language, ref=approval.ref, wider=wider)}{note}"


def _no_yes(approval: Approval, language: Language, *, hidden: bool) -> str:
    """Why a card offers no yes."""
    why = Phrase("So nobody can approve it: ask for less. `/reject {ref}` ends it.")
    if hidden:
        why = Phrase(
            "Something in it looks like a secret and is hidden, as others read here. So nobody can "
            "approve it here: send me `/approve {ref}` in a direct message, where I show all of it."
        )
    return why.said(language, ref=approval.ref)


def _label(approval: Approval, scope: GrantScope, language: Language) -> str:
    """The label of a grant's button."""
    if scope is GrantScope.SESSION:
        return FOR_SESSION.said(language)
    values = sorted({target.value for target in approval.targets})
    several = Phrase("these {count}").said(language, count=len(values))
    what = visible(values[0]) if len(values) == 1 else several
    label = ALWAYS_FOR.said(language, what=what)
    if len(label) <= LABEL_CHARS:
        return label
    return ALWAYS_FOR.said(language, what=Phrase("this one").said(language))


def _plan_note(approval: Approval, language: Language) -> str:
    note = (
        Phrase(
            "A yes lets exactly these calls run, each once, within an hour. `/approve {ref} "
            "{some}` allows only some of them; any other call is asked about by itself."
        )
        if approval.tool == PLAN_CALLS
        else Phrase(
            "A yes runs these calls now. `/approve {ref} {some}` runs only some of them, and the "
            "others are rejected."
        )
    )
    some = "1,3" if len(calls_of(approval)) > 2 else "1"
    return f"\n{note.said(language, ref=approval.ref, some=some)}"


def _session_note(approval: Approval, language: Language) -> str:
    if GrantScope.SESSION not in offered(approval):
        return ""
    button = FOR_SESSION.said(language)
    return f"\n{SESSION_COVERS.said(language, button=button, tool=approval.tool)}"
