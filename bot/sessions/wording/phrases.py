"""What several commands, cards and reminders say, and what they call things.

Below the words of all: those of waiting calls, names of what is kept of a person, changes that can
be taken back, and families of skills.
"""

from collections.abc import Mapping, Sequence

from bot.domain.access import Role
from bot.domain.approvals import ApprovalState, Grant, GrantScope
from bot.domain.languages import CountedPhrase, Language, Phrase, joined
from bot.skills.families import title_of

SEND_FILES_HERE = Phrase("Send the files here, with a message.")
PARTNER_DECIDES = Phrase("A Partner or MasterAdmin decides that.")
NO_APPROVAL = Phrase("There is no approval {ref}.")
ADMIN_ALONE = Phrase("Only a MasterAdmin can decide this.")
TITLED = Phrase("“{title}”")
ASK_DIRECTLY = Phrase("Ask me in a direct message; others read along here.", context="todos")
DONE = Phrase("Done")
UNSEEN = Phrase("Plug-ins that are switched off keep what I can't look through: {names}.")
AND_MORE = CountedPhrase(Phrase("and {count} more", context="one"), Phrase("and {count} more"))


def grant_words(grant: Grant, language: Language) -> str:
    """What a grant covers: `send_email to ann@example.org, always`."""
    if grant.scope is GrantScope.SESSION:
        return Phrase("{tool}, for one session").said(language, tool=grant.tool)
    targets = ", ".join(sorted({target.value for target in grant.targets}))
    return Phrase("{tool} to {targets}, always").said(language, tool=grant.tool, targets=targets)


def at_line(source: str, language: Language) -> str:
    """A file and the line in it, as the house writes them: `policy.yaml, line 5`."""
    file, _, line = source.rpartition(", line ")
    return Phrase("{file}, line {line}").said(language, file=file, line=line) if file else source


SAY_ROLE = Phrase("Say as what: `/pair {ref} {roles}`.")


def not_yours(rank: int, ref: str, asked: Sequence[str], language: Language = Language.EN) -> str:
    """For a person who may not decide; `asked`: the names of the people who were asked."""
    if rank == 0:
        return Phrase("Only the person who asked for it can decide approval {ref}.").said(
            language, ref=ref
        )
    return waits_for(rank, asked, language)


def waits_for(rank: int, asked: Sequence[str], language: Language = Language.EN) -> str:
    """On a card without choices: the people who may decide."""
    if rank >= Role.MASTER_ADMIN.rank:
        who = Phrase("a MasterAdmin").said(language)
    else:
        lowest = min((one for one in Role if one.rank >= rank), key=lambda one: one.rank)
        who = Phrase("a {role} or higher").said(language, role=lowest.value)
    if not asked:
        return Phrase("Only {who} can decide this.").said(language, who=who)
    return Phrase("Only {who} can decide this; I have asked {names}.").said(
        language, who=who, names=joined(asked, language)
    )


CLOSED = Phrase("Not open any more")
NOT_DONE = Phrase("OK, I won't do it.")
STOPPED = Phrase("Stopped")


def approval_end(state: ApprovalState, by: str, language: Language = Language.EN) -> str:
    """The line under the card of a finished approval; `by` made the decision."""
    if state is ApprovalState.EXPIRED:
        return Phrase("Expired: nobody decided in time").said(language)
    who, rejected = " ".join(by.split())[:80], state is ApprovalState.REJECTED
    if who:
        phrase = Phrase("Rejected by {who}") if rejected else Phrase("Approved by {who}")
    else:
        phrase = Phrase("Rejected elsewhere") if rejected else Phrase("Approved elsewhere")
    return phrase.said(language, who=who)


def partly(decided: str, allowed: Sequence[int], most: int, language: Language) -> str:
    """The same for a yes to some of the calls of a card, by their numbers."""
    others = [one for one in range(1, most + 1) if one not in allowed]
    if not (allowed and others):
        return decided
    return Phrase("{decided}: {calls}, not {others}").said(
        language,
        decided=decided,
        calls=", ".join(map(str, allowed)),
        others=", ".join(map(str, others)),
    )


def answered(option: str | None, language: Language = Language.EN) -> str:
    """The line under a question. It doesn't repeat typed answers: their author may delete them."""
    if option is None:
        return Phrase("Answered in words").said(language)
    return Phrase("Answered: {option}").said(language, option=" ".join(option.split())[:100])


_KEPT = (
    Phrase("approvals"),
    Phrase("attached files"),
    Phrase("automations"),
    Phrase("cards"),
    Phrase("changes that can be taken back"),
    Phrase("conversations"),
    Phrase("documents"),
    Phrase("earlier wishes to forget"),
    Phrase("entries of memory"),
    Phrase("entries of everybody's memory"),
    Phrase("facts of conversations"),
    Phrase("files"),
    Phrase("files of projects"),
    Phrase("files that conversations saw"),
    Phrase("grants"),
    Phrase("lines of conversations.jsonl"),
    Phrase("lines of the audit"),
    Phrase("memory files"),
    Phrase("messages", context="counted"),
    Phrase("posts on their way"),
    Phrase("requests"),
    Phrase("requests in the log"),
    Phrase("requests that tools served"),
    Phrase("requests that wait for an account"),
    Phrase("schedules"),
    Phrase("snapshots of projects"),
    Phrase("summaries"),
    Phrase("things about to be learned"),
    Phrase("todos"),
    Phrase("versions of files"),
)
KEPT: Mapping[str, Phrase] = {phrase.en: phrase for phrase in _KEPT}


def kept_counted(kind: str, count: int, language: Language, more: Mapping[str, Phrase]) -> str:
    """`notes: 3`, behind a heading or between commas. `more`: the names of plug-ins."""
    phrase = KEPT.get(kind) or more.get(kind)
    name = phrase.said(language) if phrase else kind
    return f"{name} : {count}" if language is Language.FR else f"{name}: {count}"


ADDED = Phrase("{what} added")
NOUNS: Mapping[str, CountedPhrase] = {
    "todo": CountedPhrase(Phrase("todo"), Phrase("{count} todos")),
    "note": CountedPhrase(Phrase("note"), Phrase("{count} notes")),
    "file": CountedPhrase(Phrase("file"), Phrase("{count} files", context="documents")),
    "meeting": CountedPhrase(Phrase("meeting"), Phrase("{count} meetings")),
    "summary": CountedPhrase(Phrase("summary"), Phrase("{count} summaries")),
    "entry": CountedPhrase(Phrase("entry"), Phrase("{count} entries")),
    "note about somebody": CountedPhrase(
        Phrase("note about somebody"), Phrase("{count} notes about somebody")
    ),
}
_DONE: Mapping[str, Phrase] = {
    "added": ADDED,
    "added to": ADDED,
    "changed": Phrase("{what} changed"),
    "done": Phrase("{what} done"),
    "completed": Phrase("{what} done"),
    "dismissed": Phrase("{what} dismissed"),
    "deleted": Phrase("{what} deleted"),
    "created": Phrase("{what} created"),
    "replaced": Phrase("{what} replaced"),
    "written": Phrase("{what} written"),
    "stored": Phrase("{what} stored"),
    "sent": Phrase("{what} sent"),
}
"""What tools call a change (`Undoable`); a plug-in's own word stands as it is."""


def change_in_words(noun: str, done: str, language: Language) -> str:
    """One change: `todo added`."""
    return done_in_words(NOUNS[noun].said(language, 1) if noun in NOUNS else noun, done, language)


def changed(changes: Sequence[tuple[str, str, int]], language: Language) -> str:
    """What a turn changed beside text from outside: (noun, what was done, how many)."""
    if not changes:
        return ""
    parts: list[str] = []
    for noun, done, count in changes:
        if count > 1 and noun in NOUNS:
            what = NOUNS[noun].said(language, count)
        else:
            what = f"{count} {NOUNS[noun].said(language, 1) if noun in NOUNS else noun}"
        parts.append(done_in_words(what, done, language))
    return Phrase("Changed: {what}. `/undo` within an hour takes it back.").said(
        language, what=", ".join(parts)
    )


def done_in_words(what: str, done: str, language: Language) -> str:
    """`what` is the thing in words."""
    return _DONE[done].said(language, what=what) if done in _DONE else f"{what} {done}"


OTHERS = Phrase("others")
FAMILIES: Mapping[str, Phrase] = {
    "team": Phrase("teamwork"),
    "community": Phrase("communities"),
    "writing": Phrase("writing"),
    "code": Phrase("code"),
    "web": Phrase("web development"),
    "security": Phrase("security"),
    "infra": Phrase("infrastructure"),
    "data": Phrase("data"),
    "research": Phrase("research"),
    "sales": Phrase("support and sales"),
    "personal": Phrase("daily life"),
}


def family_title(family: str, language: Language) -> str:
    """What a family is called; one of a home's own is called as its skills say."""
    if not family:
        return OTHERS.said(language)
    known = FAMILIES.get(family)
    return known.said(language) if known is not None else title_of(family)


_SHIPPED = (Phrase("Write somebody's standup."), Phrase("Sort a pile of todos or requests."))
_ABOUT = {phrase.en: phrase for phrase in _SHIPPED}


def about_command(description: str, language: Language) -> str:
    """What the command of a skill does; in a home's own words where it wrote some."""
    known = _ABOUT.get(description)
    return known.said(language) if known is not None else description
