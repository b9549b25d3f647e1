"""Postbox: people and scripts write files into a folder, and answers appear as files.

`in/<person>/<any name>.txt` is a message, an answer is `out/<person>/<key>.md`.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bot.plugin.chat import (
    Accept,
    Attachment,
    ChatAdapter,
    ChatPlatform,
    ChatServices,
    Conversation,
    DeliveryError,
    IncomingMessage,
    LiveReply,
    MessageKind,
    OutgoingMessage,
    PlatformPerson,
    PlatformSettings,
    PlatformTraits,
    PostedCard,
    Quiet,
    Receipt,
    ReplyTarget,
    Secrets,
)
from bot.plugin.commands import parse_command
from bot.plugin.plugin import NoSettings, Plugin


class PostboxSettings(PlatformSettings):
    """`postbox:` messages as files."""

    folder: str = "/var/spool/bellhop"


class PostboxChat:
    """Implements `ChatAdapter`."""

    platform = "postbox"

    def __init__(self, folder: Path, services: ChatServices) -> None:
        self._in, self._out = folder / "in", folder / "out"
        self._clock = services.clock

    async def run(self, accept: Accept) -> None:
        while True:
            for path in await asyncio.to_thread(lambda: sorted(self._in.glob("*/*.txt"))):
                await accept(await asyncio.to_thread(_read, path))
                # It is stored now. After a crash before this, its key makes the second a no-op.
                await asyncio.to_thread(path.unlink)
            await self._clock.sleep(0.2)

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        path = self._path(message.target, key)
        lines = [message.text, *(f"- {choice.label}" for choice in message.choices)]
        await asyncio.to_thread(_write, path, "\n".join([*lines, ""]))
        return self._receipt(message.target, path)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        path = self._path(target, key)
        return self._receipt(target, path) if await asyncio.to_thread(path.exists) else None

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        return Quiet()

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        raise DeliveryError("a postbox carries no attachments")
        yield b""

    async def close_card(self, card: PostedCard, line: str) -> None:
        path = self._path(card.message.target, card.key)
        await asyncio.to_thread(_write, path, f"{card.message.text}\n{line}\n")

    def _path(self, target: ReplyTarget, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()[:16]
        return self._out / target.conversation.id / f"{name}.md"

    def _receipt(self, target: ReplyTarget, path: Path) -> Receipt:
        return Receipt((path.name,), target.conversation.id, sent_at=self._clock.now())


def _read(path: Path) -> IncomingMessage:
    who, at = path.parent.name, path.stat().st_mtime
    there = Conversation("postbox", "", who)
    sender, sent_at = PlatformPerson(who, who), datetime.fromtimestamp(at, UTC)
    key, text = f"postbox:{who}:{path.name}:{at}", path.read_text("utf-8", "replace").strip()
    said = IncomingMessage(key, there, sender, text, ReplyTarget(there), sent_at)
    command = parse_command(text)
    return replace(said, kind=MessageKind.COMMAND, command=command) if command else said


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(path)


class PostboxPlatform(ChatPlatform[PostboxSettings]):
    traits = PlatformTraits("postbox", "Postbox", workspace_in_person_id=False)
    settings = PostboxSettings

    def build(
        self, settings: PostboxSettings, secret: Secrets, services: ChatServices
    ) -> ChatAdapter:
        return PostboxChat(Path(settings.folder), services)

    def problems(self, settings: PostboxSettings, secret: Secrets) -> Sequence[str]:
        return () if Path(settings.folder).is_dir() else (f"{settings.folder} is no folder",)


class Postbox(Plugin[NoSettings]):
    name = "postbox"
    title = "messages as files in a folder"
    platforms = (PostboxPlatform(),)
