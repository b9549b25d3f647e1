"""Gmail and Google Calendar of several people, as their references say.

https://developers.google.com/workspace/gmail/api/reference/rest and
https://developers.google.com/workspace/calendar/api/v3/reference/events
"""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.testing.services.account_api import AccountCall, ApiRefusal, MailAndCalendarApi

_READ_MAIL = "https://www.googleapis.com/auth/gmail.readonly"
_EVENTS = "https://www.googleapis.com/auth/calendar.events"
_EVENT_ID = re.compile(r"[a-v0-9]{5,1024}")
_MASKED = re.compile(r"[\w/]+|[(),]")


@dataclass
class GoogleAccounts(MailAndCalendarApi):
    """Gmail and Calendar: `mails` and `events` by the address of the account."""

    attached: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """The files of a mail by their ids, in base64."""
    events: dict[str, dict[str, dict[str, Any]]] = field(
        default_factory=dict[str, dict[str, dict[str, Any]]]
    )
    history: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, Any]]]
    )
    """(account, message) in the order in which they were added; record n has the id 1000 + n."""
    refuses_writing: bool = False
    """Whether new events are refused, as where a calendar is read-only."""

    def deliver(  # noqa: PLR0913, PLR0917 - what a mail has
        self,
        person: str,
        sender: str,
        subject: str,
        text: str = "",
        html: str = "",
        attachments: Sequence[str] | Mapping[str, bytes] = (),
        labels: Sequence[str] = ("INBOX", "UNREAD"),
        to: str = "",
    ) -> str:
        """Let a mail arrive, or leave if its label is SENT; return its id."""
        box = self.mails.setdefault(person, [])
        id_ = f"{len(self.history):016x}"
        parts = [_part("text/plain", text)] if text else []
        parts += [_part("text/html", html)] if html else []
        parts += [
            {"mimeType": "application/pdf", "filename": name, "body": {"attachmentId": f"a{at}"}}
            for at, name in enumerate(attachments)
        ]
        if isinstance(attachments, Mapping):
            kept = [base64.urlsafe_b64encode(data).decode() for data in attachments.values()]
            self.attached[id_] = {f"a{at}": data for at, data in enumerate(kept)}
        message = {
            "id": id_,
            "threadId": f"t{id_}",
            "labelIds": list(labels),
            "snippet": (text or "mail")[:200],
            "internalDate": str(
                int((self.now + timedelta(seconds=len(self.history))).timestamp() * 1000)
            ),
            "payload": {
                "mimeType": "multipart/mixed",
                "filename": "",
                "headers": [
                    {"name": "From", "value": sender},
                    {"name": "To", "value": to or person},
                    {"name": "Subject", "value": subject},
                ],
                "parts": parts,
            },
        }
        box.append(message)
        self.history.append((person, message))
        return id_

    def add_event(
        self, person: str, id_: str, start: str, end: str, summary: str = "", **more: Any
    ) -> None:
        """Add an event to somebody's calendar."""
        event = {
            "id": id_,
            "status": "confirmed",
            "summary": summary,
            "start": {"dateTime": start},
            "end": {"dateTime": end},
            "created": _stamp(self.now),
            "updated": _stamp(self.now),
        }
        self.events.setdefault(person, {})[id_] = {**event, **more}

    def respond(self, call: AccountCall) -> Any:
        match call.method, call.path:
            case "GET", ("gmail", "v1", "users", "me", *rest):
                call.require_scope(_READ_MAIL)
                value = self._mail(call, tuple(rest))
            case method, ("calendar", "v3", "calendars", "primary", "events", *rest):
                call.require_scope(_EVENTS)
                value = self._calendar(call, method, tuple(rest))
            case _:
                raise ApiRefusal(404, "notFound")
        mask = call.query.get("fields", "")
        return masked(value, mask) if mask else value

    # --- Gmail ---

    def _mail(self, call: AccountCall, rest: tuple[str, ...]) -> Any:
        box = self.mails.get(call.person, [])
        match rest:
            case ("profile",):
                return {"emailAddress": call.person, "historyId": str(1000 + len(self.history))}
            case ("messages",):
                call.require_known(
                    "q", "maxResults", "pageToken", "labelIds", "includeSpamTrash", "fields"
                )
                wanted = call.query.get("q", "").casefold()
                after = re.search(r"after:(\d+)", wanted)
                since = 1_000 * int(after[1]) if after else 0
                wanted = wanted.replace(after[0], "").strip() if after else wanted
                label = call.query.get("labelIds", "")
                fitting = [
                    one
                    for one in reversed(box)
                    if wanted in str(one["payload"]).casefold()
                    and (not label or label in one["labelIds"])
                    and int(one["internalDate"]) >= since
                ]
                shown = [{"id": one["id"], "threadId": one["threadId"]} for one in fitting]
                return _page(call, "messages", shown, 100, 500)
            case ("messages", id_):
                call.require_known("format", "fields", "metadataHeaders")
                found = [one for one in box if one["id"] == id_]
                if not found:
                    raise ApiRefusal(404, "notFound")
                return found[0]
            case ("messages", id_, "attachments", which):
                return {"data": self.attached[id_][which]}
            case ("history",):
                return self._history(call)
            case _:
                raise ApiRefusal(404, "notFound")

    def _history(self, call: AccountCall) -> Any:
        call.require_known(
            "startHistoryId", "historyTypes", "labelId", "maxResults", "pageToken", "fields"
        )
        since = int(call.query["startHistoryId"]) - 1000
        if not self.forgotten <= since <= len(self.history):
            raise ApiRefusal(404, "notFound")
        records: list[dict[str, Any]] = []
        for number, (person, message) in enumerate(self.history[since:], since + 1001):
            if person == call.person and call.query.get("labelId", "") in message["labelIds"]:
                short = {name: message[name] for name in ("id", "threadId", "labelIds")}
                records.append({"id": str(number), "messagesAdded": [{"message": short}]})
        return {
            **_page(call, "history", records, 100, 500),
            "historyId": str(1000 + len(self.history)),
        }

    # --- Calendar ---

    def _calendar(self, call: AccountCall, method: str, rest: tuple[str, ...]) -> Any:
        kept = self.events.setdefault(call.person, {})
        match method, rest:
            case "GET", ():
                return self._listed(call, list(kept.values()))
            case "GET", (id_,) if id_ in kept:
                return kept[id_]
            case "POST", ():
                return self._insert(call, kept)
            case _:
                raise ApiRefusal(404, "notFound")

    def _listed(self, call: AccountCall, kept: list[dict[str, Any]]) -> Any:
        call.require_known(
            "timeMin",
            "timeMax",
            "singleEvents",
            "orderBy",
            "q",
            "maxResults",
            "fields",
            "pageToken",
            "updatedMin",
            "showDeleted",
        )
        query = call.query
        if query.get("orderBy") == "startTime" and query.get("singleEvents") != "true":
            raise ApiRefusal(400, "invalid orderBy")
        if query.get("updatedMin", _stamp(self.now)) < _stamp(self.now - timedelta(days=20)):
            raise ApiRefusal(410, "updatedMinTooLongAgo")
        since, until = query.get("timeMin"), query.get("timeMax")
        fitting = [
            one
            for one in kept
            if (since is None or _moment(one["end"]) > _moment({"dateTime": since}))
            and (until is None or _moment(one["start"]) < _moment({"dateTime": until}))
            and query.get("q", "").casefold() in str(one).casefold()
            and one["updated"] >= query.get("updatedMin", "")
        ]
        fitting.sort(
            key=lambda one: (
                one["updated"] if query.get("orderBy") == "updated" else _moment(one["start"])
            )
        )
        return _page(call, "items", fitting, 250, 2500)

    def _insert(self, call: AccountCall, kept: dict[str, dict[str, Any]]) -> Any:
        call.require_known()
        if self.refuses_writing:
            raise ApiRefusal(403, "forbidden")
        body = dict(call.body)
        if not _EVENT_ID.fullmatch(str(body.get("id", ""))):
            raise ApiRefusal(400, "invalid")
        if strange := body.keys() - {"id", "summary", "description", "location", "start", "end"}:
            raise ApiRefusal(400, f"unknownField {strange}")
        if _moment(body["end"]) <= _moment(body["start"]):
            raise ApiRefusal(400, "timeRangeEmpty")
        if body["id"] in kept:
            raise ApiRefusal(409, "duplicate")
        made = {
            **body,
            "status": "confirmed",
            "created": _stamp(self.now),
            "updated": _stamp(self.now),
        }
        kept[body["id"]] = {
            **made,
            "htmlLink": f"https://www.google.com/calendar/event?eid={body['id']}",
        }
        return kept[body["id"]]


def masked(value: Any, mask: str) -> Any:
    """Return the part of a response that `fields` selects.

    See https://developers.google.com/workspace/calendar/api/guides/performance.
    """
    return _pick(value, _tree(_MASKED.findall(mask)))


def _tree(tokens: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    name = ""
    while tokens:
        mark = tokens.pop(0)
        if mark == ")":
            break
        if mark == "(":
            found[name] = _tree(tokens)
        elif mark != ",":
            name = mark
            found[name] = {}
    return found


def _pick(value: Any, tree: dict[str, Any]) -> Any:
    if not tree:
        return value
    if isinstance(value, list):
        return [_pick(one, tree) for one in value]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(value, dict):
        return value
    return {name: _pick(value[name], below) for name, below in tree.items() if name in value}


def _page(
    call: AccountCall, name: str, items: list[Any], default: int, most: int
) -> dict[str, Any]:
    size = call.number("maxResults", default, most)
    start = int(call.query.get("pageToken", "p0").removeprefix("p"))
    rest = {"nextPageToken": f"p{start + size}"} if len(items) > start + size else {}
    return {name: items[start : start + size], **rest} if items else rest


def _part(kind: str, text: str) -> dict[str, Any]:
    data = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return {
        "mimeType": kind,
        "filename": "",
        "headers": [],
        "body": {"size": len(text), "data": data},
    }


def _moment(when: Any) -> datetime:
    if "dateTime" not in when:
        return datetime.fromisoformat(f"{when['date']}T00:00:00+00:00")
    moment = datetime.fromisoformat(when["dateTime"])
    if moment.tzinfo is None:
        raise ApiRefusal(400, "badRequest")
    return moment


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
