"""Incoming mail: Resend sends a signed notice, and Bellhop then fetches the mail itself.

Its signatures: https://docs.svix.com/receiving/verifying-payloads/how-manual.
"""

import base64
import binascii
import hashlib
import hmac
import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from bot.plugin.http import JsonObject
from bot.plugin.mail import PUBLICLY, MailGround
from bot.plugin.plugin import Clock
from bot.plugin.services import KeyedService, Pages, WebClient, WebError, WebRequest
from bot.plugin.tables import Database, format_utc
from bot.plugin.tools import read_email, whole_characters
from bot.plugins.mail import resend, store
from bot.plugins.mail.headers import automatic_of, thread_of
from bot.plugins.mail.resend import ReceivedMail
from bot.plugins.mail.settings import SECRET
from bot.plugins.mail.store import Mail, MailRows

log = logging.getLogger(__name__)

ID, TIMESTAMP, SIGNATURE = "svix-id", "svix-timestamp", "svix-signature"
PREFIX = "whsec_"
_MOST_SIGNATURES = 10


def signature_of(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """One signature as the header holds it. Raises ValueError for an invalid secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise ValueError(
            "the signing secret is not the one that Resend shows: it begins with whsec_"
        ) from None
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "replace") + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


_SKEW_S = 300
"""How far the time of a notice may be off: Resend's signatures are meant for five minutes."""


def is_signed(secret: str, headers: Mapping[str, str], body: bytes, now: datetime) -> bool:
    """Whether one of the signatures is right and the time is near `now`.

    Raises ValueError as `signature_of`.
    """
    message_id, timestamp = headers.get(ID, ""), headers.get(TIMESTAMP, "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    expected = signature_of(secret, message_id, timestamp, body).encode()
    given = headers.get(SIGNATURE, "").split()[:_MOST_SIGNATURES]
    right = any(hmac.compare_digest(expected, one.encode("utf-8", "replace")) for one in given)
    return right and abs(now.timestamp() - int(timestamp)) <= _SKEW_S


PATH = "/mail/{ref}"
REF = "resend"
NOTICE_BYTES = 256 * 1024
TEXT_CHARS = 100_000
_FIELD_CHARS = 300
_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_REFUSED = (401, {"error": "the signature is missing, wrong or too old"})


class _Data(BaseModel):
    email_id: str
    to: list[str] = []


class _Notice(BaseModel):
    kind: Literal["email.received"] = Field(alias="type")
    data: _Data


@dataclass(frozen=True)
class Inbound:
    """Takes notices; the mail is stored once `receive` returns 202."""

    database: Database
    clock: Clock
    secret: Callable[[str], str]
    resend: KeyedService
    web: WebClient
    ground: MailGround

    async def receive(
        self, ref: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, JsonObject]:
        """The status and answer to a POST. Raises StorageError if the mail could not be stored."""
        secret = self.secret(SECRET)
        if ref != REF or not secret:
            return _REFUSED
        try:
            signed = is_signed(secret, headers, body, self.clock.now())
        except ValueError as error:
            log.error("secret=<%s> | no mail comes in: %s", SECRET, error)  # noqa: TRY400 - needs no traceback
            return _REFUSED
        if not signed:
            log.info("a notice of mail was refused: its signature is missing, wrong or too old")
            return _REFUSED
        try:
            notice = _Notice.model_validate(json.loads(body))
        except (ValidationError, ValueError, RecursionError):
            return 200, {"accepted": False, "why": "it tells of no mail that was received"}
        return await self._told_of(notice.data)

    async def _told_of(self, data: _Data) -> tuple[int, JsonObject]:
        rows = MailRows(self.database)
        if not _ID.fullmatch(data.email_id) or await rows.knows(data.email_id):
            return 200, {"accepted": False, "why": "it was received before, or has no proper id"}
        try:
            given = await resend.received(self.resend, data.email_id)
            text = await self._text(given)
        except WebError as error:
            log.warning("mail=<%s>, error=<%s> | mail can't be fetched yet", data.email_id, error)
            return 503, {"error": "the mail could not be fetched; tell of it again"}
        mail = await self._addressed(data, given, text)
        if mail is None:
            return 200, {"accepted": False, "why": "no agent has that address"}
        arrival = await self.ground.announce(mail)
        await self.database.write(store.keep(mail) + arrival.unit)
        if arrival.then is not None:
            arrival.then()
        return 202, {"accepted": True}

    async def _addressed(self, data: _Data, given: ReceivedMail, text: str) -> Mail | None:
        """The mail for its mailbox; None when it belongs to nobody.

        A reply belongs to the person whose request sent the original mail, and is as private as
        that mail. A reply address that is unknown (or no longer known) gets nothing: the mail might
        be private.
        """
        boxes = {address.casefold() for address in self.ground.addresses()}
        rows = MailRows(self.database)
        for recipient in [*data.to, *given.to]:
            address = (read_email(_bare(recipient)) or "").casefold()
            local, _, domain = address.partition("@")
            name, _, token = local.partition("+")
            if address not in boxes and f"{name}@{domain}" not in boxes:
                continue
            owner, learned = "", PUBLICLY
            if address not in boxes and token:
                answered = await rows.sent(token)
                if answered is None:
                    log.warning(
                        "mail=<%s> | it answers an unknown mail, so it was skipped",
                        data.email_id,
                    )
                    continue
                owner, learned = answered.owner, answered.learned
            mailbox = address if address in boxes else f"{name}@{domain}"
            subject = _line(given.subject or "(no subject)")
            now = format_utc(self.clock.now())
            thread = thread_of(given.fields, given.message_id or "")
            return Mail(
                data.email_id,
                mailbox,
                owner,
                learned,
                _line(given.sender),
                subject,
                text,
                now,
                thread,
                automatic=automatic_of(given.fields),
            )
        return None

    async def _text(self, given: ReceivedMail) -> str:
        """The mail's text, where it wants its answers, and its attachments. Raises WebError."""
        text, html = given.text or "", given.html or ""
        if not text.strip() and not html.strip() and given.raw is not None:
            raw = await self.web.fetch(WebRequest("GET", given.raw.download_url))
            text = await Pages(self.web).read_mail(raw.body)
        if not text.strip() and html.strip():
            text = await Pages(self.web).read_html(html)
        names = [_line(one.filename or "unnamed") for one in given.attachments[:20]]
        said = _clean(text)[:TEXT_CHARS].strip() or "(no text)"
        wanted = _line(", ".join(given.reply_to or []) or given.fields.get("reply-to", ""))
        if wanted and _bare(wanted).casefold() != _bare(given.sender).casefold():
            said = f"[Reply-To: {wanted}]\n\n{said}"
        return f"{said}\n\n[attached: {', '.join(names)}]" if names else said


def _bare(recipient: str) -> str:
    """`Ann <ann@x.org>` without the name."""
    return recipient.rpartition("<")[2].rstrip("> ").strip()


def _line(text: str) -> str:
    return " ".join(_clean(text).split())[:_FIELD_CHARS]


def _clean(text: str) -> str:
    return whole_characters(text).replace("\0", "")
