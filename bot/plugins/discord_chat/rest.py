"""REST calls in Discord's words, with our own retries: same nonce, so that no try is seen twice."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bot.plugin.chat import DeliveryError, PlatformPerson
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, as_objects, object_in, text_in, texts_in
from bot.plugin.recent import Fresh
from bot.plugins.discord_chat.frames import IS_COMPONENTS_V2, frame
from bot.plugins.discord_chat.rates import Rates
from bot.plugins.discord_chat.readable import with_ids
from bot.plugins.discord_chat.seen import (
    CallFailed,
    CallRefused,
    Line,
    RestCall,
    SeenHistory,
    SeenMember,
    Upload,
)

log = logging.getLogger(__name__)

SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
NO_MENTIONS: JsonObject = {"parse": [], "replied_user": False}
PAGE, _PAGES = 100, 3


@dataclass(frozen=True)
class Post:
    """One message to create or change."""

    content: str
    components: tuple[JsonObject, ...] = ()
    files: tuple[Upload, ...] = ()
    reply_to: str | None = None
    framed: bool = False
    """Shown as a card, or as plain text and buttons where Discord refuses that."""

    def body(self, *, flags: int = 0) -> JsonObject:
        body: JsonObject = {"allowed_mentions": NO_MENTIONS}
        if self.framed:
            body |= {"content": None, "flags": flags | IS_COMPONENTS_V2}
            body["components"] = frame(self.content, self.components)
        else:
            body |= {"content": self.content, "flags": flags | SUPPRESS_EMBEDS}
            body["components"] = list(self.components)
        if self.files:
            body["attachments"] = [
                {"id": str(number), "filename": file.name} for number, file in enumerate(self.files)
            ]
        return body


CHANNEL = "/channels/{channel_id}"
MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = "/channels/{channel_id}/messages/{message_id}"
_MEMBER = "/guilds/{guild_id}/members/{user_id}"
_SEARCH = "/guilds/{guild_id}/messages/search"
_MOST_FOUND = 25
_WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
_RESPONSE = f"{_WEBHOOK}/messages/@original"
_COMMANDS = "/applications/{application_id}/commands"
_GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"


@dataclass(frozen=True)
class DiscordRest:
    """Calls through a Line.

    Every method raises CallRefused or CallFailed, after retries where they can help.

    Without `waits` a call is made once, and only if it need not wait for others.
    """

    line: Line
    clock: Clock
    rates: Rates
    plain: Fresh[str, bool]
    """Places where Discord lately refused a frame."""
    waits: tuple[float, ...] = ()

    async def call(self, call: RestCall) -> Any:
        """One call that may safely be repeated."""
        return await self._patiently(
            str(call), lambda: self._once(call, lambda: self.line.call(call))
        )

    async def _once(
        self, call: RestCall, made: Callable[[], Awaitable[Any]], *, background: bool = False
    ) -> Any:
        await self.rates.admit(call, live=not self.waits, background=background)
        try:
            return await made()
        except (CallRefused, CallFailed) as error:
            self.rates.failed(call, error)
            raise

    async def history(
        self, channel: str, after: str, back_to: str = "", *, background: bool = False
    ) -> SeenHistory:
        """Messages of a channel after one, and the current state of those since an earlier one."""
        call = RestCall("GET", MESSAGES, {"channel_id": channel})

        async def attempt() -> SeenHistory:
            return await self._once(
                call,
                lambda: self.line.history(channel, after, back_to or after),
                background=background,
            )

        return await self._patiently("history", attempt)

    async def _patiently(self, name: str, attempt: Callable[[], Awaitable[Any]]) -> Any:
        for wait in self.waits:
            try:
                return await attempt()
            except CallRefused as error:
                if error.status != 503:
                    raise
                log.info(
                    "call=<%s>, wait=<%s> | Discord is not available, trying again", name, wait
                )
            except CallFailed as error:
                if error.retry_after is not None and error.retry_after > wait:
                    raise
                log.info("call=<%s>, error=<%s>, wait=<%s> | trying again", name, error, wait)
            await self.clock.sleep(wait)
        return await attempt()

    async def post(self, channel: str, post: Post, nonce: str) -> JsonObject:
        """The message; a repeated nonce returns the earlier one instead of a second."""
        more: JsonObject = {"nonce": nonce, "enforce_nonce": True}
        if post.reply_to is not None:
            more["message_reference"] = {"message_id": post.reply_to, "fail_if_not_exists": False}
        ids = {"channel_id": channel}
        return await self._shown(
            post,
            channel,
            lambda form: self.call(
                RestCall("POST", MESSAGES, ids, form.body() | more, files=form.files)
            ),
        )

    async def _shown(self, post: Post, place: str, show: Callable[[Post], Awaitable[Any]]) -> Any:
        """Show a card in the form that Discord takes there; where one is refused, in the other.

        A message that is a frame stays one, so a changed one is tried as such in any place.
        """
        if not post.framed:
            return await show(post)
        framed, plain = post, replace(post, framed=False)
        first, second = (plain, framed) if self.plain.get(place) else (framed, plain)
        try:
            return await show(first)
        except CallRefused as error:
            if error.status != 400:
                raise
            log.warning("place=<%s>, error=<%s> | Discord refused a form of a card", place, error)
        shown = await show(second)
        if not second.framed:
            self.plain.put(place, value=True)
        return shown

    async def edit(self, channel: str, message: str, post: Post) -> JsonObject:
        ids = {"channel_id": channel, "message_id": message}
        return await self._change(_MESSAGE, ids, post, channel)

    async def _change(self, path: str, ids: dict[str, str], post: Post, place: str) -> JsonObject:
        return await self._shown(
            post,
            place,
            lambda form: self.call(RestCall("PATCH", path, ids, form.body(), files=form.files)),
        )

    async def delete(self, channel: str, message: str) -> None:
        await self.call(
            RestCall("DELETE", _MESSAGE, {"channel_id": channel, "message_id": message})
        )

    async def typing(self, channel: str) -> None:
        await self.call(RestCall("POST", "/channels/{channel_id}/typing", {"channel_id": channel}))

    async def message(self, channel: str, message: str) -> JsonObject:
        return await self.call(
            RestCall("GET", _MESSAGE, {"channel_id": channel, "message_id": message})
        )

    async def channel(self, channel: str) -> JsonObject:
        return await self.call(RestCall("GET", CHANNEL, {"channel_id": channel}))

    async def is_there(self, channel: str, message: str) -> bool:
        """Whether a message still exists, asked after calls that people wait for."""
        call = RestCall("GET", _MESSAGE, {"channel_id": channel, "message_id": message})
        try:
            await self._patiently(
                str(call), lambda: self._once(call, lambda: self.line.call(call), background=True)
            )
        except CallRefused as error:
            if error.status != 404:
                raise
            return False
        return True

    async def member(self, guild: str, person: str) -> SeenMember | None:
        """A person with their current roles in a server; None: they are not in it."""
        try:
            found: JsonObject = await self.call(
                RestCall("GET", _MEMBER, {"guild_id": guild, "user_id": person})
            )
        except CallRefused as error:
            if error.status != 404:
                raise
            return None
        user = object_in(found, "user")
        names = (text_in(found, "nick"), text_in(user, "global_name"), text_in(user, "username"))
        known = tuple(dict.fromkeys(name for name in names if name)) or (person,)
        roles = tuple(texts_in(found, "roles"))
        who = PlatformPerson(person, known[0], bool(user.get("bot")), roles)
        return SeenMember(who, known[1:])

    async def said_with(self, guild: str, words: str, limit: int) -> list[JsonObject]:
        """Messages of a server that match, newest first; none until Discord has its index."""
        query = {"content": words, "limit": str(min(limit, _MOST_FOUND)), "sort_by": "timestamp"}
        found: JsonObject = await self.call(
            RestCall("GET", _SEARCH, {"guild_id": guild}, query=query)
        )
        groups: list[Any] = found.get("messages") or []
        return [one for group in groups for one in as_objects(group)]

    async def start_thread(self, channel: str, message: str, name: str) -> None:
        body: JsonObject = {"name": name, "auto_archive_duration": 1440}
        ids = {"channel_id": channel, "message_id": message}
        await self.call(RestCall("POST", f"{_MESSAGE}/threads", ids, body))

    async def open_dm(self, person: str) -> str:
        opened = await self.call(
            RestCall("POST", "/users/@me/channels", body={"recipient_id": person})
        )
        return str(opened["id"])

    async def after(self, channel: str, message: str | None) -> AsyncIterator[JsonObject]:
        """Messages after one, oldest first; without one, those of the newest page."""
        for _ in range(_PAGES):
            query = {"limit": str(PAGE)} | ({"after": message} if message is not None else {})
            page = await self.call(RestCall("GET", MESSAGES, {"channel_id": channel}, query=query))
            found = sorted(with_ids(page), key=lambda one: one[0])
            for _, one in found:
                yield one
            if message is None or not found or len(page) < PAGE:
                return
            message = str(found[-1][0])

    # --- interactions and commands ---

    async def response(self, token: str) -> JsonObject:
        return await self.call(RestCall("GET", _RESPONSE, self._webhook(token)))

    async def fill_response(self, token: str, post: Post, place: str) -> JsonObject:
        """`place` is the channel of the interaction."""
        return await self._change(_RESPONSE, self._webhook(token), post, place)

    async def edit_follow_up(self, token: str, message: str, post: Post, place: str) -> None:
        """Change what was answered to an interaction, its own response too."""
        ids = self._webhook(token) | {"message_id": message}
        await self._change(f"{_WEBHOOK}/messages/{{message_id}}", ids, post, place)

    async def delete_response(self, token: str) -> None:
        await self.call(RestCall("DELETE", _RESPONSE, self._webhook(token)))

    async def follow_up(self, token: str, post: Post, place: str) -> JsonObject:

        async def show(form: Post) -> Any:
            body = form.body(flags=EPHEMERAL)
            # No second try of the same: a follow-up has no nonce. A refused one isn't there.
            call = RestCall("POST", _WEBHOOK, self._webhook(token), body, files=form.files)
            return await self._once(call, lambda: self.line.call(call))

        return await self._shown(post, place, show)

    async def commands(self, guild: str = "") -> list[JsonObject]:
        """The registered commands: those of a server, or the global ones."""
        call = replace(self._on_commands("GET", guild), query={"with_localizations": "true"})
        return as_objects(await self.call(call))

    async def put_commands(self, commands: list[JsonObject], guild: str = "") -> list[JsonObject]:
        """Register exactly these."""
        return as_objects(await self.call(self._on_commands("PUT", guild, commands)))

    async def create_command(self, command: JsonObject, guild: str = "") -> JsonObject:
        """Register one more; it replaces one of the same name."""
        return await self.call(self._on_commands("POST", guild, command))

    async def delete_command(self, command: str, guild: str = "") -> None:
        call = self._on_commands("DELETE", guild)
        try:
            await self.call(
                RestCall(
                    "DELETE", f"{call.path}/{{command_id}}", {**call.ids, "command_id": command}
                )
            )
        except CallRefused as error:
            if error.status != 404:
                raise

    def _on_commands(self, method: str, guild: str, body: object = None) -> RestCall:
        ids = {"application_id": self.line.bot} | ({"guild_id": guild} if guild else {})
        return RestCall(method, _GUILD_COMMANDS if guild else _COMMANDS, ids, body)

    def _webhook(self, token: str) -> dict[str, str]:
        return {"webhook_id": self.line.bot, "webhook_token": token}


@contextmanager
def told(forbidden: str) -> Generator[None]:
    """Raises DeliveryError; `forbidden` says why Discord forbids something."""
    try:
        yield
    except CallRefused as error:
        if error.status == 403:
            raise DeliveryError(forbidden) from error
        raise
