"""Questions with buttons: once the turn goes on, the message shows what was chosen and can't be clicked any more."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.chat.discord_chat.pieces import MOST_CHARS
from bot.chat.discord_chat.places import Recent
from bot.chat.discord_chat.rest import DiscordRest, Post
from bot.chat.discord_chat.seen import CallFailed, CallRefused
from bot.domain.messages import Choice, ReplyTarget
from bot.errors import DeliveryError

log = logging.getLogger(__name__)

ANSWER = "answer"
"""The verb of a choice that answers the question of a turn."""


@dataclass(frozen=True)
class Asked:
    """The message with the buttons."""

    channel: str
    message: str
    content: str


class Questions:
    """Remembers open questions of this process. After a restart a late click is answered in words instead."""

    def __init__(self, rest: Callable[[], DiscordRest]) -> None:
        self._rest = rest
        self._open: Recent[Asked] = Recent()
        """By turn."""
        self._clicks: Recent[str] = Recent()
        """What a person clicked, by message and person."""
        self._writers: Recent[str] = Recent()
        """Who wrote a message that Bellhop answers."""
        self._edits: set[asyncio.Task[None]] = set()

    def wrote(self, message: str, person: str) -> None:
        self._writers.put(message, person)

    def asked(self, choices: Sequence[Choice], asked: Asked) -> None:
        """A message was sent; it is a question when its choices are answers."""
        if choices and all(choice.verb == ANSWER for choice in choices):
            self._open.put(choices[0].ref, asked)

    def clicked(self, message: str, person: str, words: str) -> None:
        self._clicks.put(f"{message}/{person}", words)

    def goes_on(self, turn: str, target: ReplyTarget) -> None:
        """The turn runs again: its question, if it had one, was answered."""
        asked = self._open.pop(turn)
        if asked is None:
            return
        person = self._writers.get(target.message or "")
        chosen = self._clicks.get(f"{asked.message}/{person}")
        edit = asyncio.create_task(self._settle(asked, chosen))
        self._edits.add(edit)
        edit.add_done_callback(self._edits.discard)

    async def _settle(self, asked: Asked, chosen: str | None) -> None:
        content = f"{asked.content}\n-# {chosen}" if chosen else asked.content
        try:
            await self._rest().edit(
                asked.channel, asked.message, Post(content if len(content) <= MOST_CHARS else asked.content)
            )
        except (CallRefused, CallFailed, DeliveryError) as error:
            log.info("message=<%s>, error=<%s> | the buttons of a question stay", asked.message, error)
