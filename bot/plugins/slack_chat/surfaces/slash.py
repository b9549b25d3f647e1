"""`/bellhop` and its forms: a command, a question, or a form that is filled in."""

import logging
from asyncio import timeout
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace

from bot.plugin.chat import Addressed, IncomingMessage, MessageKind
from bot.plugin.commands import NativeCommands
from bot.plugin.payloads import JsonObject, text_in
from bot.plugin.recent import Recent
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.forms import Entered, errors
from bot.plugins.slack_chat.inbound import Reader
from bot.plugins.slack_chat.trouble import SlackTrouble

log = logging.getLogger(__name__)

FORM_S = 2.0
"""How long to wait for a form: Slack takes no acknowledgement after three seconds."""

ReadOne = Callable[[str, Awaitable[IncomingMessage | None]], Awaitable[IncomingMessage | None]]
"""Reads one thing; None for what can't be read."""


@dataclass
class SlashCommands:
    """Hands in what people type behind `/bellhop` or enter into its forms."""

    connection: SlackConnection
    reading: Callable[[], Reader]
    read: ReadOne
    hear: Callable[[IncomingMessage | None], Awaitable[object]]
    in_order: Callable[[str], AbstractAsyncContextManager[None]]
    native: NativeCommands | None = None
    _done: Recent[str, None] = field(default_factory=Recent[str, None])
    """Triggers whose form was opened, and forms that were handed in."""

    async def take(self, body: JsonObject) -> None:
        """Open a form if the command has one and Slack shows it; else run it and ask in words."""
        asked = None
        with self.connection.unreadable.skipping("command"):
            asked = self.reading().asks_form(body) if self.native is not None else None
        trigger = text_in(body, "trigger_id")
        if asked is not None and trigger in self._done:
            return
        if asked is not None and await opens(self.connection, trigger, asked[1]):
            self._done[trigger] = None
            return
        message = await self.read("command", self.reading().slash(body))
        await self.hear(await self._question_or(message))

    async def _question_or(self, message: IncomingMessage | None) -> IncomingMessage | None:
        """`/bellhop what is open?` asks something: several words whose first is no command."""
        if (
            message is None
            or message.command is None
            or self.native is None
            or " " not in message.text.strip()
        ):
            return message
        if await self.native.knows(message.sender, message.conversation, message.command.name):
            return message
        words = message.text.lstrip("/")
        return replace(
            message, kind=MessageKind.TEXT, command=None, text=words, addressed=Addressed.MENTION
        )

    async def handed_in(self, sent: Entered) -> JsonObject | None:
        """Show errors in the open form; accepted entries are durable before it closes."""
        message = await self.read("form", self.reading().form(sent))
        if message is None or message.key in self._done:
            return None
        if self.native is not None:
            refusal = await self.native.review(
                message.sender, message.conversation, dict(sent.fields), message.locale
            )
            if refusal is not None:
                return errors(refusal)
        async with self.in_order(sent.origin.channel):
            await self.hear(message)
        self._done[message.key] = None
        return None


async def opens(connection: SlackConnection, trigger: str, view: JsonObject) -> bool:
    """Whether Slack shows this form now."""
    try:
        async with timeout(FORM_S):
            await connection.call_now("views.open", trigger_id=trigger, view=view)
    except (SlackTrouble, TimeoutError) as trouble:
        log.info("trouble=<%r> | no form can be shown, asking in words", trouble)
        return False
    return True
