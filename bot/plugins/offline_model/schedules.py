"""Schedules: work for later, repeated work, and reminders for others."""

import re
from datetime import datetime, time

from bot.plugin.dates import read_repeat
from bot.plugins.offline_model.phrases import (
    plain,
    says_when,
    split_due,
    split_repeat,
    split_repeat_first,
    unquote,
)
from bot.plugins.offline_model.script import JustSay, OfflineCall, Script, ask, check, need

TOOL = "schedule_task"
REMIND = "remind_member"
_MORNING = time(9)
_WORK = re.compile(
    r"^(?:please )?(?:list|show|tell|post|say|send|give|read|check|summari[sz]e)\b", re.IGNORECASE
)
_HERE = re.compile(r"\s+(?:in )?(?:here|this channel|this thread)$", re.IGNORECASE)
_LIST = re.compile(
    r"^(?:(?:what|which)(?:'s| is| are)?\s.*\b(?:scheduled|schedules?)\b.*"
    r"|(?:show|list)\s(?:\w+\s)*schedules?|(?:my\s)?schedules?)$",
    re.IGNORECASE,
)
_TELLING = re.compile(r"^(?:post|send|say|tell|give)\b(?: me\b)?", re.IGNORECASE)
"""Verbs that become "show", because the answer of a schedule is posted anyway."""
_CHANGE = re.compile(
    r"^(?P<what>cancel|pause|resume|stop|delete)\s+(?:(?:the|my)\s+)?schedule\s+(?P<which>.+)$",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"^remind\s+(?!me\b|us\b|myself\b)(?P<who><@[^>]+>|@?\S+)\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(r"^(?:to|about|that|of)\s+", re.IGNORECASE)
_ROW = re.compile(r"^- (?P<ref>\w+) (?P<name>.*): .*?; next ", re.MULTILINE)
_ACTIONS = {
    "cancel": "cancel",
    "delete": "cancel",
    "stop": "cancel",
    "pause": "pause",
    "resume": "resume",
}
_DONE = {"cancel": "cancelled", "pause": "paused", "resume": "resumed"}


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish about schedules or a reminder for somebody else, or None."""
    wish = plain(text)
    if _LIST.match(wish):
        return _show()
    if found := _CHANGE.match(wish):
        return _change(_ACTIONS[found["what"].lower()], unquote(found["which"]))
    if found := _OTHER.match(wish):
        return _remind(found["who"], found["rest"], now)
    work, often = _repeated(wish)
    if often and _WORK.match(work):
        return _create(_HERE.sub("", work), often, now)
    return None


def _repeated(wish: str) -> tuple[str, str | None]:
    """The work and its repetition: `every weekday at 9 list my todos`, or the repetition last."""
    work, often = split_repeat_first(wish)
    if often:
        return work, often
    return split_repeat(_HERE.sub("", wish))


def _create(work: str, often: str, now: datetime) -> Script:
    cron = read_repeat(often, _MORNING, now.replace(tzinfo=None))
    prompt = _TELLING.sub("show", work)
    (outcome,) = yield (
        OfflineCall(TOOL, {"name": work[:80], "prompt": prompt, "cron": cron or ""}),
    )
    check(TOOL, outcome)
    return f"I will do this {often.lower()}: **{work}**{_next(outcome.text)}. `/schedule` shows it."


def _next(shown: str) -> str:
    found = re.search(r"^next: (.+)$", shown, re.MULTILINE)
    return f", next on {found[1]}" if found else ""


def _show() -> Script:
    outcome = yield from need(TOOL, action="list")
    return outcome.text


def _change(action: str, which: str) -> Script:
    outcome = yield from need(TOOL, action="list")
    rows = {found["ref"]: found["name"] for found in _ROW.finditer(outcome.text)}
    wanted = which.casefold()
    chosen = [ref for ref, name in rows.items() if wanted == ref or wanted in name.casefold()]
    if len(chosen) != 1:
        raise JustSay(f"Say which schedule you mean by its id:\n\n{outcome.text}")
    yield from need(TOOL, action=action, id=chosen[0])
    return f"I {_DONE[action]} the schedule **{rows[chosen[0]]}**."


def _remind(who: str, rest: str, now: datetime) -> Script:
    """`Ben tomorrow at 9 to sign`, `Ben to sign tomorrow at 9`."""
    when, text = _when_first(rest, now)
    if when is None:
        text, when = split_due(_ABOUT.sub("", rest), now)
    if when is None:
        when = yield from ask(f"When should I remind {who}?")
    outcome = yield from need(REMIND, member=who, text=unquote(text), when=when)
    return outcome.text


def _when_first(rest: str, now: datetime) -> tuple[str | None, str]:
    for found in re.finditer(r"\s(?=(?:to|about|that|of)\s)", rest):
        if says_when(rest[: found.start()], now):
            return rest[: found.start()], _ABOUT.sub("", rest[found.end() :])
    return None, rest
