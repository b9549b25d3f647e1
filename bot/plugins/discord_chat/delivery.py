"""Sends: each is one visible thing, whatever breaks on the way (docs/rules.md#sends)."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.plugin.chat import (
    ANSWER,
    DeliveryError,
    OpenDraft,
    OpenDrafts,
    OutgoingMessage,
    PostedCard,
    ReadBlob,
    Receipt,
    ReplyTarget,
    StorageError,
    sibling_key,
    turn_of,
    without_end,
)
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.components import draft_turn
from bot.plugins.discord_chat.frames import LOADING, words_of_message
from bot.plugins.discord_chat.history import moment_of
from bot.plugins.discord_chat.leftovers import Leftovers
from bot.plugins.discord_chat.live import DiscordLive, VisibleDraft
from bot.plugins.discord_chat.names import DRAFTS, ReplyToken, Root, draft_nonce, nonce
from bot.plugins.discord_chat.pieces import posts_of, with_line
from bot.plugins.discord_chat.places import REMEMBERED, Destination, Places
from bot.plugins.discord_chat.rest import DiscordRest, Post
from bot.plugins.discord_chat.seen import CallRefused

log = logging.getLogger(__name__)

RECORD = "discord answers"
"""Their place among the open drafts."""
_USELESS = timedelta(minutes=15)
"""After this time an interaction accepts no further messages."""


class BegunAnswers:
    """By the key of a send: its shown messages, while others are still missing.

    Kept across crashes.
    """

    def __init__(self, drafts: OpenDrafts, clock: Clock) -> None:
        self._drafts = drafts
        self._clock = clock
        self._begun: Recent[str, tuple[str, ...]] = Recent(REMEMBERED)

    def get(self, key: str) -> tuple[str, ...]:
        return self._begun.get(key) or ()

    async def put(self, key: str, shown: tuple[str, ...], channel: str, *, more: bool) -> None:
        """These messages are shown; with `more`, others follow."""
        self._begun[key] = shown
        if more:
            try:
                await self._drafts.note(RECORD, OpenDraft(key, channel, "", "", ",".join(shown)))
            except StorageError as error:
                log.warning("send=<%s>, error=<%s> | a crash would lose the rest of it", key, error)

    async def end(self, key: str) -> None:
        """The whole answer is shown."""
        shown = self._begun.pop(key, None) or ()
        if len(shown) > 1:
            await self._forget(key)

    async def recall(self, key: str) -> None:
        """Load the messages that an earlier process had shown.

        Answers that are too old to continue are forgotten.
        """
        if self.get(key):
            return
        try:
            left = await self._drafts.left(RECORD)
        except StorageError as error:
            log.warning(
                "send=<%s>, error=<%s> | can't find out how much of it is shown", key, error
            )
            return
        for one in left:
            shown = tuple(one.message.split(","))
            if self._clock.now() - moment_of(shown[0]) > _USELESS:
                await self._forget(one.id)
            elif one.id == key:
                self._begun[key] = shown

    async def _forget(self, key: str) -> None:
        try:
            await self._drafts.forget(RECORD, key)
        except StorageError as error:
            log.info("send=<%s>, error=<%s> | stays on record for a while", key, error)


_TOKEN_MARGIN = timedelta(seconds=20)
_UNKNOWN_CHANNEL = 10003
_INVALID_TOKEN = frozenset({401, 404})
_PIECES = 20
"""The most posts of one answer."""
_NOT_EDITED = frozenset({400, 403, 404})
"""Deleted, in a closed thread, or now out of reach: a new message may still succeed."""


@dataclass(frozen=True)
class Own:
    """A message of ours, read later."""

    channel: str
    id: str
    content: str
    reply_to: str | None


@dataclass
class DiscordDelivery:
    """Posts, finalises drafts, answers interactions, and finds what was sent before a crash."""

    rest: Callable[[], DiscordRest]
    places: Places
    clock: Clock
    read_blob: ReadBlob
    left_behind: Leftovers
    begun: BegunAnswers
    _filled: Recent[str, str] = field(default_factory=lambda: Recent(REMEMBERED), repr=False)
    """By interaction token: the send that has filled its response; empty while nothing has."""
    _leftovers: Recent[str, VisibleDraft] = field(default_factory=lambda: Recent(REMEMBERED))
    """By the key of a send: the draft that a crashed process left."""
    _unclear: Recent[str, tuple[Own, ...]] = field(default_factory=lambda: Recent(REMEMBERED))
    """Our posts that are or may be parts of a retried send, by its key."""

    def deferred(self, token: str) -> None:
        """A response was announced to this interaction and has no content yet."""
        if self._filled.get(token) is None:
            self._filled[token] = ""

    async def send(self, message: OutgoingMessage, key: str, live: DiscordLive | None) -> Receipt:
        """Raises DeliveryError."""
        draft = await live.take() if live is not None else None
        try:
            receipt = await self._through_interaction(message, key)
            if receipt is not None:
                return receipt
            draft = draft or self._leftovers.pop(key, None)
            if draft is None and live is not None:  # an apology replaces the answer
                draft = self._leftovers.pop(sibling_key(key, ANSWER), None)
            try:
                return await self._post(message, key, live, draft)
            except CallRefused as error:
                if error.code != _UNKNOWN_CHANNEL or not self.places.thread_is_gone(message.target):
                    raise
                log.info("send=<%s> | the thread was deleted, replying in its channel", key)
                return await self._post(message, key, live, None)
        except DeliveryError:
            if live is not None:
                live.give_back(draft)
            raise

    async def _post(
        self,
        message: OutgoingMessage,
        key: str,
        live: DiscordLive | None,
        draft: VisibleDraft | None,
    ) -> Receipt:
        there = await self._destination(message.target)
        posts = await posts_of(message, self.read_blob, there.reply_to)
        known = self._unclear.pop(key, None) or ()
        done = _same(posts, known, there.channel)
        if len(done) < len(posts):
            ids = await self._finalise(draft, posts, key, known) if not done else []
            if ids and draft is not None:
                return self._receipt(message.target, draft.channel, ids)
            # A known draft that was refused must not be found again by its nonce.
            done += await self._post_all(
                there.channel, posts, key, live if draft is None else None, done
            )
            if draft is not None:
                await self.left_behind.remove(draft.channel, draft.message)
        return self._receipt(message.target, there.channel, done)

    async def _destination(self, target: ReplyTarget) -> Destination:
        if target.ephemeral_to is not None:  # the interaction is over: only its person may see this
            return Destination(await self.rest().open_dm(target.ephemeral_to))
        return await self.places.destination(target)

    async def _post_all(
        self,
        channel: str,
        posts: list[Post],
        key: str,
        live: DiscordLive | None,
        done: Sequence[str] = (),
    ) -> list[str]:
        ids: list[str] = []
        for number, post in enumerate(posts[len(done) :], start=len(done) + 1):
            # The last piece has the key's own nonce: if it exists, all pieces do.
            own = nonce(key) if number == len(posts) else nonce(f"{key}#{number}")
            if live is not None and len(posts) == 1:
                own = live.nonce
            made = await self.rest().post(channel, post, own)
            if (
                draft_turn(objects_in(made, "components")) is not None
            ):  # from an earlier, crashed process of this turn
                await self.left_behind.keep(str(made["id"]))
                await self.rest().edit(channel, str(made["id"]), post)
            ids.append(str(made["id"]))
        return ids

    async def _finalise(
        self, draft: VisibleDraft | None, posts: list[Post], key: str, known: Sequence[Own]
    ) -> list[str]:
        """Turn a draft into the answer; nothing without a draft, or if it can't be edited."""
        if draft is None:
            return []
        rest = self.rest()
        await self.left_behind.keep(draft.message)
        ids = [draft.message, *_same(posts[1:], known, draft.channel)]
        for number, post in enumerate(posts[len(ids) :], start=len(ids) + 1):
            made = await rest.post(draft.channel, post, nonce(f"{key}+{number}"))
            ids.append(str(made["id"]))
        try:
            # Last of all: a draft without its Stop button means that the whole answer is there.
            await rest.edit(draft.channel, draft.message, posts[0])
        except CallRefused as error:
            if error.status not in _NOT_EDITED:
                raise
            log.info(
                "send=<%s>, error=<%s> | the draft can't become the answer, which is posted anew",
                key,
                error,
            )
            for piece in ids[1:]:  # the continuation must not stand before the beginning
                await self.left_behind.remove(draft.channel, piece)
            return []
        return ids

    # --- interactions ---

    async def _through_interaction(self, message: OutgoingMessage, key: str) -> Receipt | None:
        """Answer a command or click by its token; None without a token that is still valid."""
        token = self._valid_token(message.target)
        if token is None:
            return None
        posts = await posts_of(message, self.read_blob, None)
        channel = message.target.conversation.id
        done: tuple[str, ...] = ()
        try:
            while len(done := self.begun.get(key)) < len(posts):
                shown = await self._show(token, key, posts[len(done)], channel, first=not done)
                await self.begun.put(key, (*done, shown), channel, more=len(done) + 1 < len(posts))
        except CallRefused as error:
            if error.status not in _INVALID_TOKEN:
                raise
            log.info("send=<%s>, error=<%s> | the interaction is over", key, error)
            if not done or message.target.ephemeral_to is None:
                return None
            channel = await self.rest().open_dm(message.target.ephemeral_to)
            done += tuple(await self._post_all(channel, posts, key, None, done))
        await self.begun.end(key)
        return self._receipt(message.target, channel, list(done))

    async def _show(
        self, token: ReplyToken, key: str, post: Post, place: str, *, first: bool
    ) -> str:
        """One more message of a private answer; the first one fills the waiting response."""
        if first and token.own_response and await self._is_open(token.token, key):
            made = await self.rest().fill_response(token.token, post, place)
            self._filled[token.token] = key
        else:
            made = await self.rest().follow_up(token.token, post, place)
        return str(made["id"])

    async def _is_open(self, token: str, key: str) -> bool:
        known = self._filled.get(token)
        if known is not None:
            return known in {"", key}
        return bool(number_in(await self.rest().response(token), "flags") & LOADING)

    def _valid_token(self, target: ReplyTarget) -> ReplyToken | None:
        interaction = target.interaction
        if interaction is None or self.clock.now() >= interaction.expires_at - _TOKEN_MARGIN:
            return None
        return ReplyToken.parse(interaction.token)

    # --- closed cards ---

    async def close_card(self, card: PostedCard, line: str) -> None:
        """See domain.chat.ChatAdapter."""
        if not card.receipt.message_ids:
            raise DeliveryError("the card can't be found")
        last = (await posts_of(replace(card.message, files=()), self.read_blob, None))[-1]
        text = without_end(last.content, card.message.while_open)
        post = Post(with_line(text, line), framed=last.framed and not card.message.files)
        target, channel = card.message.target, card.receipt.conversation
        try:
            if target.ephemeral_to is None or channel != target.conversation.id:
                await self.rest().edit(channel, card.receipt.message_ids[-1], post)
            else:
                await self._edit_for_one(target, card.receipt.message_ids[-1], post)
        except CallRefused as error:
            if error.status in {*_NOT_EDITED, 401}:
                raise DeliveryError(f"Discord does not let the card be edited: {error}") from error
            raise

    async def _edit_for_one(self, target: ReplyTarget, message: str, post: Post) -> None:
        """A private message can be edited only through its interaction, while that lasts."""
        token = self._valid_token(target)
        if token is None:
            raise DeliveryError("the interaction that could edit the card is over")
        rest, place = self.rest(), target.conversation.id
        if token.own_response and str((await rest.response(token.token))["id"]) == message:
            await rest.fill_response(token.token, post, place)
        else:
            await rest.edit_follow_up(token.token, message, post, place)

    # --- after a crash ---

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """Whether a send was done, by its nonce in the channel's history.

        Raises DeliveryError when unknown.
        """
        token = self._valid_token(target)
        if token is not None:
            await self.begun.recall(key)
            return await self._find_response(target, token, key)
        return await self._find_post(target, key)

    async def _find_response(
        self, target: ReplyTarget, token: ReplyToken, key: str
    ) -> Receipt | None:
        if (
            not token.own_response
            or self.begun.get(key)
            or self._filled.get(token.token) not in {None, "", key}
        ):
            return (
                None  # ephemeral follow-ups cannot be looked up; a second one is better than none
            )
        try:
            found = await self.rest().response(token.token)
        except CallRefused as error:
            if error.status in _INVALID_TOKEN:
                return None
            raise
        if number_in(found, "flags") & LOADING:
            return None
        return self._receipt(target, target.conversation.id, [str(found["id"])])

    async def _find_post(self, target: ReplyTarget, key: str) -> Receipt | None:
        turn = turn_of(key)
        wanted = {nonce(key), *(draft_nonce(key, number) for number in range(DRAFTS))}
        pieces = {
            None,
            *(nonce(f"{key}{mark}{number}") for mark in "#+" for number in range(1, _PIECES + 1)),
        }
        unclear: list[Own] = []
        async for channel, found in self._own_posts(target):
            drafted = draft_turn(objects_in(found, "components"))
            if drafted == turn:
                self._leftovers[key] = VisibleDraft(channel, str(found["id"]))
            elif drafted is None and found.get("nonce") in wanted:
                leftover = self._leftovers.pop(key, None)
                if leftover is not None:  # the answer there is complete without it
                    await self.left_behind.remove(leftover.channel, leftover.message)
                return self._receipt(
                    target, channel, [str(found["id"])], moment_of(str(found["id"]))
                )
            elif drafted is None and found.get("nonce") in pieces:
                unclear.append(_own(channel, found))
        self._unclear[key] = tuple(unclear)
        return None

    async def _own_posts(self, target: ReplyTarget) -> AsyncIterator[tuple[str, JsonObject]]:
        rest = self.rest()
        for channel in await self._channels(target):
            try:
                async for found in rest.after(channel, target.message):
                    if text_in(object_in(found, "author"), "id") == rest.line.bot:
                        yield channel, found
            except CallRefused as error:
                if error.status not in {403, 404}:
                    raise
                # If the message is missing, nothing was sent. If the channel can't be read, a
                # second message is better than none.
                why = (
                    "can't be read; allow Bellhop to read the message history"
                    if error.status == 403
                    else "is gone"
                )
                log.info("channel=<%s>, error=<%s> | %s", channel, error, why)

    async def _channels(self, target: ReplyTarget) -> list[str]:
        if target.ephemeral_to is not None:
            return [await self.rest().open_dm(target.ephemeral_to)]
        if target.start_thread_from is None:
            return [target.conversation.id]
        root = Root.parse(target.start_thread_from)
        return [root.message, root.channel]

    def _receipt(
        self, target: ReplyTarget, channel: str, ids: list[str], at: datetime | None = None
    ) -> Receipt:
        if target.start_thread_from is not None and channel != target.conversation.id:
            for id_ in ids:
                self.places.belongs(id_, target.conversation.id)
        # By Discord's clock, as the messages of people.
        shown = moment_of(ids[-1]) if ids else self.clock.now()
        return Receipt(tuple(ids), channel, sent_at=at or shown)


def _own(channel: str, found: JsonObject) -> Own:
    replied = text_in(object_in(found, "message_reference"), "message_id") or None
    return Own(channel, str(found["id"]), words_of_message(found).strip(), replied)


def _same(posts: list[Post], known: Sequence[Own], channel: str) -> list[str]:
    """Ids of the leading posts that exist verbatim: Discord keeps a nonce for minutes only."""
    left = [own for own in known if own.channel == channel]
    ids: list[str] = []
    for post in posts:
        text = post.content.strip()
        found = next(
            (own for own in left if own.content == text and own.reply_to == post.reply_to), None
        )
        if found is None or not text:
            break
        left = left[left.index(found) + 1 :]
        ids.append(found.id)
    return ids
