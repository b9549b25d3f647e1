"""Clicks on cards: a question is for whoever was asked, and one for files opens a form."""

from asyncio import Task
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from bot.plugin.chat import Action, IncomingMessage, MessageKind
from bot.plugin.commands import SEND_FILES, files_form, note_in
from bot.plugin.drawing import Language, Phrase, language_of_app
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.recent import Recent
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.forms import Entered, FormOrigin, view_of
from bot.plugins.slack_chat.inbound import ClickedMessage, Reader
from bot.plugins.slack_chat.markup import escape
from bot.plugins.slack_chat.surfaces.slash import opens

_ASKED = frozenset({"answer", SEND_FILES})
FOR_ANOTHER = Phrase("This question is for {name}.")


@dataclass
class SlackClicks:
    """What becomes of a click before it is accepted."""

    connection: SlackConnection
    reading: Callable[[], Reader]
    name_of: Callable[[str], Awaitable[str]]
    spawn: Callable[[Coroutine[Any, Any, None]], Task[None]]
    whispered: Recent[str, str] = field(default_factory=Recent[str, str])
    """By what a card asks: where a click on it may be answered, if one person alone sees it."""

    async def taken(
        self, clicked: ClickedMessage | None, body: JsonObject
    ) -> IncomingMessage | None:
        """The click to accept; None if it is none of ours, another's, or opened a form."""
        if clicked is None:
            return None
        click, message = clicked.click, clicked.message
        language = language_of_app(message.locale)
        if click.action.verb in _ASKED and click.asked not in {"", message.sender.id}:
            self.spawn(self._refuse(body, click.asked, language))
            return None
        if object_in(body, "container").get("is_ephemeral"):
            self.whispered[click.action.ref] = text_in(body, "response_url")
        if click.action.verb == SEND_FILES and await self._asks_files(message, body, language):
            return None
        return message

    async def _asks_files(
        self, message: IncomingMessage, body: JsonObject, language: Language
    ) -> bool:
        """Whether Slack shows the form for files."""
        container, action = object_in(body, "container"), message.action
        origin = FormOrigin(
            str(object_in(body, "channel").get("id") or text_in(container, "channel_id")),
            None,
            text_in(container, "thread_ts"),
            message.reply_to.message or "",
            action.ref if action is not None else "",
        )
        view = view_of(files_form(language), {}, origin)
        return await opens(self.connection, text_in(body, "trigger_id"), view)

    async def handed_in(self, sent: Entered) -> IncomingMessage:
        """Files that were handed in, as the click that opened their form."""
        reader, origin, note = self.reading(), sent.origin, note_in(dict(sent.fields))
        clicked = await reader.acted(
            sent.view,
            sent.user,
            origin.channel,
            doubtful=reader.is_elsewhere(sent.team),
            thread=origin.thread or None,
            answers=origin.message or None,
        )
        return replace(
            clicked,
            text=note,
            typed=note,
            kind=MessageKind.ACTION,
            action=Action(origin.about, SEND_FILES, note),
            attachments=sent.files,
        )

    async def _refuse(self, body: JsonObject, asked: str, language: Language) -> None:
        text = FOR_ANOTHER.said(language, name=escape(await self.name_of(asked)))
        note = {"response_type": "ephemeral", "replace_original": False, "text": text}
        await self.connection.respond(text_in(body, "response_url"), note)


def holds_files(sent: Entered) -> bool:
    """Whether a form was opened to hand in files."""
    return sent.form == SEND_FILES
