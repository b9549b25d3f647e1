"""Meetings: their decisions, a list of them, and a new one for later."""

import re
from datetime import datetime

from bot.plugin.models import JsonObject, as_objects, as_values
from bot.plugins.offline_model.phrases import listing, plain, unquote, with_left_out
from bot.plugins.offline_model.script import Script, need
from bot.plugins.offline_model.situation import CallOutcome

TOOL = "meetings"
_DECIDED = re.compile(
    r"^what\s+(?:did|have|had)\s+(?:we|they|you "
    r"all|people)\s+(?:decided?|agreed?)(?:\s+(?:on|to))?(?P<rest>.*)$"
    r"|^what\s+(?:was|has been|were)\s+(?:decided|agreed)(?:\s+(?:on|upon))?(?P<rest2>.*)$"
    r"|^(?:show|list|find)\s+(?:me\s+)?(?:the|our|my)?\s*decisions(?P<rest3>.*)$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^\s*(?:about|on|in|at|of|regarding|concerning)\s+(?:the\s+)?(?P<what>.+)$", re.IGNORECASE
)
_LIST = re.compile(
    r"^(?:(?:show|list|see|find|which|what)\b.*\bmeetings?\b.*(?:have|had|there|do|did|my|our|all"
    r"|the)?.*"
    r"|(?:my|our)\s+meetings|meetings)$",
    re.IGNORECASE,
)
_ADD = re.compile(
    r"^(?:add|note|make|create|plan|new)\s+(?:(?:a|the|an)\s+)?(?:new\s+)?meeting\s*[:\u2013—-]?\s*"
    r"(?:called\s+|named\s+|about\s+)?(?P<title>.+?)"
    r"(?:\s+(?P<when>(?:today|tomorrow|on|next|at|in)\b.*))?$",
    re.IGNORECASE,
)


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish about meetings, or None."""
    wish = plain(text)
    if found := _DECIDED.match(wish):
        about = _ABOUT.match(found["rest"] or found["rest2"] or found["rest3"] or "")
        return _decided(unquote(about["what"]) if about else "")
    if found := _ADD.match(wish):
        return _add(unquote(found["title"]), found["when"] or "")
    return _listed() if _LIST.match(wish) else None


def made_of(name: str, outcome: CallOutcome) -> str:
    """The result of making a meeting from an attached transcript, in words."""
    if outcome.is_error:
        return f"I made no meeting of `{name}`: {outcome.text}"
    meeting = outcome.object
    speakers = _texts(meeting, "speakers")
    about = [f"with {', '.join(speakers)}"] if speakers else []
    about += [f"{meeting['minutes']} minutes"] if meeting.get("minutes") else []
    remarks = "".join(f"\n- {remark}" for remark in _texts(meeting, "remarks"))
    told = f" ({'; '.join(about)})" if about else ""
    return (
        f"I made a meeting of `{name}`: **{meeting.get('title')}**{told}, under "
        f"`{meeting.get('meeting')}`.{remarks}"
    )


def _decided(about: str) -> Script:
    outcome = yield from need(TOOL, action="find", **({"query": about} if about else {}))
    meetings = as_objects(outcome.object.get("meetings"))
    of = f" about {about}" if about else ""
    found = [line for meeting in meetings if (line := _decisions(meeting))]
    if found:
        return with_left_out(f"Decided{of}:\n\n{listing(found)}", outcome.object)
    if not about:
        spoken_of = yield from need(TOOL, action="find", query="decided")
        meetings = as_objects(spoken_of.object.get("meetings"))
    said = [
        f"{meeting.get('title')}: “{line}”"
        for meeting in meetings
        for line in _texts(meeting, "said")
    ]
    if said:
        lines = listing(said)
        return with_left_out(
            f"No decision{of} is written down. What was said:\n\n{lines}", outcome.object
        )
    return with_left_out(f"I found no decision{of} in the meetings here.", outcome.object)


def _decisions(meeting: JsonObject) -> str:
    decisions = "; ".join(_texts(meeting, "decisions"))
    return f"{decisions} (**{meeting.get('title')}**, {meeting.get('when')})" if decisions else ""


def _listed() -> Script:
    outcome = yield from need(TOOL, action="find")
    meetings = as_objects(outcome.object.get("meetings"))
    if not meetings:
        return with_left_out("There are no meetings here yet.", outcome.object)
    lines = [
        f"**{meeting.get('title')}**, {meeting.get('when')}: `{meeting.get('meeting')}`"
        for meeting in meetings
    ]
    return with_left_out(f"The latest meetings:\n\n{listing(lines)}", outcome.object)


def _add(title: str, when: str) -> Script:
    wanted = re.sub(r"^on\s+", "", when, flags=re.IGNORECASE)
    outcome = yield from need(
        TOOL, action="add", title=title, **({"when": wanted} if wanted else {})
    )
    meeting = outcome.object
    return (
        f"Noted: **{meeting.get('title')}**, {meeting.get('when')}. Its notes: "
        f"`{meeting.get('meeting')}/notes.md`"
    )


def _texts(meeting: JsonObject, field: str) -> list[str]:
    return [str(one) for one in as_values(meeting.get(field))]
