"""Resend, for sending and receiving.

See https://resend.com/docs/api-reference/emails/send-email and …/emails/retrieve-received-email.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from bot.plugin.plugin import Clock
from bot.plugin.services import Call, KeyedService, ServiceError, WebClient
from bot.plugin.tools import OutcomeUnknown
from bot.plugins.mail.settings import RESEND_KEY

_CONFLICT, _TROUBLE = 409, 500


@dataclass(frozen=True)
class Outgoing:
    """One mail. `key` identifies it for good, so that it is never sent twice."""

    sender: str
    to: str
    subject: str
    text: str
    key: str
    reply_to: str = ""
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further header fields."""


class _Sent(BaseModel):
    id: str


class _Attachment(BaseModel):
    filename: str | None = None
    content_type: str | None = None


class _Raw(BaseModel):
    download_url: str


class ReceivedMail(BaseModel):
    """A mail as Resend parsed it.

    It has neither text nor HTML when Resend could not read its parts.
    """

    sender: str = Field(alias="from")
    to: list[str] = []
    reply_to: list[str] | None = None
    subject: str | None = None
    text: str | None = None
    html: str | None = None
    raw: _Raw | None = None
    attachments: list[_Attachment] = []
    message_id: str | None = None
    headers: dict[str, object] | None = None

    @property
    def fields(self) -> dict[str, str]:
        """Its header fields by lower-case names."""
        known = (self.headers or {}).items()
        return {name.lower(): value for name, value in known if isinstance(value, str)}


def resend(
    base_url: str, secret: Callable[[str], str], web: WebClient, clock: Clock
) -> KeyedService:
    """The service with its key, which is read at each call."""
    return KeyedService(
        "Resend",
        base_url,
        RESEND_KEY,
        lambda: {"Authorization": f"Bearer {secret(RESEND_KEY)}"},
        web,
        clock,
    )


async def send(service: KeyedService, mail: Outgoing) -> str:
    """Send the mail; returns its id at Resend, which accepts a key once in 24 hours.

    Raises ServiceError, and OutcomeUnknown when it is unknown whether it was sent.
    """
    body: dict[str, object] = {
        "from": mail.sender,
        "to": [mail.to],
        "subject": mail.subject,
        "text": mail.text,
    }
    if mail.reply_to:
        body["reply_to"] = mail.reply_to
    if mail.fields:
        body["headers"] = dict(mail.fields)
    call = Call("POST", "/emails", body=body, headers={"Idempotency-Key": mail.key})
    try:
        return (await service.ask(call, _Sent)).id
    except ServiceError as error:
        raise_if_unknown(error)
        raise


def raise_if_unknown(error: ServiceError) -> None:
    """Raises OutcomeUnknown after an error that leaves open whether the mail was sent."""
    if not error.status or error.status == _CONFLICT or error.status >= _TROUBLE:
        raise OutcomeUnknown(str(error)) from error


async def received(service: KeyedService, email_id: str) -> ReceivedMail:
    """A received mail. Raises ServiceError."""
    return await service.ask(
        Call("GET", f"/emails/receiving/{email_id}", timeout_s=8.0), ReceivedMail
    )
