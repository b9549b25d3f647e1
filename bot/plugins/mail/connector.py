"""send_email and read_inbox, for agents that have an address."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from bot.plugin.mail import MailGround
from bot.plugin.plugin import Clock
from bot.plugin.services import KeyedService, ServiceError, WebClient, told_to_model
from bot.plugin.tables import Database, Seen, Unit, format_utc
from bot.plugin.tools import (
    KIND_MARK,
    MARK,
    NEVER,
    Done,
    NativeConnector,
    NativeTool,
    Needs,
    Noun,
    Origin,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolRegistration,
    ToolResult,
    Translations,
    Trust,
    coded,
    left_out,
    read_email,
    titled,
)
from bot.plugins.mail import mailgun, resend, store
from bot.plugins.mail.headers import answering, by_program, subject_of_answer
from bot.plugins.mail.inbound import Inbound
from bot.plugins.mail.resend import Outgoing
from bot.plugins.mail.settings import (
    MAILGUN_KEY,
    RESEND_KEY,
    MailSettings,
    receives_mail,
    sending_key,
)
from bot.plugins.mail.store import Mail, MailRows, SentMail

SUBJECT_CHARS = 200
BODY_CHARS = 50_000
SNIPPET_CHARS = 200
SHOWN_CHARS = 12_000
MOST = 20
TOKEN_CHARS = 20
ID_CHARS = 100
_MAIL_CAME = "EMAIL_RECEIVED"
"""The event of runs that a mail started: what they send answers it, whether they say so or not."""


_READING = Phrase("Reading mail")
_WRITING = Phrase("Writing a mail")
_SEND = Phrase("send a mail to {to}, {subject}: {body}")
_ANSWER = Phrase("answer the mail {answered} to {to}, {subject}: {body}")


class SendEmailArguments(ToolArguments):
    """One mail to one address."""

    to: Annotated[
        str,
        Field(
            min_length=3,
            max_length=254,
            json_schema_extra={MARK: "email", KIND_MARK: "mail_sender"},
        ),
    ]
    subject: str = Field(default="", max_length=SUBJECT_CHARS)
    body: str = Field(min_length=1, max_length=BODY_CHARS, description="Plain text.")
    reply_to: str = Field(
        default="",
        max_length=ID_CHARS,
        description="The id (of read_inbox) of the mail that it answers; needs no subject.",
    )


class ReadInboxArguments(ToolArguments):
    """The newest mails, or one of them whole."""

    limit: int = Field(default=10, ge=1, le=MOST)
    unread_only: bool = False
    id: str = Field(default="", max_length=ID_CHARS, description="One mail, whole.")


@dataclass(frozen=True)
class MailTools:
    """The two tools over stored mail and the service that sends mail."""

    rows: MailRows
    mailgun_domain: str
    """The domain at Mailgun that sends; empty: Resend sends."""
    resend: KeyedService
    mailgun: KeyedService
    receives: bool
    """Whether mail can be received: if so, a reply goes to an address that tells its owner."""

    def send_tool(self) -> NativeTool[Any]:
        keyed = not self.mailgun_domain
        return NativeTool(
            "send_email",
            SendEmailArguments,
            self._send,
            acts=True,
            repeatable=keyed,
            check=self._check,
            tells=self._tell,
            doing=_WRITING,
            deed=ToolDeed(Noun.MAIL, "subject", Done.SENT),
        )

    def inbox_tool(self) -> NativeTool[Any]:
        return NativeTool("read_inbox", ReadInboxArguments, self._inbox, doing=_READING)

    async def _check(self, context: ToolContext, arguments: SendEmailArguments) -> None:
        _own_address(context)
        _address(arguments)
        _subject(arguments, await self._answered(context, arguments))

    async def _tell(self, context: ToolContext, arguments: SendEmailArguments) -> Translations:
        to, body = coded(_address(arguments)), titled(arguments.body, 300)
        try:
            answered = await self._answered(context, arguments)
        except ToolError:  # whoever reads the card may not read that mail
            subject = titled(arguments.subject or subject_of_answer("…"))
            return _SEND.filled(to=to, subject=subject, body=body)
        subject = titled(_subject(arguments, answered))
        if answered is None:
            return _SEND.filled(to=to, subject=subject, body=body)
        said = titled(answered.subject)
        return _ANSWER.filled(answered=said, to=to, subject=subject, body=body)

    async def _answered(self, context: ToolContext, arguments: SendEmailArguments) -> Mail | None:
        """The mail that this one answers: only what may be read here. Raises ToolError."""
        if not arguments.reply_to:
            return None
        visible = await self.rows.seen(context.viewer, _own_address(context))
        return await self._found(visible, arguments.reply_to)

    async def _found(self, visible: Seen, id_: str) -> Mail:
        mail = await self.rows.find(visible, id_)
        if mail is None:
            raise ToolError(
                f"there is no mail {id_!r} that may be shown here; list the inbox first"
            )
        return mail

    async def _send(self, context: ToolContext, arguments: SendEmailArguments) -> ToolResult:
        sender, to = _own_address(context), _address(arguments)
        answered = await self._answered(context, arguments)
        token, subject = _token(context), _subject(arguments, answered)
        reply_to = reply_address(sender, token) if self.receives else ""
        fields = answering(answered.thread) if answered else {}
        if not context.run.shape.person_present:
            answers = answered is not None or context.run.event == _MAIL_CAME
            fields |= by_program(answers=answers)
        mail = Outgoing(sender, to, subject, arguments.body, f"bellhop/{token}", reply_to, fields)
        try:
            if self.mailgun_domain:
                id_ = await mailgun.send(self.mailgun, self.mailgun_domain, mail)
            else:
                id_ = await resend.send(self.resend, mail)
        except ServiceError as error:
            return told_to_model(error, context.call.name)
        now = format_utc(context.now)
        kept = SentMail(token, context.person.id, sender, to, subject, context.learned, now)
        return ToolResult(
            json.dumps({"id": id_, "to": to}),
            unit=store.keep_sent(kept),
            summary=f"mail to {to}: {subject[:60]}",
        )

    async def _inbox(self, context: ToolContext, arguments: ReadInboxArguments) -> ToolResult:
        if not self.receives:
            raise ToolError("no mail can come in: the operator has not set RESEND_WEBHOOK_SECRET")
        visible = await self.rows.seen(context.viewer, _own_address(context))
        if arguments.id:
            mail = await self._found(visible, arguments.id)
            return _shown(context, [mail], _whole(mail), store.mark_read(mail.id, context.now))
        mails = await self.rows.newest(visible, arguments.limit, unread_only=arguments.unread_only)
        told = json.dumps([_line(mail) for mail in mails], ensure_ascii=False)
        if not mails:
            unread = (
                "unread mail; unread_only: false lists all" if arguments.unread_only else "mail"
            )
            told += f"\nThis mailbox has no {unread}."
        if visible.left_out:
            told += f"\n{left_out(visible.left_out)}"
        return _shown(context, mails, told)


def reply_address(address: str, token: str) -> str:
    """The reply address of one mail: the agent's own mailbox, with the mail's token."""
    local, _, domain = address.partition("@")
    return f"{local}+{token}@{domain}"


def _address(arguments: SendEmailArguments) -> str:
    to = read_email(arguments.to)
    if to is None:
        raise ToolError(
            f"to: {arguments.to[:80]!r} is no mail address; write one like ann@example.org"
        )
    return to


def _subject(arguments: SendEmailArguments, answered: Mail | None) -> str:
    if subject := " ".join(arguments.subject.split()):
        return subject
    if answered is None:
        raise ToolError("subject: is missing; only an answer (reply_to) needs none")
    return subject_of_answer(answered.subject)


def _own_address(context: ToolContext) -> str:
    address = read_email(context.agent_email or "")
    if address is None:
        raise ToolError(
            f"the agent {context.agent} has no mail address; the operator sets it "
            "(agents.overrides)"
        )
    return address


def _token(context: ToolContext) -> str:
    """The same token for the same call, also after a crash; nobody else can guess it."""
    seed = "\0".join(("mail", context.session_id, context.cycle_id, context.call.key))
    return hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:TOKEN_CHARS]


def _line(mail: Mail) -> dict[str, Any]:
    snippet = " ".join(mail.text[: 2 * SNIPPET_CHARS].split())[:SNIPPET_CHARS]
    told = {
        "id": mail.id,
        "from": mail.sender,
        "subject": mail.subject,
        "date": mail.received_at,
        "snippet": snippet,
    }
    return {**told, "unread": True} if mail.unread else told


def _whole(mail: Mail) -> str:
    cut = (
        f"\n[{len(mail.text) - SHOWN_CHARS:,} more characters]"
        if len(mail.text) > SHOWN_CHARS
        else ""
    )
    head = f"From: {mail.sender}\nSubject: {mail.subject}\nDate: {mail.received_at}"
    return f"{head}\n\n{mail.text[:SHOWN_CHARS]}{cut}"


def _shown(context: ToolContext, mails: list[Mail], told: str, unit: Unit = Unit()) -> ToolResult:
    """Anybody who knows the address can write to it, so mail counts as text from outside."""
    return ToolResult(
        told,
        origin=Origin(Trust.EXTERNAL, f"tool:{context.call.name}"),
        private=any(mail.learned.private for mail in mails),
        unit=unit,
        summary=f"{len(mails)} {'mail' if len(mails) == 1 else 'mails'}",
    )


class MailConnector(NativeConnector):
    """For agents that have an address, if a service's key is set."""

    id = "mail"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        secret: Callable[[str], str],
        settings: MailSettings,
        web: WebClient,
        client_at: Callable[[str], WebClient],
    ) -> None:
        """`secret` gives the keys of the services, `client_at` the client for each."""
        self._database, self._clock, self._secret, self._web = database, clock, secret, web
        self._resend = resend.resend(
            settings.resend_url, secret, client_at(settings.resend_url), clock
        )
        carrier = mailgun.mailgun(
            settings.mailgun_url, secret, client_at(settings.mailgun_url), clock
        )
        receives = receives_mail(secret)
        key = sending_key(settings, secret)
        domain = settings.mailgun_domain if key == MAILGUN_KEY else ""
        tools = MailTools(MailRows(database), domain, self._resend, carrier, receives)
        super().__init__()
        has_inbox = secret(RESEND_KEY)
        sends = secret(key)
        addressed = Needs(address=True)
        self.needs = addressed if sends or has_inbox else NEVER
        self._registrations = (
            ToolRegistration([tools.send_tool()], addressed if sends else NEVER),
            ToolRegistration([tools.inbox_tool()], addressed if receives else NEVER),
        )

    def registrations(self) -> Sequence[ToolRegistration]:
        return self._registrations

    def inbound(self, ground: MailGround) -> Inbound:
        """The receiver of notices about new mail."""
        return Inbound(self._database, self._clock, self._secret, self._resend, self._web, ground)
