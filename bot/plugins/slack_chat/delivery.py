"""Splits an outgoing message into posts: pieces, buttons, files; notes for one person's eyes."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.plugin.chat import (
    Conversation,
    DeliveryError,
    OutgoingFile,
    OutgoingMessage,
    Place,
    PlatformPerson,
    PostedCard,
    ReadBlob,
    Receipt,
    ReplyTarget,
    StorageError,
    without_end,
)
from bot.plugin.clock import Clock
from bot.plugin.commands import NativeCommands
from bot.plugin.drawing import split_text
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugins.slack_chat.blocks import choice_blocks, line_block, rating_block
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.live import SlackLive
from bot.plugins.slack_chat.markup import FALLBACK_CHARS, escape, hinted, tame, with_commands
from bot.plugins.slack_chat.places import Spot, moment, spot_of
from bot.plugins.slack_chat.posts import FoundPosts, Mark, Posts
from bot.plugins.slack_chat.surfaces.home import SlackHome, is_on_home
from bot.plugins.slack_chat.trouble import (
    SlackRefused,
    SlackTrouble,
    SlackUnsure,
)

log = logging.getLogger(__name__)

MARKDOWN_CHARS = 12_000
"""Slack's budget for the markdown of one message, blocks included."""
_TOO_LONG = {"msg_too_long", "msg_blocks_too_long"}
_SHORTEST = 400
"""A post with fewer characters is not too long, whatever Slack says."""
_NOT_THERE = {"not_in_channel", "channel_not_found", "user_not_in_channel", "is_archived"}


@dataclass(frozen=True)
class _Part:
    text: str
    blocks: list[JsonObject]

    def arguments(self) -> dict[str, Any]:
        if not self.blocks:
            return {"markdown_text": self.text}
        shown = [{"type": "markdown", "text": self.text}] if self.text else []
        return {"text": escape(self.text[:FALLBACK_CHARS]) or "…", "blocks": [*shown, *self.blocks]}


@dataclass
class SlackDelivery:
    """Sends, and finds what was sent."""

    connection: SlackConnection
    posts: Posts
    clock: Clock
    read_blob: ReadBlob
    recipient: Callable[[Spot], Awaitable[str | None]]
    home: SlackHome
    thumbs: bool = field(default=False, kw_only=True)
    _half_done: dict[str, FoundPosts] = field(default_factory=dict[str, FoundPosts])
    """Sends from before a crash with some parts posted, by key, as `find_sent` found them."""
    _dms: dict[str, str] = field(default_factory=dict[str, str])
    native: NativeCommands | None = None
    """Knows the commands: hints that name one are written as Slack takes them."""

    async def send(self, message: OutgoingMessage, key: str, live: SlackLive | None) -> Receipt:
        """Create the missing parts of this send. Raises DeliveryError."""
        if message.choices:  # a card whose call can't be read must not be decided
            lost = [file.name for file in message.files if not await self.read_blob(file.blob)]
            if lost:
                raise DeliveryError(f"no longer stored: {', '.join(lost)}")
        if message.target.ephemeral_to is not None:
            return await self._whisper(message, key, message.target.ephemeral_to)
        spot = await self._spot(message.target)
        asked = await self.recipient(spot) if message.choices and spot.since else None
        rated = message.answers_turn if self.thumbs else ""
        parts = _parts(await self._hinted(message, spot), asked or "", rated)
        done = self._half_done.pop(key, FoundPosts())
        ids: list[str] = []
        names = tuple(file.name for file in message.files)
        for number, part in enumerate(parts):
            if number not in done.parts:
                mark = Mark(key, number, len(parts), names)
                done.parts[number] = await self._put(
                    spot, mark, part, live if number == 0 else None, done
                )
            ids.append(done.parts[number])
        for file in message.files:
            if file.name not in done.files:
                await self._send_file(spot, key, file)
        return Receipt(tuple(ids), _kept_in(message.target, spot), sent_at=moment(ids[-1]))

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """The receipt when all parts are there.

        Parts of an unfinished send are remembered for the next `send`.
        """
        if target.ephemeral_to is not None:
            return None
        spot = await self._spot(target)
        found = await self.posts.look(spot, key)
        if not found.complete:
            if found.parts or found.slices:
                self._half_done[key] = found
            return None
        ids = tuple(found.parts[number] for number in sorted(found.parts))
        return Receipt(ids, _kept_in(target, spot), sent_at=moment(ids[-1]))

    async def shows(self, target: ReplyTarget, ts: str) -> bool:
        """Whether a message of ours still exists. Raises DeliveryError when that is unknown."""
        return await self.posts.is_there(await self._spot(target), ts)

    async def close_card(self, card: PostedCard, line: str, click: str | None) -> None:
        """See domain.chat.ChatAdapter.

        `click`: the response_url of a click on a card that only one person sees.
        """
        spot = spot_of(card.message.target)
        shown = await self._hinted(
            card.message, Spot(spot.channel) if card.message.target.ephemeral_to else spot
        )
        parts = _parts(replace(shown, choices=()), "")
        text = without_end(parts[-1].text, tame(shown.while_open))
        over = _Part(text, [line_block(line)]).arguments()
        if card.receipt.message_ids:
            names = tuple(file.name for file in card.message.files)
            mark = Mark(card.key, len(parts) - 1, len(parts), names)
            channel, ts = await self._where(card), card.receipt.message_ids[-1]
            await self.posts.call(
                "chat.update", channel=channel, ts=ts, metadata=mark.as_metadata(), **over
            )
        elif click is not None:
            await self.connection.respond(click, {"replace_original": True, **over})
        else:
            raise DeliveryError("a card for one person alone can't be edited")

    async def _where(self, card: PostedCard) -> str:
        target = card.message.target
        return (
            card.receipt.conversation if target.ephemeral_to else (await self._spot(target)).channel
        )

    async def _hinted(self, message: OutgoingMessage, spot: Spot) -> OutgoingMessage:
        """Name skill commands that the reader has; other people's names stay hidden."""
        if self.native is None or not (said := hinted(message.text)):
            return message
        names = {name for name in said if name in self.native.built_in}
        if others := [name for name in said if name not in names]:
            reader = message.target.ephemeral_to or await self._asker(spot) or ""
            names |= await self._skills(
                others, PlatformPerson(reader, ""), message.target.conversation
            )
        text, how = (
            with_commands(one, frozenset(names), in_thread=spot.thread is not None)
            for one in (message.text, message.while_open)
        )
        return replace(message, text=text, while_open=how)

    async def _asker(self, spot: Spot) -> str | None:
        try:
            return await self.recipient(spot)
        except SlackTrouble:  # a hint is not worth a failed send
            return None

    async def _skills(
        self, names: Sequence[str], reader: PlatformPerson, place: Conversation
    ) -> set[str]:
        if self.native is None:
            return set()
        try:
            return {name for name in names if await self.native.knows(reader, place, name)}
        except StorageError as error:
            log.warning(
                "error=<%s> | hints of skills' commands are shown with a slash alone", error
            )
            return set()

    # --- posts ---

    async def _put(
        self, spot: Spot, mark: Mark, part: _Part, live: SlackLive | None, done: FoundPosts
    ) -> str:
        """Post one part; `done` has its existing slices, and receives the newly posted ones."""

        async def attempt() -> str:
            if live is not None and not _is_begun(mark, done):
                finished = await live.finish(part.text, part.blocks, mark.as_metadata())
                if finished is not None:
                    return finished
            try:
                return await self._post(spot, part, mark, done)
            except SlackRefused as refused:
                if refused.error != "thread_not_found":
                    raise
                # the message it answers was deleted
                return await self._post(Spot(spot.channel), part, mark, done)

        ts = await self.posts.put(spot, mark, attempt, done)
        if live is not None:
            live.keep(ts)
        return ts

    async def _post(
        self, spot: Spot, part: _Part, mark: Mark, done: FoundPosts, path: str = ""
    ) -> str:
        """One post, or slices if Slack finds it too long; the last has the mark and buttons.

        Existing slices are not posted again. `path` is the position among all slices.
        """
        if not _is_begun(mark, done, path):
            try:
                return await self._post_whole(spot, part, mark.as_metadata())
            except SlackRefused as refused:
                if refused.error not in _TOO_LONG or len(part.text) < _SHORTEST:
                    raise
                log.info("channel=<%s>, refused=<%s> | split", spot.channel, refused)
        *first, last = split_text(part.text, len(part.text) // 2 + 1)
        for number, text in enumerate(first):
            own = replace(mark, slice=f"{path}{number}.")
            if (own.part, own.slice) not in done.slices:
                ts = await self._post(spot, _Part(text, []), own, done, own.slice)
                done.slices[own.part, own.slice] = ts
        rest = _Part(last, part.blocks)
        return await self._post(spot, rest, mark, done, f"{path}{len(first)}.")

    async def _post_whole(self, spot: Spot, part: _Part, metadata: JsonObject) -> str:
        thread = {"thread_ts": spot.thread} if spot.thread else {}
        answer = await self.connection.call(
            "chat.postMessage",
            channel=spot.channel,
            metadata=metadata,
            unfurl_links=False,
            unfurl_media=False,
            **thread,
            **part.arguments(),
        )
        if not text_in(answer, "ts"):
            raise SlackUnsure("chat.postMessage", "an answer without a timestamp")
        return text_in(answer, "ts")

    async def _spot(self, target: ReplyTarget) -> Spot:
        """The target channel; a conversation that is a person means their direct messages."""
        spot = spot_of(target)
        if not spot.channel.startswith(("U", "W")):
            return spot
        return Spot(await self.direct(spot.channel))

    async def direct(self, user: str) -> str:
        """The channel of a person's direct messages. Raises DeliveryError."""
        if user not in self._dms:
            opened = await self.posts.call("conversations.open", users=user)
            channel = text_in(object_in(opened, "channel"), "id")
            if not channel:
                raise SlackUnsure("conversations.open", "an answer without a channel")
            self._dms[user] = channel
        return self._dms[user]

    # --- files ---

    async def _send_file(self, spot: Spot, key: str, file: OutgoingFile) -> None:
        data = await self.read_blob(file.blob)
        if not data:
            log.warning(
                "key=<%s>, file=<%s> | the file is empty, so it is not sent",
                key,
                file.name,
            )
            return

        async def attempt() -> str:
            place = await self.connection.call(
                "files.getUploadURLExternal", filename=file.name, length=len(data)
            )
            await self.connection.upload(str(place["upload_url"]), data)
            thread: dict[str, Any] = {"thread_ts": spot.thread} if spot.thread else {}
            files = [{"id": place["file_id"], "title": file.name}]
            await self.connection.call(
                "files.completeUploadExternal", files=files, channel_id=spot.channel, **thread
            )
            return str(place["file_id"])

        async def look() -> str | None:
            return file.name if file.name in (await self.posts.look(spot, key)).files else None

        await self.posts.insist(attempt, look)

    # --- private answers ---

    async def _whisper(self, message: OutgoingMessage, key: str, user: str) -> Receipt:
        """Through the answered command, else as an ephemeral message, else as a DM."""
        spot = spot_of(message.target)
        parts = _parts(await self._hinted(message, Spot(spot.channel)), user)
        where, ids = message.target.conversation.id, list[str]()
        for number, part in enumerate(parts):
            if await self._shown_to(message, part, user):
                continue
            where = await self.direct(user)
            ids.append(
                await self._put(
                    Spot(where), Mark(key, number, len(parts)), part, None, FoundPosts()
                )
            )
        for file in message.files:  # Slack has no ephemeral files
            where = await self.direct(user)
            await self._send_file(Spot(where), key, file)
        return Receipt(tuple(ids), where, sent_at=self.clock.now())

    async def _shown_to(self, message: OutgoingMessage, part: _Part, user: str) -> bool:
        """Show it on the person's page, or where they asked; False: it needs their messages."""
        spot = spot_of(message.target)
        if spot.is_dm and (part.blocks or message.files):
            return False  # what is asked stays there until it is answered
        if is_on_home(message.target):
            return await self.home.show(user, spot.channel, part.text)
        return await self._reply(message.target, part) or await self._ephemeral(spot, user, part)

    async def _reply(self, target: ReplyTarget, part: _Part) -> bool:
        interaction = target.interaction
        if interaction is None or interaction.expires_at <= self.clock.now():
            return False
        body: JsonObject = {
            "response_type": "ephemeral",
            "replace_original": False,
            "text": escape(part.text[:FALLBACK_CHARS]),
            "blocks": [
                *([{"type": "markdown", "text": part.text}] if part.text else []),
                *part.blocks,
            ],
        }
        try:
            await self.connection.respond(interaction.token, body)
        except SlackTrouble as trouble:
            log.info("trouble=<%s> | answering the command in another way", trouble)
            return False
        return True

    async def _ephemeral(self, spot: Spot, user: str, part: _Part) -> bool:
        thread = {"thread_ts": spot.thread} if spot.thread else {}
        try:
            await self.posts.call(
                "chat.postEphemeral", channel=spot.channel, user=user, **thread, **part.arguments()
            )
        except SlackRefused as refused:
            if refused.error in _NOT_THERE:
                return False
            raise
        return True


def _is_begun(mark: Mark, done: FoundPosts, path: str = "") -> bool:
    """Whether a slice of this part exists, as far as it belongs to `path`."""
    return any(part == mark.part and name.startswith(path) for part, name in done.slices)


def _kept_in(target: ReplyTarget, spot: Spot) -> str:
    """The conversation that has the messages: a person's direct messages for the person."""
    there = target.conversation
    return spot.channel if there.place is Place.DM else there.id


def _parts(message: OutgoingMessage, asked: str, rated: str = "") -> Sequence[_Part]:
    """The pieces of a message; its choices, and what rates a turn, stand under the last one.

    Raises DeliveryError for an empty message.
    """
    pieces = split_text(tame(message.text), MARKDOWN_CHARS)
    language = message.language
    blocks = choice_blocks(message.choices, asked, language)
    blocks += [rating_block(rated, language)] if rated else []
    if not pieces:
        pieces = [tame(", ".join(file.name for file in message.files))]
    if not pieces[0] and not blocks:
        raise DeliveryError("an empty message can't be shown on Slack")
    last = len(pieces) - 1
    return [_Part(piece, blocks if number == last else []) for number, piece in enumerate(pieces)]
