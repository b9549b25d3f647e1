"""/preferences/permissions.md: policy.yaml through the file tools (docs/rules.md#approvals)."""

from bot.domain.access import Role
from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.tool_context import ToolContext
from bot.domain.tools import ToolCall
from bot.errors import SettingsError, ToolError, raised_as
from bot.files.database_files import version_of
from bot.files.edits import added
from bot.tools.policy.book import PolicyBook
from bot.tools.policy.verdicts import PERMISSIONS_FILE, names_permissions


class PolicyView:
    """Implements `FileSource` for the one file.

    The gate treats each write to it as a policy write.

    Only Partner and above see it, because rules name tools that others must not know. Other
    people's changes need the approval of a Partner.
    """

    prefix = PERMISSIONS_FILE
    writable = True

    def __init__(self, book: PolicyBook) -> None:
        self._book = book

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        if not _may(context) or path != PERMISSIONS_FILE:
            return None
        text = await self._text()
        return FileText(path, text, version_of(text))

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        """Durable on return.

        The whole file is checked first; a text that doesn't validate changes nothing.
        """
        if not _may(context):
            raise ToolError(
                "the policy can be read and changed by Partner and above; nothing was changed"
            )
        if path != PERMISSIONS_FILE:
            raise ToolError(f"{PERMISSIONS_FILE} is a file, so nothing can be below it")
        before = await self._text()
        if before != text and version_of(before) != version:
            raise ToolError(
                f"{path} was changed meanwhile; read it again and repeat the change on its present "
                "text"
            )
        with raised_as(ToolError, SettingsError, about="nothing was changed"):
            await self._book.replace(text, before)
        return Unit()

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        raise ToolError(
            f"{PERMISSIONS_FILE} is the policy itself and can't be deleted; write `rules: []` to "
            "have none"
        )

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        return None

    async def _text(self) -> str:
        with raised_as(ToolError, SettingsError):
            return await self._book.text()


def written_policy_problem(book: PolicyBook, call: ToolCall) -> str | None:
    """Problems of the policy that a file tool would write, with line and field; else None.

    An edit is tried on the text that was read last. If its old text is missing there, the tool
    reports it.
    """
    given = call.arguments
    if not names_permissions(call.name, given):
        return None
    match call.name:
        case "write_file":
            text = given.get("content")
        case "edit_file" if isinstance(given.get("old"), str) and isinstance(given.get("new"), str):
            old, new = given["old"], given["new"]
            text = (
                book.source.replace(old, new, -1 if given.get("replace_all") else 1)
                if old
                else added(book.source, new)
            )
        case _:
            return None
    try:
        book.parse(str(text or ""))
    except SettingsError as error:
        return f"the policy would not be valid: {error}"
    return None


def _may(context: ToolContext) -> bool:
    return max(context.person.role.rank, context.approved_rank) >= Role.PARTNER.rank
