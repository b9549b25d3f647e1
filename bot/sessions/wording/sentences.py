"""What people are told of a run: why it ended without an answer, and what it is doing.

Each sentence about an end has a reference. A tool's name means nothing to most people, so each tool
that ships has a phrase: the house's own here, often one for several tools, those of plug-ins in
`NativeTool.doing`. Tools of a home or a server have none: of those the name is shown, as words.
"""

from collections.abc import Mapping, Sequence

from bot.agents.delegation.background import SHOWN_CHARS, BackgroundTask
from bot.agents.loop.outcomes import Failed, Stopped, Trouble
from bot.agents.loop.spending import SPENT
from bot.domain.card_words import titled
from bot.domain.characters import one_entry, short_line
from bot.domain.chat import Pause, ToolStarted
from bot.domain.deeds import Deed, Noun
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.waits import is_far, wait_unit
from bot.sessions.wording.phrases import AND_MORE, TITLED, done_in_words

MODEL = {
    "auth": Phrase("The model refused our key, so I can't answer."),
    "credit": Phrase("The account that pays for the model has no credit left, so I can't answer."),
    "no_model": Phrase("The model that I am set to use doesn't exist, so I can't answer."),
    "rate_limit": Phrase(
        "The model is at its request limit right now. Please try again in a little while."
    ),
    "overloaded": Phrase("The model is overloaded right now. Please try again in a few minutes."),
    "unreachable": Phrase("I can't reach the model right now. Please try again in a few minutes."),
    "timeout": Phrase("The model took too long to answer. Please try again."),
    "bad_request": Phrase("The model refused my request."),
    "too_long": Phrase("This conversation is too long for the model now. Start afresh with /new."),
    "cut": Phrase("The model's answer broke off several times. Please try again."),
    "nonsense": Phrase(
        "The model answered with something I can't read, several times. Please try again."
    ),
}
"""By the kind of the model's failure."""


_UNITS = {
    "day": CountedPhrase(Phrase("{count} day"), Phrase("{count} days")),
    "hour": CountedPhrase(Phrase("{count} hour"), Phrase("{count} hours")),
    "minute": CountedPhrase(Phrase("{count} minute"), Phrase("{count} minutes")),
    "second": CountedPhrase(Phrase("{count} second"), Phrase("{count} seconds")),
}

TROUBLE = {
    Trouble.TIME: Phrase(
        "That took longer than one request may, so I stopped. Try a smaller request."
    ),
    Trouble.EMPTY: Phrase(
        "The model gave an empty answer twice. Please ask again, perhaps in other words."
    ),
    Trouble.LOOPING: Phrase(
        "I was going round in circles, so I stopped. Try asking in another way."
    ),
    Trouble.REFUSED: Phrase("The model declined to answer this."),
    Trouble.CUT: MODEL["too_long"],
    Trouble.MODEL: Phrase("The model could not answer."),
}
"""By what went wrong in the run."""
UNSEEN = {
    "blind": Phrase("The model that I use takes no pictures, so I have not seen any of yours."),
    "picture": Phrase(
        "The model refused a picture of this conversation, so I answered without it."
    ),
    "history": Phrase(
        "The model refused a part of our earlier conversation, so I answered without it."
    ),
    "fallback": Phrase("My usual model is not available, so another one answers for now."),
}
"""What the model refused to read, or that another one answered."""

_REMEDIES = {
    "auth": "Put a valid ANTHROPIC_API_KEY into .env (or the environment) and restart me;"
    " `bellhop doctor --live` tries it.",
    "credit": "Add credit to that account at the provider; I need no restart.",
    "no_model": "Check model.name and model.base_url in bellhop.yaml and restart me;"
    " `bellhop doctor --live` tries them.",
    "unreachable": (
        "Check that the server at model.base_url is running; `bellhop doctor --live` asks it."
    ),
    "bad_request": "The log and `bellhop doctor --live` have what its server said.",
}
"""Remedies for a failing model, for the operator of Bellhop."""
_ASK = frozenset({"auth", "credit", "no_model", "bad_request"})
"""Failures that don't pass by themselves."""


def failure(
    outcome: Failed, ref: str, *, runs_me: bool = False, language: Language = Language.EN
) -> str:
    """`runs_me`: the person is a MasterAdmin, and reads the remedy."""
    reference = Phrase("(reference {ref})").said(language, ref=ref)
    if outcome.kind is Trouble.SPENT:
        return f"{SPENT.told(outcome.reason, language)} {reference}"
    if outcome.kind is Trouble.BUDGET:
        return f"{_ended(_EXHAUSTED, outcome.done, language)} {reference}"
    phrase = MODEL.get(outcome.model_kind) or TROUBLE[outcome.kind]
    told = [phrase.said(language)]
    if outcome.retry_after_s and outcome.retry_after_s > 1:
        told.append(_asks_to_wait(outcome.retry_after_s, language))
    if outcome.model_kind:
        if remedy := _remedy(outcome.model_kind, language, runs_me=runs_me):
            told.append(remedy)
        told.append(Phrase("`/why {ref}` says more.").said(language, ref=ref))
    return " ".join([*told, reference])


def _remedy(kind: str, language: Language, *, runs_me: bool) -> str:
    """What to do; whoever runs Bellhop reads it in English, as all of the operator's texts are."""
    if runs_me:
        return _REMEDIES.get(kind, "")
    return Phrase("Tell whoever runs me.").said(language) if kind in _ASK else ""


def unseen(kinds: Sequence[str], language: Language = Language.EN, *, runs_me: bool) -> str:
    """What the model refused to read, or that another one answered, told after the answer."""
    told = [UNSEEN[kind].said(language) for kind in dict.fromkeys(kinds) if kind in UNSEEN]
    if runs_me:
        told.append("The log has what its server said.")
    return f"({' '.join(told)})"


def stopped(outcome: Stopped, language: Language = Language.EN) -> str:
    """What was changed until then, and above it the part of the answer already shown."""
    said = _ended(Phrase("Stopped."), outcome.done, language, unsure=outcome.unsure)
    return f"{outcome.shown}\n\n{said}" if outcome.shown else said


def question_expired(outcome: Stopped, language: Language = Language.EN) -> str:
    """For somebody who never answered a question."""
    waited = Phrase("I waited long for your answer and have stopped now.")
    said = _ended(waited, outcome.done, language, unsure=outcome.unsure)
    return f"{said} {Phrase('Write to me again if it still matters.').said(language)}"


_EXHAUSTED = Phrase("I used up the steps I have for one request without getting to an answer.")
_SHOWN = 5
_NOUNS: Mapping[Noun, Phrase] = {
    Noun.TODO: Phrase("todo"),
    Noun.NOTE: Phrase("note"),
    Noun.ENTRY: Phrase("memory entry"),
    Noun.FILE: Phrase("file"),
    Noun.MESSAGE: Phrase("message"),
    Noun.MAIL: Phrase("mail"),
    Noun.EVENT: Phrase("event"),
    Noun.REMINDER: Phrase("reminder"),
    Noun.SCHEDULE: Phrase("schedule", context="changed"),
    Noun.ISSUE: Phrase("issue"),
    Noun.PAGE: Phrase("page"),
    Noun.MEETING: Phrase("meeting"),
    Noun.TASK: Phrase("task"),
}


def _ended(
    first: Phrase, deeds: Sequence[Deed], language: Language, *, unsure: bool = False
) -> str:
    """How a run ended early, and what it had changed by then: each change once."""
    told = [first.said(language)]
    if deeds:
        said = list(dict.fromkeys(_change(one, language) for one in deeds))
        more = [AND_MORE.said(language, len(said) - _SHOWN)] if len(said) > _SHOWN else []
        what = "; ".join([*said[:_SHOWN], *more])
        told.append(Phrase("Done until then: {what}.").said(language, what=what))
    if unsure:
        cut_off = Phrase("One step was cut off; whether it took effect is unknown.")
        told.append(cut_off.said(language))
    return " ".join(told)


def _change(deed: Deed, language: Language) -> str:
    """As its person calls it."""
    if deed.noun is Noun.OUTSIDE:
        return Phrase("a change in another service").said(language)
    noun, name = _NOUNS[deed.noun].said(language), one_entry(deed.name).strip()
    title = f"`{name}`" if deed.noun is Noun.FILE else TITLED.said(language, title=name)
    return done_in_words(f"{noun} {title}" if name else noun, deed.done, language)


def follow_up(text: str, language: Language) -> str:
    """The lines below an answer that leaves something to be done."""
    return Phrase("Left to do: {what}").said(language, what=text.strip())


def background_done(task: BackgroundTask, answer: str, language: Language) -> str:
    """An agent's own answer, with its question: much may have been said since."""
    lead = Phrase("{agent} has finished “{what}”:").said(
        language, agent=task.agent, what=short_line(task.brief.instruction, SHOWN_CHARS)
    )
    return f"{lead}\n\n{answer}"


def background_failed(task: BackgroundTask, reason: str, ref: str, language: Language) -> str:
    what, why = short_line(task.brief.instruction, SHOWN_CHARS), short_line(reason, 200)
    return Phrase(
        "{agent} worked in the background on “{what}” and came to no answer ({reason}). `/why "
        "{ref}` tells more."
    ).said(language, agent=task.agent, what=what, reason=why, ref=ref)


def background_stopped(task: BackgroundTask, language: Language) -> str:
    what = short_line(task.brief.instruction, SHOWN_CHARS)
    return Phrase("{agent} was stopped while it worked in the background on “{what}”.").said(
        language, agent=task.agent, what=what
    )


def background_given_up(task: BackgroundTask, language: Language) -> str:
    what = short_line(task.brief.instruction, SHOWN_CHARS)
    return Phrase("{agent} can't go on in the background with “{what}”.").said(
        language, agent=task.agent, what=what
    )


def waits_for_a_place(running: int, language: Language = Language.EN) -> str:
    """`running`: the number of the person's running requests if that is their maximum; else 0."""
    if running:
        return CountedPhrase(
            Phrase(
                "I am working on another request of yours. I begin with this one when one of them "
                "is done."
            ),
            Phrase(
                "I am working on {count} other requests of yours. I begin with this one when one "
                "of them is done."
            ),
        ).said(language, running)
    return Phrase(
        "Many people ask me something at the moment. Yours is not forgotten: I begin with it as "
        "soon as I can."
    ).said(language)


def lapsed_for_all(service: str, id_: str) -> str:
    """For a MasterAdmin, when a service no longer accepts the workspace's account."""
    return (
        f"{service} no longer accepts the workspace's account, so requests of people without an "
        f"account of their own can't use it. Put a new token into `{id_.upper()}_WORKSPACE_TOKEN` "
        f"and restart, or run `bellhop connect {id_} --workspace`."
    )


def _asks_to_wait(seconds: float, language: Language) -> str:
    """What a server asks for, of any length."""
    if is_far(seconds):
        return Phrase("(It asks to wait until far in the future, so I stop trying.)").said(language)
    count, unit = wait_unit(seconds)
    return Phrase("(It asks to wait {wait}.)").said(
        language, wait=_UNITS[unit].said(language, count)
    )


_ABOUT_CHARS = 60


PAUSES: Mapping[Pause, Phrase] = {
    Pause.TRYING_AGAIN: Phrase("Trying again"),
    Pause.READING_MORE: Phrase("Reading what you added"),
    Pause.MAKING_ROOM: Phrase("Summarising our conversation to make room"),
}


_SPECIALIST_TOOL = "agent_"


_GROUPS = {
    "manage_todos": Phrase("Looking after your todos"),
    "read_file list_directory document_versions": Phrase("Looking through files"),
    "write_file edit_file": Phrase("Writing a file"),
    "delete_file": Phrase("Deleting a file"),
    "remember": Phrase("Going through what I remember"),
    "save_fact share_memory": Phrase("Making a note of it"),
    "forget": Phrase("Forgetting it"),
    "search catch_me_up": Phrase("Searching what was said and kept here"),
    "follow_thread": Phrase("Seeing whom to answer here"),
    "schedule_task remind_member": Phrase("Setting it up for later"),
    "send": Phrase("Writing a message"),
    "tool_search get_capabilities read_skill activate_skill deactivate_skill": Phrase(
        "Looking for the best way"
    ),
    "plan recovery": Phrase("Working through the plan"),
    "call_agent": Phrase("Handing a part of it over"),
    "cancel_agent": Phrase("Stopping what runs"),
    "ask_user_for_clarification plan_calls request_more_turns": Phrase("Preparing a question"),
    "connect_service": Phrase("Seeing how to connect your account"),
    "inspect_cycle recall_recent": Phrase("Looking at earlier work"),
    "finish_task": Phrase("Finishing"),
}
PHRASES: Mapping[str, Phrase] = {
    tool: phrase for tools, phrase in _GROUPS.items() for tool in tools.split()
}
"""By the name of a tool of the house."""


def doing(call: ToolStarted, language: Language) -> str:
    """`Searching the web: “flights to Rome”`."""
    about = f": {titled(call.about, _ABOUT_CHARS)}" if call.about else ""
    phrase = call.doing or PHRASES.get(call.name)
    if phrase is not None:
        return f"{phrase.said(language)}{about}"
    specialist = call.name.startswith(_SPECIALIST_TOOL)
    name = titled(call.name.removeprefix(_SPECIALIST_TOOL).replace("_", " "), _ABOUT_CHARS)
    words = Phrase("Asking {name}") if specialist else Phrase("Using {name}")
    return f"{words.said(language, name=name)}{about}"
