"""`send`: a message now, here or elsewhere, with a file if the model hands one over.

Files that tools make are posted where the answer is: once, whatever ends the process.
"""

from base64 import b64decode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, assert_never

from bot.agents.arguments import SendArguments
from bot.agents.loop.calls import ControlContext, control_tool
from bot.domain.card_words import coded, titled
from bot.domain.deeds import Done, Noun, ToolDeed
from bot.domain.files import AttachedFiles
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase, Translations
from bot.domain.messages import Delayed, Delivered, Delivery, OutgoingFile, SendRefused
from bot.domain.origins import Trust
from bot.domain.sessions import as_source, picture_name, pictures_in
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.turns import Recorded
from bot.errors import ToolError
from bot.files.paths import media_type_of, name_of, normalise
from bot.files.virtual import VirtualFiles
from bot.plugin.places import NewFile
from bot.tools.permission.gate import READ_FILE
from bot.tools.policy.redaction import Redaction


@dataclass(frozen=True)
class PostsFiles:
    """Implements `bot.plugin.places.PostFile`."""

    keep: Callable[[bytes], Awaitable[str]]
    """Stores the bytes of a file, and returns the name of their blob."""
    redaction: Redaction

    async def __call__(
        self,
        context: ToolContext,
        name: str,
        order: Callable[[], Awaitable[NewFile]],
        text: str = "",
    ) -> ToolResult:
        if not isinstance(context, ControlContext):
            raise TypeError(f"{context.call.name} was called outside of a run")

        async def make() -> Recorded:
            file = await order()
            require_clean(self.redaction, context, name, file.said, aloud=not context.private)
            data, note = await file.make()
            blob, mime = await self.keep(data), media_type_of(name)
            made = {"blob": blob, "mime": mime, "size": len(data), "note": note}
            return Recorded({**made, "trust": file.trust.value})

        kept: JsonObject = await context.turn.step(step_key(StepKind.HAND, context.call.key), make)
        delivery = await context.send(
            text or name,
            key=step_key(StepKind.SEND, context.call.key),
            trust=max(context.origin.trust, Trust(kept.get("trust", Trust.OPERATOR))),
            files=(OutgoingFile(name, str(kept["mime"]), str(kept["blob"])),),
        )
        note = f"; {kept['note']}" if kept["note"] else ""
        match delivery:
            case SendRefused(why):
                return ToolResult(
                    f"{name} is not posted, and not tried again: {why}", is_error=True
                )
            case Delayed(why):
                told = f"{name} is made and on its way, not posted yet: {why}. Don't make it again"
                return ToolResult(told + note)
            case Delivered():
                size = f"{int(kept['size']) / 1024:.0f} KB"
                return ToolResult(f"posted {name} ({size}){note}", summary=f"posted {name}")
            case _:
                assert_never(delivery)


_NAMED = 5
MOST_BYTES = 10 * 1024 * 1024
"""The largest file that every platform takes."""


async def _tell(_: ToolContext, given: SendArguments) -> Translations:
    to, text = coded(given.to or "here"), titled(given.text, 300)
    if given.file:
        return Phrase("have this posted to {to} with the file {file}: {text}").filled(
            to=to, file=coded(given.file), text=text
        )
    return Phrase("have this posted to {to}: {text}").filled(to=to, text=text)


@dataclass(frozen=True)
class _Found:
    """The bytes that a call hands over, and how far they are trusted."""

    name: str
    mime: str
    data: bytes
    trust: Trust
    here: bool = False
    """Whether it may go nowhere else."""


@dataclass(frozen=True)
class Sends:
    """The tool `send`. The gate has judged by then whether the run may read the file."""

    files: VirtualFiles
    attached: AttachedFiles
    """Files that the person sent, by their names."""
    keep: Callable[[bytes], Awaitable[str]]
    """Stores the bytes of a file, and returns the name of their blob."""
    redaction: Redaction

    def tool(self) -> NativeTool[Any]:
        return control_tool(
            "send",
            SendArguments,
            self.send,
            tells=_tell,
            deed=ToolDeed(Noun.MESSAGE, "to", Done.SENT),
            reads="file",
        )

    async def send(self, context: ControlContext, given: SendArguments) -> ToolOutcome:
        if context.depth:
            text = "a specialist has no send; put it into your final answer"
            return ToolResult(text, is_error=True)
        to, file = (given.to or "").strip() or None, (given.file or "").strip()
        kept = await self._kept(context, file, elsewhere=to is not None) if file else None
        delivery = await context.send(
            given.text,
            key=step_key(StepKind.SEND, context.call.key),
            trust=context.origin.trust if kept is None else max(context.origin.trust, kept[1]),
            to=to,
            files=() if kept is None else (kept[0],),
        )
        return _told(delivery, to, None if kept is None else kept[0].name)

    async def _kept(
        self, context: ControlContext, file: str, *, elsewhere: bool
    ) -> tuple[OutgoingFile, Trust]:
        """The file as it is now. A run after a crash sends the same bytes, whatever changed."""

        async def read() -> Recorded:
            found = await self._find(context, file)
            if elsewhere and found.here:
                raise ToolError(f"{found.name} can be posted only here; leave `to` out")
            self._require_shown(context, found, elsewhere=elsewhere)
            return Recorded(
                {
                    "name": found.name,
                    "mime": found.mime,
                    "blob": await self.keep(found.data),
                    "trust": found.trust.value,
                }
            )

        kept: JsonObject = await context.turn.step(step_key(StepKind.HAND, context.call.key), read)
        sent = OutgoingFile(str(kept["name"]), str(kept["mime"]), str(kept["blob"]))
        return sent, Trust(kept["trust"])

    async def _find(self, context: ControlContext, file: str) -> _Found:
        """Raises ToolError for a file that isn't there, isn't shown here, or is empty."""
        if (picture := _picture(context, file)) is not None:
            return picture
        if not file.startswith("/"):
            return await self._attached(context, file)
        if (data := await self.files.data(context, file)) is not None:
            name = name_of(normalise(file))
            return _Found(name, media_type_of(name), data, Trust.EXTERNAL)
        text = await self.files.read(context, file)
        asked = context.asked_at
        if asked is not None and text.updated is not None and text.updated > asked:
            raise ToolError(
                f"{text.path} was changed after the question; nothing was sent. Send it again, so "
                "that the question is about its present text"
            )
        if not text.text:
            raise ToolError(f"{text.path} is empty; nothing was sent")
        name = name_of(text.path)
        return _Found(name, media_type_of(name), text.text.encode(), text.origin.trust)

    async def _attached(self, context: ControlContext, name: str) -> _Found:
        found = await self.attached.of(context, name)
        if found is None:
            names = (await self.attached.names(context))[:_NAMED]
            known = f"; they attached {', '.join(names)}" if names else ""
            raise ToolError(
                f"file: there is no {name[:120]!r}; nothing was sent. Give a whole path, such as "
                f"/documents/plan.md, or the name of a file that the person attached{known}"
            )
        if not found.data:
            raise ToolError(f"{name} is empty; nothing was sent")
        return _Found(found.name, found.media_type, found.data, Trust.EXTERNAL)

    def _require_shown(self, context: ControlContext, found: _Found, *, elsewhere: bool) -> None:
        """Raises ToolError for what is too large, or partly hidden by a policy or as a secret."""
        if len(found.data) > MOST_BYTES:
            raise ToolError(
                f"{found.name} has {len(found.data) / 1024**2:.1f} MB and at most "
                f"{MOST_BYTES // 1024**2} MB can be sent; nothing was sent"
            )
        try:
            text = found.data.decode()
        except UnicodeDecodeError:
            return
        aloud = elsewhere or not context.private
        require_clean(self.redaction, context, found.name, text, aloud=aloud)


def _picture(context: ControlContext, name: str) -> _Found | None:
    """A picture that a tool returned in this conversation, by the name that its result gave.

    Raises ToolError for one that is the person's alone, where others read.
    """
    for message in reversed(context.caller.history.messages):
        for stored in message.blocks:
            if stored.block.get("type") != "tool_result":
                continue
            for picture in pictures_in(stored.block):
                source = as_source(picture)
                if source.get("type") != "base64" or picture_name(picture) != name:
                    continue
                if stored.private and not context.private:
                    raise ToolError(f"{name} is private; nothing was sent. Ask in a DM")
                data, mime = b64decode(source["data"]), str(source["media_type"])
                return _Found(name, mime, data, stored.origin.trust, here=True)
    return None


def require_clean(
    redaction: Redaction, context: ControlContext, name: str, text: str, *, aloud: bool
) -> None:
    """Raises ToolError for a file that a policy hides, or with a secret that others would read.

    `aloud`: others read it.
    """
    run = context.caller
    reading = run.toolset.find(READ_FILE)
    cleaned = redaction.clean(ToolResult(text), reading, run.live_scope())
    if cleaned.rule:
        raise ToolError(f"a policy withholds {name}; nothing was sent")
    if cleaned.result.content != text and aloud:
        raise ToolError(
            f"{name} holds something that looks like a key or password, and others would read it; "
            "nothing was sent. The person can have it in a DM"
        )


def _told(delivery: Delivery, to: str | None, file: str | None) -> ToolResult:
    match delivery:
        case Delivered():
            where = f"sent to {to}" if to else "sent"
            return ToolResult(
                f"{where}, with {file} as a file" if file else where,
                summary=f"{where}: {file}" if file else "",
            )
        case Delayed(why):
            return ToolResult(
                f"not posted yet: {why}. It is tried again by itself for a day, so don't send it "
                "again; tell the person that it is on its way, not that it was posted"
            )
        case SendRefused(why):
            return ToolResult(f"not posted, and not tried again: {why}", is_error=True)
        case _:
            assert_never(delivery)
