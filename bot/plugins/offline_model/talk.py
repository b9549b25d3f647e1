"""Small talk, what it can do, and the plain statement that it is the offline model."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from bot.plugin.models import as_objects
from bot.plugins.offline_model.phrases import listing, plain, unquote
from bot.plugins.offline_model.script import JustSay, Script, attempt, need

REST_CHARS = 60
_WORD = re.compile(r"[^\W_]+")
_QUESTION = re.compile(r"^(?:who|what|where|which)\b", re.IGNORECASE)
_EXPLAIN = re.compile(r"^(?:why|how|can|could|do|does|did|should|would)\b", re.IGNORECASE)
"""Begins a question that stored text seldom answers."""
_ASKED = re.compile(
    r"^(?:(?:who|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|you)\b\s*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ability:
    """One kind of wish: the tool that serves it, how it is shown, the words that hint at it."""

    tool: str
    shown: str
    hints: frozenset[str]
    wish: Callable[[str], str]
    """What to suggest to somebody who wrote this."""


def _always(wish: str) -> Callable[[str], str]:
    return lambda _: wish


def _todo(text: str) -> str:
    title = text.partition(":")[2].strip()
    return f"add a todo: {title}" if title else "list my todos"


ABILITIES = (
    Ability(
        "manage_todos",
        "todos: *add a todo: call Ann tomorrow*, *list my todos*, *mark call Ann as done*, "
        "*delete the todo call Ann*",
        frozenset({"todo", "todos", "task", "tasks", "list"}),
        _todo,
    ),
    Ability(
        "manage_todos",
        "what is due: *remind me tomorrow at 9 to call Ann*",
        frozenset({"remind", "reminder", "alarm", "timer", "wake"}),
        _always("remind me in 10 minutes to call Ann"),
    ),
    Ability(
        "schedule_task",
        "schedules: *every weekday at 9 list my todos here*, *what is scheduled?*",
        frozenset({"schedule", "schedules", "scheduled", "weekly", "daily"}),
        _always("what is scheduled?"),
    ),
    Ability(
        "search",
        "what was said: *what did Ben say about the budget last week?*, *search for budget*",
        frozenset({"search", "find", "said", "messages"}),
        _always("search for budget"),
    ),
    Ability(
        "meetings",
        "meetings: attach a transcript, *what did we decide?*, *list the meetings*",
        frozenset({"meeting", "meetings", "transcript", "decisions"}),
        _always("what did we decide?"),
    ),
    Ability(
        "people",
        "people: *who is Ben?*, *when did we last talk to Ben?*",
        frozenset({"people", "profile"}),
        _always("who am I?"),
    ),
    Ability(
        "manage_notes",
        "notes: *note: the printer is on floor 2*, *show my notes*",
        frozenset({"note", "notes", "jot"}),
        _always("show my notes"),
    ),
    Ability(
        "knowledge_search",
        "knowledge: *remember that my bike is blue*, *what do you know about my bike?*, "
        "*forget that my bike is blue*",
        frozenset({"know", "remember", "recall", "fact", "facts", "memory", "knowledge"}),
        _always("what do you know about me?"),
    ),
    Ability(
        "write_file",
        "standing wishes: *always answer in German*, *show my preferences*",
        frozenset({"always", "never", "prefer", "preference", "preferences", "instructions"}),
        _always("show my preferences"),
    ),
    Ability(
        "list_directory",
        "files: *write plan.md: first step …*, *read plan.md*, *list my files*, *delete plan.md*",
        frozenset({"file", "files", "document", "documents", "folder"}),
        _always("list my files"),
    ),
    Ability(
        "remind_member",
        "members: *remind Ben tomorrow at 9 to sign*",
        frozenset({"member", "members", "colleague"}),
        _always("remind Ben tomorrow at 9 to sign"),
    ),
    Ability(
        "current_time",
        "time: *what time is it in Tokyo?*",
        frozenset({"time", "clock", "date", "day", "today"}),
        _always("what time is it?"),
    ),
    Ability(
        "calculate",
        "sums: *what is 15% of 80?*",
        frozenset({"sum", "plus", "minus", "times", "percent", "calculate", "math", "divided"}),
        _always("what is 15% of 80?"),
    ),
    Ability(
        "agent_observer",
        "other agents: *ask observer what happened recently*",
        frozenset({"agent", "agents", "observer", "happened", "log"}),
        _always("ask observer what happened recently"),
    ),
)


def able(tools: Collection[str]) -> list[str]:
    """The abilities that these tools serve, as lines to show."""
    return [ability.shown for ability in ABILITIES if ability.tool in tools]


def nearest(text: str, tools: Collection[str]) -> str | None:
    """A similar wish that is understood; None if there is none, or its tool is missing."""
    wish = plain(text)
    words = [word.casefold() for word in _WORD.findall(wish)]
    here = [ability for ability in ABILITIES if ability.tool in tools]
    hints = [(sum(_hinted(word, ability.hints) for word in words), ability) for ability in here]
    best, ability = max(hints, key=lambda one: one[0], default=(0, None))
    if best and ability is not None:
        return ability.wish(wish)
    if not words:
        return None
    if _EXPLAIN.match(wish):
        return None
    if text.strip().endswith("?") or _QUESTION.match(wish):
        rest = _short(_ASKED.sub("", wish))
        return f"what do you know about {rest}?" if rest and "knowledge_search" in tools else None
    return f"add a todo: {_short(wish)}" if "manage_todos" in tools else None


def offered(wish: str) -> str:
    """Ask whether a wish was meant; a wish that is a question keeps its question mark."""
    return f"Did you mean: *{wish}*" + ("" if wish.endswith("?") else "?")


def _hinted(word: str, hints: frozenset[str]) -> bool:
    return word in hints or (
        len(word) > 3 and bool(get_close_matches(word, hints, n=1, cutoff=0.8))
    )


def _short(text: str) -> str:
    folded = " ".join(text.replace("*", "").split())
    return folded if len(folded) <= REST_CHARS else f"{folded[: REST_CHARS - 1].rstrip()}…"


SETUP = (
    "To use a real language model, set `ANTHROPIC_API_KEY` in the environment or in `.env`, or "
    "point `model.base_url` and `model.name` in `bellhop.yaml` at a server that speaks the "
    "Messages API, then start Bellhop again."
)
_SHORT_SETUP = "For a language model, set `ANTHROPIC_API_KEY` and start again."
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|go ahead|do it|yes,? (?:please|go ahead|do it))\W*$", re.IGNORECASE
)
_NO = re.compile(r"^\W*(?:no|nope|no,? thanks?(?: you)?|don't|do not)\W*$", re.IGNORECASE)
_HELLO = re.compile(
    r"^\W*(?:hi|hello|hey|hiya|good "
    r"(?:morning|afternoon|evening)|greetings|servus|hallo)\b[\s\w,!.]{0,20}$",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"^\W*(?:thanks|thank you|thx|cheers|great|perfect|nice|ok(?:ay)?|cool)\b[\s\w,!.]{0,20}$",
    re.IGNORECASE,
)
_HOW = re.compile(r"^\W*how are (?:you|things)\b[\s\w,!.?]{0,20}$", re.IGNORECASE)
_NEVER_MIND = re.compile(r"^\W*(?:never ?mind|forget it|cancel that)\W*$", re.IGNORECASE)
_BYE = re.compile(r"^\W*(?:bye|goodbye|good night|see you)\b[\s\w,!.]{0,20}$", re.IGNORECASE)
_ABLE = re.compile(
    r"^\W*(?:(?:and|so|tell me|hello|hi)\W+)*(?:what can (?:you|i) do|what do you do|how (?:do "
    r"you|does this) work"
    r"|who are you|what are you\b|help(?: me)?\W*$|are you (?:an? "
    r")?(?:ai|llm|model|offline|real|human|bot))",
    re.IGNORECASE,
)
_TOOLS = re.compile(
    r"^(?:(?:what|which|list|show)\b.*\b(?:tools|capabilities)\b.*|tools|capabilities)$",
    re.IGNORECASE,
)
_SEND_TO = re.compile(
    r"^(?:send|post|write)\s+(?:(?:an?\s+)?(?:message|note|dm)\s+)?to\s+(?P<to>#?\S+?)"
    r"\s*(?:[:\u2013—-]|saying|that says)\s*(?P<text>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_SEND_QUOTED = re.compile(
    r"^(?:send|post)\s+(?P<text>[^:]+?)\s+(?:to|in|into)\s+(?P<to>#\S+|<[@#]\S+>|@\S+|[A-Z]\w+)$"
)
_SEND = re.compile(
    r"^send\s+(?:me\s+)?(?:an?\s+)?(?:interim\s+)?(?:message|update|note)?\s*(?:[:\u2013—-]|saying"
    r"|that says)\s*(?P<text>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_FACT = re.compile(
    r"^(?:save|keep)\s+(?:(?:a|the|this)\s+)?(?:session\s+)?fact\s*:?\s+(?P<key>[\w "
    r".-]{1,80}?)\s*(?:=|:"
    r"| is )\s*(?P<value>.+)$",
    re.IGNORECASE | re.DOTALL,
)


def match(text: str, now: datetime) -> Script | None:  # noqa: PLR0911 - one line per wish
    """The script for small talk and the rest, or None."""
    if _HELLO.match(text):
        return said(
            "Hello! I'm Bellhop, running on the offline model: I follow simple rules. Ask me "
            "*what can you do?*"
        )
    if _BYE.match(text):
        return said("Bye.")
    if _HOW.match(text):
        return said(
            "All is well here, thank you. I'm running on the offline model; ask me *what can "
            "you do?*"
        )
    if _NEVER_MIND.match(text):
        return said("All right.")
    if _YES.match(text):
        return said("I asked nothing that needs a yes. Say in one sentence what you want.")
    if _NO.match(text):
        return said("All right, I do nothing.")
    wish = plain(text)
    if _TOOLS.match(wish):
        return _tools()
    if found := _FACT.match(wish):
        return _fact(unquote(found["key"]), unquote(found["value"]))
    if sending := _sending(wish):
        return sending
    return said("You're welcome.") if _THANKS.match(text) else None


def _sending(wish: str) -> Script | None:
    if found := _SEND_TO.match(wish) or _SEND_QUOTED.match(wish):
        return _send(unquote(found["text"]), found["to"])
    found = _SEND.match(wish)
    return _send(unquote(found["text"])) if found else None


def abilities(text: str, tools: Collection[str]) -> Script | None:
    """The script for a question about what Bellhop can do, or None."""
    return said(about(tools)) if _ABLE.match(text) else None


def about(tools: Collection[str]) -> str:
    """What it is, and what it can do with these tools."""
    return (
        "I'm running on the offline model. It is not a language model: it follows rules, "
        "understands simple English wishes and uses Bellhop's tools. I can do:\n\n"
        f"{listing(able(tools))}\n\n{SETUP}"
    )


def fallback(text: str, tools: Collection[str]) -> Script:
    """The answer if no rule matches: the nearest wish that is understood, and the way to more."""
    if not text.strip():
        return said("I got no words to work with. Tell me what you need, or ask *what can you do?*")
    meant = nearest(text, tools)
    near = f" {offered(meant)}" if meant else ""
    return said(
        f"I don't understand that; I'm the offline model and follow simple rules.{near}\n"
        f"*What can you do?* lists what I can. {_SHORT_SETUP}"
    )


def said(text: str) -> Script:
    yield from ()
    return text


def _tools() -> Script:
    outcome = yield from attempt("get_capabilities")
    tools = as_objects(outcome.object.get("tools"))
    if outcome.is_error or not tools:
        raise JustSay("I can't list the tools here. Ask me *what can you do?*")
    lines = [f"`{tool.get('name')}`: {tool.get('one_liner')}" for tool in tools]
    return f"These tools are here for you:\n\n{listing(lines)}"


def _fact(key: str, value: str) -> Script:
    yield from need("save_fact", key=key, value=value)
    return f"Kept for this session: {key} is {value}."


def _send(text: str, to: str = "") -> Script:
    yield from need("send", text=text, **({"to": to} if to else {}))
    return f"I sent it to {to}." if to else "I sent it."
