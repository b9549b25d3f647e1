"""Other agents: `ask observer …` calls agent_observer; the observer reads the cycle log."""

import re
from datetime import datetime

from bot.plugins.offline_model.phrases import listing, plain
from bot.plugins.offline_model.script import JustSay, Script, ask, attempt, check
from bot.plugins.offline_model.situation import CallOutcome

_DELEGATE = re.compile(
    r"^(?:(?:ask|have|get|let|tell)\s+(?:the\s+)?(?P<name>[a-z][\w-]*)"
    r"(?:\s+agent)?(?P<rest>(?:\s+|\s*[:,]\s*).*)?"
    r"|(?:delegate|hand|give)\s+(?P<task>.+?)\s+to\s+(?:the\s+)?(?P<name2>[a-z][\w-]*)"
    r"(?:\s+agent)?)$",
    re.IGNORECASE | re.DOTALL,
)
_PEOPLE = re.compile(
    r"me|us|you|him|her|them|it|every(?:one|body)|some(?:body|one)|an?|my|your|this|that|these"
    r"|some|any|all|rid|going"
    r"|started|ready|for|about|to|up|go"
)
"""Words after "ask", "get" or "tell" that name no agent."""
_LINK = re.compile(r"^\s*[:,]?\s*(?:to\s+|that\s+)?", re.IGNORECASE)
_CYCLE = re.compile(r"\bcycle\s+(?P<id>[0-9a-f-]{8,36})\b", re.IGNORECASE)
_RECENT = re.compile(
    r"\b(?:recent(?:ly)?|last|latest|earlier)\b.*\b(?:cycles?|runs?|happened|did)\b|\bwhat "
    r"happened\b"
    r"|\bwhat (?:failed|went wrong)\b",
    re.IGNORECASE,
)


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish to delegate, or to look into earlier runs, or None."""
    wish = plain(text)
    if found := _DELEGATE.match(wish):
        name = (found["name"] or found["name2"]).lower()
        if _PEOPLE.fullmatch(name) is None:
            return _delegate(name, _LINK.sub("", found["rest"] or found["task"] or "", count=1))
    if found := _CYCLE.search(wish):
        return _inspect(found["id"], wish)
    if _RECENT.search(wish):
        return _recent(wish)
    return None


def _delegate(name: str, wish: str) -> Script:
    instruction = wish.strip()
    if not instruction:
        instruction = yield from ask(f"What should I ask {name}?")
    instruction = instruction[:1].upper() + instruction[1:]
    outcome = yield from attempt(f"agent_{name}", instruction=instruction)
    if outcome.missing:
        raise JustSay(f"There is no agent called {name} that I could ask here.")
    return _answer(name, outcome)


def _answer(name: str, outcome: CallOutcome) -> str:
    check(f"agent_{name}", outcome)
    quoted = "\n".join(f"> {line}" for line in outcome.text.splitlines())
    return f"{name.capitalize()} answers:\n\n{quoted}"


def _inspect(cycle: str, wish: str) -> Script:
    outcome = yield from attempt("inspect_cycle", cycle_id=cycle)
    if outcome.missing:
        return (yield from _ask_observer("inspect_cycle", wish))
    check("inspect_cycle", outcome)
    # A tree needs its line breaks, which markdown keeps only in code.
    return f"```text\n{outcome.text}\n```" if "\n" in outcome.text else outcome.text


def _recent(wish: str) -> Script:
    outcome = yield from attempt("recall_recent", limit=5)
    if outcome.missing:
        return (yield from _ask_observer("recall_recent", wish))
    check("recall_recent", outcome)
    return f"The latest cycles:\n\n{listing(outcome.text.splitlines())}"


def _ask_observer(wanted: str, wish: str) -> Script:
    """Without observer tools, hand the wish to the observer; without one, say what is missing."""
    outcome = yield from attempt("agent_observer", instruction=wish[:1].upper() + wish[1:])
    if outcome.missing:
        check(wanted, outcome)
    return _answer("observer", outcome)
