"""TelegramPlatform: a Bot API server on 127.0.0.1 that real clients talk to.

Its people write, click and see.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from aiohttp import ClientSession, web

from bot.loopback.serving import (
    CallWindows,
    CutAfter,
    Delay,
    FaultQueues,
    LoopbackService,
    Reset,
    cut,
    serving,
    until,
)
from bot.loopback.telegram.faults import Fault, Limited, Refusal, Status
from bot.loopback.telegram.html import units
from bot.loopback.telegram.methods import Methods
from bot.loopback.telegram.world import BOT_ID, BOT_NAME, Chat, Message, World, entities_in
from bot.plugin.clock import Clock, SystemClock
from bot.plugin.models import JsonObject

Tell = Callable[[str, JsonObject], None]


class Person:
    """An account. A chat that is left out is the private one with the bot."""

    def __init__(self, user: JsonObject, world: World, tell: Tell) -> None:
        self.user = user
        self.id = str(user["id"])
        self._world = world
        self._tell = tell

    @property
    def private(self) -> Chat:
        return self._world.chats[self.user["id"]]

    def say(
        self,
        text: str,
        chat: Chat | None = None,
        *,
        reply_to: Message | None = None,
        topic: int = 0,
        **extra: Any,
    ) -> Message:
        """Write a message; `extra` are further fields of it."""
        where = chat or self.private
        entities = extra.pop("entities", None)
        if topic and reply_to is None:  # everything in a topic hangs from its beginning
            reply_to = self._world.message(where.id, topic)
        message = self._world.add(
            where,
            self.user,
            text,
            entities,
            replies_to=reply_to,
            topic=topic,
            extra=extra,
        )
        if where.kind == "private":
            self._world.reachable.add(self.user["id"])
        if self._bot_gets(message):
            self._tell("message", message.as_json())
        return message

    def mention(self, text: str, chat: Chat, **options: Any) -> Message:
        """Write to the bot in a group."""
        return self.say(f"@{BOT_NAME} {text}", chat, **options)

    def name(self, other: "Person", text: str, chat: Chat) -> Message:
        """Write with a mention of somebody without a public name, as apps do it by number."""
        said = str(other.user["first_name"])
        named = {"type": "text_mention", "offset": 0, "length": units(said), "user": other.user}
        return self.say(f"{said} {text}", chat, entities=[named])

    def upload(
        self, name: str, data: bytes, caption: str = "", chat: Chat | None = None
    ) -> Message:
        """Send a document."""
        file: JsonObject = {**self._file(data), "file_name": name, "mime_type": "text/plain"}
        return self.say(caption, chat, document=file)

    def speak(self, data: bytes, chat: Chat | None = None) -> Message:
        """Send a voice message."""
        voice: JsonObject = {**self._file(data), "duration": 3, "mime_type": "audio/ogg"}
        return self.say("", chat, voice=voice)

    def photo(
        self, data: bytes, caption: str = "", chat: Chat | None = None, **extra: Any
    ) -> Message:
        """Send a picture, which Telegram scales."""
        sizes = [{**self._file(data[: 4 * n]), "width": 90 * n, "height": 60 * n} for n in (1, 2)]
        return self.say(caption, chat, photo=sizes, **extra)

    def album(self, *pictures: bytes, caption: str = "", chat: Chat | None = None) -> list[Message]:
        """Send pictures together: each is a message, and the first has the words."""
        together = {"media_group_id": self._world.next_id("album")}
        words = (caption, *("" for _ in pictures[1:]))
        return [
            self.photo(data, said, chat, **together)
            for data, said in zip(pictures, words, strict=True)
        ]

    def forward(self, message: Message, chat: Chat | None = None) -> Message:
        """Pass on somebody's message."""
        origin = {"type": "user", "sender_user": message.author, "date": message.date}
        return self.say(message.text, chat, forward_origin=origin)

    def edit(self, message: Message, text: str) -> None:
        message.text, message.entities = text, entities_in(text)
        message.edited = int(self._world.clock.now().timestamp())
        if self._bot_gets(message):
            self._tell("edited_message", message.as_json())

    def click(self, message: Message, label: str) -> str:
        """Press a button; returns the id of the query, which the bot answers."""
        rows = (message.buttons or {})["inline_keyboard"]
        button = next(one for row in rows for one in row if one["text"] == label)
        id_ = self._world.next_id("query")
        query = {
            "id": id_,
            "from": self.user,
            "message": message.as_json(),
            "chat_instance": str(message.chat.id),
            "data": button["callback_data"],
        }
        self._tell("callback_query", query)
        return id_

    def sees(self, chat: Chat | None = None) -> list[Message]:
        """Return the bot's messages in a chat that this person is in."""
        where = chat or self.private
        if self.user["id"] not in where.members:
            return []
        return [
            one
            for one in self._world.messages
            if one.chat is where and one.from_bot and not one.deleted
        ]

    def _file(self, data: bytes) -> JsonObject:
        id_ = self._world.next_id("file")
        self._world.files[id_] = data
        return {"file_id": id_, "file_unique_id": f"u{id_}", "file_size": len(data)}

    def _bot_gets(self, message: Message) -> bool:
        """By privacy mode: commands, mentions and replies, and all as an administrator."""
        chat = message.chat
        status = chat.members.get(BOT_ID)
        if chat.kind == "private" or status == "administrator" or self._world.reads_all:
            return status is not None
        if status is None:
            return False
        named = f"@{BOT_NAME}" in message.text
        command = any(
            one["type"] == "bot_command" and one["offset"] == 0 for one in message.entities
        )
        replied = message.replies_to is not None and message.replies_to.from_bot
        return named or command or replied


TOKEN = f"{BOT_ID}:AAloopback-0123456789abcdefghijklmnop"
AGAIN_S = 0.1
"""How soon an update that a webhook did not take comes again."""
_SHOWN = {"sendmessage", "senddocument"}


class TelegramPlatform(LoopbackService):
    """A Telegram server: `async with TelegramPlatform() as telegram` serves until the block ends.

    Leaving the block raises AssertionError if the bot broke a rule; with `strict=False` a test
    checks `problems` itself.
    """

    def __init__(self, clock: Clock | None = None, *, strict: bool = True) -> None:
        self.clock = clock or SystemClock()
        self.world = World(self.clock)
        self.methods = Methods(self.world)
        self.faults = FaultQueues[Fault]()
        self.rates: CallWindows | None = None
        self.problems: list[str] = []
        self.counts: Counter[str] = Counter()
        self.changed = asyncio.Event()
        self.polling = False
        self._strict = strict
        self._place = ""
        self._poll = 0
        self._telling: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def served(self) -> AsyncGenerator[None]:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.add_routes(
            [
                web.route("*", "/bot{token}/{method}", self._call),
                web.get("/file/bot{token}/documents/{file}", self._download),
            ]
        )
        async with serving(app) as self._place:
            try:
                yield
            finally:
                for task in self._telling:
                    task.cancel()
        if self._strict and self.problems:
            raise AssertionError("the bot broke rules of Telegram:\n" + "\n".join(self.problems))

    @property
    def api_base(self) -> str:
        return f"http://{self._place}"

    # --- people and places ---

    def person(self, name: str) -> Person:
        """Return a new account."""
        return Person(self.world.person(name), self.world, self._tell)

    def group(self, title: str, *people: Person, forum: bool = False, **options: Any) -> Chat:
        """Return a new supergroup with these people and the bot."""
        id_ = -1_001_000_000_000 - len(self.world.chats)
        members = {int(person.id): "member" for person in people} | {BOT_ID: "member"}
        chat = Chat(id_, "supergroup", title, forum=forum, members=members, **options)
        self.world.chats[id_] = chat
        return chat

    def topic(self, chat: Chat, title: str, by: Person) -> int:
        """Return the id of a new topic, which is that of the message that begins it."""
        begun = by.say("", chat, forum_topic_created={"name": title, "icon_color": 1})
        begun.topic = begun.id
        return begun.id

    def upgrade(self, chat: Chat) -> Chat:
        """Turn a group into a supergroup, whose id is another one."""
        id_ = -1_002_000_000_000 - len(self.world.chats)
        new = Chat(id_, "supergroup", chat.title, members=dict(chat.members))
        self.world.chats[id_] = new
        chat.moved_to = id_
        return new

    def enforce_rates(self) -> None:
        self.rates = CallWindows(self.clock)

    def fail(self, method: str, *faults: Fault) -> None:
        self.faults.add(method, *faults)

    # --- watching ---

    @property
    def said(self) -> list[Message]:
        """Return all visible messages of the bot, in order."""
        return [one for one in self.world.messages if one.from_bot and not one.deleted]

    async def until(self, predicate: Callable[[], Any], seconds: float = 60.0) -> Any:
        """Wait until this holds, checking after each call. Raises TimeoutError with the state."""
        return await until(predicate, self.changed, self._state, seconds)

    def _state(self) -> str:
        texts = [message.text[:200] for message in self.said]
        return f"the bot said {texts}; calls {dict(self.counts)}"

    # --- calls ---

    async def _call(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"].lower()
        self.counts[method] += 1
        try:
            return await self._answer(request, method)
        except Refusal as refused:
            return _refused(refused)
        finally:
            self.changed.set()

    async def _answer(self, request: web.Request, method: str) -> web.StreamResponse:
        if request.match_info["token"] != TOKEN:
            raise Refusal(401, "Unauthorized")
        arguments = await _arguments(request)
        fault = self.faults.take(method)
        match fault:
            case Status(status):
                return web.Response(status=status, text="<html>Bad Gateway</html>")
            case Limited(seconds):
                raise _limited(seconds)
            case Reset(then):
                then()
                return cut(request)
            case _:
                pass
        if method == "getupdates":
            result: Any = await self._get_updates(arguments)
        else:
            result = self._made(method, arguments)
        match fault:
            case CutAfter(then):
                then()
                return cut(request)
            case Delay(go):
                await go.wait()
            case _:
                pass
        return web.json_response({"ok": True, "result": result})

    def _made(self, method: str, arguments: JsonObject) -> Any:
        if method not in self.methods.known:
            self.problems.append(f"{method} is no method that is known here")
            raise Refusal(404, "Not Found")
        if self.rates is not None and method in _SHOWN:
            chat = str(arguments.get("chat_id"))
            minute = ((f"group {chat}", 20, 60.0),) if chat.startswith("-") else ()
            seconds = self.rates.wait_s((chat, 1, 1.0), ("all", 30, 1.0), *minute)
            if seconds:
                self.problems.append(f"{method} to {chat} is over the limit")
                raise _limited(seconds)
        return self.methods.known[method](arguments)

    async def _get_updates(self, arguments: JsonObject) -> list[JsonObject]:
        if self.world.webhook.get("url"):
            raise Refusal(
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook "
                "to delete the webhook first",
            )
        self._poll += 1
        mine = self._poll
        if "offset" in arguments:
            self.world.confirm(int(arguments["offset"]))
        kinds = set(cast("list[str]", json.loads(str(arguments.get("allowed_updates", "[]")))))
        limit, seconds = int(arguments.get("limit", 100)), float(arguments.get("timeout", 0))
        self.polling = True
        async with self.world.came:
            self.world.came.notify_all()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds or 0.001):
                    await self.world.came.wait_for(
                        lambda: self.world.waiting(kinds) or mine != self._poll
                    )
        if mine != self._poll:
            raise Refusal(
                409,
                "Conflict: terminated by other getUpdates request; make sure that only one bot "
                "instance is running",
            )
        return self.world.waiting(kinds)[:limit]

    async def _download(self, request: web.Request) -> web.Response:
        data = self.world.files.get(request.match_info["file"])
        if request.match_info["token"] != TOKEN or data is None:
            return web.Response(status=404)
        return web.Response(body=data)

    # --- updates ---

    def _tell(self, kind: str, content: JsonObject) -> None:
        task = asyncio.create_task(self._told(kind, content))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _told(self, kind: str, content: JsonObject) -> None:
        await self.world.tell(kind, content)
        if self.world.webhook.get("url"):
            await self._hand_over()

    async def _hand_over(self) -> None:
        """Send waiting updates to the webhook, one after another, each until it is taken."""
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.world.webhook["secret_token"]}
        async with ClientSession() as session:
            while waiting := self.world.waiting(set()):
                url = self.world.webhook["url"]
                async with session.post(url, json=waiting[0], headers=headers) as response:
                    taken = response.status == 200
                if taken:
                    self.world.confirm(waiting[0]["update_id"] + 1)
                else:
                    await asyncio.sleep(AGAIN_S)
                self.changed.set()


async def _arguments(request: web.Request) -> JsonObject:
    """Read a call's parts, from the address, a form, JSON, or a form with files."""
    found: JsonObject = dict(request.query)
    if request.content_type == "application/json":
        return found | cast("JsonObject", await request.json())
    form = await request.post()
    files: JsonObject = {}
    for name, value in form.items():
        if isinstance(value, web.FileField):
            files[name] = (value.filename, value.file.read())
        else:
            found[name] = value
    document = found.get("document")
    if isinstance(document, str) and document.startswith("attach://"):
        found["document"] = files[document.removeprefix("attach://")]
    return {**files, **found}


def _refused(refused: Refusal) -> web.Response:
    answer: JsonObject = {
        "ok": False,
        "error_code": refused.code,
        "description": refused.description,
    }
    if refused.parameters:
        answer["parameters"] = refused.parameters
    return web.json_response(answer, status=refused.code)


def _limited(seconds: int) -> Refusal:
    return Refusal(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
