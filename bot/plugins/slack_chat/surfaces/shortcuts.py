"""Shortcuts: what people have done with a message from its menu, and a question from anywhere.

They work where Bellhop is not a member, too. The message is quoted, so its words stay those of its
author; the work belongs to the direct messages of whoever asked, who alone reads the answer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from bot.plugin.chat import (
    Addressed,
    IncomingMessage,
    Interaction,
    MessageKind,
    QuotedMessage,
    ReplyTarget,
)
from bot.plugin.clock import Clock
from bot.plugin.commands import (
    ASK_COMMAND,
    LABELS,
    MESSAGE_ACTIONS,
    MenuAction,
    menu_command,
    question_form,
    question_in,
)
from bot.plugin.drawing import language_of_app
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.recent import Recent
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.forms import Entered, FormOrigin, view_of
from bot.plugins.slack_chat.inbound import REPLY_URL_LIFE, Reader
from bot.plugins.slack_chat.places import PLATFORM, SHARED, conversation_at
from bot.plugins.slack_chat.surfaces.slash import opens

_CALLBACK = "bellhop:menu:"
_ANYWHERE = "bellhop:ask"
SHORTCUTS: tuple[JsonObject, ...] = (
    {
        "type": "global",
        "name": "Ask Bellhop",
        "callback_id": _ANYWHERE,
        "description": "Ask something; the answer is for you alone",
    },
    *(
        {
            "type": "message",
            "name": LABELS[action].en,
            "callback_id": f"{_CALLBACK}{action.value}",
            "description": "Bellhop does it for you alone",
        }
        for action in MESSAGE_ACTIONS
    ),
)
"""For the manifest."""


@dataclass
class Shortcuts:
    """Reads shortcuts; a question is asked for in a form first.

    `direct` opens the direct messages of a person.
    """

    connection: SlackConnection
    reading: Callable[[], Reader]
    direct: Callable[[str], Awaitable[str]]
    clock: Clock
    _chosen: Recent[str, tuple[str, QuotedMessage]] = field(
        default_factory=Recent[str, tuple[str, QuotedMessage]]
    )
    """By response_url: whoever asks about a message, and the message. In memory alone: Bellhop may
    not be able to read it again, and what a form brings back is no proof of what was said."""

    async def take(self, body: JsonObject) -> IncomingMessage | None:
        """What a shortcut asks for; None if a form asks for more, or it is none of ours.

        Raises DeliveryError where Slack opens no direct messages.
        """
        action = _action(body)
        if action is None or self.reading().ignores(text_in(object_in(body, "channel"), "id")):
            return None
        user = text_in(object_in(body, "user"), "id")
        url = text_in(body, "response_url")
        reply = Interaction(url, self.clock.now() + REPLY_URL_LIFE) if url else None
        said = object_in(body, "message")
        quoted = await self.reading().as_quoted({**said, SHARED: True}) if said else None
        dm = await self.direct(user)
        if action is not MenuAction.ASK:
            return await self._message(body, user, dm, action, reply, quoted)
        if quoted is not None:
            self._chosen[url] = (user, quoted)
        await self.reading().person(user)  # reads the language of their app
        locale = self.reading().locale_of(user)
        form = question_form(language_of_app(locale))
        await opens(
            self.connection, text_in(body, "trigger_id"), view_of(form, {}, FormOrigin(dm, reply))
        )
        return None

    async def asked(self, sent: Entered) -> IncomingMessage | None:
        """A handed-in question with its message; without it after a restart."""
        question, reply = question_in(sent.fields), sent.origin.valid(self.clock.now())
        if not question:
            return None
        user, quoted = self._chosen.pop(reply.token if reply is not None else "", ("", None))
        body: JsonObject = {"trigger_id": sent.view, "user": {"team_id": sent.team}}
        message = await self._message(
            body,
            sent.user,
            sent.origin.channel,
            MenuAction.ASK,
            reply,
            quoted if user == sent.user else None,
            question,
        )
        return replace(message, attachments=sent.files)

    async def _message(
        self,
        body: JsonObject,
        user: str,
        dm: str,
        action: MenuAction,
        reply: Interaction | None,
        quoted: QuotedMessage | None,
        question: str = "",
    ) -> IncomingMessage:
        reader = self.reading()
        sender = await reader.person(user, doubtful=reader.is_elsewhere(object_in(body, "user")))
        conversation = conversation_at(reader.team, dm, None)
        words = f"/{ASK_COMMAND} {question}".strip()
        return IncomingMessage(
            key=f"{PLATFORM}:{reader.team}:{text_in(body, 'trigger_id')}",
            conversation=conversation,
            sender=sender,
            text=words,
            typed=words if question else "",
            reply_to=ReplyTarget(
                conversation, ephemeral_to=user if reply is not None else None, interaction=reply
            ),
            sent_at=self.clock.now(),
            kind=MessageKind.COMMAND,
            command=menu_command(action, question=question),
            addressed=Addressed.COMMAND,
            private=True,
            quoted=() if quoted is None else (quoted,),
            locale=reader.locale_of(user),
        )


def is_question(sent: Entered) -> bool:
    """Whether a form holds a question of a shortcut."""
    return sent.form == ASK_COMMAND


def _action(body: JsonObject) -> MenuAction | None:
    callback = text_in(body, "callback_id")
    if callback == _ANYWHERE:
        return MenuAction.ASK
    name = callback.removeprefix(_CALLBACK)
    ours = callback.startswith(_CALLBACK) and name in {one.value for one in MESSAGE_ACTIONS}
    return MenuAction(name) if ours else None
