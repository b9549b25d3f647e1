"""REST: channels, messages, typing, threads, DMs, members."""

from bot.loopback.discord.bodies import ApiError, invalid, unknown
from bot.loopback.discord.calls import Reply, Request, check, posted_files
from bot.loopback.discord.posts import Posts
from bot.loopback.discord.world import Channel, Message, User
from bot.plugin.models import JsonObject


class ChannelRoutes:
    """The routes for channels and what they contain."""

    def __init__(self, posts: Posts) -> None:
        self._posts = posts
        self._world = posts.world
        self._payloads = posts.payloads
        self.typing: list[int] = []
        """Channels in which the bot was seen typing, in order."""
        self.indexed: set[int] = set()
        """Servers that have a search index."""
        self.refusing_dms: set[int] = set()
        """People who don't accept direct messages."""

    def get_channel(self, request: Request) -> Reply:
        return Reply(self._payloads.channel(self._channel(request)))

    def send(self, request: Request) -> Reply:
        channel = self._channel(request)
        _permit(channel, "send")
        if channel.recipient in self.refusing_dms:
            raise ApiError(403, 50007, "Cannot send messages to this user")
        check(request, new=True)
        if request.body.get("poll"):
            _permit(channel, "polls")
        nonce = request.body.get("nonce")
        if nonce is not None and request.body.get("enforce_nonce"):
            for message in channel.messages.values():
                known = message.nonce == str(nonce) and message.nonce_counts
                if known and message.author is self._world.bot:
                    return Reply(self._payloads.message(message))
        message = self._posts.create(
            channel, self._world.bot, request.body, posted_files(self._world, request)
        )
        return Reply(self._payloads.message(message))

    def change(self, request: Request) -> Reply:
        channel = self._channel(request)
        if not channel.kind.is_thread:
            raise ApiError(400, 50024, "Cannot execute action on this channel type")
        _permit(channel, "manage")
        self._posts.change_thread(channel, request.body)
        return Reply(self._payloads.channel(channel))

    def expire(self, request: Request) -> Reply:
        message = self._message(request)
        if message.author is not self._world.bot:
            raise ApiError(403, 50013, "Missing Permissions")
        self._posts.end_poll(message)
        return Reply(self._payloads.message(message))

    def get_message(self, request: Request) -> Reply:
        message = self._message(request)
        for file in message.files:
            if file.expired:
                file.expired = False
                file.signature += 1
        return Reply(self._payloads.message(message, fresh=False))

    def edit(self, request: Request) -> Reply:
        message = self._message(request)
        if message.author is not self._world.bot:
            raise ApiError(403, 50005, "Cannot edit a message authored by another user")
        check(request, new=False, message=message)
        self._posts.edit(message, request.body, posted_files(self._world, request))
        return Reply(self._payloads.message(message))

    def delete(self, request: Request) -> Reply:
        self._posts.delete(self._message(request))
        return Reply(status=204)

    def history(self, request: Request) -> Reply:
        channel = self._channel(request)
        _permit(channel, "read")
        limit = int(request.query.get("limit", "50"))
        if not 1 <= limit <= 100:
            raise invalid("limit", "int value should be between 1 and 100.", "NUMBER_TYPE_MAX")
        visible = [message for message in channel.messages.values() if message.only_for is None]
        newest_first = sorted(visible, key=lambda message: message.id, reverse=True)
        return Reply(
            [
                self._payloads.message(message, fresh=False)
                for message in _page(newest_first, request, limit)
            ]
        )

    def type(self, request: Request) -> Reply:
        self.typing.append(self._channel(request).id)
        return Reply(status=204)

    def start_thread(self, request: Request) -> Reply:
        message = self._message(request)
        _permit(message.channel, "threads")
        thread = self._posts.start_thread(
            message, str(request.body.get("name") or ""), self._world.bot
        )
        return Reply(self._payloads.channel(thread), 201)

    def open_dm(self, request: Request) -> Reply:
        person = self._user(int(request.body["recipient_id"]))
        return Reply(self._payloads.channel(self._world.dm(person.id)))

    def get_member(self, request: Request) -> Reply:
        guild = self._world.guilds.get(request.id("guild"))
        if guild is None:
            raise ApiError(404, 10004, "Unknown Guild")
        user = self._user(request.id("user"))
        if user.id in guild.left:
            raise unknown("Member")
        member: JsonObject = {
            **self._payloads.member(guild, user),
            "user": self._payloads.user(user),
        }
        return Reply(member)

    def search(self, request: Request) -> Reply:
        """Search what the bot can read; a server's first search finds that no index exists yet."""
        guild = request.id("guild")
        if guild not in self.indexed:
            self.indexed.add(guild)
            return Reply(
                {
                    "message": "Index not yet available. Try again later",
                    "code": 110000,
                    "retry_after": 0,
                },
                202,
            )
        words, limit = (
            request.query["content"].casefold().split(),
            int(request.query.get("limit", "25")),
        )
        found = [
            message
            for message in self._world.all_messages()
            if message.channel.guild is not None
            and message.channel.guild.id == guild
            and message.only_for is None
            if all(word in message.content.casefold() for word in words)
        ]
        shown = [[self._payloads.message(message, fresh=False)] for message in found[::-1][:limit]]
        return Reply(
            {"total_results": len(found), "messages": shown, "doing_deep_historical_index": False}
        )

    def get_thread_member(self, request: Request) -> Reply:
        thread, user = self._channel(request), request.id("user")
        if user not in thread.admits:
            raise unknown("Member")
        joined = "2026-01-01T00:00:00.000000+00:00"
        return Reply(
            {"id": str(thread.id), "user_id": str(user), "join_timestamp": joined, "flags": 1}
        )

    def _channel(self, request: Request) -> Channel:
        channel = self._world.channels.get(request.id("channel"))
        if channel is None:
            raise unknown("Channel")
        if channel.guild is not None and channel.guild.foreign:
            raise ApiError(403, 50001, "Missing Access")
        return channel

    def _message(self, request: Request) -> Message:
        message = self._channel(request).messages.get(request.id("message"))
        if message is None or message.only_for is not None:
            raise unknown("Message")
        return message

    def _user(self, id_: int) -> User:
        if id_ not in self._world.users:
            raise unknown("User")
        return self._world.users[id_]


def _permit(channel: Channel, what: str) -> None:
    place = channel.parent if channel.kind.is_thread and channel.parent else channel
    if what in channel.denied or what in place.denied:
        raise ApiError(403, 50013, "Missing Permissions")


def _page(newest_first: list[Message], request: Request, limit: int) -> list[Message]:
    """Return a page as Discord does: `after` from the oldest, `before` or none from the newest."""
    if "after" in request.query:
        later = [message for message in newest_first if message.id > int(request.query["after"])]
        return later[-limit:]
    if "before" in request.query:
        newest_first = [
            message for message in newest_first if message.id < int(request.query["before"])
        ]
    return newest_first[:limit]
