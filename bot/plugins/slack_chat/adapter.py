"""Slack as a `ChatAdapter`: stores before it acknowledges, and shows each reply once."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bot.plugin.catch_up import CatchUp
from bot.plugin.chat import (
    Accept,
    Acceptance,
    Attachment,
    BotError,
    ChatServices,
    Conversation,
    IncomingMessage,
    LiveReply,
    OutgoingMessage,
    Place,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
    SettingsError,
    StorageError,
    turn_of,
)
from bot.plugin.commands import NativeCommands
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.recent import Recent
from bot.plugin.surfaces import HomeDesk, LinkDesk
from bot.plugins.slack_chat.connection import SlackConnection, load_sdk
from bot.plugins.slack_chat.delivery import SlackDelivery
from bot.plugins.slack_chat.directory import SlackDirectory, SlackProfiles
from bot.plugins.slack_chat.files import read_file
from bot.plugins.slack_chat.forms import Entered, entered
from bot.plugins.slack_chat.half_written import HalfWritten
from bot.plugins.slack_chat.history import SlackArchive
from bot.plugins.slack_chat.inbound import REACTION, Reader
from bot.plugins.slack_chat.live import SlackLive, SlackStage
from bot.plugins.slack_chat.places import PLATFORM, SHARED, Identity, Spot, spot_of
from bot.plugins.slack_chat.posts import Posts
from bot.plugins.slack_chat.readers import SlackReaders
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.plugins.slack_chat.surfaces.clicks import SlackClicks, holds_files
from bot.plugins.slack_chat.surfaces.home import SlackHome, is_of_view
from bot.plugins.slack_chat.surfaces.links import SlackLinks
from bot.plugins.slack_chat.surfaces.shortcuts import Shortcuts, is_question
from bot.plugins.slack_chat.surfaces.slash import SlashCommands
from bot.plugins.slack_chat.surfaces.steps import asked_by_step, complete, is_of_step
from bot.plugins.slack_chat.trouble import SlackRefused

log = logging.getLogger(__name__)
T = TypeVar("T")


_TITLE = 100
"""Characters of a session's title; Slack takes 200."""


class SlackChat:
    """Implements `domain.chat.ChatAdapter`.

    Nothing is connected until `run`, or the first send, needs it.

    `followed` of the services tells whether unaddressed messages of a thread are for the assistant;
    threads in which this process was addressed count as well, recorded or not yet.
    """

    def __init__(
        self,
        settings: SlackSettings,
        tokens: SlackTokens,
        services: ChatServices,
        connection: SlackConnection | None = None,
    ) -> None:
        clock = services.clock
        self._tokens = tokens
        self._settings = settings
        self._clock = clock
        self._followed = services.followed
        self._connection = connection or SlackConnection(tokens, settings, clock)
        self._posts = Posts(self._connection, clock, self._identity)
        self._profiles = SlackProfiles(self._posts.call, clock)
        self._directory = SlackDirectory(self._connection, self._profiles, clock)
        self.profile = self._directory.profile
        self.readers = SlackReaders(
            self._posts, self._identity, self._profiles, clock, search=settings.search
        )
        stage = (self._connection, self._posts, clock, self._team, self._recipient)
        self._stage = SlackStage(*stage, self._title, self._spawn, drafts=services.drafts)
        self._half_written = HalfWritten(
            self._connection, self._posts, self._stage, services.drafts
        )
        self._home = SlackHome(self._connection, self._reading_anytime, self._spawn)
        self._links = SlackLinks(self._connection)
        self.unreadable = self._connection.unreadable
        archive = SlackArchive(self._posts, self._identity, self._take_late, self.unreadable)
        self._catch_up = CatchUp(PLATFORM, archive, services.recovery, clock, self.unreadable)
        self._slash = SlashCommands(
            self._connection, lambda: self._reading, self._read, self._hear, self._catch_up.in_order
        )
        self._delivery = SlackDelivery(
            self._connection,
            self._posts,
            self._clock,
            services.read_blob,
            self._recipient,
            self._home,
            thumbs=settings.thumbs,
        )
        self._shortcuts = Shortcuts(
            self._connection, lambda: self._reading, self._delivery.direct, clock
        )
        self._catching_up: asyncio.Task[None] | None = None
        self._sent: Recent[str, Receipt] = Recent()
        """By key: Slack itself would take the same send twice."""
        self._takes_part: Recent[str, None] = Recent()
        self._who: Identity | None = None
        self._bot: JsonObject = {}
        self._reader: Reader | None = None
        self._accept: Accept | None = None
        self._accepted: Recent[str, None] = Recent()
        self._authors: Recent[tuple[str, str], str] = Recent()
        self._titles: Recent[tuple[str, str], str] = Recent()
        self._later: set[asyncio.Task[None]] = set()
        self._clicks = SlackClicks(
            self._connection, lambda: self._reading, self._directory.name_of, self._spawn
        )

    @property
    def platform(self) -> str:
        return PLATFORM

    @property
    def connected(self) -> bool:
        """Whether events are accepted now."""
        return self._connection.serving

    def last_frame(self) -> float | None:
        """Implements domain.chat.Alive."""
        return self._connection.last_frame()

    def offer(self, native: NativeCommands) -> None:
        """Implements native_commands.NativePlatform: forms; else `/skill new` asks in words."""
        self._slash.native = self._delivery.native = native

    def offer_home(self, desk: HomeDesk) -> None:
        """Implements home.HasHome."""
        self._home.offer(desk)

    def offer_links(self, desk: LinkDesk) -> None:
        """Implements links.PreviewsLinks."""
        self._links.desk = desk

    def routes(self) -> Sequence[Any]:
        """The aiohttp routes of mode http, for a server that carries them."""
        return self._connection.routes()

    # --- incoming ---

    async def run(self, accept: Accept) -> None:
        """Serve until cancelled.

        Raises SettingsError for tokens that can't work, SlackTrouble when Slack is lost.
        """
        if problems := self._tokens.problems(self._settings):
            raise SettingsError("; ".join(problems))
        self._accept = accept
        self._who = None  # asked again: the token may be revoked, or another app's
        try:
            await asyncio.to_thread(load_sdk)
            who = await self._identity()
            self._reader = self._reader_for(who)
            await self._directory.groups_of(who.user)  # read now, not while the first message waits
            log.info(
                "team=<%s>, user=<%s>, mode=<%s> | connected to Slack",
                who.team,
                who.user,
                self._settings.mode,
            )
            self._spawn(self._half_written.clear())
            await self._connection.serve(self._take, self._bot, self._lost)
        except SlackRefused as refused:
            if refused.retry_after is not None:
                raise
            raise SettingsError(f"{refused}; {_remedy(refused)}") from refused
        finally:
            self._catch_up.stop()
            for task in self._later:
                task.cancel()
            await self.close()

    async def close(self) -> None:
        """Close the HTTP session after calls under way; `run` does so when it ends."""
        await self._connection.close()

    async def _take(self, body: JsonObject) -> JsonObject | None:
        """One body from Slack.

        Returning acknowledges it, so it is accepted first, in order of its channel.
        """
        if body.get("type") == "view_submission":
            sent = entered(body)
            return None if sent is None else await self._submitted(sent)
        event: JsonObject = object_in(body, "event")
        channel = _channel_in(body, event)
        self.readers.heard(event)
        event |= {SHARED: True} if body.get(SHARED) is True else {}
        if body.get("type") == "event_callback" and event.get("type") in {"message", "app_mention"}:
            async with self._catch_up.before(channel) as clear:
                message = await self._read("message", self._reading.message(event))
                await self._hear(_placed(message, clear=clear))
            return None
        async with self._catch_up.in_order(channel):
            match body.get("type"), event.get("type"):
                case "event_callback", "agent_session_stopped":
                    await self._hear(await self._read("stop", self._reading.stopped(event)))
                case "event_callback", "reaction_added":
                    await self._hear(await self._read("reaction", self._reading.reaction(event)))
                case "block_actions", _ if is_of_view(body):
                    await self._hear(await self._read("click", self._home.clicked(body)))
                case "block_actions", _:
                    clicked = await self._read("click", self._reading.click(body))
                    await self._hear(await self._clicks.taken(clicked, body))
                case _ if body.get("command"):
                    await self._slash.take(body)
                case _:
                    await self._beside(body, event)
        return None

    async def _submitted(self, sent: Entered) -> JsonObject | None:
        """A form; returns the errors that keep it open."""
        if is_question(sent):
            await self._hear(await self._read("form", self._shortcuts.asked(sent)))
        elif holds_files(sent):
            await self._hear(await self._read("form", self._clicks.handed_in(sent)))
        else:
            return await self._slash.handed_in(sent)
        return None

    async def _beside(self, body: JsonObject, event: JsonObject) -> None:
        """What comes from Slack's surfaces beside conversations."""
        match body.get("type"), event.get("type"):
            case "event_callback", "app_home_opened":
                self._spawn(self._opened(event))
            case "event_callback", "link_shared":
                self._spawn(self._links.shared(event))
            case "event_callback", "user_change":
                self._profiles.changed(event)
            case "event_callback", "function_executed":
                await self._hear(asked_by_step(event, await self._team()))
            case "message_action" | "shortcut", _:
                await self._hear(await self._read("shortcut", self._shortcuts.take(body)))
            case kind:
                log.debug("kind=<%s> | nothing to do", kind)

    async def _take_late(self, event: JsonObject, late: bool) -> bool:
        try:
            reading = self._reading
            event_read = (
                reading.reaction(event) if event.get("type") == REACTION else reading.message(event)
            )
            message = await self._read("missed message", event_read)
            await self._hear(None if message is None else replace(message, missed=late))
        except StorageError as error:
            log.warning(
                "channel=<%s>, ts=<%s>, error=<%s> | not recorded",
                event["channel"],
                event["ts"],
                error,
            )
            return False
        return True

    def _lost(self) -> None:
        """Events may be missing: new ones wait until earlier messages are heard."""
        self._catch_up.lost()
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._catching_up = self._spawn(self._catch_up.run())

    async def _read(self, what: str, reading: Awaitable[T | None]) -> T | None:
        """None also for unreadable events: Slack would only send an unacknowledged one again."""
        try:
            return await reading
        except BotError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with this one event, the next is read
            self.unreadable.skip(what, error)
            return None

    @property
    def _reading(self) -> Reader:
        if self._reader is None:
            raise RuntimeError("an event came before run() knew who the app is")
        return self._reader

    async def _reading_anytime(self) -> Reader:
        """Also before `run` is connected: an answer of an earlier life may be for a page."""
        return self._reader or self._reader_for(await self._identity())

    def _reader_for(self, who: Identity) -> Reader:
        return Reader(who, self._settings, self._directory, self._clock, self._is_followed)

    async def _hear(self, message: IncomingMessage | None) -> Acceptance | None:
        """Accept durably, each key once. Raises StorageError: Slack delivers it again then."""
        if message is None or self._accept is None or message.key in self._accepted:
            return None
        if message.reply_to.message:
            self._remember(message)
        acceptance = await self._accept(message)
        self._accepted[message.key] = None
        if message.reply_to.message and acceptance is not Acceptance.DUPLICATE:
            self._half_written.is_new(spot_of(message.reply_to).channel, message.reply_to.message)
        if acceptance is Acceptance.TURN and message.conversation.place is Place.THREAD:
            self._takes_part[message.conversation.key] = None
        log.debug("key=<%s>, acceptance=<%s> | accepted", message.key, acceptance)
        return acceptance

    def _remember(self, message: IncomingMessage) -> None:
        target = message.reply_to
        where = (spot_of(target).channel, str(target.message))
        self._authors[where] = message.sender.id
        self._titles[where] = " ".join(message.text.split())[:_TITLE]

    def _title(self, spot: Spot) -> str:
        return self._titles.get((spot.channel, str(spot.since)), "")

    async def _is_followed(self, conversation: str) -> bool:
        if conversation in self._takes_part:
            return True
        return await self._followed(conversation)

    # --- after the acknowledgement ---

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._quietly(work))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        return task

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BotError as trouble:
            log.warning("trouble=<%s> | not done beside the conversation", trouble)

    async def _opened(self, event: JsonObject) -> None:
        """Somebody opened the app: show their page, or suggest what they could ask."""
        user, dm = text_in(event, "user"), text_in(event, "channel")
        match text_in(event, "tab"):
            case "messages":
                await self._home.suggest(user, dm)
            case "home":
                await self._home.show(user, dm)
            case _:
                return

    # --- outgoing ---

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        """Show it once; a draft of `live` becomes the answer.

        Ephemeral targets get it through their command.
        """
        if (done := self._sent.get(key)) is not None:
            return done
        if is_of_step(message.target):
            return await complete(self._connection, message, self._clock.now())
        draft = live if isinstance(live, SlackLive) else None
        receipt = await self._delivery.send(message, key, draft)
        self._sent[key] = receipt
        await self._half_written.sweep(spot_of(message.target))
        if draft is None:
            spot = spot_of(message.target)
            there = [
                one
                for one in self._stage.open
                if (one.spot.channel, one.spot.thread) == (spot.channel, spot.thread)
            ]
            for one in there:
                one.asked = True
                if one.turn == turn_of(key):
                    one.move_down()
        return receipt

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """The receipt if every part of the send is there.

        Ephemeral notes can't be looked up: None, they come again.
        """
        if is_of_step(target):
            return None  # to complete a run again changes nothing
        found = await self._delivery.find_sent(target, key)
        if found is not None:
            await self._half_written.sweep(spot_of(target))
        return found

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        return SlackLive(self._stage, spot_of(target), turn)

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        """Implements domain.chat.Shows."""
        return await self._delivery.shows(target, receipt.message_ids[-1])

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """Implements domain.chat.KnowsMembers."""
        return await self._directory.member(person, await self._identity())

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        return read_file(self._posts, self._connection, attachment)

    def skipped(self) -> int:
        """Implements domain.chat.Skips."""
        return self.unreadable.count

    async def close_card(self, card: PostedCard, line: str) -> None:
        """Close a card; Slack edits a private one only by a click on it."""
        ref = card.message.choices[0].ref if card.message.choices else ""
        await self._stage.statuses.is_over(spot_of(card.message.target), card.key)
        await self._delivery.close_card(card, line, self._clicks.whispered.get(ref))

    async def waits(self, card: PostedCard) -> None:
        """Implements domain.chat.ShowsWaiting."""
        await self._stage.statuses.waits(spot_of(card.message.target), card.key)

    # --- who and where ---

    async def _identity(self) -> Identity:
        if self._who is None:
            self._bot = await self._posts.call("auth.test")
            self._who = Identity.read(self._bot)
        return self._who

    async def _team(self) -> str:
        return (await self._identity()).team

    async def _recipient(self, spot: Spot) -> str | None:
        """The author of the answered message.

        After a restart Slack is asked, and earlier drafts are removed.
        """
        if spot.since is None:
            return None
        known = self._authors.get((spot.channel, spot.since))
        if known is not None:
            return known
        found = await self._posts.read(spot)
        author = next((text_in(m, "user") for m in found if m.get("ts") == spot.since), "") or None
        if author is not None:
            self._authors[(spot.channel, spot.since)] = author
            await self._half_written.remove(spot)
        return author


def _channel_in(body: JsonObject, event: JsonObject) -> str:
    """The channel of a body: its events are accepted in order of arrival."""
    named = (
        text_in(event, "channel")
        or text_in(body, "channel_id")
        or text_in(object_in(event, "item"), "channel")
    )
    return named or text_in(object_in(body, "channel"), "id")


def _placed(message: IncomingMessage | None, *, clear: bool) -> IncomingMessage | None:
    """While older messages of its channel are unread, no mark may pass them."""
    return message if message is None or clear else replace(message, heard=None)


def _remedy(refused: SlackRefused) -> str:
    match refused.method:
        case "apps.connections.open":
            return "check SLACK_APP_TOKEN and that Socket Mode is on (bellhop slack-manifest)"
        case _:
            return (
                "check SLACK_BOT_TOKEN and reinstall the app with the manifest (bellhop "
                "slack-manifest)"
            )
