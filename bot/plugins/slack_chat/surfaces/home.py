"""The App Home: a person's own page, and the requests that their messages tab suggests.

A page names its person and their direct messages in its metadata. A click on it is a click in
these direct messages, and its answer stands on top of the page.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

from bot.plugin.chat import IncomingMessage, Interaction, MessageKind, ReplyTarget
from bot.plugin.drawing import Language, Phrase, language_of_app
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in
from bot.plugin.recent import Recent
from bot.plugin.surfaces import HomeDesk, HomeSection
from bot.plugins.slack_chat.blocks import button_of, read_click
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.inbound import Reader
from bot.plugins.slack_chat.markup import escape
from bot.plugins.slack_chat.places import conversation_at, moment
from bot.plugins.slack_chat.trouble import SlackTrouble

log = logging.getLogger(__name__)

HOME = "home"
"""Stands for a response_url where an answer belongs on somebody's page."""
PROMPTS: tuple[JsonObject, ...] = (
    {"title": "What can you do?", "message": "What can you do for me?"},
    {"title": "My todos", "message": "What is on my todo list?"},
    {"title": "Take a note", "message": "Take a note: "},
)
"""Suggestions at the start of a conversation with the assistant."""
_LIFE = timedelta(minutes=30)
_HEADER, _TEXT, _NOTICE = 150, 300, 2900
_BLOCKS = 100
_OPEN = 1000
"""So many pages are shown again when something changes them."""
_UNKNOWN = Phrase("I don't know you yet, so there is nothing to show here.")


class SlackHome:
    """Shows pages; without a desk there are none."""

    def __init__(
        self,
        connection: SlackConnection,
        reading: Callable[[], Awaitable[Reader]],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """Start without a desk. `spawn` does something beside the conversations."""
        self._connection = connection
        self._reading = reading
        self._spawn = spawn
        self.desk: HomeDesk | None = None
        self._open: Recent[tuple[str, str], str] = Recent(_OPEN)
        """The persons of the pages shown last, by user id and direct messages."""

    def offer(self, desk: HomeDesk) -> None:
        self.desk = desk
        desk.tell(lambda person: self._spawn(self._show_again(person)))

    async def _show_again(self, person: str) -> None:
        """Publish a person's pages anew. Raises StorageError."""
        for (user, dm), owner in list(self._open.items()):
            if owner == person:
                await self.show(user, dm)

    async def show(self, user: str, dm: str, notice: str = "") -> bool:
        """Publish a person's page; False if they have none now. Raises StorageError."""
        if self.desk is None or not dm:
            return False
        reader = await self._reading()
        place = conversation_at(reader.team, dm, None)
        person = await reader.person(user, doubtful=True)
        locale = reader.locale_of(user)
        sections = await self.desk.page(person, place, locale)
        try:
            language = language_of_app(locale)
            view = view_of(sections, user, dm, notice, language)
            await self._connection.call("views.publish", user_id=user, view=view)
        except SlackTrouble as trouble:
            log.warning("trouble=<%s> | a home page is not shown", trouble)
            return False
        self._open[user, dm] = self.desk.owner(person, place)
        return True

    async def suggest(self, user: str, dm: str) -> None:
        """Set the suggested requests of a person's messages tab.

        Raises SlackTrouble, StorageError.
        """
        shown = list(PROMPTS)
        if self.desk is not None:
            reader = await self._reading()
            place = conversation_at(reader.team, dm, None)
            person = await reader.person(user, doubtful=True)
            prompts = await self.desk.prompts(person, place, reader.locale_of(user))
            shown = [{"title": one.title, "message": one.message} for one in prompts]
        if shown:
            await self._connection.call(
                "assistant.threads.setSuggestedPrompts", channel_id=dm, prompts=shown
            )

    async def clicked(self, body: JsonObject) -> IncomingMessage | None:
        """A click on the page of the person who clicked; None for any other."""
        actions = objects_in(body, "actions")
        click = read_click(actions[0]) if actions else None
        user, dm = _whose(text_in(object_in(body, "view"), "private_metadata"))
        if click is None or not dm or user != text_in(object_in(body, "user"), "id"):
            return None
        stamp = text_in(actions[0], "action_ts")
        reader = await self._reading()
        clicked = await reader.acted(
            text_in(body, "trigger_id") or stamp,
            user,
            dm,
            doubtful=True,
            alone=True,
            reply=Interaction(HOME, moment(stamp) + _LIFE),
        )
        return replace(
            clicked,
            sent_at=moment(stamp),
            kind=MessageKind.ACTION,
            action=click.action,
            private=True,
        )


def is_of_view(body: JsonObject) -> bool:
    """Whether a click was made on a page or form instead of a message."""
    return object_in(body, "container").get("type") == "view"


def is_on_home(target: ReplyTarget) -> bool:
    """Whether an answer belongs on its person's page."""
    return target.interaction is not None and target.interaction.token == HOME


def view_of(
    sections: Sequence[HomeSection] | None,
    user: str,
    dm: str,
    notice: str = "",
    language: Language = Language.EN,
) -> JsonObject:
    """The page as Slack's view; without sections it says that its person is not answered."""
    blocks: list[JsonObject] = []
    if notice:
        shown = escape(notice.replace("**", "*"))[:_NOTICE]
        note = {"type": "section", "text": {"type": "mrkdwn", "text": shown}}
        blocks += [note, {"type": "divider"}]
    for section in sections or ():
        blocks += _section_blocks(section, len(blocks))
    if sections is None:
        blocks.append(_context(_UNKNOWN.said(language)))
    metadata = json.dumps([user, dm])
    return {"type": "home", "private_metadata": metadata, "blocks": blocks[:_BLOCKS]}


def _section_blocks(section: HomeSection, at: int) -> list[JsonObject]:
    blocks: list[JsonObject] = [{"type": "header", "text": _plain(section.title, _HEADER)}]
    for number, item in enumerate(section.items):
        block: JsonObject = {"type": "section", "text": _plain(item.text, _TEXT)}
        buttons = [button_of(choice, place) for place, choice in enumerate(item.choices)]
        if len(buttons) == 1:
            block["accessory"] = buttons[0]
        blocks.append(block)
        if len(buttons) > 1:
            row = {"type": "actions", "block_id": f"home:{at}:{number}", "elements": buttons}
            blocks.append(row)
    return [*blocks, *([_context(section.more)] if section.more else [])]


def _context(text: str) -> JsonObject:
    return {"type": "context", "elements": [_plain(text, _TEXT)]}


def _plain(text: str, most: int) -> JsonObject:
    line = " ".join(text.split()) or "…"
    shown = line if len(line) <= most else f"{line[: most - 1]}…"
    return {"type": "plain_text", "text": shown, "emoji": False}


def _whose(metadata: str) -> tuple[str, str]:
    """The person of a page, and their direct messages; empty for a view that is none of ours."""
    try:
        user, dm = cast("list[str]", json.loads(metadata))
    except (ValueError, TypeError):
        return "", ""
    return str(user), str(dm)
