"""DiscordChat: Discord as a `ChatAdapter`."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace

from bot.plugin.catch_up import CatchUp
from bot.plugin.chat import (
    Accept,
    Acceptance,
    Addressed,
    Attachment,
    ChatServices,
    Conversation,
    DeliveryError,
    IncomingMessage,
    LiveReply,
    OutgoingMessage,
    Place,
    PlatformPerson,
    PostedCard,
    Profile,
    Receipt,
    ReplyTarget,
    Shard,
    StorageError,
    turn_of,
)
from bot.plugin.commands import Completion, MenuAction, NativeCommands, opens_form
from bot.plugin.drawing import language_of_app
from bot.plugin.payloads import Unreadable
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.application_commands import SKILL
from bot.plugins.discord_chat.delivery import BegunAnswers, DiscordDelivery
from bot.plugins.discord_chat.files import Files
from bot.plugins.discord_chat.frames import plain_places
from bot.plugins.discord_chat.history import DiscordArchive
from bot.plugins.discord_chat.intake import PLATFORM, Intake, conversation_of
from bot.plugins.discord_chat.interactions import ChosenMessages, choices, modal
from bot.plugins.discord_chat.leftovers import Leftovers
from bot.plugins.discord_chat.live import DiscordLive, DiscordStage
from bot.plugins.discord_chat.names import Root
from bot.plugins.discord_chat.places import REMEMBERED, Places
from bot.plugins.discord_chat.rates import Login, Pace, Rates
from bot.plugins.discord_chat.readers import DiscordReaders
from bot.plugins.discord_chat.registration import CommandRegistration, OnlyBuiltIn
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.seen import (
    Answer,
    Line,
    SeenClick,
    SeenCommand,
    SeenDeletion,
    SeenMessage,
    SeenPlace,
    SeenReaction,
    SeenTyping,
)
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.discord_chat.starters import Starters
from bot.plugins.discord_chat.surfaces import DiscordEvents, DiscordForums, DiscordPolls
from bot.plugins.discord_chat.words import NOT_RECORDED

log = logging.getLogger(__name__)

MOST_SERVERS = 10
"""The most servers that are searched for a person's names."""
_TURNS = 500
"""Far more than the turns that run at a time: only those have drafts."""


class DiscordChat:
    """Implements `domain.chat.ChatAdapter` with discord.py.

    Unaddressed messages are for the assistant in threads that it started, in those where this
    process was addressed or has answered, and in those that `followed` of the services knows from
    earlier. Their `drafts` store posts that could not be deleted yet, and their line says for which
    servers this connection is.
    """

    def __init__(
        self,
        settings: DiscordSettings,
        token: str,
        services: ChatServices,
        pace: Pace | None = None,
    ) -> None:
        clock, drafts = services.clock, services.drafts
        self._settings = settings
        self._token = token
        self._clock = clock
        self._followed = services.followed
        self._pace = pace or Pace(calls_per_s=settings.calls_per_s)
        self._login = Login(Shard.of_line(services.line), services.logins)
        self._rates = Rates(clock, self._pace)
        self._plain = plain_places(clock)
        self._accept: Accept | None = None
        self._line: Line | None = None
        self._heard = clock.monotonic()
        """When the gateway last spoke, as of the last check; when `run` began until then."""
        self._takes_part: Recent[str, bool] = Recent(REMEMBERED)
        self._chosen = ChosenMessages()
        self._drafts: Recent[str, int] = Recent(_TURNS)
        """By turn: the number of its drafts."""
        self._places = Places(self._rest)
        self._leftovers = Leftovers(drafts, self._rest, clock)
        begun = BegunAnswers(drafts, clock)
        self._delivery = DiscordDelivery(
            self._rest, self._places, clock, services.read_blob, self._leftovers, begun
        )
        self._files = Files(self._rest)
        self.readers = DiscordReaders(self._rest, clock, search=settings.search)
        """Implements domain.chat.HasReaders."""
        self.polls = DiscordPolls(self._rest, self.readers)
        """Implements domain.polls.HasPolls."""
        self.forums = DiscordForums(self._rest, self.readers)
        """Implements domain.forums.HasForums."""
        self.server_events = DiscordEvents(self._rest, self.readers)
        """Implements domain.server_events.HasServerEvents."""
        self._stage = DiscordStage(
            self._quick_rest, self._places, clock, self._pace, self._leftovers
        )
        self._intake = Intake(
            settings, self._follows, self._places.root_of, Starters(self._rest).of
        )
        self._native: NativeCommands | None = None
        self._registration = CommandRegistration(settings, self._rest, OnlyBuiltIn(), clock)
        archive = DiscordArchive(self._rest, self._take_late, self._take_change)
        self.unreadable = Unreadable(PLATFORM)
        """The number of unreadable items from Discord over the life of the process."""
        line = services.line or PLATFORM
        self._catch_up = CatchUp(line, archive, services.recovery, clock, self.unreadable)
        self._catching_up: asyncio.Task[None] | None = None

    @property
    def platform(self) -> str:
        return PLATFORM

    @property
    def connected(self) -> bool:
        """Whether a client is logged in now."""
        return self._line is not None

    async def run(self, accept: Accept) -> None:
        """Serve with a fresh client until it ends.

        Raises SettingsError or DeliveryError with the reason.
        """

        def load_client():  # noqa: ANN202 - `serve`, with its own types
            from bot.plugins.discord_chat.client import serve  # noqa: PLC0415 - discord.py takes half a second to import

            return serve

        self._accept = accept
        self._heard = self._clock.monotonic()
        serve = await asyncio.to_thread(load_client)
        try:
            await serve(self._settings, self._token, self, self._pace, self.unreadable, self._login)
        finally:
            self._line = None
            self._catch_up.stop()
            self._registration.stop()
            self._leftovers.stop()
            if self._catching_up is not None:
                self._catching_up.cancel()

    def offer(self, native: NativeCommands) -> None:
        """Implements domain.native_commands.NativePlatform; without it only built-ins exist."""
        self._native = native
        self._registration = CommandRegistration(self._settings, self._rest, native, self._clock)

    def last_frame(self) -> float | None:
        """Implements domain.chat.Alive: heartbeat answers come every 41 seconds on a quiet day."""
        now = self._clock.monotonic()
        silence = self._line.silence() if self._line is not None else None
        if silence is not None:
            self._heard = now - silence
        return now - self._heard

    # --- ChatAdapter: outgoing ---

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        shown = live if isinstance(live, DiscordLive) else None
        receipt = await self._delivery.send(message, key, shown)
        turn = turn_of(key)
        above = None if shown else self._stage.open.get(turn)
        if above is not None and await above.move_down(receipt):
            self._drafts[turn] = (self._drafts.get(turn) or 0) + 1
        self._takes_part[message.target.conversation.key] = True
        return receipt

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        return await self._delivery.find_sent(target, key)

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        """Implements domain.chat.Shows."""
        return await self._rest().is_there(receipt.conversation, receipt.message_ids[-1])

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """Implements domain.chat.KnowsMembers. A direct message has one person, and no roles."""
        if not there.has_workspace:
            return PlatformPerson(person, person)
        seen = await self._rest().member(there.workspace, person)
        return None if seen is None else seen.person

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """Implements domain.people.KnowsProfiles: names from the first server that has them."""
        servers = (
            [place.workspace] if place.workspace else self._connected_line().guilds()[:MOST_SERVERS]
        )
        for server in servers:
            seen = await self._rest().member(server, person.id)
            if seen is not None:
                who = seen.person
                return None if who.is_bot else Profile(who.name, seen.other_names)
        return None

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        number = self._drafts.get(turn) or 0
        self._drafts[turn] = number + 1
        return DiscordLive(self._stage, target, turn, number, key or turn)

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """Raises DeliveryError when the file is gone or has more than 25 MB."""
        return self._files.fetch(attachment)

    def skipped(self) -> int:
        """Implements domain.chat.Skips."""
        return self.unreadable.count

    async def close_card(self, card: PostedCard, line: str) -> None:
        await self._delivery.close_card(card, line)

    def _rest(self) -> DiscordRest:
        return self._rest_on(self._connected_line(), self._pace.retry)

    def _quick_rest(self) -> DiscordRest:
        return self._rest_on(self._connected_line())

    def _rest_on(self, line: Line, waits: tuple[float, ...] = ()) -> DiscordRest:
        return DiscordRest(line, self._clock, self._rates, self._plain, waits)

    def _connected_line(self) -> Line:
        if self._line is None:
            raise DeliveryError("Discord is not connected now", retryable=True)
        return self._line

    # --- Events: incoming ---

    async def logged_in(self, line: Line) -> None:
        self._line = line
        self._registration.start(for_all=self._login.is_first)
        self._leftovers.start()

    async def lost(self) -> None:
        """Missed messages are heard before current ones."""
        self._catch_up.lost()

    def moved(self, joined: str = "") -> None:
        if self._line is not None:
            self._registration.serve_guilds(self._line.guilds(), joined)

    async def listed(self) -> None:
        self.moved()
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._catching_up = asyncio.create_task(self._catch_up.run())

    async def message(self, channel: str, read: Callable[[], Awaitable[SeenMessage]]) -> None:
        async with self._catch_up.in_order(channel):
            seen = await read()
            if (
                seen.place.parent is not None
            ):  # a thread's root message belongs to the thread's conversation
                async with self._catch_up.before(seen.place.parent):
                    pass
            await self._take(seen, clear=await self._catch_up.is_clear(channel))

    async def _take_late(self, seen: SeenMessage, late: bool) -> bool:
        try:
            return await self._take(seen, clear=True, late=late, again=True)
        except DeliveryError as error:
            log.warning("message=<%s>, error=<%s> | can't be read now", seen.id, error)
            return False

    async def _take(
        self, seen: SeenMessage, *, clear: bool, late: bool = False, again: bool = False
    ) -> bool:
        """False: it could not be recorded. `again`: in that case it will be read once more."""
        message = await self._intake.read(seen)
        if message is None:
            return True
        self._files.know(message.attachments, seen.files)
        message = replace(message, heard=message.heard if clear else None, missed=late)
        if await self._deliver(message, again=again) is None:
            return False
        if message.addressed is not Addressed.NONE:
            self._takes_part[conversation_of(seen.place).key] = True
        return True

    async def edited(self, channel: str, read: Callable[[], Awaitable[SeenMessage]]) -> None:
        async with self._catch_up.before(channel):
            await self._edited(await read())

    async def deleted(self, channel: str, read: Callable[[], Awaitable[SeenDeletion]]) -> None:
        async with self._catch_up.before(channel):
            await self._deleted(await read())

    async def reacted(self, channel: str, read: Callable[[], Awaitable[SeenReaction]]) -> None:
        async with self._catch_up.before(channel):
            message = self._intake.reaction(await read(), self._clock.now())
            if message is not None:
                await self._deliver(message)

    async def _take_change(self, seen: SeenMessage | SeenDeletion) -> bool:
        """A change to a message while nobody listened. False: it could not be recorded."""
        return await (self._deleted(seen) if isinstance(seen, SeenDeletion) else self._edited(seen))

    async def _edited(self, seen: SeenMessage) -> bool:
        message = await self._intake.edited(seen)
        if message is None:
            return True
        self._files.know(message.attachments, seen.files)
        acceptance = await self._deliver(message)
        if acceptance is Acceptance.TURN:
            self._takes_part[conversation_of(seen.place).key] = True
        return acceptance is not None

    async def _deleted(self, seen: SeenDeletion) -> bool:
        message = self._intake.deleted(seen, self._clock.now())
        return message is None or await self._deliver(message) is not None

    def asks(self, seen: SeenCommand) -> Answer | None:
        if self._native is None or self._is_off(seen.place):
            return None
        if seen.menu is MenuAction.ASK and seen.target is not None:
            return self._chosen.form(seen)
        language = language_of_app(seen.locale)
        form = opens_form(seen.name, seen.args, language)
        filled = {"name": seen.args.strip().partition(" ")[2].strip()}
        return None if form is None else modal(form, filled)

    def _is_off(self, place: SeenPlace) -> bool:
        return self._settings.place(place.guild, place.channel, place.parent).answer == "off"

    async def complete(self, seen: SeenTyping) -> Answer:
        if self._native is None or self._is_off(seen.place):
            return choices(())
        asked = (seen.person, conversation_of(seen.place))
        try:
            if seen.name != SKILL:
                return choices(await self._native.offers(*asked, seen.name, seen.typed))
            skills = await self._native.complete(*asked, seen.typed, seen.locale)
            return choices(
                [Completion(f"{one.name}: {one.description}", one.name) for one in skills]
            )
        except StorageError as error:
            log.warning("interaction=<%s>, error=<%s> | no completions", seen.id, error)
            return choices(())

    async def command(self, seen: SeenCommand) -> None:
        if seen.token is not None:
            self._delivery.deferred(seen.token)
        seen = self._chosen.completed(seen)
        message = self._intake.command(seen)
        if message is not None and seen.target is not None:
            for quote in message.quoted:
                self._files.know(quote.attachments, seen.target.attached)
        await self._settle(seen, message)

    async def click(self, seen: SeenClick) -> None:
        if seen.token is not None and seen.own_response:
            self._delivery.deferred(seen.token)
        await self._settle(seen, await self._intake.click(seen))

    async def _settle(self, seen: SeenCommand | SeenClick, message: IncomingMessage | None) -> None:
        """Accept a native interaction, and end its waiting state if it gets no answer."""
        decided: Acceptance | None = Acceptance.IGNORED
        if message is not None:
            self._files.know(message.attachments, seen.files)
            decided = await self._deliver(message)
        if decided is not Acceptance.IGNORED or seen.token is None:
            return
        if isinstance(seen, SeenClick) and not seen.own_response:
            return
        try:
            await self._rest().delete_response(seen.token)
        except DeliveryError as error:
            log.debug(
                "interaction=<%s>, error=<%s> | its waiting mark could not be removed",
                seen.id,
                error,
            )

    async def _deliver(self, message: IncomingMessage, *, again: bool = False) -> Acceptance | None:
        """Accept, with a retry when recording failed.

        None: not recorded, and its sender is told so unless `again`.
        """
        if self._accept is None:
            return None
        for wait in (*self._pace.accept_retry, None):
            try:
                return await self._accept(message)
            except StorageError as error:
                log.warning("message=<%s>, error=<%s> | could not be recorded", message.key, error)
                if wait is not None:
                    await self._clock.sleep(wait)
        log.error("message=<%s> | was not accepted", message.key)
        if message.addressed is not Addressed.NONE and not again:
            await self._apologise(message)
        return None

    async def _apologise(self, message: IncomingMessage) -> None:
        """Everybody who spoke to the assistant gets a reply."""
        target = message.reply_to
        if target.start_thread_from is not None:  # no thread for this
            root = Root.parse(target.start_thread_from)
            here = replace(message.conversation, id=root.channel, place=Place.CHANNEL)
            target = ReplyTarget(here, message=target.message)
        language = language_of_app(message.locale)
        told = OutgoingMessage(target, NOT_RECORDED.said(language), language=language)
        try:
            await self._delivery.send(told, f"{message.key}/not-recorded", None)
        except DeliveryError as error:
            log.warning(
                "message=<%s>, error=<%s> | its sender could not be told", message.key, error
            )

    async def _follows(self, conversation: str) -> bool:
        return bool(self._takes_part.get(conversation)) or await self._followed(conversation)
