"""Stores and finds what the person told; standing wishes go to /preferences/global.md.

See docs/rules.md#memory.
"""

import re
from datetime import datetime

from bot.plugin.models import JsonObject, as_objects
from bot.plugins.offline_model.phrases import best_matches, listing, plain, unquote, with_left_out
from bot.plugins.offline_model.script import JustSay, Script, ask, attempt, check, need
from bot.plugins.offline_model.situation import CallOutcome

PREFERENCES = "/preferences/global.md"
_STORE = re.compile(
    r"^(?:remember|memori[sz]e|keep in mind|note for later|for the record|don't forget|do not "
    r"forget"
    r"|save to memory)"
    r"(?:\s*[:,\u2013—-]\s*|\s+that\s+|\s+to\s+(?=always\b|never\b)|\s+this\s*:\s*|\s+|$)"
    r"(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_STATEMENT = re.compile(
    r"^(?:my\s+[\w' -]{2,40}?\s+(?:is|are|was)\s+\S.*|(?:call me|i am called|i live in|i work "
    r"(?:at|for|in"
    r"|as)|i(?:'m| am) allergic to"
    r"|i (?:really )?(?:like|love|prefer|hate|dislike))\s+\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TASTE = re.compile(r"\b(?:like|love|prefer|hate|dislike|favou?rite|allergic)\b", re.IGNORECASE)
_SEARCH = re.compile(
    r"^(?:what (?:do|did|can) you (?:know|remember|recall)(?: about| of)?\s*(?P<a>.*)"
    r"|do you (?:know|remember|recall)(?: anything)?(?: about| of)?\s+(?P<b>.+)"
    r"|what (?:did|have) i (?:tell|told|say|said)(?: you)?(?: about)?\s*(?P<c>.*)"
    r"|(?:what(?:'s| is| are| was)|where(?:'s| is| are)|who(?:'s| is| are)|when(?:'s| is| are)) "
    r"(?P<d>(?:my"
    r"|our) .+)"
    r"|(?:search|look up|look in|find)(?: in| through)? (?:my|your|the) (?:knowledge|memory)(?: "
    r"base)?(?: for"
    r"| about)?\s*(?P<e>.*)"
    r"|(?:where|when|what|who|which) (?:do|did|does|am|was|should) i (?P<f>.+))$",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"^(?:(?P<lead>from now on|in (?:the )?future|going "
    r"forward)[\s,:]+)?(?P<rule>(?:always|never)\s+\S.*|.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FORGET = re.compile(
    r"^(?:forget|unlearn)\s+(?:about\s+|that\s+|what (?:i told you|you know) about\s+"
    r"|(?:the|my)\s+(?:preference|instruction|rule|wish)\s*:?\s+)?(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_EVERYTHING = re.compile(
    r"^(?:everything|all|anything)(?: (?:that )?(?:you know|i (?:told|said)(?: to)?(?: you)?|there "
    r"is))?"
    r"(?: about| of)\s+(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ASKED = re.compile(
    r"^(?:what (?:did|have) (?:i|we) (?:ask|asked|talk about|discuss)(?: you| of you| for)?"
    r"|(?:summari[sz]e|recap|sum up)(?: what (?:i|we) (?:asked|said|discussed))?)\s+"
    r"(?P<time>(?:today|yesterday|(?:this|last|on|in|since|the)\s).*|\w+day|\d{4}-\d\d-\d\d|.* "
    r"ago)$",
    re.IGNORECASE,
)
_SHOW_STANDING = re.compile(
    r"^(?:what are|show|list|read|tell me)\s+(?:me\s+)?(?:my|the)\s+(?:standing\s+)?(?:preferences"
    r"|instructions|rules)$",
    re.IGNORECASE,
)


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish about knowledge or standing instructions, or None."""
    wish = plain(text)
    if _SHOW_STANDING.match(wish):
        return _show_standing()
    if found := _FORGET.match(wish):
        return _forget(unquote(found["what"]))
    if found := _ASKED.match(wish):
        return _asked(found["time"])
    if found := _SEARCH.match(wish):
        return _search(next((group for group in found.groups() if group), ""))
    stored = _STORE.match(wish)
    rule = _standing_rule(stored["rest"] if stored else wish)
    if rule:
        return _keep_to(rule)
    if stored:
        return _store(stored["rest"])
    if _STATEMENT.match(wish) and not text.strip().endswith("?"):
        return _store(wish)
    return None


def _standing_rule(wish: str) -> str:
    found = _STANDING.match(wish)
    if found is None:
        return ""
    rule = unquote(found["rule"])
    is_rule = bool(found["lead"]) or re.match(r"(?:always|never)\s", rule, re.IGNORECASE)
    # "never mind" and "never heard of it" are not wishes.
    if not is_rule or re.match(r"never\s*(?:mind|heard|have i|did)", rule, re.IGNORECASE):
        return ""
    return rule[:1].upper() + rule[1:]


def _store(wish: str) -> Script:
    content = unquote(wish)
    if not content or content.casefold() in {"this", "that", "it"}:
        content = unquote((yield from ask("What should I remember?")))
    kind = "preference" if _TASTE.search(content) else "fact"
    content = content[:1].upper() + content[1:]
    outcome = yield from need("knowledge_store", content=content, type=kind, importance=0.7)
    known = " I knew that already." if outcome.object.get("known_before") else ""
    return (
        f"I'll remember: {content}.{known}"
        if not content.endswith((".", "!", "?"))
        else f"I'll remember: {content}{known}"
    )


def _search(wish: str) -> Script:
    query = re.sub(r"^(?:my|our|about|the)\s+", "", unquote(wish), flags=re.IGNORECASE) or "me"
    found = yield from attempt("knowledge_search", query=query, limit=5)
    if not found.missing:
        check("knowledge_search", found)
    contents = _contents(found)
    if not contents:
        recalled = yield from attempt("remember", query=query)
        contents = [] if recalled.is_error else _contents(recalled)
        if found.missing and recalled.missing:
            check("knowledge_search", found)
    subject = {"me": "you", "myself": "you"}.get(query.casefold(), query)
    if not contents:
        return with_left_out(f"I have nothing stored about {subject}.", found.object)
    told = (
        contents[0]
        if len(contents) == 1
        else f"This is what I know about {subject}:\n\n{listing(contents)}"
    )
    return with_left_out(told, found.object)


def _contents(outcome: CallOutcome) -> list[str]:
    entries: list[JsonObject] = as_objects(outcome.object.get("results")) or as_objects(
        outcome.data
    )
    texts = [str(entry.get("content") or entry.get("text") or "") for entry in entries]
    return [text for text in texts if text]


def _keep_to(rule: str) -> Script:
    line = f"- {rule}"
    before = yield from attempt("read_file", path=PREFERENCES)
    if before.is_error and "there is no file" not in before.text:
        # Writing without reading first would lose the present text.
        check("read_file", before)
    kept = "" if before.is_error or before.text == "[the file is empty]" else before.text.rstrip()
    if line in kept.splitlines():
        return f"Your preferences say that already: “{rule}”."
    yield from need(
        "write_file", path=PREFERENCES, content=f"{kept}\n{line}\n" if kept else f"{line}\n"
    )
    return f"Noted in your standing preferences (`{PREFERENCES}`): “{rule}”."


def _forget(wish: str) -> Script:
    """Remove a standing wish, or one thing or `everything about` a subject from knowledge."""
    found = _EVERYTHING.match(wish)
    what = unquote(found["what"]) if found else wish
    before = yield from attempt("read_file", path=PREFERENCES)
    lines = [] if before.is_error else before.text.splitlines()
    if wishes := [lines[index] for index in best_matches(what, lines)]:
        if len(wishes) > 1:
            raise JustSay(
                f"Several standing wishes fit. Say which one to forget:\n\n{listing(wishes)}"
            )
        kept = "\n".join(line for line in lines if line != wishes[0]).rstrip()
        yield from need("write_file", path=PREFERENCES, content=f"{kept}\n" if kept else "")
        return f"I removed that from your standing preferences: “{wishes[0].removeprefix('- ')}”."
    recalled = yield from attempt("remember", query=what, limit=20)
    entries = [] if recalled.is_error else as_objects(recalled.data)
    hidden = next((str(entry["left_out"]) for entry in entries if "left_out" in entry), "")
    kept_things = [
        entry for entry in entries if "id" in entry and not str(entry["id"]).startswith("talk:")
    ]
    texts = [str(entry.get("text")) for entry in kept_things]
    fitting = [kept_things[index] for index in best_matches(what, texts)]
    if not fitting:
        nothing = (
            f"I found nothing like “{what}” to forget in your standing preferences, knowledge or "
            "notes."
        )
        return f"{nothing} {hidden}." if hidden else nothing
    if len(fitting) > 1 and not found:
        several = listing(str(entry["text"]) for entry in fitting)
        raise JustSay(f"Several things fit. Say in full which one to forget:\n\n{several}")
    outcome = yield from need("forget", ids=[entry["id"] for entry in fitting])
    removed = [str(entry.get("text")) for entry in as_objects(outcome.object.get("removed"))]
    return (
        f"I forgot: “{removed[0]}”."
        if len(removed) == 1
        else f"I forgot these:\n\n{listing(removed)}"
    )


def _asked(time: str) -> Script:
    """What the person asked at a time, and the answers."""
    recalled = yield from need("remember", since=time, until=time)
    said = [
        entry
        for entry in as_objects(recalled.data)
        if entry.get("kind") in {"their request", "your answer"}
    ]
    lines = [
        (
            f"{entry.get('date')} {'you' if entry['kind'] == 'their request' else 'I'}: "
            f"{entry.get('text')}"
        )
        for entry in said
    ]
    return (
        f"This is what we said {time}:\n\n{listing(lines)}"
        if lines
        else f"I know of nothing that we said {time}."
    )


def _show_standing() -> Script:
    outcome = yield from attempt("read_file", path=PREFERENCES)
    if outcome.is_error and "there is no file" in outcome.text:
        raise JustSay(
            "You have no standing preferences yet. Say for example: *always answer in one "
            "sentence*."
        )
    check("read_file", outcome)
    return f"Your standing preferences:\n\n{outcome.text}"
