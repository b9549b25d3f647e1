"""The gateway: HELLO, IDENTIFY, RESUME with replay, heartbeats, and their faults."""

import asyncio
import importlib
import json
import logging
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import WSMsgType, web

from bot.loopback.discord.call_log import CallLog
from bot.loopback.discord.payloads import Payloads
from bot.loopback.discord.world import Guild, World
from bot.loopback.serving import cut
from bot.plugin.models import JsonObject

log = logging.getLogger(__name__)

Compressor: TypeAlias = Callable[[bytes], bytes]


def has_zstd() -> bool:
    """Whether this machine supports zstd-stream."""
    try:
        importlib.import_module("zstandard")
    except ModuleNotFoundError:
        return False
    return True


def compressor(kind: str) -> Compressor | None:
    """Return a context for one socket; None: plain text. Raises ValueError for an unknown kind."""
    match kind:
        case "":
            return None
        case "zlib-stream":
            return _zlib()
        case "zstd-stream" if has_zstd():
            return _zstd()
        case _:
            raise ValueError(f"{kind!r} is no compression that is understood here")


def _zlib() -> Compressor:
    context = zlib.compressobj()
    return lambda data: context.compress(data) + context.flush(zlib.Z_SYNC_FLUSH)


def _zstd() -> Compressor:
    zstandard: Any = importlib.import_module("zstandard")
    context = zstandard.ZstdCompressor().compressobj()
    return lambda data: context.compress(data) + context.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


GUILDS = 1 << 0
GUILD_MESSAGES = 1 << 9
GUILD_REACTIONS = 1 << 10
DIRECT_MESSAGES = 1 << 12
DIRECT_REACTIONS = 1 << 13
MESSAGE_CONTENT = 1 << 15
PRIVILEGED = (1 << 1) | (1 << 8) | MESSAGE_CONTENT
_INTENT_OF = {
    "GUILD_CREATE": GUILDS,
    "THREAD_CREATE": GUILDS,
    "CHANNEL_CREATE": GUILDS,
    "THREAD_UPDATE": GUILDS,
}


@dataclass
class Socket:
    """One connection, and what is still to be written to it (None: cut it)."""

    ws: web.WebSocketResponse
    compress: Compressor | None
    outgoing: asyncio.Queue[JsonObject | int | None] = field(
        default_factory=asyncio.Queue[JsonObject | int | None]
    )
    zombie: bool = False

    def put(self, payload: JsonObject) -> None:
        if not self.zombie:
            self.outgoing.put_nowait(payload)


@dataclass
class Session:
    """One login; it outlives its connections."""

    id: str
    intents: int
    socket: Socket | None = None
    shard: tuple[int, int] = (0, 1)
    """The number of the session's shard, and the number of shards."""
    sequence: int = 0
    sent: list[JsonObject] = field(default_factory=list[JsonObject])


class Gateway:
    """Delivers events to the sessions that subscribed to them.

    Faults are methods; each is used up, or undone by another method.
    """

    def __init__(self, world: World, payloads: Payloads, log_: CallLog, token: str) -> None:
        self._world = world
        self._payloads = payloads
        self._log = log_
        self._token = token
        self._sessions: dict[str, Session] = {}
        self._held: list[tuple[str, JsonObject]] | None = None
        self.url = ""
        self.heartbeat_ms = 41_250
        self.allowed_intents = PRIVILEGED
        """Privileged intents that are enabled for the application."""
        self.copies = 1
        """How often each event is delivered."""
        self.refuse_resume = False
        self.refuse_connections = 0
        """How many of the next connections get a 503."""
        self.alter: Callable[[str, JsonObject], JsonObject] = lambda _event, data: data
        """Changes the data of each event before it is sent."""
        self.drop_events = 0
        """How many of the next events are lost for good."""
        self.away: set[int] = set()
        """Servers that have an outage: no session hears of them.

        Changed by `outage` and `restore`.
        """
        self.compressions: list[str] = []
        """The compression that each connection asked for."""

    @property
    def sessions(self) -> list[Session]:
        return list(self._sessions.values())

    @property
    def connected(self) -> bool:
        """Whether a client is logged in and listens."""
        return any(session.socket is not None for session in self._sessions.values())

    # --- events ---

    def dispatch(self, event: str, data: JsonObject) -> None:
        """Deliver an event to every session whose intents include it."""
        if self._held is not None:
            self._held.append((event, data))
            return
        if self.drop_events > 0:
            self.drop_events -= 1
            return
        if data.get("guild_id") in {str(guild) for guild in self.away}:
            return
        if event != "INTERACTION_CREATE" and data.get("guild_id") in self._world.foreign:
            return
        self._log.events.append((event, data))
        for session in self._sessions.values():
            if self._wants(session, event, data) and self._belongs(session, event, data):
                for _ in range(self.copies):
                    self._send(session, event, self._gated(session, event, data))
        self._log.touch()

    def hold(self) -> None:
        """Keep events back until `release` or `lose`."""
        self._held = []

    def release(self, *, backwards: bool = False) -> None:
        """Deliver the held events, last first with `backwards`."""
        held, self._held = self._held or [], None
        for event, data in reversed(held) if backwards else held:
            self.dispatch(event, data)

    def lose(self) -> None:
        """Drop the held events for ever."""
        self._held = None

    def outage(self, guild: Guild) -> None:
        """A server becomes unavailable: its events are lost, and new sessions don't get it."""
        self.dispatch("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
        self.away.add(guild.id)

    def restore(self, guild: Guild) -> None:
        """The server is available again, also for sessions that waited for it."""
        self.away.discard(guild.id)
        self.dispatch("GUILD_CREATE", self._payloads.guild(guild))

    def malformed(self, event: str = "MESSAGE_CREATE") -> None:
        """Send an event whose data is malformed."""
        for session in self._sessions.values():
            self._send(session, event, {"id": "not a number"})

    def _send(self, session: Session, event: str, data: JsonObject) -> None:
        session.sequence += 1
        payload: JsonObject = {
            "op": 0,
            "t": event,
            "s": session.sequence,
            "d": self.alter(event, data),
        }
        session.sent.append(payload)
        if session.socket is not None:
            session.socket.put(payload)

    def _wants(self, session: Session, event: str, data: JsonObject) -> bool:
        if event.startswith("MESSAGE_REACTION"):
            wanted = GUILD_REACTIONS if "guild_id" in data else DIRECT_REACTIONS
        elif event.startswith("MESSAGE_"):
            wanted = GUILD_MESSAGES if "guild_id" in data else DIRECT_MESSAGES
        else:
            wanted = _INTENT_OF.get(event, 0)
        return not wanted or bool(session.intents & wanted)

    def _belongs(self, session: Session, event: str, data: JsonObject) -> bool:
        """Whether the session's shard has the event's server; the first has those without one."""
        guild = data["id"] if event.startswith("GUILD_") else data.get("guild_id", 0)
        number, count = session.shard
        return (int(guild) >> 22) % count == number

    def _gated(self, session: Session, event: str, data: JsonObject) -> JsonObject:
        """Remove content: without its intent only DMs, mentions and own messages carry any."""
        if event not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} or session.intents & MESSAGE_CONTENT:
            return data
        own = str(self._world.bot.id)
        mentioned = any(user["id"] == own for user in data["mentions"])
        if "guild_id" not in data or mentioned or data["author"]["id"] == own:
            return data
        return {**data, "content": "", "embeds": [], "attachments": [], "components": []}

    # --- faults of connections ---

    def reconnect(self) -> None:
        """Send op 7: ask the client to reconnect."""
        for socket in self._sockets():
            socket.put({"op": 7, "d": None})

    def invalidate(self, *, resumable: bool) -> None:
        """Send op 9. If it is not resumable, the session and its events are gone."""
        sockets = self._sockets()
        if not resumable:
            self._sessions.clear()
        for socket in sockets:
            socket.put({"op": 9, "d": resumable})

    def close(self, code: int) -> None:
        for session in self._sessions.values():
            if session.socket is not None:
                session.socket.outgoing.put_nowait(code)
                session.socket = None

    def abort(self) -> None:
        """Cut the TCP connection without a close frame."""
        for session in self._sessions.values():
            if session.socket is not None:
                session.socket.outgoing.put_nowait(None)
                session.socket = None

    def zombie(self) -> None:
        """Keep the connections open but send nothing more."""
        for socket in self._sockets():
            socket.zombie = True

    def forget(self) -> None:
        """Delete all sessions, so that nobody can resume."""
        self._sessions.clear()

    def _sockets(self) -> list[Socket]:
        return [session.socket for session in self._sessions.values() if session.socket is not None]

    # --- one connection ---

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one WebSocket connection, from HELLO to its end."""
        if self.refuse_connections > 0:
            self.refuse_connections -= 1
            return web.Response(status=503)
        asked = request.query.get("compress", "")
        self.compressions.append(asked)
        ws = web.WebSocketResponse(max_msg_size=4096 * 4)
        socket = Socket(ws, compressor(asked))
        await ws.prepare(request)
        writer = asyncio.create_task(self._write(socket, request))
        socket.put({"op": 10, "d": {"heartbeat_interval": self.heartbeat_ms}})
        try:
            async for message in ws:
                if message.type is WSMsgType.TEXT:
                    self._take(socket, json.loads(message.data))
        finally:
            writer.cancel()
            self._detach(socket)
        return ws

    async def _write(self, socket: Socket, request: web.Request) -> None:
        while True:
            match await socket.outgoing.get():
                case None:
                    cut(request)
                    return
                case int(code):
                    await socket.ws.close(code=code)
                    return
                case payload:
                    text = json.dumps(payload)
                    try:
                        if socket.compress is None:
                            await socket.ws.send_str(text)
                        else:
                            await socket.ws.send_bytes(socket.compress(text.encode()))
                    except ConnectionError:
                        log.debug("the client went away while an event was written to it")
                        return

    def _detach(self, socket: Socket) -> None:
        for session in self._sessions.values():
            if session.socket is socket:
                session.socket = None
        self._log.touch()

    def _take(self, socket: Socket, message: JsonObject) -> None:
        opcode: int = message["op"]
        data: Any = message.get("d")
        self._log.received.append((opcode, data))
        match opcode:
            case 1:
                socket.put({"op": 11})
            case 2:
                self._identify(socket, data)
            case 6:
                self._resume(socket, data)
            case 3 | 4 | 8:
                log.debug("gateway opcode <%s> is taken and changes nothing here", opcode)
            case _:
                socket.outgoing.put_nowait(4001)
        self._log.touch()

    def _identify(self, socket: Socket, data: JsonObject) -> None:
        if data["token"] != self._token:
            socket.outgoing.put_nowait(4004)
            return
        if data["intents"] & PRIVILEGED & ~self.allowed_intents:
            socket.outgoing.put_nowait(4014)
            return
        number, count = data.get("shard") or (0, 1)
        session = Session(
            f"session-{self._world.next_id()}", data["intents"], socket, (number, count)
        )
        self._sessions[session.id] = session
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if self._belongs(session, "GUILD_CREATE", {"id": guild.id})
        ]
        ready: JsonObject = {
            "v": 10,
            "user": self._payloads.own_user(),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "application": {"id": str(self._world.bot.id), "flags": 0},
        }
        self._send(session, "READY", ready)
        for guild in (guild for guild in guilds if guild.id not in self.away):
            self._send(session, "GUILD_CREATE", self._payloads.guild(guild))

    def _resume(self, socket: Socket, data: JsonObject) -> None:
        session = self._sessions.get(data["session_id"])
        if session is None or self.refuse_resume or data["token"] != self._token:
            self._sessions.pop(data["session_id"], None)
            socket.put({"op": 9, "d": False})
            return
        session.socket = socket
        for payload in session.sent:
            if payload["s"] > (data["seq"] or 0):
                socket.put(payload)
        session.sequence += 1
        socket.put({"op": 0, "t": "RESUMED", "s": session.sequence, "d": {}})
