"""Events, commands and clicks of Slack as `IncomingMessage`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.plugin.chat import (
    Action,
    Addressed,
    Command,
    Heard,
    IncomingMessage,
    Interaction,
    MessageKind,
    PlatformPerson,
    QuotedMessage,
    ReplyTarget,
    Visibility,
)
from bot.plugin.clock import Clock
from bot.plugin.commands import SKILL_FORM, Form, opens_form, parse_command
from bot.plugin.drawing import language_of_app
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in
from bot.plugins.slack_chat.app_posts import words_of, words_of_shared
from bot.plugins.slack_chat.blocks import Click, read_click
from bot.plugins.slack_chat.directory import SlackDirectory
from bot.plugins.slack_chat.files import attachments_of, file_names, is_open
from bot.plugins.slack_chat.forms import Entered, FormOrigin, view_of
from bot.plugins.slack_chat.markup import mentioned, readable, typed_words, without_leading_mention
from bot.plugins.slack_chat.places import (
    NAMELESS,
    PLATFORM,
    SHARED,
    Identity,
    conversation_at,
    moment,
    place_at,
    visibility_of,
)
from bot.plugins.slack_chat.posts import is_own
from bot.plugins.slack_chat.settings import SlackSettings

REPLY_URL_LIFE = timedelta(minutes=30)
_SPOKEN = {None, "bot_message", "file_share", "me_message", "thread_broadcast"}
_SLACKBOT = "USLACKBOT"
GONE = "gone"
"""Our own mark for a message that a history no longer contains: nobody tells who deleted it."""
REACTION = "reaction_added"

Followed = Callable[[str], Awaitable[bool]]
"""Whether a thread, by conversation key, is followed: it is answered without a mention."""


@dataclass(frozen=True)
class ClickedMessage:
    """A click as a message, with what is needed to mark it on the message that was clicked."""

    message: IncomingMessage
    click: Click


@dataclass(frozen=True)
class Reader:
    """Reads bodies. Asks Slack for names and groups at most; makes no decisions."""

    who: Identity
    settings: SlackSettings
    directory: SlackDirectory
    clock: Clock
    followed: Followed

    # --- messages ---

    async def message(self, event: JsonObject) -> IncomingMessage | None:
        """A `message` or `app_mention` event; None for joins, our own posts and unfurled links."""
        channel = text_in(event, "channel")
        if self.ignores(channel):
            return None
        match event.get("subtype"):
            case "message_changed":
                return await self._edited(channel, event)
            case "message_deleted":
                return await self._deleted(channel, event)
            case subtype if subtype == GONE:
                return await self._about(
                    MessageKind.DELETE, channel, event, "0", PlatformPerson("0", "somebody")
                )
            case subtype if subtype in _SPOKEN:
                return await self._said(channel, event)
            case _:
                return None

    async def _said(self, channel: str, event: JsonObject) -> IncomingMessage | None:
        if is_own(event, self.who):
            return None
        event = await self.directory.with_whole_files(event)
        ts = str(event["ts"])
        thread = str(event["thread_ts"]) if event.get("thread_ts") else None
        addressed, root = await self._addressed(channel, event, thread, ts)
        sender, text, quoted = await asyncio.gather(
            self._sender(event), self._text(event), self._quoted(channel, event, thread, addressed)
        )
        here = visibility_of(event)
        conversation = replace(conversation_at(self.who.team, channel, root), visibility=here)
        opens = (thread or ts) if channel.startswith("D") or thread is None else None
        message = IncomingMessage(
            key=self._key(channel, ts),
            conversation=conversation,
            sender=sender,
            text=text,
            typed=typed_words(
                without_leading_mention(text_in(event, "text"), self.who.user), self.who.user
            ).strip(),
            reply_to=ReplyTarget(
                conversation, ts, opens if addressed is not Addressed.NONE else None
            ),
            sent_at=moment(ts),
            attachments=attachments_of(event),
            addressed=addressed,
            private=channel.startswith("D"),
            to_others=addressed is Addressed.NONE and bool(mentioned(text_in(event, "text"))),
            quoted=quoted,
            answers=None if thread == ts else thread,
            heard=Heard(
                place_at(self.who.team, channel, None if thread == ts else thread), ts, moment(ts)
            ),
        )
        return _as_command(message)

    async def _addressed(
        self, channel: str, event: JsonObject, thread: str | None, ts: str
    ) -> tuple[Addressed, str | None]:
        """How the app was addressed, and the thread in which it would answer."""
        if channel.startswith("D"):
            return Addressed.DM, None
        people = mentioned(text_in(event, "text"))
        root = thread or ts
        if self.who.user in people or event.get("type") == "app_mention":
            return Addressed.MENTION, root
        if people:
            return Addressed.NONE, thread
        if thread is not None and await self.followed(
            conversation_at(self.who.team, channel, thread).key
        ):
            return Addressed.FOLLOWED, root
        if thread is not None and event.get("parent_user_id") == self.who.user:
            return Addressed.REPLY, root
        if self.settings.answer_in(channel) == "all":
            return Addressed.FOLLOWED, root
        return Addressed.NONE, thread

    async def _quoted(
        self, channel: str, event: JsonObject, thread: str | None, addressed: Addressed
    ) -> tuple[QuotedMessage, ...]:
        """Messages shared with this one, and the first of a thread that newly has the app."""
        if addressed is Addressed.NONE:
            return ()
        shared = [
            one
            for one in objects_in(event, "attachments")
            if one.get("is_share") or one.get("is_msg_unfurl")
        ]
        direct = channel.startswith("D")
        quoted = list(await asyncio.gather(*(self._shared(one, direct=direct) for one in shared)))
        if addressed is Addressed.MENTION and thread not in {None, event["ts"]}:
            root = await self._root(channel, str(thread))
            quoted += [] if root is None else [root]
        return tuple(
            one for one in quoted if one.author.id != self.who.user and (one.text or one.files)
        )

    async def _shared(self, shared: JsonObject, *, direct: bool) -> QuotedMessage:
        shared = await self.directory.with_whole_files(shared)
        author = text_in(shared, "author_id") or text_in(shared, "author_name") or "somebody"
        name = text_in(shared, "author_name") or author
        who = PlatformPerson(author, name, is_bot=not text_in(shared, "author_id"))
        # Who shares a message of a private channel does not share its files with this one.
        shown = {**shared, "files": [one for one in objects_in(shared, "files") if is_open(one)]}
        files = attachments_of(shared if direct else shown)
        text = await self._readable(words_of_shared(shared))
        return QuotedMessage(who, text, file_names(shared), files)

    async def _root(self, channel: str, thread: str) -> QuotedMessage | None:
        """The root message of a thread, when its conversation is new to the app.

        None: not read in time.
        """
        if await self.followed(conversation_at(self.who.team, channel, thread).key):
            return None
        found = await self.directory.message(channel, thread)
        if found is None or is_own(found, self.who):
            return None
        return await self.as_quoted(found)

    async def as_quoted(self, found: JsonObject) -> QuotedMessage:
        """A message as one that another message refers to."""
        found = await self.directory.with_whole_files(found)
        sender, text = await asyncio.gather(self._sender(found), self._text(found))
        return QuotedMessage(sender, text, file_names(found), attachments_of(found))

    async def _edited(self, channel: str, event: JsonObject) -> IncomingMessage | None:
        now: JsonObject = object_in(event, "message")
        before: JsonObject = object_in(event, "previous_message")
        edited: JsonObject = object_in(now, "edited")
        if not edited or words_of(now) == words_of(before) or is_own(now, self.who):
            return None
        about = {"type": "message", "channel_type": event.get("channel_type")}
        about |= {SHARED: event.get(SHARED)}
        message = await self._said(channel, {**now, **about})
        if message is None:
            return None
        stamp = str(edited.get("ts") or event["event_ts"])
        return replace(
            message,
            key=f"{MessageKind.EDIT.value}:{message.key}:{stamp}",
            kind=MessageKind.EDIT,
            sent_at=moment(stamp),
            heard=None,
        )

    async def _deleted(self, channel: str, event: JsonObject) -> IncomingMessage | None:
        gone: JsonObject = {**object_in(event, "previous_message"), "ts": event.get("deleted_ts")}
        gone |= {"channel_type": event.get("channel_type"), SHARED: event.get(SHARED)}
        if is_own(gone, self.who) or not gone.get("user"):
            return None
        found = await self._about(MessageKind.DELETE, channel, gone, str(event["event_ts"]))
        return replace(found, text="", attachments=())

    async def _about(
        self,
        kind: MessageKind,
        channel: str,
        changed: JsonObject,
        stamp: str,
        by: PlatformPerson | None = None,
    ) -> IncomingMessage:
        """A change to an earlier message; it starts no turn."""
        thread = str(changed.get("thread_ts") or changed["ts"])
        conversation = replace(
            conversation_at(self.who.team, channel, thread), visibility=visibility_of(changed)
        )
        sender, text = (
            (by, "") if by else await asyncio.gather(self._sender(changed), self._text(changed))
        )
        return IncomingMessage(
            key=f"{kind.value}:{self._key(channel, str(changed['ts']))}:{stamp}",
            conversation=conversation,
            sender=sender,
            text=text,
            reply_to=ReplyTarget(conversation, str(changed["ts"])),
            sent_at=self.clock.now() if by else moment(stamp),
            kind=kind,
            addressed=Addressed.NONE,
            private=channel.startswith("D"),
        )

    async def reaction(self, event: JsonObject) -> IncomingMessage | None:
        """An emoji on a message; None for our own, and for one on anything else."""
        item: JsonObject = object_in(event, "item")
        channel, ts, user = text_in(item, "channel"), text_in(item, "ts"), text_in(event, "user")
        off = self.settings.answer_in(channel) == "off"
        if (
            item.get("type") != "message"
            or not (channel and ts and user)
            or user == self.who.user
            or off
        ):
            return None
        conversation, emoji = (
            conversation_at(self.who.team, channel, None),
            text_in(event, "reaction"),
        )
        sender = await self.person(user, doubtful=event.get(SHARED) is True)
        return IncomingMessage(
            key=f"{PLATFORM}:{self.who.team}:r:{channel}:{ts}:{user}:{emoji}",
            conversation=conversation,
            sender=replace(sender, is_bot=self.directory.known(user).is_bot),
            text="",
            reply_to=ReplyTarget(conversation),
            sent_at=moment(event["event_ts"]),
            kind=MessageKind.REACTION,
            action=Action(self._key(channel, ts), "react", emoji),
            addressed=Addressed.NONE,
            private=channel.startswith("D"),
        )

    # --- stop, commands, clicks ---

    async def acted(  # noqa: PLR0913 - what each command and click names
        self,
        id_: str,
        user: str,
        channel: str,
        *,
        doubtful: bool,
        thread: str | None = None,
        answers: str | None = None,
        alone: bool = False,
        reply: Interaction | None = None,
    ) -> IncomingMessage:
        """What somebody did beside writing, without what it was: a command, a click, a stop.

        `alone`: only they see the answer, through `reply` if there is one.
        """
        conversation = conversation_at(self.who.team, channel, thread)
        direct = channel.startswith("D")
        return IncomingMessage(
            key=f"{PLATFORM}:{self.who.team}:{id_}",
            conversation=conversation,
            sender=await self.person(user, doubtful=doubtful),
            text="",
            typed="",
            reply_to=ReplyTarget(
                conversation,
                answers,
                thread if direct else None,
                ephemeral_to=user if alone else None,
                interaction=reply,
            ),
            sent_at=self.clock.now(),
            addressed=Addressed.COMMAND,
            private=direct,
            locale=self.locale_of(user),
        )

    async def stopped(self, event: JsonObject) -> IncomingMessage:
        """Slack's own stop button."""
        thread = text_in(event, "thread_ts") or None
        pressed = await self.acted(
            str(event["event_ts"]),
            str(event["user"]),
            str(event["channel"]),
            doubtful=event.get(SHARED) is True,
            thread=thread,
            answers=thread,
        )
        at = moment(event["event_ts"])
        return replace(pressed, kind=MessageKind.STOP, sent_at=at, locale="")

    async def slash(self, body: JsonObject) -> IncomingMessage:
        """`/bellhop <name> …`; alone it asks for help. The answer is for this person's eyes."""
        written = readable(text_in(body, "text").strip(), self._known_name)
        command = parse_command(f"/{written.lstrip('/!')}") if written else Command("help")
        here = (
            Visibility.PRIVATE if text_in(body, "channel_name") == NAMELESS else Visibility.UNKNOWN
        )
        typed = await self.acted(
            str(body["trigger_id"]),
            str(body["user_id"]),
            str(body["channel_id"]),
            doubtful=self.is_elsewhere(text_in(body, "team_id")),
            alone=True,
            reply=self._way_back(body),
        )
        conversation = replace(typed.conversation, visibility=here)
        return replace(
            typed,
            conversation=conversation,
            text=f"/{written or 'help'}",
            typed=f"/{typed_words(text_in(body, 'text')).strip()}",
            reply_to=replace(typed.reply_to, conversation=conversation),
            kind=MessageKind.COMMAND,
            command=command or Command("help", written),
        )

    def _way_back(self, body: JsonObject) -> Interaction:
        return Interaction(str(body["response_url"]), self.clock.now() + REPLY_URL_LIFE)

    def asks_form(self, body: JsonObject) -> tuple[Form, JsonObject] | None:
        """The form that this command asks for, and how Slack is to show it."""
        written = readable(text_in(body, "text").strip(), self._known_name)
        command = parse_command(f"/{written.lstrip('/!')}")
        if command is None:
            return None
        language = language_of_app(self.locale_of(text_in(body, "user_id")))
        form = opens_form(command.name, command.args, language)
        if form is None:
            return None
        name = command.args.strip().partition(" ")[2].strip()
        origin = FormOrigin(str(body["channel_id"]), self._way_back(body))
        return form, view_of(form, {"name": name}, origin)

    async def form(self, sent: Entered) -> IncomingMessage | None:
        """A submitted form as the command that it stands for; None for an unknown one."""
        if sent.form != SKILL_FORM.name:
            return None
        handed_in = await self.acted(
            sent.view,
            sent.user,
            sent.origin.channel,
            doubtful=self.is_elsewhere(sent.team),
            alone=True,
            reply=sent.origin.valid(self.clock.now()),
        )
        return replace(
            handed_in,
            text=f"/{SKILL_FORM.command} {SKILL_FORM.args}",
            typed=None,
            kind=MessageKind.COMMAND,
            command=Command(SKILL_FORM.command, SKILL_FORM.args, sent.fields),
        )

    async def click(self, body: JsonObject) -> ClickedMessage | None:
        """A button or menu of ours; None for any other control."""
        actions: list[JsonObject] = objects_in(body, "actions")
        click = read_click(actions[0]) if actions else None
        container: JsonObject = object_in(body, "container")
        channel = str(object_in(body, "channel").get("id") or container.get("channel_id") or "")
        if click is None or not channel:
            return None
        stamp = str(actions[0]["action_ts"])
        clicked = await self.acted(
            stamp,
            str(body["user"]["id"]),
            channel,
            doubtful=self.is_elsewhere(text_in(body["user"], "team_id")),
            thread=text_in(container, "thread_ts") or None,
            answers=text_in(container, "message_ts") or None,
        )
        message = replace(
            clicked, sent_at=moment(stamp), kind=MessageKind.ACTION, action=click.action
        )
        return ClickedMessage(message, click)

    # --- parts ---

    def _key(self, channel: str, ts: str) -> str:
        return f"{PLATFORM}:{self.who.team}:{channel}:{ts}"

    @property
    def team(self) -> str:
        return self.who.team

    def ignores(self, channel: str) -> bool:
        """Whether Bellhop takes no notice of a channel."""
        return self.settings.answer_in(channel) == "off"

    def locale_of(self, user: str) -> str:
        """The language of a person's app, as read with their name; empty while it is unknown."""
        return self.directory.known(user).locale

    def is_elsewhere(self, team: str) -> bool:
        """Whether what names this workspace came from another one than ours."""
        return team not in {"", self.who.team}

    async def _sender(self, event: JsonObject) -> PlatformPerson:
        user, bot = text_in(event, "user"), text_in(event, "bot_id")
        if not user or user == _SLACKBOT:
            return PlatformPerson(
                user or bot, str(event.get("username") or user or bot), is_bot=True
            )
        who = await self.person(user, doubtful=event.get(SHARED) is True)
        return replace(who, is_bot=bool(bot))

    async def person(self, user: str, *, doubtful: bool = False) -> PlatformPerson:
        """Somebody by their user id, with their groups.

        `doubtful`: without a profile they don't pass for a colleague, because what they did came
        from another workspace or a channel of several companies.
        """
        name, groups = await asyncio.gather(
            self.directory.name_of(user), self.directory.groups_of(user)
        )
        away = self.directory.is_outside(user, self.who)
        return PlatformPerson(
            user,
            name,
            platform_roles=groups,
            timezone=self.directory.known(user).timezone,
            outside=doubtful if away is None else away,
        )

    async def _text(self, event: JsonObject) -> str:
        return await self._readable(without_leading_mention(words_of(event), self.who.user))

    async def _readable(self, written: str) -> str:
        """The text with the names of the mentioned people."""
        others = {user for user in mentioned(written) if user != self.who.user}
        await asyncio.gather(*(self.directory.name_of(user) for user in others))
        return readable(written, self._name).strip()

    def _known_name(self, user: str) -> str:
        return self.directory.known(user).name

    def _name(self, user: str) -> str:
        return "Bellhop" if user == self.who.user else self._known_name(user)


def is_said(message: JsonObject, who: Identity) -> bool:
    """Whether another author wrote this message of a history."""
    return message.get("subtype") in _SPOKEN and not is_own(message, who)


def _as_command(message: IncomingMessage) -> IncomingMessage:
    """`!name` and `@bot /name`; only from people who address the assistant."""
    command = parse_command(message.text)
    if command is None or message.addressed is Addressed.NONE:
        return message
    return replace(message, kind=MessageKind.COMMAND, command=command, addressed=Addressed.COMMAND)
