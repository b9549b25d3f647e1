"""Terminals that attach to a running Bellhop through the control socket: the attaching end."""

import asyncio
import contextlib
from pathlib import Path

from bot.domain.chat import Accept, Acceptance, LiveReply
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.messages import IncomingMessage
from bot.endpoints import wire
from bot.endpoints.control import ControlClient, connect
from bot.endpoints.peer import Disconnected, Handler, Peer
from bot.endpoints.terminals import LocalTerminal
from bot.errors import DeliveryError


class BellhopGone(Disconnected):
    """The Bellhop that this terminal was attached to has gone away."""


async def attach(path: Path, chat: LocalTerminal, left: asyncio.Event) -> None:
    """Run a terminal of this process on the Bellhop that serves this socket, until `left` is set.

    Raises Disconnected when nobody serves it, and Stopped when the running Bellhop goes away
    meanwhile.
    """
    screen = _Screen(chat)
    async with connect(path, screen.handlers) as client:
        await client.call("terminal.attach", {"conversation": chat.conversation.id})
        talking = asyncio.create_task(chat.run(_remote_accept(client)), name="attached-chat")
        ends = [asyncio.create_task(left.wait()), asyncio.create_task(client.peer.closed.wait())]
        try:
            await asyncio.wait([talking, *ends], return_when=asyncio.FIRST_COMPLETED)
            gone = client.peer.closed.is_set() and not left.is_set()
        finally:
            for task in (talking, *ends):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await talking
    if gone:
        raise BellhopGone(
            "the running Bellhop has stopped; what it had accepted goes on when it starts again"
        )


def _remote_accept(client: ControlClient) -> Accept:
    async def accept(message: IncomingMessage) -> Acceptance:
        params: JsonObject = {"message": wire.to_json(message)}
        return Acceptance(str(await client.call("terminal.accept", params)))

    return accept


class _Screen:
    """The methods that the running Bellhop may call on this terminal."""

    def __init__(self, chat: LocalTerminal) -> None:
        self._chat = chat
        self._lives: dict[int, LiveReply] = {}

    @property
    def handlers(self) -> dict[str, Handler]:
        return {
            "terminal.send": self._send,
            "terminal.find_sent": self._find_sent,
            "terminal.card_closed": self._card_closed,
            "terminal.live": self._live,
            "terminal.live_closed": self._live_closed,
        }

    async def _send(self, peer: Peer, params: JsonObject) -> JsonValue:
        message = wire.outgoing(params.get("message"))
        if message.target.conversation.id != self._chat.conversation.id:
            raise DeliveryError("this terminal shows another conversation", retryable=True)
        live = self._lives.get(params.get("live") or 0)
        return wire.to_json(await self._chat.send(message, str(params.get("key")), live))

    async def _find_sent(self, peer: Peer, params: JsonObject) -> JsonValue:
        receipt = await self._chat.find_sent(
            wire.reply_target(params.get("target")), str(params.get("key"))
        )
        return None if receipt is None else wire.to_json(receipt)

    async def _card_closed(self, peer: Peer, params: JsonObject) -> JsonValue:
        await self._chat.close_card(wire.posted_card(params.get("card")), str(params.get("line")))
        return None

    async def _live(self, peer: Peer, params: JsonObject) -> JsonValue:
        number = int(params["live"])
        if number not in self._lives:
            self._lives[number] = self._chat.live(
                wire.reply_target(params.get("target")), str(params.get("turn"))
            )
        if params.get("update") is not None:
            self._lives[number].show(wire.update(params["update"]))
        return None

    async def _live_closed(self, peer: Peer, params: JsonObject) -> JsonValue:
        live = self._lives.pop(int(params["live"]), None)
        if live is not None:
            await live.close()
        return None
