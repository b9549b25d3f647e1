"""Outlook's mail: https://learn.microsoft.com/graph/api/resources/message."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, Field

from bot.plugin.accounts import (
    MOST_ANSWER_BYTES,
    MOST_ARRIVED,
    Arrived,
    AttachedToMail,
    Box,
    Email,
    EmailList,
    Letter,
    aware,
    from_base64,
    read_items,
    require_id,
    require_name,
)
from bot.plugin.plugin import Clock
from bot.plugin.services import ServiceClient, ServiceRefused, ServiceRequest, by_address
from bot.plugin.tools import Person, ToolError

_FIELDS = (
    "id,conversationId,from,toRecipients,subject,receivedDateTime,bodyPreview,hasAttachments,"
    "categories"
)
_FOLDER = {
    Box.INBOX: "/me/mailFolders/inbox/messages",
    Box.SENT: "/me/mailFolders/sentitems/messages",
}
_LETTER_BYTES = 8_000_000
_GONE = (400, 404, 410)
_AS_THERE = frozenset({"from", "to", "cc", "bcc", "subject"})
"""Operators that both searches know by the same name."""
_TERM = re.compile(r'-?(?:([a-z_]+):)?(?:"([^"]*)"|(\S+))')
_AGE = re.compile(r"(\d{1,4})([dmy])")
_DAYS = {"d": 1, "m": 30, "y": 365}


class _Address(BaseModel):
    name: str | None = None
    address: str | None = None


class _Sender(BaseModel):
    email: Annotated[_Address, Field(alias="emailAddress")] = _Address()


class _Body(BaseModel):
    kind: Annotated[str, Field(alias="contentType")] = "text"
    content: str | None = None


class _Message(BaseModel):
    id: str
    thread: Annotated[str | None, Field(alias="conversationId")] = None
    sender: Annotated[_Sender | None, Field(alias="from")] = None
    to: Annotated[list[_Sender], Field(alias="toRecipients")] = []
    subject: str | None = None
    at: Annotated[datetime | None, Field(alias="receivedDateTime")] = None
    preview: Annotated[str | None, Field(alias="bodyPreview")] = None
    attached: Annotated[bool, Field(alias="hasAttachments")] = False
    categories: list[str] = []
    body: _Body = _Body()


class _Attachment(BaseModel):
    id: str = ""
    name: str | None = None
    media_type: Annotated[str | None, Field(alias="contentType")] = None
    content: Annotated[str | None, Field(alias="contentBytes")] = None


class OutlookMailbox:
    """Implements `MailboxAccount`."""

    def __init__(self, client: ServiceClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock

    async def newest(self, person: Person, query: str, most: int) -> EmailList:
        words, unknown = translated(query, self._clock.now())
        asked: dict[str, str | int | bool] = {"$select": _FIELDS, "$top": most}
        if words:
            # A search returns the newest first and accepts no order.
            page = await self._client.get(
                person, "/me/messages", {**asked, "$search": f'"{words}"'}
            )
        else:
            page = await self._client.get(
                person, _FOLDER[Box.INBOX], {**asked, "$orderby": "receivedDateTime desc"}
            )
        items, bad = read_items(_Message, page["value"])
        emails = [_email(item, await self._attached(person, item)) for item in items[:most]]
        notes = (
            (f"[Outlook's search does not know {', '.join(unknown)}: left out]",) if unknown else ()
        )
        return EmailList(tuple(emails), bool(page["@odata.nextLink"]), bad, notes)

    async def letter(self, person: Person, id_: str) -> Letter:
        query = {"$select": f"{_FIELDS},body"}
        request = ServiceRequest(
            "GET", f"/me/messages/{require_id(id_)}", query, max_bytes=_LETTER_BYTES
        )
        items, _ = read_items(_Message, [(await self._client.call(person, request)).value])
        if not items:
            raise ToolError("this mail can't be read: Outlook's answer is broken")
        item = items[0]
        email, content = (
            _email(item, await self._attached(person, item)),
            (item.body.content or "").strip(),
        )
        return Letter(email, html=content) if item.body.kind == "html" else Letter(email, content)

    async def attached(self, person: Person, id_: str, name: str) -> AttachedToMail:
        path = f"/me/messages/{require_id(id_)}/attachments"
        page = await self._client.get(person, path, {"$select": "id,name", "$top": 20})
        files, _ = read_items(_Attachment, page["value"])
        which = files[require_name(name, [one.name or "unnamed" for one in files])]
        request = ServiceRequest(
            "GET", f"{path}/{require_id(which.id)}", max_bytes=MOST_ANSWER_BYTES
        )
        found, _ = read_items(_Attachment, [(await self._client.call(person, request)).value])
        if not found or found[0].content is None:
            raise ToolError(f"{name} is a link or another mail, which is not read; open it there")
        return AttachedToMail(name, found[0].media_type or "", from_base64(found[0].content))

    async def arrived(
        self, person: Person, cursor: str, since: datetime, box: Box = Box.INBOX
    ) -> Arrived:
        try:
            return await self._since(person, cursor, since, box)
        except ServiceRefused as refusal:
            if not cursor or refusal.status not in _GONE:
                raise
            return await self._since(person, "", since, box)  # it no longer knows the cursor

    async def _since(self, person: Person, cursor: str, since: datetime, box: Box) -> Arrived:
        """Follow the folder's changes (message: delta) to the end, or until enough are found."""
        if cursor:
            request = ServiceRequest("GET", cursor)
        else:
            begin = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            query: Mapping[str, str | int | bool] = {
                "changeType": "created", "$select": _FIELDS, "$filter": (
                    f"receivedDateTime ge {begin}"
                ),
            }  # fmt: skip
            request = ServiceRequest("GET", f"{_FOLDER[box]}/delta", query)
        found: list[Email] = []
        at = cursor
        async for page in self._client.pages(person, request, by_address("@odata.nextLink"), 5):
            found += [_email(item, ()) for item in read_items(_Message, page["value"])[0]]
            at = str(page["@odata.deltaLink"] or page["@odata.nextLink"] or at)
            if len(found) >= MOST_ARRIVED:
                break
        return Arrived(found, at if urlsplit(at).scheme else cursor)

    async def _attached(self, person: Person, item: _Message) -> tuple[str, ...]:
        """The names of a mail's attachments; empty if they can't be fetched."""
        if not item.attached:
            return ()
        path = f"/me/messages/{require_id(item.id)}/attachments"
        try:
            page = await self._client.get(person, path, {"$select": "name", "$top": 20})
        except ServiceRefused:
            return ("(names could not be read)",)
        return tuple(one.name or "unnamed" for one in read_items(_Attachment, page["value"])[0])


def translated(query: str, now: datetime) -> tuple[str, list[str]]:
    """A Gmail query in Outlook's syntax (KQL), and the parts that KQL can't express."""
    found: list[str] = []
    unknown: list[str] = []
    for match in _TERM.finditer(query):
        operator, quoted, bare = match.groups()
        value = (
            (quoted if quoted is not None else bare).replace('"', "").replace("\\", "").strip("() ")
        )
        part = None if match[0].startswith("-") else _part(operator, value, now)
        if part:
            found.append(part)
        elif value:
            unknown.append(match[0][:40])
    return " AND ".join(found), unknown


def _part(operator: str | None, value: str, now: datetime) -> str | None:
    if operator is None:
        return value if value not in {"OR", "AND"} else None
    if operator in _AS_THERE:
        return f"{operator}:{value}"
    if operator == "has" and value == "attachment":
        return "hasAttachments:true"
    if operator in {"after", "newer", "before", "older"}:
        sign = ">=" if operator in {"after", "newer"} else "<"
        day = value.replace("/", "-")
        return f"received{sign}{day}" if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", day) else None
    if operator in {"newer_than", "older_than"} and (age := _AGE.fullmatch(value)):
        since = now - timedelta(days=int(age[1]) * _DAYS[age[2]])
        return f"received{'>=' if operator == 'newer_than' else '<'}{since:%Y-%m-%d}"
    return None


def _email(item: _Message, attachments: tuple[str, ...]) -> Email:
    sender = item.sender.email if item.sender else _Address()
    named = (
        f"{sender.name} <{sender.address}>"
        if sender.name and sender.address
        else sender.address or sender.name
    )
    return Email(
        item.id,
        item.thread or "",
        named or "",
        item.subject or "",
        aware(item.at) if item.at else None,
        item.preview or "",
        attachments,
        tuple(item.categories),
        tuple(one.email.address for one in item.to if one.email.address),
    )
