"""read_emails over the mailboxes that a person connected."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from bot.connectors.accounts import (
    AccountsConnector,
    PersonAccounts,
    external,
    of_account,
    plain_line,
    shown_time,
)
from bot.connectors.mailboxes.attached import AttachedToMail
from bot.connectors.mailboxes.emails import (
    FIELD_CHARS,
    MOST_EMAILS,
    TEXT_CHARS,
    Email,
    Letter,
    MailboxAccount,
)
from bot.domain.characters import whole_characters
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import DocumentError, ToolError
from bot.knowledge.file_readers import NO_READERS, FileReaders
from bot.knowledge.reading import DocumentReader, RawDocument
from bot.web.client import WebClient
from bot.web.pages import Pages
from bot.web.response import WebError
from bot.web.settings import WebSettings

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class ReadEmailsArguments(BaseModel):
    """The newest mails, or one of them whole."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    query: str = Field(default="", max_length=500, description="As in Gmail's search box.")
    maxResults: int = Field(default=MOST_EMAILS, ge=1, description="At most 10.")  # noqa: N815
    id: str = Field(default="", max_length=300, description="One mail, whole.")
    attachment: str = Field(
        default="", max_length=300, description="With `id`: the text of this attached file."
    )
    account: str | None = Field(default=None, max_length=60, description="Only this one.")


class MailboxTools:
    """The tool over the mailboxes that a person connected; `pages` converts HTML to text."""

    def __init__(
        self, accounts: PersonAccounts[MailboxAccount], pages: Pages, readers: FileReaders
    ) -> None:
        self._accounts = accounts
        self._reader = DocumentReader(readers=readers)
        self._pages = pages

    def read_emails(self) -> NativeTool[Any]:
        return NativeTool("read_emails", ReadEmailsArguments, self._read)

    async def _read(self, context: ToolContext, given: ReadEmailsArguments) -> ToolResult:
        if given.id:
            _, account = self._accounts.one(context.person, given.account)
            if given.attachment:
                return await self._attached(context, account, given.id, given.attachment)
            letter = await account.letter(context.person, given.id)
            text = await self._whole(letter, context.timezone)
            return of_account(context, text, "1 mail")
        most = min(given.maxResults, MOST_EMAILS)
        person = context.person
        found = await self._accounts.gather(
            person, given.account, lambda one: one.newest(person, given.query, most)
        )
        several = len(self._accounts.usable(person)) > 1
        emails = [
            (email, name) for name, listed in found.by_service.items() for email in listed.emails
        ]
        emails.sort(key=lambda one: one[0].at or _LONG_AGO, reverse=True)
        told = [
            {**email.told(context.timezone), "account": name}
            if several
            else email.told(context.timezone)
            for email, name in emails[:most]
        ]
        notes = [
            *found.troubles,
            *(note for listed in found.by_service.values() for note in listed.notes),
        ]
        if len(emails) > most or any(listed.more for listed in found.by_service.values()):
            notes.append("[there are older ones; narrow the query to reach them]")
        if missing := sum(listed.missing for listed in found.by_service.values()):
            notes.append(f"[{missing} could not be read]")
        return external(context, told, notes, "mail" if len(told) == 1 else "mails")

    async def _attached(
        self, context: ToolContext, account: MailboxAccount, id_: str, name: str
    ) -> ToolResult:
        """A file of a mail, or why it can't be read: that names files, as their sender did."""
        try:
            file = await account.attached(context.person, id_, name)
            text = _cut(await _text_of(self._reader, file))
        except ToolError as error:
            return replace(of_account(context, str(error), "no file"), is_error=True)
        return of_account(context, text, "1 file")

    async def _whole(self, letter: Letter, timezone: str) -> str:
        email = letter.email
        text = letter.text
        if not text and letter.html:
            try:
                text = await self._pages.read_html(letter.html)
            except WebError as error:
                text = f"(its HTML can't be read: {error})"
        return f"{_head(email, timezone)}\n\n{_cut(text)}"


async def _text_of(reader: DocumentReader, file: AttachedToMail) -> str:
    """The file in words, with what was left out of it. Raises ToolError."""
    try:
        read = await reader.whole(RawDocument(file.name, file.data, file.media_type))
    except DocumentError as error:
        raise ToolError(str(error)) from error
    notes = [read.note] if read.note else []
    if read.pictures:
        notes.append("its pictures can't be shown here; the person can post the file")
    return "\n\n".join(filter(None, (read.text, f"[{'; '.join(notes)}]" if notes else "")))


def _cut(text: str) -> str:
    text = whole_characters(text).replace("\0", "").strip() or "(no text)"
    if len(text) > TEXT_CHARS:
        return f"{text[:TEXT_CHARS]}\n[{len(text) - TEXT_CHARS:,} more characters]"
    return text


def _head(email: Email, timezone: str) -> str:
    lines = [
        f"From: {plain_line(email.sender, FIELD_CHARS)}",
        f"Subject: {plain_line(email.subject, FIELD_CHARS)}",
        f"Date: {shown_time(email.at, timezone)}",
    ]
    if email.attachments:
        lines.append(
            f"Attached: {', '.join(plain_line(name, 100) for name in email.attachments[:20])}"
        )
    return "\n".join(lines)


class MailboxesConnector(AccountsConnector[MailboxAccount]):
    """For people who connected a mailbox: their own mail.

    The agent's own mail is `mail`.
    """

    id = "mailboxes"

    def __init__(
        self,
        accounts: PersonAccounts[MailboxAccount],
        limits: WebSettings | None = None,
        readers: FileReaders = NO_READERS,
    ) -> None:
        """`readers` of attached files."""
        pages = Pages(WebClient(limits or WebSettings()))
        super().__init__(accounts, MailboxTools(accounts, pages, readers).read_emails())
