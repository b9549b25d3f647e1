"""Discord's polls: posted as a reply to whoever asked, read from messages, ended by a call."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.plugin.chat import Conversation, Place, ReplyTarget
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.surfaces import NewPoll, Poll
from bot.plugins.discord_chat.names import nonce
from bot.plugins.discord_chat.polls import poll_body, poll_in
from bot.plugins.discord_chat.readers import DiscordReaders
from bot.plugins.discord_chat.rest import NO_MENTIONS, DiscordRest, told
from bot.plugins.discord_chat.seen import CallFailed, CallRefused, RestCall

_MESSAGES = "/channels/{channel_id}/messages"
_EXPIRE = "/channels/{channel_id}/polls/{message_id}/expire"


class DiscordPolls:
    """Implements `domain.polls.KnowsPolls`."""

    def __init__(self, rest: Callable[[], DiscordRest], readers: DiscordReaders) -> None:
        self._rest = rest
        self._readers = readers

    async def may_post(self, person: str, place: Conversation) -> bool:
        return place.place is Place.DM or (await self._readers.rights(person, place)).polls

    async def may_end(self, person: str, place: Conversation) -> bool:
        return place.place is not Place.DM and (await self._readers.rights(person, place)).removes

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        with told():
            place = await self._place(target)
            known = await self._posted(place, target.message, poll, key)
            if known is None:
                body: JsonObject = {
                    "poll": poll_body(poll),
                    "allowed_mentions": NO_MENTIONS,
                    "nonce": nonce(key),
                    "enforce_nonce": True,
                }
                if target.message is not None:
                    refer: JsonObject = {"message_id": target.message, "fail_if_not_exists": False}
                    body["message_reference"] = refer
                call = RestCall("POST", _MESSAGES, {"channel_id": place.id}, body)
                known = await self._rest().call(call)
            return self._required(place, known)

    async def _place(self, target: ReplyTarget) -> Conversation:
        there = target.stands_in
        if there.place is Place.DM and target.ephemeral_to is not None:
            return replace(there, id=await self._rest().open_dm(target.ephemeral_to))
        return there

    async def _posted(
        self, place: Conversation, answers: str | None, poll: NewPoll, key: str
    ) -> JsonObject | None:
        """The poll of an earlier try, which a restart may have forgotten.

        Discord itself knows a nonce for minutes only.
        """
        rest, wanted = self._rest(), poll_body(poll)["question"]
        async for found in rest.after(place.id, answers):
            if text_in(object_in(found, "author"), "id") != rest.line.bot:
                continue
            replied = text_in(object_in(found, "message_reference"), "message_id")
            same = object_in(object_in(found, "poll"), "question").get("text") == wanted["text"]
            if found.get("nonce") == nonce(key) or (same and answers and replied == answers):
                return found
        return None

    async def find(self, place: Conversation, message: str) -> Poll | None:
        if not message.isdecimal():
            return None
        with told():
            try:
                found = await self._rest().message(place.id, message)
            except CallRefused as error:
                if error.status == 404:
                    return None
                raise
        return poll_in(place, found, self._rest().line.bot)

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        rest = self._rest()
        with told():
            page = [one async for one in rest.after(place.id, None)]
        polls = [poll_in(place, one, rest.line.bot) for one in reversed(page)]
        return [one for one in polls if one is not None][:most]

    async def end(self, poll: Poll) -> Poll:
        ids = {"channel_id": poll.place.id, "message_id": poll.message}
        with told():
            ended = await self._rest().call(RestCall("POST", _EXPIRE, ids))
            return replace(self._required(poll.place, ended), ended=True)

    def _required(self, place: Conversation, message: JsonObject) -> Poll:
        poll = poll_in(place, message, self._rest().line.bot)
        if poll is None:
            raise CallFailed("Discord's answer has no poll")
        return poll
