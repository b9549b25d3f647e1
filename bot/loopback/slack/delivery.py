"""Delivers events to the app by Socket Mode or signed HTTP, again if not acknowledged."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import time
from typing import Literal
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from bot.loopback.serving import cut
from bot.loopback.slack.faults import Faults
from bot.loopback.slack.log import CallLog
from bot.loopback.slack.world import APP
from bot.plugin.models import JsonObject

Kind = Literal["events_api", "interactive", "slash_commands"]
RETRIES = 3


@dataclass
class Delivered:
    """The outcome of one delivery."""

    kind: Kind
    payload: JsonObject
    attempts: int = 0
    acknowledged: bool = False
    answer: JsonObject = field(default_factory=dict[str, object])


class Delivery:
    """Sends payloads to the app in the background and records their outcomes.

    It uses Socket Mode unless `request_url` is set. An acknowledgement must come within `ack_s`; a
    retry waits `retry_s`.
    """

    def __init__(self, log: CallLog, faults: Faults, secret: str) -> None:
        self.request_url: str | None = None
        self.ack_s = 3.0
        self.retry_s: Sequence[float] = (0.0, 0.01, 0.02)
        self.history: list[Delivered] = []
        self.sockets: list[web.WebSocketResponse] = []
        self.changed = asyncio.Event()
        self.connections = 0
        self.holding = False
        self.closed_views: set[str] = set()
        """Forms that the app accepted."""
        self._log = log
        self._faults = faults
        self._secret = secret
        self._held: list[tuple[Kind, JsonObject]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._acks: dict[str, asyncio.Future[JsonObject]] = {}
        self._old_acks: set[str] = set()
        self.alter: Callable[[str, JsonObject], JsonObject] = lambda _kind, payload: payload
        self.untold: Callable[[str, JsonObject], str] = lambda _kind, _payload: ""
        self._requests: list[web.Request] = []
        self._connected = asyncio.Event()
        self._session: aiohttp.ClientSession | None = None
        self._envelopes = 0

    # --- what the platform does with it ---

    def send(self, kind: Kind, payload: JsonObject) -> None:
        if untold := self.untold(kind, payload):
            self._log.problems.append(untold)
        if self._faults.lose_events:
            return
        if self.holding:
            self._held.append((kind, payload))
            return
        for _ in range(self._faults.copies):
            task = asyncio.create_task(self._deliver(kind, self.alter(kind, payload)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def release(self, *, reverse: bool = False) -> None:
        """Send the held payloads, in order or in the wrong order."""
        self.holding = False
        held, self._held = self._held, []
        for kind, payload in held[::-1] if reverse else held:
            self.send(kind, payload)

    async def settled(self) -> None:
        """Wait until all events are acknowledged or given up. Raises TimeoutError after 60 s."""
        async with asyncio.timeout(60):
            while self._tasks:
                await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in set(self._tasks):
            with suppress(asyncio.CancelledError):
                await task
        for socket in list(self.sockets):
            await socket.close()
        if self._session is not None:
            await self._session.close()

    async def _deliver(self, kind: Kind, payload: JsonObject) -> None:
        done = Delivered(kind, payload)
        self.history.append(done)
        self.changed.set()
        reason = ""
        while not done.acknowledged and done.attempts <= (RETRIES if kind == "events_api" else 0):
            if done.attempts:
                await asyncio.sleep(self.retry_s[done.attempts - 1])
            retry = (done.attempts, reason) if done.attempts else None
            done.attempts += 1
            answer = await self._attempt(kind, payload, retry)
            lost = answer is not None and self._faults.ack_is_lost()
            reason = "timeout" if answer is None or lost else ""
            done.acknowledged = answer is not None and not lost
            done.answer = answer or {}
            if done.acknowledged and payload.get("type") == "view_submission":
                self._after_form(payload["view"], done.answer)
            self.changed.set()
        if not done.acknowledged and kind != "events_api":
            self._log.problems.append(f"{kind} was not acknowledged within {self.ack_s} s")

    def _after_form(self, view: JsonObject, answer: JsonObject) -> None:
        """Close a submitted form, unless the app answers with errors for its inputs."""
        if answer.get("response_action") != "errors":
            self.closed_views.add(str(view["id"]))
            return
        wrong: JsonObject = answer.get("errors") or {}
        inputs = {block["block_id"] for block in view["blocks"] if block["type"] == "input"}
        if not wrong or not {*wrong} <= inputs or not all(wrong.values()):
            self._log.problems.append(
                f"errors {wrong} name no inputs of the form: {sorted(inputs)}"
            )

    async def _attempt(
        self, kind: Kind, payload: JsonObject, retry: tuple[int, str] | None
    ) -> JsonObject | None:
        if self.request_url is not None:
            return await self._by_http(self.request_url, kind, payload, retry)
        return await self._by_socket(kind, payload, retry)

    # --- Socket Mode ---

    async def serve_socket(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection of the app, until the app or the platform closes it."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.connections += 1
        self.sockets.append(socket)
        self._requests.append(request)
        hello = {
            "type": "hello",
            "num_connections": len(self.sockets),
            "connection_info": {"app_id": APP},
        }
        await socket.send_json(hello)
        self._connected.set()
        self.changed.set()
        try:
            async for frame in socket:
                if frame.type is aiohttp.WSMsgType.TEXT:
                    self._take_ack(frame.json())
        finally:
            self.sockets.remove(socket)
            self._requests.remove(request)
            if not self.sockets:
                self._connected.clear()
        return socket

    def _take_ack(self, frame: JsonObject) -> None:
        envelope = str(frame.get("envelope_id"))
        future = self._acks.get(envelope)
        if future is None or future.done():
            if envelope not in self._old_acks:
                self._log.problems.append(f"an acknowledgement of an unknown envelope: {frame}")
            return
        future.set_result(frame.get("payload") or {})

    async def _by_socket(
        self, kind: Kind, payload: JsonObject, retry: tuple[int, str] | None
    ) -> JsonObject | None:
        await self._connected.wait()
        self._envelopes += 1
        envelope = f"envelope-{self._envelopes}"
        frame: JsonObject = {
            "envelope_id": envelope,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": kind != "events_api",
        }
        if retry:
            frame |= {"retry_attempt": retry[0], "retry_reason": retry[1]}
        future: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._acks[envelope] = future
        self._old_acks.add(envelope)
        try:
            await self.sockets[-1].send_json(frame)
            return await asyncio.wait_for(future, self.ack_s)
        except (TimeoutError, ConnectionError, IndexError):
            return None
        finally:
            del self._acks[envelope]

    async def wait_connected(self) -> None:
        async with asyncio.timeout(60):
            await self._connected.wait()

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Ask the app to reconnect, as Slack does every few hours."""
        for socket in list(self.sockets):
            await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {}})

    def abort(self) -> None:
        """Cut every connection without a close frame."""
        self._connected.clear()
        for request in list(self._requests):
            cut(request)

    def freeze(self) -> None:
        """Read nothing more of what the app says on its connections."""
        for request in self._requests:
            if request.transport is not None:
                request.transport.pause_reading()  # pyright: ignore[reportAttributeAccessIssue]

    # --- signed HTTP ---

    async def _by_http(
        self, url: str, kind: Kind, payload: JsonObject, retry: tuple[int, str] | None
    ) -> JsonObject | None:
        match kind:
            case "events_api":
                body, content = json.dumps(payload), "application/json"
            case "interactive":
                body, content = (
                    urlencode({"payload": json.dumps(payload)}),
                    "application/x-www-form-urlencoded",
                )
            case "slash_commands":
                body, content = urlencode(payload), "application/x-www-form-urlencoded"
        headers = {**self.signed(body), "Content-Type": content}
        if retry:
            headers |= {
                "X-Slack-Retry-Num": str(retry[0]),
                "X-Slack-Retry-Reason": f"http_{retry[1]}",
            }
        status, answer = await self.post(url, body, headers)
        return answer if status == 200 else None

    def signed(self, body: str, at: int | None = None) -> dict[str, str]:
        """Return the headers that prove that a request comes from Slack."""
        stamp = int(time()) if at is None else at
        digest = hmac.new(
            self._secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256
        ).hexdigest()
        return {"X-Slack-Request-Timestamp": str(stamp), "X-Slack-Signature": f"v0={digest}"}

    async def post(self, url: str, body: str, headers: dict[str, str]) -> tuple[int, JsonObject]:
        """Post to the app; return status 0 if nothing listens or answers in time."""
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self.ack_s))
        try:
            async with self._session.post(url, data=body.encode(), headers=headers) as response:
                text = await response.text()
                return response.status, json.loads(text) if text.startswith("{") else {}
        except (aiohttp.ClientError, TimeoutError):
            return 0, {}
