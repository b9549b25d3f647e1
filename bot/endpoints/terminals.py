"""Terminals that attach to a running Bellhop through the control socket: the serving end."""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Protocol

from bot.domain.chat import Accept, ChatAdapter, LiveReply, LiveUpdate
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.messages import (
    Attachment,
    Conversation,
    OutgoingMessage,
    PostedCard,
    Receipt,
    ReplyTarget,
)
from bot.endpoints import wire
from bot.endpoints.peer import Disconnected, Handler, Peer, PeerRefused
from bot.errors import BotError, DeliveryError

log = logging.getLogger(__name__)

ACKNOWLEDGE_S = 30.0
"""How long a terminal may take to say that it has shown a message."""

START_S = 10.0
"""How long a message waits for a Bellhop that is still starting."""

Fetch = Callable[[Attachment], AsyncGenerator[bytes]]
"""Reads a file that was attached in a terminal of this machine."""


class LocalTerminal(ChatAdapter, Protocol):
    """The terminal of this process, when `bellhop chat` itself runs the turns."""

    @property
    def conversation(self) -> Conversation: ...


class SocketTerminals:
    """Implements `domain.chat.ChatAdapter` for the platform "terminal", serving many screens.

    A screen is a client of the control socket, or the local terminal. Messages go to every screen
    of their conversation; with none there, `send` raises a retryable DeliveryError, so the outbox
    keeps the message, and `on_attached` (conversation id) tells when somebody is back. Put
    `handlers` into the ControlServer.
    """

    def __init__(
        self,
        fetch: Fetch,
        *,
        local: LocalTerminal | None = None,
        on_attached: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._fetch = fetch
        self._local = local
        self.on_attached = on_attached
        self._attached: dict[Peer, str] = {}
        self._accept: Accept | None = None
        self._started = asyncio.Event()
        self._numbers = itertools.count(1)
        self._watching: set[asyncio.Task[None]] = set()

    @property
    def platform(self) -> str:
        return "terminal"

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"terminal.attach": self._attach, "terminal.accept": self._take}

    async def run(self, accept: Accept) -> None:
        """Take messages from attached terminals until cancelled."""
        self._accept = accept
        self._started.set()
        try:
            if self._local is not None:
                await self._local.run(accept)
            else:
                await asyncio.Event().wait()
        finally:
            self._accept = None
            self._started.clear()

    # --- requests of clients ---

    async def _attach(self, peer: Peer, params: JsonObject) -> JsonValue:
        conversation = params.get("conversation")
        if not isinstance(conversation, str) or not conversation:
            raise wire.BadParams("conversation: the id of the terminal's conversation is missing")
        self._attached[peer] = conversation
        task = asyncio.create_task(self._until_gone(peer, conversation), name="attached-terminal")
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)
        return {"conversation": conversation}

    async def _until_gone(self, peer: Peer, conversation: str) -> None:
        log.info("conversation=<%s> | a terminal has attached", conversation)
        try:
            if self.on_attached is not None:
                await self.on_attached(conversation)
            await peer.closed.wait()
        except BotError as error:
            log.warning(
                "conversation=<%s>, error=<%s> | could not send the waiting messages",
                conversation,
                error,
            )
            await peer.closed.wait()
        finally:
            self._attached.pop(peer, None)
            log.info("conversation=<%s> | a terminal has gone", conversation)

    async def _take(self, peer: Peer, params: JsonObject) -> JsonValue:
        message = wire.incoming(params.get("message"))
        place = message.conversation
        if self._attached.get(peer) != place.id or place.platform != self.platform:
            raise wire.BadParams(f"this terminal is not attached to {place.key}")
        return await (await self._ready())(message)

    async def _ready(self) -> Accept:
        """The accept function; a terminal may attach shortly before it exists."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                await self._started.wait()
        if self._accept is None:
            raise BotError("Bellhop is still starting, or stopping; try again in a moment")
        return self._accept

    # --- outgoing ---

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        """Show a message on every screen of its conversation; one acknowledgement is enough."""
        conversation = message.target.conversation.id
        remote = live if isinstance(live, _SocketLive) else None
        shown: list[Receipt] = []
        if self._local is not None and self._local.conversation.id == conversation:
            with contextlib.suppress(DeliveryError):
                shown.append(await self._local.send(message, key, remote.local if remote else None))
        params: JsonObject = {
            "key": key,
            "message": wire.to_json(message),
            "live": remote.number if remote else None,
        }
        answers = await asyncio.gather(
            *(self._show_on(peer, params) for peer in self._screens(conversation))
        )
        shown += [answer for answer in answers if answer is not None]
        if not shown:
            raise DeliveryError(
                f"nobody is at the terminal of {conversation}; it is shown when they come back",
                retryable=True,
            )
        return shown[0]

    async def _show_on(self, peer: Peer, params: JsonObject) -> Receipt | None:
        try:
            return wire.receipt(await peer.call("terminal.send", params, timeout_s=ACKNOWLEDGE_S))
        except (Disconnected, PeerRefused, wire.BadParams, TimeoutError) as error:
            log.warning(
                "send=<%s>, error=<%s> | an attached terminal did not take a message",
                params["key"],
                error,
            )
            return None

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """Ask the screens; what none of them has shown is not there."""
        if self._local is not None and (receipt := await self._local.find_sent(target, key)):
            return receipt
        params: JsonObject = {"key": key, "target": wire.to_json(target)}
        for peer in self._screens(target.conversation.id):
            with contextlib.suppress(Disconnected, PeerRefused, TimeoutError):
                if (
                    answer := await peer.call("terminal.find_sent", params, timeout_s=ACKNOWLEDGE_S)
                ) is not None:
                    return wire.receipt(answer)
        return None

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        conversation = target.conversation.id
        local = self._local
        local_live = (
            local.live(target, turn)
            if local is not None and local.conversation.id == conversation
            else None
        )
        opened: JsonObject = {
            "live": next(self._numbers),
            "turn": turn,
            "target": wire.to_json(target),
        }
        return _SocketLive(opened, local_live, lambda: self._screens(conversation))

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        return self._fetch(attachment)

    async def close_card(self, card: PostedCard, line: str) -> None:
        """Tell the screens that are there; one that comes later has not shown it."""
        conversation = card.message.target.conversation.id
        if self._local is not None and self._local.conversation.id == conversation:
            await self._local.close_card(card, line)
        for peer in self._screens(conversation):
            peer.notify("terminal.card_closed", {"card": wire.to_json(card), "line": line})

    def _screens(self, conversation: str) -> list[Peer]:
        return [peer for peer, attached in self._attached.items() if attached == conversation]


class _SocketLive:
    """A `domain.chat.LiveReply` for every screen attached at the time of an update."""

    def __init__(
        self, opened: JsonObject, local: LiveReply | None, screens: Callable[[], list[Peer]]
    ) -> None:
        self.number = int(opened["live"])
        self.local = local
        self._opened = opened
        self._screens = screens
        for peer in screens():
            peer.notify("terminal.live", opened)

    def show(self, update: LiveUpdate) -> None:
        if self.local is not None:
            self.local.show(update)
        if peers := self._screens():
            # With how the turn was opened, for a terminal that attached in the middle of it.
            params = {**self._opened, "update": wire.update_to_json(update)}
            for peer in peers:
                peer.notify("terminal.live", params, droppable=True)

    async def close(self) -> None:
        if self.local is not None:
            await self.local.close()
        for peer in self._screens():
            peer.notify("terminal.live_closed", {"live": self.number})
