"""A process to be killed: the whole app on a platform in files, started by test_kill.py."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.app import AppOptions, open_app
from bot.domain.chat import Accept, LiveReply, LiveUpdate
from bot.domain.messages import (
    Attachment,
    Conversation,
    IncomingMessage,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
)
from bot.errors import DeliveryError
from bot.testing.waiting import until
from bot.turns.unsettled_store import read_open

WINDOW = 3
"""So many messages are under way at the same time."""
FINAL = ("answer ", "Sorry")


class Unseen:
    """Nobody watches a file while it is written."""

    def show(self, update: LiveUpdate) -> None:
        return

    async def close(self) -> None:
        return


class FileChat:
    """Implements domain.chat.ChatAdapter.

    It takes every send that it gets, twice if need be, as a ledger does.
    """

    platform = "discord"

    def __init__(self, folder: Path) -> None:
        self._said = folder / "messages.jsonl"
        self._posts = folder / "posts.jsonl"
        self._posts.touch()
        self._answered = asyncio.Condition()
        self.delivered = asyncio.Event()

    async def run(self, accept: Accept) -> None:
        """Deliver everything ever said from the beginning: a platform that is never sure."""
        for number, line in enumerate(self._said.read_text().splitlines()):
            async with self._answered:
                await self._answered.wait_for(
                    lambda number=number: number < WINDOW + self._finals()
                )
            await accept(_message(json.loads(line)))
        self.delivered.set()
        await asyncio.Event().wait()

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        descriptor = os.open(self._posts, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, json.dumps({"key": key, "text": message.text}).encode() + b"\n")
        finally:
            os.close(descriptor)
        async with self._answered:
            self._answered.notify_all()
        return _receipt(message.target, key)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        return _receipt(target, key) if any(post["key"] == key for post in self._lines()) else None

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        return Unseen()

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        raise DeliveryError("there are no files here")

    async def close_card(self, card: PostedCard, line: str) -> None:
        raise DeliveryError("there are no cards here")

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._posts.read_text().splitlines()]

    def _finals(self) -> int:
        return sum(post["text"].startswith(FINAL) for post in self._lines())


def _message(said: dict[str, Any]) -> IncomingMessage:
    conversation = Conversation("discord", "w", said["where"])
    return IncomingMessage(
        key=said["key"],
        conversation=conversation,
        sender=PlatformPerson(said["who"], said["who"]),
        text=said["text"],
        reply_to=ReplyTarget(conversation),
        sent_at=datetime.now(UTC),
    )


def _receipt(target: ReplyTarget, key: str) -> Receipt:
    return Receipt((key,), target.conversation.id, sent_at=datetime.now(UTC))


async def main(home: Path) -> None:
    """Run until everything that was said is settled."""
    chat = FileChat(home)
    async with open_app(AppOptions(home, [chat])) as app:
        running = asyncio.create_task(app.run())
        await chat.delivered.wait()
        await until(lambda: not app.engine.busy)
        while await read_open(app.database):
            await until(lambda: not app.engine.busy)
        running.cancel()
        await asyncio.wait([running])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
