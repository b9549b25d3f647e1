"""Mail and calendar of Microsoft Graph for several people, as its reference says.

https://learn.microsoft.com/graph/api/resources/message, …/api/message-delta and
…/api/resources/event
"""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from bot.testing.services.account_api import AccountCall, ApiRefusal, MailAndCalendarApi

_SYSTEM = ("$select", "$top", "$orderby", "$filter", "$search", "$skiptoken", "$deltatoken")
_SINCE = re.compile(r"(\w+) ge (\S+)")


@dataclass
class GraphAccounts(MailAndCalendarApi):
    """Microsoft Graph: `mails`, `sent` and `events` by the address of the account."""

    sent: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    events: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    page: int = 10

    def deliver(
        self,
        person: str,
        sender: str,
        subject: str,
        text: str = "",
        html: str = "",
        attachments: Sequence[str] | Mapping[str, bytes] = (),
        to: str = "",
    ) -> str:
        """Let a mail arrive, or leave `to` somebody; return its id."""
        box = (self.sent if to else self.mails).setdefault(person, [])
        id_ = f"AAMk{'S' if to else ''}{len(box):04}="
        at = self.now + timedelta(seconds=len(box))
        box.append(
            {
                "id": id_,
                "conversationId": f"c{id_}",
                "from": {
                    "emailAddress": {"name": sender.partition("@")[0].title(), "address": sender}
                },
                "toRecipients": [{"emailAddress": {"name": "", "address": to or person}}],
                "subject": subject,
                "receivedDateTime": _stamp(at),
                "bodyPreview": text[:255],
                "hasAttachments": bool(attachments),
                "categories": [],
                "body": {"contentType": "html", "content": html}
                if html
                else {"contentType": "text", "content": text},
                "attachments": [
                    {"id": f"a{at}", "name": name, "contentBytes": _data(attachments, name)}
                    for at, name in enumerate(attachments)
                ],
            }
        )
        return id_

    def add_event(
        self, person: str, id_: str, start: str, end: str, subject: str = "", **more: Any
    ) -> None:
        """Add an event to somebody's calendar; times are in UTC without an offset."""
        event: dict[str, Any] = {
            "id": id_,
            "subject": subject,
            "start": {"dateTime": f"{start}.0000000", "timeZone": "UTC"},
            "end": {"dateTime": f"{end}.0000000", "timeZone": "UTC"},
            "location": {"displayName": ""},
            "attendees": [],
            "isAllDay": False,
            "isCancelled": False,
            "responseStatus": {"response": "organizer"},
            "createdDateTime": _stamp(self.now),
            "transactionId": None,
        }
        self.events.setdefault(person, []).append({**event, **more})

    def respond(self, call: AccountCall) -> Any:
        box = self.mails.setdefault(call.person, [])
        calendar = self.events.setdefault(call.person, [])
        match call.method, call.path:
            case "GET", ("me", "mailFolders", "inbox", "messages"):
                call.require_scope("Mail.Read")
                return self._page(call, list(reversed(box)))
            case "GET", ("me", "mailFolders", "inbox", "messages", "delta"):
                call.require_scope("Mail.Read")
                return self._delta(call, box)
            case "GET", ("me", "mailFolders", "sentitems", "messages", "delta"):
                call.require_scope("Mail.Read")
                return self._delta(call, self.sent.setdefault(call.person, []))
            case "GET", ("me", "messages"):
                call.require_scope("Mail.Read")
                return self._page(call, list(reversed(_searched(call, box))))
            case "GET", ("me", "messages", id_, *rest):
                call.require_scope("Mail.Read")
                found = next((one for one in box if one["id"] == id_), None)
                if found is None:
                    raise ApiRefusal(404, "ErrorItemNotFound")
                return self._of_mail(call, found, rest)
            case "GET", ("me", "calendarView"):
                call.require_scope("Calendars.ReadWrite")
                return self._page(call, _viewed(call, calendar), "startDateTime", "endDateTime")
            case "GET", ("me", "events"):
                call.require_scope("Calendars.ReadWrite")
                return self._page(call, _since(call, calendar))
            case "POST", ("me", "events"):
                call.require_scope("Calendars.ReadWrite")
                return self._create(call, calendar)
            case _:
                raise ApiRefusal(404, "ResourceNotFound")

    def _of_mail(self, call: AccountCall, mail: dict[str, Any], rest: list[str]) -> Any:
        match rest:
            case ["attachments"]:
                return self._page(call, mail["attachments"])
            case ["attachments", id_]:
                return next(one for one in mail["attachments"] if one["id"] == id_)
            case _:
                return _selected(call, mail)

    def _page(self, call: AccountCall, items: list[dict[str, Any]], *more: str) -> dict[str, Any]:
        call.require_known(*_SYSTEM, *more)
        if "$search" in call.query and "$orderby" in call.query:
            raise ApiRefusal(400, "SearchWithOrderBy")
        start = int(call.query.get("$skiptoken", "0"))
        size = min(call.number("$top", 10, 1000), self.page)
        value = [_selected(call, one) for one in items[start : start + size]]
        if len(items) <= start + size:
            return {"value": value}
        onward = {**call.query, "$skiptoken": str(start + size)}
        return {"value": value, "@odata.nextLink": _link(call, onward)}

    def _delta(self, call: AccountCall, box: list[dict[str, Any]]) -> dict[str, Any]:
        call.require_known(*_SYSTEM, "changeType")
        if not call.query.keys() & {"$deltatoken", "$skiptoken"}:
            since = call.query.get("$filter", "").removeprefix("receivedDateTime ge ")
            value = [one for one in box if since and one["receivedDateTime"] >= since]
            return {"value": value, "@odata.deltaLink": _link(call, {"$deltatoken": str(len(box))})}
        if set(call.query) - {"$deltatoken", "$skiptoken"}:
            raise ApiRefusal(400, "parametersAreInTheToken")
        since = int(call.query.get("$deltatoken") or call.query["$skiptoken"])
        if not self.forgotten <= since <= len(box):
            raise ApiRefusal(410, "SyncStateNotFound")
        value, at = box[since : since + self.page], min(len(box), since + self.page)
        word, token = ("nextLink", "$skiptoken") if at < len(box) else ("deltaLink", "$deltatoken")
        return {"value": value, f"@odata.{word}": _link(call, {token: str(at)})}

    def _create(self, call: AccountCall, calendar: list[dict[str, Any]]) -> dict[str, Any]:
        body = dict(call.body)
        known = {"subject", "body", "location", "start", "end", "isAllDay", "transactionId"}
        if body.keys() != known or "timeZone" not in body["start"]:
            raise ApiRefusal(400, "ErrorInvalidRequest")
        if body["end"]["dateTime"] <= body["start"]["dateTime"]:
            raise ApiRefusal(400, "ErrorPropertyValidationFailure")
        for event in calendar:
            if event["transactionId"] == body["transactionId"]:
                return event  # answered with 201, without a second event
        id_ = f"EV{len(calendar)}"
        self.add_event(
            call.person, id_, body["start"]["dateTime"], body["end"]["dateTime"], body["subject"]
        )
        link = {"webLink": f"https://outlook.office365.com/owa/?itemid={id_}"}
        calendar[-1].update({**body, **link, "createdDateTime": _stamp(self.now)})
        return calendar[-1]


def _data(files: Sequence[str] | Mapping[str, bytes], name: str) -> str:
    return base64.b64encode(files[name]).decode() if isinstance(files, Mapping) else ""


def _selected(call: AccountCall, item: dict[str, Any]) -> dict[str, Any]:
    chosen = call.query.get("$select", "")
    return {name: item[name] for name in chosen.split(",") if name in item} if chosen else item


def _searched(call: AccountCall, box: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Match a KQL query, simplified: every word, without its property, must be in the mail."""
    search = call.query.get("$search", '""')
    if not (search.startswith('"') and search.endswith('"')):
        raise ApiRefusal(400, "syntax error in $search")
    words = [
        part.rpartition(":")[2].casefold()
        for part in search.strip('"').split(" AND ")
        if "received" not in part
    ]
    return [one for one in box if all(word in str(one).casefold() for word in words)]


def _viewed(call: AccountCall, calendar: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if 'outlook.timezone="UTC"' not in call.prefer:
        raise ApiRefusal(400, "the tests ask for times in UTC")
    start, end = call.query["startDateTime"].rstrip("Z"), call.query["endDateTime"].rstrip("Z")
    found = [
        one for one in calendar if one["end"]["dateTime"] > start and one["start"]["dateTime"] < end
    ]
    return sorted(found, key=lambda one: one["start"]["dateTime"])


def _since(call: AccountCall, calendar: list[dict[str, Any]]) -> list[dict[str, Any]]:
    match = _SINCE.fullmatch(call.query.get("$filter", ""))
    return [one for one in calendar if match is None or one[match[1]] >= match[2]]


def _link(call: AccountCall, query: dict[str, str]) -> str:
    asked = "&".join(f"{name}={quote(value)}" for name, value in query.items())
    return f"{call.root}/{'/'.join(call.path)}?{asked}"


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
