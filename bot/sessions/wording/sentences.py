"""Sentences for people whose turn ends without an answer, each with a reference."""

from collections.abc import Sequence

from bot.agents.delegation.background import BackgroundTask, cut
from bot.agents.loop.outcomes import Failed, Stopped, Trouble
from bot.agents.loop.spending import SPENT
from bot.domain.languages import Language
from bot.sessions.wording import apology_phrases as apologies
from bot.sessions.wording import endings
from bot.sessions.wording import failure_phrases as failures
from bot.sessions.wording import waiting_phrases as waiting

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
        return f"{SPENT.told(outcome.reason, language)} {reference}"
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


def follow_up(text: str, language: Language) -> str:
    """The lines below an answer that leaves something to be done."""
    return apologies.LEFT_TO_DO.said(language, what=text.strip())


def background_done(task: BackgroundTask, answer: str, language: Language) -> str:
    """An agent's own answer, with its question: much may have been said since."""
    lead = waiting.BACKGROUND_DONE.said(
        language, agent=task.agent, what=cut(task.brief.instruction)
    )
    return f"{lead}\n\n{answer}"


def background_failed(task: BackgroundTask, reason: str, ref: str, language: Language) -> str:
    what, why = cut(task.brief.instruction), cut(reason, 200)
    return waiting.BACKGROUND_FAILED.said(
        language, agent=task.agent, what=what, reason=why, ref=ref
    )


def background_stopped(task: BackgroundTask, language: Language) -> str:
    what = cut(task.brief.instruction)
    return waiting.BACKGROUND_STOPPED.said(language, agent=task.agent, what=what)


def background_given_up(task: BackgroundTask, language: Language) -> str:
    what = cut(task.brief.instruction)
    return waiting.BACKGROUND_GIVEN_UP.said(language, agent=task.agent, what=what)


def waits_for_a_place(running: int, language: Language = Language.EN) -> str:
    """`running`: the number of the person's running requests if that is their maximum; else 0."""
    if running:
        return waiting.OWN_REQUESTS.said(language, running)
    return waiting.MANY_ASK.said(language)


def lapsed_for_all(service: str, id_: str) -> str:
    """For a MasterAdmin, when a service no longer accepts the workspace's account."""
    return (
        f"{service} no longer accepts the workspace's account, so requests of people without an "
        f"account of their own can't use it. Put a new token into `{id_.upper()}_WORKSPACE_TOKEN` "
        f"and restart, or run `bellhop connect {id_} --workspace`."
    )
