"""What `/skill` and `/skills` say: how they are used, what there is, and what became of one."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.skills.families import title_of

USAGE = Phrase(
    "`/skill NAME [TASK]` runs a skill. `/skill list` names them, `/skill show NAME` shows one,"
    " `/skill new NAME` makes one of your own (or in one go: `/skill new NAME: INSTRUCTIONS`),"
    " `/skill share NAME` gives it to everybody here, `/skill remove NAME` removes it,"
    " `/skill found` offers what you do again and again."
)
NO_SKILL = Phrase("There is no skill '{name}' for you.")
LIST_SHOWS = Phrase("`/skill list` shows which there are.")
YOURS = Phrase("yours")
SHARED_BY = Phrase("shared by {who}")
AND_MORE = CountedPhrase(
    Phrase("and {count} more", context="one skill"), Phrase("and {count} more", context="skills")
)
OF_PEOPLE = Phrase("Of people here")
IS_PRIVATE = Phrase("That skill is private; ask me in a direct message.")
REMOVED = Phrase(
    "Removed {name}.")  # fmt: skip
NOW_SHARED = Phrase("Now everybody here has it: {what}")
SAVED = Phrase("Saved: {what}")
RUNS_IT = Phrase("`/{name}` runs it")
BY_ITSELF = Phrase("I use it by myself from your next session on")
NOTHING_RUNS_IT = Phrase("nothing runs it")
ASK_DIRECTLY = Phrase("Ask me in a direct message: it is about your conversations.")
NOTHING_RECURS = Phrase(
    "No way of working recurs in your conversations yet: I look for four or more tools in the same"
    " order in three conversations that have ended."
)
RECURS = Phrase(
    "This recurs in your conversations. I kept the order of the tools, and nothing you said:"
)
TIMES = CountedPhrase(Phrase("{count} time"), Phrase("{count} times"))
MAKE_ONE = Phrase(
    "`/skill found NUMBER NAME` makes one a skill of your own, which nobody else sees."
)
SAY_NAME = Phrase("Say what it is called: `/skill found {number} NAME`.")
NOT_SAVED = Phrase("Nothing was saved. This is what you wrote:")
ASKS_NAME = Phrase("What is the new skill called? Such as weekly_report. (Or: cancel)")
ASKS_STEPS = Phrase("What should I do for /{name}? Write the steps. (Or: cancel)")
ASKS_WHEN = Phrase(
    "When should I use it by myself? Say it in a sentence, or *no* if only the command starts it."
    " (Or: cancel)"
)
LEFT = Phrase("All right, I left it as it was.")
ANSWER_FIRST = Phrase("I am waiting for your answer; answer first, or /stop, then /{name}.")

NONE_FOR_YOU = Phrase("There is no skill here for you.")
NO_FAMILY = Phrase("There is no family '{name}'; there are: {names}.")
SKILLS = Phrase("Skills")
HOW = Phrase("Say what you want in your own words, or run one with `/skill NAME`.")
IMPORTS = Phrase(
    "`/skills import` with a file attached stages what is in it. `/skills staged [NAME]` shows what"
    " waits, with its findings. `/skills approve NAME [accept-findings]` makes it live,"
    " `/skills reject NAME` deletes it, `/skills remove NAME` removes a live imported skill,"
    " `/skills promote NAME` makes a skill of a playbook candidate."
)
IMPORTS_FOR_ADMINS = Phrase(
    "Importing skills is for a MasterAdmin. `/skills` shows what is here for you."
)
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


VERBS: Mapping[str, Phrase] = {
    "new": Phrase("make a skill of your own"),
    "list": Phrase("which skills are here for you"),
    "show": Phrase("what a skill says; its name is the task"),
    "share": Phrase("give a skill of yours to everybody here; its name is the task"),
    "remove": Phrase("take a skill away; its name is the task"),
}
"""What may stand behind `/skill` in place of a name."""
