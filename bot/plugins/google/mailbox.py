"""Gmail: https://developers.google.com/workspace/gmail/api/reference/rest."""

import asyncio
import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import getaddresses
from html import unescape
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from bot.plugin.accounts import (
    MOST_ANSWER_BYTES,
    MOST_ARRIVED,
    Arrived,
    AttachedToMail,
    Box,
    Email,
    EmailList,
    Letter,
    from_base64,
    read_items,
    require_id,
    require_name,
)
from bot.plugin.services import (
    ServiceAnswer,
    ServiceClient,
    ServiceRefused,
    ServiceRequest,
    as_object,
    as_objects,
    by_token,
)
from bot.plugin.tools import Person, ToolError

_ME = "/gmail/v1/users/me"
_PART = "mimeType,filename,headers"
_OUTLINE = f"{_PART},parts({_PART},parts({_PART},parts({_PART})))"
"""The fields that identify a mail and its attachments, without any text."""
_FIELDS = f"id,threadId,labelIds,snippet,internalDate,payload({_OUTLINE})"
_AT_ONCE = 5
_PAGES = 5
_PAGES_BEGUN = 20
"""The newest mail is listed first, and the oldest of two busy weeks is wanted first."""
_MOST_PARTS = 200
_LETTER_BYTES = 8_000_000
_NOT_FOUND = 404
_BEGUN = ":"
"""In a cursor, before the second from which on mail is listed, and before the last mail told."""
_LABEL = {Box.INBOX: "INBOX", Box.SENT: "SENT"}


class _Ref(BaseModel):
    id: str
    labels: Annotated[list[str], Field(alias="labelIds")] = []


class _Added(BaseModel):
    message: _Ref


class _History(BaseModel):
    id: str
    added: Annotated[list[_Added], Field(alias="messagesAdded")] = []


class _Message(BaseModel):
    id: str
    thread: Annotated[str, Field(alias="threadId")] = ""
    labels: Annotated[list[str], Field(alias="labelIds")] = []
    snippet: str = ""
    at_ms: Annotated[int | None, Field(alias="internalDate")] = None
    payload: dict[str, Any] = {}


class GmailMailbox:
    """Implements `MailboxAccount`."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    async def newest(self, person: Person, query: str, most: int) -> EmailList:
        asked = {"q": query} if query else {"labelIds": "INBOX"}
        page = await self._get(
            person, "/messages", {**asked, "maxResults": most, "includeSpamTrash": False}
        )
        refs, bad = read_items(_Ref, page["messages"])
        found = await self._outlines(person, refs[:most])
        return EmailList(
            tuple(found), bool(page["nextPageToken"]), bad + len(refs[:most]) - len(found)
        )

    async def letter(self, person: Person, id_: str) -> Letter:
        path = f"{_ME}/messages/{require_id(id_)}"
        request = ServiceRequest(
            "GET", path, {"format": "full"}, api="gmail", max_bytes=_LETTER_BYTES
        )
        message = _message((await self._client.call(person, request)).value)
        if message is None:
            raise ToolError("this mail can't be read: Gmail's answer is broken")
        texts = {"text/plain": "", "text/html": ""}
        for part in _parts(message.payload):
            kind = str(part.get("mimeType"))
            if kind in texts and not texts[kind] and not part.get("filename"):
                texts[kind] = _text_of(part)
        return Letter(_email(message), texts["text/plain"].strip(), texts["text/html"].strip())

    async def attached(self, person: Person, id_: str, name: str) -> AttachedToMail:
        path = f"{_ME}/messages/{require_id(id_)}"
        request = ServiceRequest(
            "GET", path, {"format": "full"}, api="gmail", max_bytes=_LETTER_BYTES
        )
        message = _message((await self._client.call(person, request)).value)
        files = [one for one in _parts(message.payload) if one.get("filename")] if message else []
        part = files[require_name(name, [str(one["filename"]) for one in files])]
        body = as_object(part.get("body"))
        if not body.get("data"):
            which = require_id(str(body.get("attachmentId")))
            request = ServiceRequest(
                "GET", f"{path}/attachments/{which}", api="gmail", max_bytes=MOST_ANSWER_BYTES
            )
            body = as_object((await self._client.call(person, request)).value)
        return AttachedToMail(name, str(part.get("mimeType")), from_base64(body.get("data")))

    async def arrived(
        self, person: Person, cursor: str, since: datetime, box: Box = Box.INBOX
    ) -> Arrived:
        history, _, begun = cursor.partition(_BEGUN)
        if not history or begun:
            begin, _, last = begun.partition(_BEGUN)
            since = datetime.fromtimestamp(int(begin), UTC) if begin else since
            return await self._begun(person, since, box, history, last)
        asked: dict[str, str | int | bool] = {
            "startHistoryId": cursor,
            "historyTypes": "messageAdded",
            "labelId": _LABEL[box],
            "maxResults": 100,
        }
        request = ServiceRequest("GET", f"{_ME}/history", asked, api="gmail")
        refs: dict[str, _Ref] = {}
        at = cursor
        try:
            async for page in self._client.pages(
                person, request, by_token("pageToken", "nextPageToken"), _PAGES
            ):
                for record in read_items(_History, page["history"])[0]:
                    new = {
                        one.message.id: one.message
                        for one in record.added
                        if _LABEL[box] in one.message.labels
                    }
                    if refs and len(refs | new) > MOST_ARRIVED:
                        return Arrived(await self._outlines(person, list(refs.values())), at)
                    refs |= new
                    at = record.id
                if not page["nextPageToken"]:
                    at = str(page["historyId"] or at)
        except ServiceRefused as refusal:
            if refusal.status != _NOT_FOUND:
                raise
            return await self._begun(person, since, box)  # the history reaches less far back
        return Arrived(await self._outlines(person, list(refs.values())), at)

    async def _begun(
        self, person: Person, since: datetime, box: Box, history: str = "", last: str = ""
    ) -> Arrived:
        """What came since a moment, and the end of the history before that was read.

        While there is more than one look takes, the cursor also says where to go on. A `last` that
        is no longer listed begins again: time alone can't tell mails of one second apart.
        """
        at = history or str((await self._get(person, "/profile", {}))["historyId"] or "")
        begin = int(since.timestamp())
        asked = {"q": f"after:{begin}", "labelIds": _LABEL[box], "maxResults": 500}
        request = ServiceRequest("GET", f"{_ME}/messages", asked, api="gmail")
        refs: list[_Ref] = []
        async for page in self._client.pages(
            person, request, by_token("pageToken", "nextPageToken"), _PAGES_BEGUN
        ):
            refs += read_items(_Ref, page["messages"])[0]
        ids = [ref.id for ref in refs]
        new = refs[: ids.index(last) if last in ids else None][::-1]
        if len(new) > MOST_ARRIVED:
            at += f"{_BEGUN}{begin}{_BEGUN}{new[MOST_ARRIVED - 1].id}"
        return Arrived(await self._outlines(person, new[:MOST_ARRIVED]), at)

    async def _outlines(self, person: Person, refs: Sequence[_Ref]) -> list[Email]:
        """These mails as far as they still exist, in the same order."""
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(ref: _Ref) -> Email | None:
            async with slots:
                try:
                    found = await self._get(
                        person,
                        f"/messages/{require_id(ref.id)}",
                        {"format": "full", "fields": _FIELDS},
                    )
                except ServiceRefused as refusal:
                    if refusal.status != _NOT_FOUND:
                        raise
                    return None
            message = _message(found.value)
            return None if message is None else _email(message)

        return [email for email in await asyncio.gather(*map(one, refs)) if email is not None]

    async def _get(
        self, person: Person, path: str, query: Mapping[str, str | int | bool]
    ) -> ServiceAnswer:
        return await self._client.call(
            person, ServiceRequest("GET", _ME + path, query, api="gmail")
        )


def _message(value: Any) -> _Message | None:
    try:
        return _Message.model_validate(value)
    except ValidationError:
        return None


def _email(message: _Message) -> Email:
    headers = _headers(message.payload)
    names = [str(part["filename"]) for part in _parts(message.payload) if part.get("filename")]
    return Email(
        message.id,
        message.thread,
        headers.get("from", ""),
        headers.get("subject", ""),
        _moment(message.at_ms),
        unescape(message.snippet),
        tuple(names),
        tuple(message.labels),
        tuple(address for _, address in getaddresses([headers.get("to", "")])),
    )


def _moment(milliseconds: int | None) -> datetime | None:
    try:
        return (
            datetime.fromtimestamp(milliseconds / 1000, UTC) if milliseconds is not None else None
        )
    except (OverflowError, ValueError, OSError):
        return None


def _parts(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A mail's parts, outer ones first, up to a limit on their number."""
    waiting = [payload]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        yield part
        waiting += as_objects(part.get("parts"))[:_MOST_PARTS]


def _headers(part: dict[str, Any]) -> dict[str, str]:
    """By lower-case name, the first of several, with encoded words decoded."""
    found: dict[str, str] = {}
    for header in as_objects(part.get("headers")):
        name, value = header.get("name"), header.get("value")
        if isinstance(name, str) and isinstance(value, str):
            found.setdefault(name.lower(), _decoded(value))
    return found


def _decoded(header: str) -> str:
    try:
        return str(make_header(decode_header(header)))
    except (HeaderParseError, LookupError, ValueError):
        return header


def _text_of(part: dict[str, Any]) -> str:
    data = as_object(part.get("body")).get("data")
    if not isinstance(data, str):
        return ""
    try:
        raw = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    except (binascii.Error, ValueError):
        return ""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        charset = (
            _headers(part)
            .get("content-type", "")
            .lower()
            .partition("charset=")[2]
            .partition(";")[0]
        )
        try:
            return raw.decode(charset.strip(" \"'") or "utf-8", "replace")
        except LookupError:
            return raw.decode("utf-8", "replace")
