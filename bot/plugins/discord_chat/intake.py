"""Converts Discord's events to IncomingMessages: who is addressed, and in which conversation.

See docs/rules.md#conversations-and-sessions.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.plugin.chat import (
    DIRECT,
    UNKNOWN_FACE,
    Action,
    Addressed,
    Attachment,
    Command,
    Conversation,
    Heard,
    IncomingMessage,
    Interaction,
    MessageKind,
    Place,
    PlatformPerson,
    QuotedMessage,
    ReplyTarget,
)
from bot.plugin.commands import SKILL_FORM, MenuAction, menu_command, parse_command
from bot.plugin.payloads import plain_name
from bot.plugins.discord_chat.components import read_click
from bot.plugins.discord_chat.names import FORM_FILES, FileRef, ReplyToken, Root
from bot.plugins.discord_chat.seen import (
    SeenClick,
    SeenCommand,
    SeenDeletion,
    SeenFile,
    SeenInteraction,
    SeenMessage,
    SeenPlace,
    SeenQuote,
    SeenReaction,
)
from bot.plugins.discord_chat.settings import DiscordSettings

PLATFORM = "discord"
TOKEN_LIFE = timedelta(minutes=15)
TITLE_CHARS = 90

_MARK = re.compile(
    r"<(?P<kind>@[!&]?|#)(?P<id>\d+)>|<a?(?P<emoji>:\w+:)\d+>|<(?P<slash>/[^:>]+):\d+>"
    r"|<t:(?P<time>\d{1,11})(?::[a-zA-Z])?>"
)


async def _unknown_starter(_thread: SeenPlace) -> SeenQuote | None:
    return None


@dataclass(frozen=True)
class Intake:
    """Reads seen events. `followed` knows threads by their conversation key."""

    settings: DiscordSettings
    followed: Callable[[str], Awaitable[bool]]
    root_of: Callable[[str, str], Awaitable[str | None]]
    """Channel and one of our messages: the message that its conversation answers, if any."""
    starter: Callable[[SeenPlace], Awaitable[SeenQuote | None]] = _unknown_starter
    """The message that a thread was opened on."""

    async def read(self, seen: SeenMessage) -> IncomingMessage | None:
        """None: this place is disabled."""
        place = self.settings.place(seen.place.guild, seen.place.channel, seen.place.parent)
        if place.answer == "off":
            return None
        addressed = await self._addressed(seen, everything=place.answer == "all")
        text = readable(seen)
        command = parse_command(text) if addressed is not Addressed.NONE else None
        threads = place.threads and command is None and addressed is not Addressed.NONE
        target = await self._target(seen, threads=threads)
        starter = (
            await self._starter(seen)
            if addressed is Addressed.MENTION and command is None
            else None
        )
        return IncomingMessage(
            key=f"{PLATFORM}:{seen.id}",
            conversation=target.conversation,
            sender=seen.author,
            text=text,
            typed=typed_words(seen),
            reply_to=target,
            sent_at=seen.at,
            kind=MessageKind.TEXT if command is None else MessageKind.COMMAND,
            command=command,
            attachments=_attachments(seen),
            addressed=addressed,
            private=seen.place.is_direct,
            to_others=addressed is Addressed.NONE and _talks_to_others(seen),
            quoted=_quoted(seen, starter),
            answers=seen.reply_to,
            sees_past=seen.sees_past,
            heard=Heard(conversation_of(seen.place), seen.id, seen.at),
        )

    async def _addressed(self, seen: SeenMessage, *, everything: bool) -> Addressed:
        place = seen.place
        if place.is_direct:
            return Addressed.DM
        if _names_bot(seen):
            return Addressed.MENTION
        if seen.reply_author == seen.bot:
            return Addressed.REPLY
        if _talks_to_others(seen):
            return Addressed.NONE
        if everything or (place.is_thread and await self._follows(seen)):
            return Addressed.FOLLOWED
        return Addressed.NONE

    async def _follows(self, seen: SeenMessage) -> bool:
        return seen.place.thread_owner == seen.bot or await self.followed(
            conversation_of(seen.place).key
        )

    async def _starter(self, seen: SeenMessage) -> SeenQuote | None:
        """The root message of a thread, when its conversation is new to the bot."""
        if not seen.place.is_thread or await self._follows(seen):
            return None
        return await self.starter(seen.place)

    async def _target(self, seen: SeenMessage, *, threads: bool) -> ReplyTarget:
        here = conversation_of(seen.place)
        if here.place is not Place.CHANNEL or not threads:
            return ReplyTarget(here, message=seen.id)
        # The thread does not exist yet; a thread started from a message will have its id.
        ours = seen.reply_to if seen.reply_author == seen.bot else None
        root = (await self.root_of(seen.place.channel, ours) if ours else None) or seen.id
        title = title_of(readable(seen))
        future = replace(here, id=root, place=Place.THREAD, title=title, channel=seen.place.channel)
        return ReplyTarget(
            future, message=seen.id, start_thread_from=str(Root(seen.place.channel, root))
        )

    async def edited(self, seen: SeenMessage) -> IncomingMessage | None:
        """A changed message with its current text.

        None: disabled, or the person's own text did not change.
        """
        message = await self.read(seen) if seen.edited_at is not None else None
        if message is None or seen.edited_at is None:
            return None
        stamp = round(seen.edited_at.timestamp() * 1000)
        return replace(
            message,
            key=f"{MessageKind.EDIT}:{message.key}:{stamp}",
            kind=MessageKind.EDIT,
            sent_at=seen.edited_at,
            heard=None,
        )

    def deleted(self, seen: SeenDeletion, now: datetime) -> IncomingMessage | None:
        if self._is_off(seen.place):
            return None
        key = f"{MessageKind.DELETE}:{PLATFORM}:{seen.id}:0"
        nobody = PlatformPerson("0", "somebody")  # Discord does not tell who deleted it
        return _changed(key, MessageKind.DELETE, seen.place, nobody, "", now)

    def reaction(self, seen: SeenReaction, now: datetime) -> IncomingMessage | None:
        if self._is_off(seen.place):
            return None
        key = f"{PLATFORM}:r:{seen.message}:{seen.person.id}:{seen.emoji}"
        message = _changed(key, MessageKind.REACTION, seen.place, seen.person, "", now)
        return replace(message, action=Action(f"{PLATFORM}:{seen.message}", "react", seen.emoji))

    def command(self, seen: SeenCommand) -> IncomingMessage | None:
        if self._is_off(seen.place):
            return None
        if seen.menu is not None:
            return self._chosen(seen, seen.menu)
        command = Command(seen.name, seen.args)
        if seen.fields:
            if seen.name != SKILL_FORM.name:
                return None
            command = Command(SKILL_FORM.command, SKILL_FORM.args, seen.fields)
        words = f"/{command.name} {command.args}".strip()
        here = conversation_of(seen.place)
        message = _native(seen, here, words, command=command, own_response=True)
        return replace(message, attachments=_of_form(seen, seen.files))

    def _chosen(self, seen: SeenCommand, action: MenuAction) -> IncomingMessage | None:
        """Something from the menu of a message, or of a person; None without that."""
        if (seen.about if action is MenuAction.ABOUT else seen.target) is None:
            return None
        about = seen.about
        words = seen.args if about is None else f"{plain_name(about.name)} <@{about.id}>"
        message = _native(
            seen,
            conversation_of(seen.place),
            words,
            command=menu_command(action, question=words),
            own_response=True,
        )
        quoted = _quotes([seen.target] if seen.target is not None else [])
        return replace(message, quoted=quoted, attachments=_of_form(seen, seen.files))

    async def click(self, seen: SeenClick) -> IncomingMessage | None:
        """None: no component of ours, or disabled."""
        action = read_click(seen.custom_id, seen.values)
        if action is None or self._is_off(seen.place):
            return None
        here = conversation_of(seen.place)
        if (
            here.place is Place.CHANNEL
            and seen.message_reply_to is not None
            and self._threads(seen.place)
        ):
            # Without a thread, the answers to a message are its conversation.
            root = await self.root_of(seen.place.channel, seen.message)
            thread = replace(
                here, id=root or "", place=Place.THREAD, title="", channel=seen.place.channel
            )
            here = thread if root else here
        action = replace(action, value=seen.note) if seen.files else action
        clicked = _native(seen, here, action.value, action=action, own_response=seen.own_response)
        return replace(clicked, attachments=_of_form(seen, seen.files))

    def _is_off(self, place: SeenPlace) -> bool:
        return self.settings.place(place.guild, place.channel, place.parent).answer == "off"

    def _threads(self, place: SeenPlace) -> bool:
        return self.settings.place(place.guild, place.channel, place.parent).threads


def conversation_of(place: SeenPlace) -> Conversation:
    """The conversation in exactly this place."""
    if place.is_direct:
        return Conversation(PLATFORM, DIRECT, place.channel, Place.DM)
    kind = Place.THREAD if place.is_thread else Place.CHANNEL
    return Conversation(
        PLATFORM,
        place.guild or DIRECT,
        place.channel,
        kind,
        place.title,
        place.parent or "",
        place.category,
        place.visibility,
        closed=place.closed,
    )


def readable(seen: SeenMessage) -> str:
    """The text without the mention of the bot at its beginning; other mentions by name.

    The first message of a post also names the tags of the post.
    """
    text = _by_name(_said(seen), seen.names).strip()
    tags = seen.place.tag_words if seen.id == seen.place.channel else ""
    return f"{text}\n{tags}".strip() if tags else text


def _by_name(text: str, names: Mapping[str, str]) -> str:
    """The text with names instead of ids, where they are known, and with times to read."""

    def name(match: re.Match[str]) -> str:
        if match["emoji"] or match["slash"]:
            return match["emoji"] or match["slash"]
        if match["time"]:
            return f"{datetime.fromtimestamp(int(match['time']), UTC):%Y-%m-%d %H:%M} UTC"
        kind = match["kind"].replace("!", "")
        known = names.get(f"{kind}{match['id']}")
        return f"{kind[0]}{plain_name(known)}" if known else match[0]

    return _MARK.sub(name, text)


def typed_words(seen: SeenMessage) -> str:
    """What the sender typed: mentions by id.

    Names of people, emojis and commands are left out: others chose them. An emoji of a server may
    mean the opposite of the words beside it, so a sign of it stays.
    """

    def typed(match: re.Match[str]) -> str:
        if match["emoji"]:
            return UNKNOWN_FACE
        if match["time"]:
            return match[0]
        ours = match["id"] == seen.bot and match["kind"] != "#"
        return (
            f"<{match['kind'].replace('!', '')}{match['id']}>" if match["id"] and not ours else " "
        )

    return _MARK.sub(typed, _said(seen)).strip()


def _said(seen: SeenMessage) -> str:
    own = "|".join([rf"<@!?{seen.bot}>", *(rf"<@&{role}>" for role in seen.bot_roles)])
    return re.sub(rf"\A\s*(?:{own})[\s,:]*", "", seen.content)


def title_of(text: str) -> str:
    """A thread's name: the first line, cut at a word."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(first) <= TITLE_CHARS:
        return first or "Conversation"
    cut = first[:TITLE_CHARS]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[20:] else cut}…"


def _names_bot(seen: SeenMessage) -> bool:
    wanted = [rf"@!?{seen.bot}", *(f"@&{role}" for role in seen.bot_roles)]
    return re.search(rf"<(?:{'|'.join(wanted)})>", seen.content) is not None


def _talks_to_others(seen: SeenMessage) -> bool:
    """People in a followed thread also talk to each other."""
    if seen.reply_author is not None and seen.reply_author != seen.bot:
        return True
    return re.search(r"<@[!&]?\d+>", seen.content) is not None


def _quoted(seen: SeenMessage, starter: SeenQuote | None) -> tuple[QuotedMessage, ...]:
    """The referenced message; not Bellhop's own, which its sessions already know."""
    referred = (*seen.quoted, *([starter] if starter is not None else []))
    return _quotes([quote for quote in referred if quote.author.id != seen.bot])


def _quotes(referred: Sequence[SeenQuote]) -> tuple[QuotedMessage, ...]:
    return tuple(
        QuotedMessage(
            quote.author,
            _by_name(quote.content, quote.names),
            quote.files,
            _referred(*quote.at, quote.attached),
        )
        for quote in referred
        if quote.content or quote.files
    )


def _attachments(seen: SeenMessage) -> tuple[Attachment, ...]:
    return _referred(seen.place.channel, seen.id, seen.files)


def _of_form(seen: SeenInteraction, files: Sequence[SeenFile]) -> tuple[Attachment, ...]:
    return _referred(seen.place.channel, f"{FORM_FILES}{seen.id}", files)


def _referred(channel: str, message: str, files: Sequence[SeenFile]) -> tuple[Attachment, ...]:
    return tuple(
        Attachment(
            str(FileRef(channel, message, file.id)),
            file.name,
            file.mime,
            file.size,
            file.spoken,
            file.seconds,
        )
        for file in files
    )


def _changed(
    key: str, kind: MessageKind, place: SeenPlace, who: PlatformPerson, text: str, at: datetime
) -> IncomingMessage:
    here = conversation_of(place)
    return IncomingMessage(
        key=key,
        conversation=here,
        sender=who,
        text=text,
        reply_to=ReplyTarget(here),
        sent_at=at,
        kind=kind,
        addressed=Addressed.NONE,
        private=place.is_direct,
    )


def _native(
    seen: SeenInteraction,
    here: Conversation,
    text: str,
    *,
    own_response: bool,
    command: Command | None = None,
    action: Action | None = None,
) -> IncomingMessage:
    interaction = None
    if seen.token is not None:
        interaction = Interaction(str(ReplyToken(seen.token, own_response)), seen.at + TOKEN_LIFE)
    return IncomingMessage(
        key=f"{PLATFORM}:i:{seen.id}",
        conversation=here,
        sender=seen.person,
        text=text,
        typed="" if action is not None else None,
        reply_to=ReplyTarget(here, ephemeral_to=seen.person.id, interaction=interaction),
        sent_at=seen.at,
        kind=MessageKind.ACTION if action is not None else MessageKind.COMMAND,
        command=command,
        action=action,
        addressed=Addressed.COMMAND,
        private=seen.place.is_direct,
        sees_past=seen.sees_past,
        locale=seen.locale,
    )
