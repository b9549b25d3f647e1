"""document_versions: the earlier texts of a document, listed, read, compared and restored."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.card_words import coded
from bot.domain.files import FileText
from bot.domain.languages import Phrase, Translations
from bot.domain.lasting import Lasting, Makes
from bot.domain.privacy import left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.files.pages import page_of
from bot.files.paths import is_below, normalise
from bot.files.versions import VersionedFiles, differences
from bot.files.virtual import kept_file


class DocumentVersionsArguments(BaseModel):
    """Which fields count depends on the action."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: Literal["list", "read", "compare", "restore"]
    path: str
    version: int | None = Field(default=None, description="A number of list.")
    offset: int | None = Field(
        default=None, ge=1, description="With read: first line, counted from 1."
    )


def document_versions(files: VersionedFiles) -> NativeTool[DocumentVersionsArguments]:
    """The tool over one namespace that keeps versions."""

    async def run(context: ToolContext, arguments: DocumentVersionsArguments) -> ToolResult:
        path = normalise(arguments.path)
        if not is_below(path, files.prefix) or path == files.prefix:
            raise ToolError(
                f"only files below {files.prefix} keep versions; {path} is not one of them"
            )
        if arguments.action == "list":
            return await _listed(files, context, path)
        if arguments.version is None:
            raise ToolError(
                f"{arguments.action} needs a version; action list shows which there are"
            )
        earlier = await files.earlier(context, path, arguments.version)
        match arguments.action:
            case "read":
                return _page(earlier, arguments)
            case "compare":
                return await _compared(files, context, earlier, arguments.version)
            case "restore":
                unit = await files.restore(context, path, arguments.version)
                done = f"restored version {arguments.version} of {path}"
                return ToolResult(
                    f"{done}; the text before it is kept as a version too", unit=unit, summary=done
                )

    async def makes(_: ToolContext, arguments: DocumentVersionsArguments) -> Sequence[Makes]:
        if arguments.action != "restore":
            return ()
        return (Makes(Lasting.REPLACES, replaced=kept_file(normalise(arguments.path))),)

    return NativeTool(
        "document_versions",
        DocumentVersionsArguments,
        run,
        makes=makes,
        check=_tried(run),
        tells=_tells,
        keeps=True,
    )


async def _tells(_: ToolContext, arguments: DocumentVersionsArguments) -> str | Translations:
    if arguments.action != "restore":
        return ""
    path = coded(normalise(arguments.path))
    return Phrase("put back version {version} of {path}").filled(
        version=arguments.version, path=path
    )


def _tried(
    run: Callable[[ToolContext, DocumentVersionsArguments], Awaitable[ToolResult]],
) -> Callable[[ToolContext, DocumentVersionsArguments], Awaitable[None]]:
    """Its only effect is the unit, which is thrown away here."""

    async def check(context: ToolContext, arguments: DocumentVersionsArguments) -> None:
        await run(context, arguments)

    return check


async def _listed(files: VersionedFiles, context: ToolContext, path: str) -> ToolResult:
    history = await files.history(context, path)
    lines = [
        f"{one.number}: written {one.written:%Y-%m-%d %H:%M} UTC, {one.size} bytes"
        for one in history.texts
    ]
    if history.hidden:
        lines.append(f"[{left_out(history.hidden)}]")
    return ToolResult(
        "\n".join(lines) or f"[{path} has no earlier versions]", summary=f"versions of {path}"
    )


def _page(earlier: FileText, arguments: DocumentVersionsArguments) -> ToolResult:
    page = page_of(earlier.text, arguments.offset)
    if page is None:
        raise ToolError(f"that version has fewer than {arguments.offset} lines")
    content = page.text if page.whole else f"{page.header}\n{page.text}"
    return ToolResult(
        content or "[that version is empty]",
        origin=earlier.origin,
        private=earlier.private,
        summary=f"read version {arguments.version} of {earlier.path}",
    )


async def _compared(
    files: VersionedFiles, context: ToolContext, earlier: FileText, number: int
) -> ToolResult:
    """What changed since that version."""
    present = await files.read(context, earlier.path)
    if present is None:
        raise ToolError(f"{earlier.path} is not there any more; read or restore the version")
    return ToolResult(
        await differences(earlier.text, present.text, (f"version {number}", "now")),
        origin=max(earlier.origin, present.origin, key=lambda origin: origin.trust),
        private=earlier.private or present.private,
        summary=f"compared {earlier.path} with version {number}",
    )
