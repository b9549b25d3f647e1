"""Shortcuts: what people have done with a message from its menu, and a question from anywhere.

They work where Bellhop is not a member, too. The message is quoted, so its words stay those of its
author; the work belongs to the direct messages of whoever asked, who alone reads the answer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from bot.plugin.chat import IncomingMessage, Interaction, MessageKind, QuotedMessage
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
from bot.plugins.slack_chat.places import SHARED
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
            asked = (text_in(body, "trigger_id"), text_in(object_in(body, "user"), "team_id"))
            return await self._message(*asked, user, dm, action, reply=reply, quoted=quoted)
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
        message = await self._message(
            sent.view,
            sent.team,
            sent.user,
            sent.origin.channel,
            MenuAction.ASK,
            reply=reply,
            quoted=quoted if user == sent.user else None,
            question=question,
        )
        return replace(message, attachments=sent.files)

    async def _message(  # noqa: PLR0913 - the trigger, who asks where, and what is asked
        self,
        id_: str,
        team: str,
        user: str,
        dm: str,
        action: MenuAction,
        *,
        reply: Interaction | None,
        quoted: QuotedMessage | None,
        question: str = "",
    ) -> IncomingMessage:
        reader = self.reading()
        doubtful, alone = reader.is_elsewhere(team), reply is not None
        chosen = await reader.acted(id_, user, dm, doubtful=doubtful, alone=alone, reply=reply)
        words = f"/{ASK_COMMAND} {question}".strip()
        return replace(
            chosen,
            text=words,
            typed=words if question else "",
            kind=MessageKind.COMMAND,
            command=menu_command(action, question=question),
            private=True,
            quoted=() if quoted is None else (quoted,),
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
