"""Todos: add, list, complete, change."""

import re
from collections.abc import Generator
from datetime import datetime

from bot.plugin.models import JsonObject, as_objects
from bot.plugins.offline_model.phrases import (
    best_matches,
    chosen,
    counted,
    items,
    listing,
    plain,
    says_when,
    split_due,
    split_repeat,
    split_repeat_first,
    spoken,
    unquote,
    with_left_out,
    without_path,
)
from bot.plugins.offline_model.script import (
    JustSay,
    OfflineCall,
    Round,
    Script,
    ask,
    attempt,
    check,
    need,
)
from bot.plugins.offline_model.situation import CallOutcome

TOOL = "manage_todos"
NONE_OPEN = "You have no open todos."
_TODO = r"(?:to-?\s?dos?|tasks?)"
_PLACE = rf"(?:(?:my|the|our) )?(?:{_TODO}(?: ?list)?|list)"
_ADD = re.compile(
    rf"^(?:(?:add|create|make|new|put|set(?: "
    rf"up)?)\s+)?(?:(?:a|an|the|another|some|my|these|two|three|four"
    rf"|five|\d+)\s+)*(?:new\s+)?"
    rf"(?P<kind>{_TODO})(?:\s+items?|\s+entr(?:y|ies))?(?:\s*[:\u2013—-]\s*"
    r"|\s+(?:to|called|named|titled"
    rf"|saying|that says|for)\s+|\s+(?=\S)|$)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ADD_TO = re.compile(
    rf"^(?:add|put|write)\s+(?P<rest>.+?)\s+(?:to|on|onto|in"
    rf"|into)\s+{_PLACE}(?P<due>\s.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_REMIND = re.compile(
    r"^(?:remind me|don't let me forget|do not let me forget)(?:\s+(?P<when>.+?))?"
    r"\s+(?:to|about|that|of)\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REMEMBER_TO = re.compile(
    r"^(?:remember|don't forget|do not forget) to (?!always\b|never\b)(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REMIND_ME = re.compile(r"^remind me\s+(?:to|about|that)\s+", re.IGNORECASE)
_FOR_BELLHOP = re.compile(
    r"^(?:post|send|tell|show|list|summari[sz]e|check|look|search|write|report|run)\b",
    re.IGNORECASE,
)
"""Verbs of work for the assistant; a todo is work for the person."""
_MUST = re.compile(
    r"^i (?:need to|must remember to|must not forget to) (?P<rest>.+)$", re.IGNORECASE | re.DOTALL
)
_LIST = re.compile(
    rf"^(?:(?:show|list|read|give|see|check|tell|display|get|view|print)\b.*\b{_TODO}\b.*"
    rf"|(?:what|which|do i|have i|are there|any|how many)\b.*\b{_TODO}\b.*"
    rf"|what(?:'s| is) on (?:my|the) (?:list|plate).*|what do i (?:have|need) to do.*|what(?:'s| "
    rf"is) (?:left"
    rf"|open|next)(?: to do)?"
    rf"|(?:my\s+)?(?:open\s+)?{_TODO}(?:\s+list)?)$",
    re.IGNORECASE,
)
_DONE = re.compile(
    rf"^(?:(?:complete|finish|check off|tick off|cross "
    rf"off|close)\s+(?:(?:the|my)\s+)?(?:{_TODO}\s+)?(?P<a>.+?)"
    rf"|mark\s+(?:(?:the|my)\s+)?(?:{_TODO}\s+)?(?P<b>.+?)"
    r"\s+(?:as\s+)?(?:done|complete[d]?|finished)"
    rf"|(?:i(?:'ve|\s+have)?\s+)?(?:done(?: with)?|finished|completed|did)\s+(?:(?:the"
    rf"|my)\s+)?(?:{_TODO}\s+)?(?P<c>.+?)"
    rf"|(?:(?:the|my)\s+)?(?:{_TODO}\s+)?(?P<d>.+?)\s+(?:is|are)\s+(?:done|finished|completed))"
    rf"(?:\s+(?:on|from|in|off)\s+{_PLACE})?$",
    re.IGNORECASE,
)
_RENAME = re.compile(
    rf"^(?:rename|change|reword)\s+(?:(?:the|my)\s+)?{_TODO}\s+(?P<old>.+?)\s+(?:to"
    rf"|into)\s+(?P<new>.+)$",
    re.IGNORECASE,
)
_MOVE = re.compile(
    rf"^(?:move|postpone|reschedule|delay)\s+(?:(?:the|my)\s+)?(?:{_TODO}\s+)?(?P<old>.+?)"
    r"\s+(?:to|until"
    rf"|till)\s+(?P<when>.+)$",
    re.IGNORECASE,
)
_RANK = re.compile(
    rf"^(?:make|set|mark)\s+(?:(?:the|my)\s+)?(?:{_TODO}\s+)?(?P<old>.+?)"
    r"\s+(?:as\s+|to\s+)?(?P<rank>high"
    rf"|medium|low)(?:[- ]priority)$",
    re.IGNORECASE,
)
_GONE = re.compile(
    rf"^(?:(?P<verb>delete|remove|erase|dismiss|drop|skip)\s+(?:(?P<a>.+?)\s+from\s+{_PLACE}"
    rf"|(?:(?:the|my|a|all)\s+)*{_TODO}\b\s*:?\s*(?P<b>.*))|dismiss\s+(?P<c>.+))$",
    re.IGNORECASE,
)
_REMIND_WHEN = re.compile(
    r"^(?:remind me|set a reminder)\s+(?:for\s+)?(?P<when>.+)$", re.IGNORECASE
)
_PRIORITY = re.compile(
    r"[\s,(]*(?:with |as )?(?P<rank>high|medium|low)[- ]priority\)?"
    r"|[\s,(]+(?P<urgent>urgent(?:ly)?)\)?$",
    re.IGNORECASE,
)
_ADDING = frozenset({"add", "create", "make", "new", "set", "put"})
_MORE = re.compile(rf"^(?:{_TODO}\b|items?\b)?\s*$", re.IGNORECASE)


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish about todos, or None."""
    wish = plain(text)
    return _match_changing(wish, now) or _match_adding(wish, now)


def _match_changing(wish: str, now: datetime) -> Script | None:
    if found := _GONE.match(wish):
        gone = found["verb"] is not None and found["verb"].lower() in {"delete", "remove", "erase"}
        return _take_away(
            found["a"] or found["b"] or found["c"] or "", "delete" if gone else "dismiss"
        )
    if found := _RENAME.match(wish):
        return _change(found["old"], "renamed", title=unquote(found["new"]))
    if (found := _MOVE.match(wish)) and says_when(found["when"], now):
        return _change(found["old"], "moved", due=found["when"])
    if found := _RANK.match(wish):
        return _change(found["old"], "changed", priority=found["rank"].lower())
    return None


def _match_adding(wish: str, now: datetime) -> Script | None:
    """The script for adding, listing or completing; the order of these checks matters."""
    if found := _ADD_TO.match(wish):
        return _add(found["rest"] + (found["due"] or ""), now, several=True)
    if _LIST.match(without_path(wish).strip()):
        return _show(done=bool(re.search(r"\b(?:done|completed|finished)\b", wish, re.IGNORECASE)))
    if found := _DONE.match(wish):
        return _complete(next(group for group in found.groups() if group))
    if script := _match_reminding(wish, now):
        return script
    if (found := _ADD.match(wish)) and _means_adding(wish, found):
        return _add(found["rest"], now, several=found["kind"].lower().endswith("s"))
    found = _MUST.match(wish) or _REMEMBER_TO.match(wish)
    return _add(found["rest"], now, several=False) if found else None


def _match_reminding(wish: str, now: datetime) -> Script | None:
    if often := _often_first(wish):
        return _add(" ".join(often), now, several=False)
    if (found := _REMIND.match(wish)) and (not found["when"] or _says_when(found["when"], now)):
        return _add(f"{found['rest']} {found['when'] or ''}".strip(), now, several=False)
    if (found := _REMIND_WHEN.match(wish)) and says_when(found["when"], now):
        return _remind(found["when"], now)
    return None


def _often_first(wish: str) -> tuple[str, str] | None:
    """`every Monday at 9 water the plants`: what is to be done, and how often."""
    rest, often = split_repeat_first(wish)
    title = _REMIND_ME.sub("", rest)
    return (title, often) if often and title and not _FOR_BELLHOP.match(title) else None


def _says_when(phrase: str, now: datetime) -> bool:
    return bool(split_repeat(f"it {phrase}")[1]) or says_when(phrase, now)


def _means_adding(wish: str, found: re.Match[str]) -> bool:
    """Not every text that begins with "task" is about a todo."""
    if wish.split(maxsplit=1)[0].lower() in _ADDING:
        return True
    return bool(found["rest"]) and (found["kind"].lower().startswith("to") or ":" in wish)


def _add(wish: str, now: datetime, *, several: bool) -> Script:
    title = unquote(wish)
    if not title or _MORE.match(title):
        title = unquote((yield from ask("What should the todo say?")))
    priority, title = _priority(title)
    title, often = split_repeat(title)
    title, due = split_due(title, now) if not often else (title, None)
    titles = items(title) if several else [unquote(title)]
    shared: JsonObject = {
        name: value
        for name, value in (("dueDate", due), ("repeats", often), ("priority", priority))
        if value
    }
    outcomes = yield tuple(
        OfflineCall(TOOL, {"action": "create", "title": one, **shared}) for one in titles
    )
    if due := (yield from chosen(outcomes[0])):
        shared = {**shared, "dueDate": due}
        outcomes = yield tuple(
            OfflineCall(TOOL, {"action": "create", "title": one, **shared}) for one in titles
        )
    for outcome in outcomes:
        check(TOOL, outcome)
    if len(titles) == 1:
        again = f", again {often}" if often else ""
        return f"Added to your todos: **{titles[0]}**{_extras(outcomes[0].object)}{again}."
    lines = (
        f"{title}{_extras(outcome.object)}" for title, outcome in zip(titles, outcomes, strict=True)
    )
    return f"Added {counted(len(titles), 'todo')}:\n\n{listing(lines)}"


def _show(*, done: bool) -> Script:
    outcome = yield from need(TOOL, action="list")
    chosen = [todo for todo in _todos(outcome) if _is_done(todo) == done]
    if not chosen:
        return with_left_out("No todo is done yet." if done else NONE_OPEN, outcome.object)
    head = (
        f"{counted(len(chosen), 'todo')} done:"
        if done
        else f"You have {counted(len(chosen), 'open todo')}:"
    )
    return with_left_out(f"{head}\n\n{listing(map(_line, chosen))}", outcome.object)


def _complete(wish: str) -> Script:
    todo = yield from _find(unquote(wish), "done")
    outcome = yield from need(TOOL, action="complete", todoId=str(todo.get("id")))
    return f"Done: **{outcome.object.get('title') or todo.get('title')}**."


def _change(wish: str, verb: str, *, title: str = "", due: str = "", priority: str = "") -> Script:
    todo = yield from _find(unquote(wish), "changed")
    given = {"title": title, "dueDate": due, "priority": priority}
    change = {name: value for name, value in given.items() if value}
    outcome = yield from attempt(TOOL, action="update", todoId=str(todo.get("id")), **change)
    if due and (day := (yield from chosen(outcome))):
        outcome = yield from attempt(
            TOOL, action="update", todoId=str(todo.get("id")), **{**change, "dueDate": day}
        )
    check(TOOL, outcome)
    changed = outcome.object
    return (
        f"I {verb} the todo: "
        f"**{changed.get('title') or title or todo.get('title')}**{_extras(changed)}."
    )


def _remind(when: str, now: datetime) -> Script:
    title = unquote((yield from ask("What is it about?")))
    return (yield from _add(f"{title} {when}", now, several=False))


def _take_away(wish: str, action: str) -> Script:
    """Delete a todo, done ones too, or dismiss an open one."""
    done = "deleted" if action == "delete" else "dismissed"
    title = unquote(wish)
    if not title or title.casefold() in {"all", "everything", "them"}:
        raise JustSay(f"I {action} one todo at a time. Say which: *{action} the todo call Ann*.")
    todo = yield from _find(title, done, closed=action == "delete")
    outcome = yield from attempt(TOOL, action=action, todoId=str(todo.get("id")))
    check(TOOL, outcome)
    return f"I {done} the todo: **{outcome.object.get('title') or todo.get('title')}**."


def _find(
    wish: str, verb: str, *, closed: bool = False
) -> Generator[Round, tuple[CallOutcome, ...], JsonObject]:
    """The open todo that was meant; `closed` ones count if wanted. Asks if several match."""
    todos = [
        todo
        for todo in _todos((yield from need(TOOL, action="list")))
        if closed or not _is_done(todo)
    ]
    if not todos:
        raise JustSay("You have no todos." if closed else NONE_OPEN)
    by_id = [todo for todo in todos if str(todo.get("id")) == wish.lstrip("#").lower()]
    chosen = by_id or [todos[index] for index in best_matches(wish, _titles(todos))]
    if len(chosen) == 1:
        return chosen[0]
    if not chosen:
        kind = "todo" if closed else "open todo"
        raise JustSay(f"I found no {kind} like “{wish}”. There are:\n\n{listing(_titles(todos))}")
    answer = yield from ask(f"Several todos fit “{wish}”. Which one is {verb}?", *_titles(chosen))
    again = best_matches(answer, _titles(chosen))
    if len(again) != 1:
        raise JustSay(
            f"I'm still not sure which one you mean. They are:\n\n{listing(_titles(chosen))}"
        )
    return chosen[again[0]]


def _todos(outcome: CallOutcome) -> list[JsonObject]:
    return as_objects(outcome.object.get("todos")) or as_objects(outcome.data)


def _titles(todos: list[JsonObject]) -> list[str]:
    return [str(todo.get("title")) for todo in todos]


def _is_done(todo: JsonObject) -> bool:
    return todo.get("status") in {"done", "dismissed", "completed"}


def _priority(title: str) -> tuple[str, str]:
    found = _PRIORITY.search(title)
    if found is None:
        return "", title
    return (found["rank"] or "high").lower(), (
        title[: found.start()] + title[found.end() :]
    ).strip()


def _line(todo: JsonObject) -> str:
    return f"{todo.get('title')}{_extras(todo)}"


def _extras(todo: JsonObject) -> str:
    due = todo.get("dueInWords") or spoken(str(todo.get("dueDate") or ""))
    extras = [f"due {due}"] if due else []
    if (rings := str(todo.get("rings") or "")) and not rings.startswith("not "):
        extras = [f"rings {rings}"]
    extras += [f"{todo['priority']} priority"] if todo.get("priority") in {"high", "low"} else []
    return f" ({', '.join(extras)})" if extras else ""
