"""Scripts: how a wish is carried out, call by call.

A script is a generator that yields rounds of calls, gets their outcomes, and returns the answer. It
runs anew for every request, with the outcomes in the history. So nothing is kept between requests,
and the same history always leads to the same reply. Each request adds at most one round, and every
script ends, so it can't loop.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.plugin.models import JsonObject
from bot.plugins.offline_model.situation import CallOutcome, PastCall, Situation

ROUNDS_MAX = 12
SEARCH = "tool_search"
ASK = "ask_user_for_clarification"
_LOST = "I lost the thread of what was done before. Please tell me again what you want."
_WAITING = "waiting for approval"
_NOT_YET = ("not done:", "not run")
_NEVER_MIND = {
    "",
    "nothing",
    "never mind",
    "nevermind",
    "cancel",
    "stop",
    "no",
    "forget it",
    "none",
}


@dataclass(frozen=True)
class OfflineCall:
    name: str
    arguments: JsonObject


Round: TypeAlias = tuple[OfflineCall, ...]
Script: TypeAlias = Generator[Round, tuple[CallOutcome, ...], str]


@dataclass(frozen=True)
class Say:
    """The answer."""

    text: str


@dataclass(frozen=True)
class Make:
    """Calls to be made next."""

    calls: Round


class JustSay(Exception):
    """Ends a script early with these words; caught by `decide`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


# --- what scripts are written with ---


def attempt(name: str, **arguments: Any) -> Generator[Round, tuple[CallOutcome, ...], CallOutcome]:
    """Make one call; its outcome may be an error."""
    (outcome,) = yield (OfflineCall(name, arguments),)
    return outcome


def need(name: str, **arguments: Any) -> Generator[Round, tuple[CallOutcome, ...], CallOutcome]:
    """Make one call; an error ends the script and becomes its answer."""
    outcome = yield from attempt(name, **arguments)
    check(name, outcome)
    return outcome


def check(name: str, outcome: CallOutcome) -> None:
    """End the script if the call failed or isn't done yet. Raises JustSay."""
    if outcome.missing:
        raise JustSay("I can't do that for you here. *What can you do?* lists what I can.")
    if outcome.is_error:
        raise JustSay(f"That didn't work: {outcome.text or 'the tool gave no reason'}")
    if outcome.text.startswith(_WAITING):
        approval = outcome.text.removeprefix(_WAITING).split(maxsplit=1)[0]
        raise JustSay(f"That waits for somebody's yes (approval {approval}). I'll tell you then.")
    if outcome.text.startswith(_NOT_YET):
        raise JustSay(f"That isn't done yet: {outcome.text}")


def ask(question: str, *options: str) -> Generator[Round, tuple[CallOutcome, ...], str]:
    """Ask the person for what is missing.

    If nobody can be asked, the question becomes the answer.
    """
    arguments: JsonObject = {"question": question}
    if options:
        arguments["options"] = list(options)
    outcome = yield from attempt(ASK, **arguments)
    if outcome.missing or outcome.is_error:
        raise JustSay(question)
    answer = outcome.text.strip()
    if answer.casefold().rstrip(".!") in _NEVER_MIND:
        raise JustSay("All right, I left it as it was.")
    return answer


# --- running them ---


def decide(situation: Situation, script: Script) -> Say | Make:
    """Replay the script against the rounds that were made, and give its next step."""
    if len(situation.rounds) > ROUNDS_MAX:
        return Say("I stopped: this took more steps than I make for one request.")
    past = list(situation.rounds)
    searched: set[str] = set()
    try:
        wanted = next(script)
        while True:
            _skip_searches(past, wanted, searched)
            if past and [call.name for call in past[0]] == [call.name for call in wanted]:
                wanted = script.send(tuple(call.outcome for call in past.pop(0)))
                continue
            if step := _next_step(situation, wanted, searched):
                # When this round can't be made, the recorded calls belong to a later round.
                return Say(_LOST) if past else step
            wanted = script.send(
                tuple(CallOutcome("", is_error=True, missing=True) for _ in wanted)
            )
    except StopIteration as ended:
        return Say(str(ended.value))
    except JustSay as said:
        return Say(said.text)


def _next_step(situation: Situation, wanted: Round, searched: set[str]) -> Make | None:
    """The calls, or the search for a tool that they need; None when there is no such tool."""
    missing = next((call.name for call in wanted if call.name not in situation.tools), None)
    if missing is None:
        return Make(wanted)
    if SEARCH in situation.tools and missing not in searched and missing != ASK:
        return Make((OfflineCall(SEARCH, {"pattern": missing}),))
    return None


def _skip_searches(past: list[tuple[PastCall, ...]], wanted: Round, searched: set[str]) -> None:
    """Skip the searches that unlocked tools for this script, and note their patterns."""
    while past and past[0][0].name == SEARCH and wanted[0].name != SEARCH:
        searched.update(str(call.input.get("pattern")) for call in past.pop(0))
