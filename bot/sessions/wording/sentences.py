"""Sentences for people whose turn ends without an answer, each with a reference."""

from collections.abc import Sequence

from bot.agents.delegation.background import BackgroundTask, cut
from bot.agents.loop.outcomes import Failed, Stopped, Trouble
from bot.domain.approvals import ApprovalState
from bot.domain.languages import Language
from bot.sessions.wording import endings
from bot.sessions.wording import failure_phrases as failures

NOT_EXTENDED = "My budget for today is used up, so I stop here."
EMPTY_MESSAGE = "Your message was empty. Write what you need, or /help for what I can do."


def too_long(length: int, limit: int) -> str:
    return (
        f"That message has {length:,} characters; I read at most {limit:,} at a time. Send it as a "
        "file, or in parts."
    )


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
    reference = failures.REFERENCE.said(language, ref=ref)
    if outcome.kind is Trouble.SPENT:
        return f"{outcome.reason} {reference}"
    if outcome.kind is Trouble.BUDGET:
        return f"{endings.exhausted(outcome.done, language)} {reference}"
    phrase = failures.MODEL.get(outcome.model_kind) or failures.TROUBLE[outcome.kind]
    told = [phrase.said(language)]
    if outcome.retry_after_s and outcome.retry_after_s > 1:
        told.append(failures.asks_to_wait(outcome.retry_after_s, language))
    if outcome.model_kind:
        if remedy := _remedy(outcome.model_kind, language, runs_me=runs_me):
            told.append(remedy)
        told.append(failures.WHY_TELLS.said(language, ref=ref))
    return " ".join([*told, reference])


def _remedy(kind: str, language: Language, *, runs_me: bool) -> str:
    """What to do; whoever runs Bellhop reads it in English, as all of the operator's texts are."""
    if runs_me:
        return _REMEDIES.get(kind, "")
    return failures.TELL_OPERATOR.said(language) if kind in _ASK else ""


def unseen(kinds: Sequence[str], language: Language = Language.EN, *, runs_me: bool) -> str:
    """What the model refused to read, or that another one answered, told after the answer."""
    told = [
        failures.UNSEEN[kind].said(language)
        for kind in dict.fromkeys(kinds)
        if kind in failures.UNSEEN
    ]
    if runs_me:
        told.append("The log has what its server said.")
    return f"({' '.join(told)})"


def stopped(outcome: Stopped, language: Language = Language.EN) -> str:
    """What was changed until then, and above it the part of the answer already shown."""
    said = endings.stopped(outcome.done, unsure=outcome.unsure, language=language)
    return f"{outcome.shown}\n\n{said}" if outcome.shown else said


def question_expired(outcome: Stopped, language: Language = Language.EN) -> str:
    return endings.expired(outcome.done, unsure=outcome.unsure, language=language)


def approval_expired(ref: str, tool: str) -> str:
    return (
        f"Approval {ref} has expired: nobody decided in time, so `{tool}` was not run. Ask again "
        "if it matters."
    )


SHARE_EXPIRED = (
    "I shared nothing: nobody decided in time about the text that `/share` showed. Say it again if "
    "it matters."
)


def sent_directly(names: Sequence[str]) -> str:
    """On a card that hides something: where it is shown whole."""
    return f"I sent all of it directly to {_names(names)}."


def tell_them(ref: str) -> str:
    """The remedy where nobody who may decide can be reached."""
    return f" I can reach none from here: give one of them the reference {ref}."


def _names(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


CLOSED = "Not open any more"
STOPPED = "Stopped"
UNANSWERED = "Expired: nobody answered in time"


def approval_end(state: ApprovalState, by: str) -> str:
    """The line under the card of a finished approval; `by` made the decision."""
    if state is ApprovalState.EXPIRED:
        return "Expired: nobody decided in time"
    verdict = "Rejected" if state is ApprovalState.REJECTED else "Approved"
    return f"{verdict} by {' '.join(by.split())[:80]}" if by else f"{verdict} elsewhere"


def answered(option: str | None) -> str:
    """The line under a question. It doesn't repeat typed answers: their author may delete them."""
    return "Answered in words" if option is None else f"Answered: {' '.join(option.split())[:100]}"


def skill_gone(name: str) -> str:
    return (
        f"The skill behind /{name} is not there any more, so I did nothing. /skill list shows "
        "which there are."
    )


def unanswered(messages: int) -> str:
    """For a place after a time without Bellhop (docs/rules.md#catching-up)."""
    what = (
        "An older message here was" if messages == 1 else f"{messages:,} older messages here were"
    )
    return f"I was away. {what} not answered; ask again if it still matters."


def not_written(ref: str) -> str:
    """For a person, directly, when an answer is refused where they asked."""
    return (
        "I may not write where you asked me, so my answer is not there: the place is closed, or I "
        "lack a permission."
        f" Write to me here instead. (reference {ref})"
    )


def not_posted(to: str, ref: str) -> str:
    """For a person, when a message to be posted elsewhere was retried and never accepted."""
    return (
        f"What you had me post to {to} could not be delivered, and I gave up on it. (reference "
        f"{ref})"
    )


def answer_lost(ref: str) -> str:
    """For a person, when an answer was begun and never reached its platform."""
    return f"My answer was cut off before it reached you. Please ask again. (reference {ref})"


def apology(ref: str) -> str:
    return (
        f"Sorry, something broke on my side and I could not answer this message. (reference {ref})"
    )


def unreadable(ref: str) -> str:
    """For a place, about a message whose record is damaged."""
    return (
        "Sorry, my record of a message here is damaged, so I could not answer it. Please send it "
        "again."
        f" (reference {ref})"
    )


def command_unreadable(ref: str) -> str:
    """The same for a command or a click."""
    return (
        "Sorry, my record of a command or a click here is damaged, so I did nothing about it. "
        "Please give it again."
        f" (reference {ref})"
    )


def unknown_work(ref: str) -> str:
    """For a person, about work that this version does not know, such as after a downgrade."""
    return (
        "Sorry, this version of me does not know how to do this, so I did nothing about it. "
        f"(reference {ref})"
    )


def answer_damaged(ref: str) -> str:
    """For a place, in place of a waiting answer whose record is damaged."""
    return (
        "Sorry, an answer that waited to be sent here is damaged and lost. Please ask again. "
        f"(reference {ref})"
    )


def follow_up(text: str) -> str:
    """The lines below an answer that leaves something to be done."""
    return f"Left to do: {text.strip()}"


def background_done(task: BackgroundTask, answer: str) -> str:
    """An agent's own answer, with its question: much may have been said since."""
    return f"{task.agent} has finished “{cut(task.brief.instruction)}”:\n\n{answer}"


def background_failed(task: BackgroundTask, reason: str, ref: str) -> str:
    return (
        f"{task.agent} worked in the background on “{cut(task.brief.instruction)}” and came to no "
        f"answer ({cut(reason, 200)}). `/why {ref}` tells more."
    )


def background_stopped(task: BackgroundTask) -> str:
    return (
        f"{task.agent} was stopped while it worked in the background on "
        f"“{cut(task.brief.instruction)}”."
    )


def background_given_up(task: BackgroundTask) -> str:
    return f"{task.agent} can't go on in the background with “{cut(task.brief.instruction)}”."


def waits_for_a_place(running: int) -> str:
    """`running`: the number of the person's running requests if that is their maximum; else 0."""
    if running:
        what = "another request" if running == 1 else f"{running} other requests"
        return f"I am working on {what} of yours. I begin with this one when one of them is done."
    return (
        "Many people ask me something at the moment. Yours is not forgotten: I begin with it as "
        "soon as I can."
    )


WAITS_FOR_TRIALS = (
    "I ended unexpectedly and am finding out which request did it, one at a time. Yours is not "
    "forgotten: I begin with"
    " it when that is done."
)
WAITS_FOR_MACHINE = (
    "The machine that I run on is short of memory or open files at the moment. Your request is not "
    "lost: I keep trying."
)


def linked(name: str, moved: str) -> str:
    """For a person whom contacts.yaml now names."""
    return f"I know you as {name} now. What I kept for you before is yours here too: {moved}."


def lapsed_for_all(service: str, id_: str) -> str:
    """For a MasterAdmin, when a service no longer accepts the workspace's account."""
    return (
        f"{service} no longer accepts the workspace's account, so requests of people without an "
        f"account of their own can't use it. Put a new token into `{id_.upper()}_WORKSPACE_TOKEN` "
        f"and restart, or run `bellhop connect {id_} --workspace`."
    )


def lapsed(service: str, id_: str) -> str:
    """For a person, when a service no longer accepts their connection."""
    return (
        f"{service} no longer accepts your connection, so your requests and scheduled tasks can't "
        f"use it. `/connect {id_}` connects it again."
    )


def asked_about(names: Sequence[str]) -> str:
    """For a stranger whose message waits; `names` of the people who were asked."""
    return (
        f"We haven't met, so I have asked {_names(names)} who you are. I answer your message after "
        "their yes."
    )


STRANGERS_FULL = (
    "We haven't met, and I am asking about other people already. Write to me again tomorrow."
)
NOBODY_TO_ASK = "We haven't met, and there is nobody here whom I could ask about you."
PAIRING_EXPIRED = (
    "Nobody has told me who you are, so your message was not answered. You can write to me again."
)


def changed(changes: Sequence[tuple[str, str, int]]) -> str:
    """What a turn changed beside text from outside: (noun, what was done, how many)."""
    if not changes:
        return ""
    parts = [f"{n} {_plural(noun) if n > 1 else noun} {done}" for noun, done, n in changes]
    return f"Changed: {', '.join(parts)}. `/undo` within an hour takes it back."


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
