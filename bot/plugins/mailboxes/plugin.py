"""The tool over the mailboxes that people connected."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pydantic import Field

from bot.plugin.accounts import (
    AccountsConnector,
    AttachedToMail,
    Email,
    Letter,
    MailboxAccount,
    PersonAccounts,
    external,
    of_account,
    plain_line,
    shown_time,
)
from bot.plugin.files import DocumentError, DocumentReader, RawDocument
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Pages, WebError
from bot.plugin.tools import (
    NativeTool,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
    raised_as,
    whole_characters,
)

MOST_EMAILS, MOST_ATTACHMENTS = 10, 20
FIELD_CHARS, NAME_CHARS, TEXT_CHARS = 200, 100, 12_000
_READING = Phrase("Reading mail")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class ReadEmailsArguments(ToolArguments):
    """The newest mails, or one of them whole."""

    # A default that the schema doesn't name is shown in the prompt's line of the tool.
    query: str = Field(default_factory=str, max_length=500, description="As in Gmail's search box.")
    maxResults: int = Field(default=MOST_EMAILS, ge=1, description="At most 10.")  # noqa: N815
    id: str = Field(default="", max_length=300, description="One mail, whole.")
    attachment: str = Field(
        default="", max_length=300, description="With `id`: the text of this attached file."
    )
    account: str | None = Field(default=None, max_length=60, description="Only this one.")


class MailboxTools:
    """The tool over the mailboxes that a person connected.

    `pages` converts HTML to text, `reader` attached files.
    """

    def __init__(
        self, accounts: PersonAccounts[MailboxAccount], pages: Pages, reader: DocumentReader
    ) -> None:
        self._accounts = accounts
        self._reader = reader
        self._pages = pages

    def read_emails(self) -> NativeTool[Any]:
        return NativeTool("read_emails", ReadEmailsArguments, self._read, doing=_READING)

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
    with raised_as(ToolError, DocumentError):
        read = await reader.whole(RawDocument(file.name, file.data, file.media_type))
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
        names = [plain_line(name, NAME_CHARS) for name in email.attachments[:MOST_ATTACHMENTS]]
        lines.append(f"Attached: {', '.join(names)}")
    return "\n".join(lines)


class MailboxesConnector(AccountsConnector[MailboxAccount]):
    """For people who connected a mailbox: their own mail. The agent's own mail is `mail`."""

    id = "mailboxes"

    def __init__(
        self, accounts: PersonAccounts[MailboxAccount], pages: Pages, reader: DocumentReader
    ) -> None:
        super().__init__(accounts, MailboxTools(accounts, pages, reader).read_emails())


class MailboxesPlugin(Plugin[NoSettings]):
    name = "mailboxes"
    title = "reading people's own mail"

    def build(self, given: Given[NoSettings]) -> Parts:
        # A mail waits for no large document of somebody else.
        reader = DocumentReader(readers=given.reader.readers)
        return Parts(connectors=(MailboxesConnector(given.mailboxes, Pages(given.web), reader),))
