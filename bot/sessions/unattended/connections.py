"""Connected services: a message that waits for one, and the notice when one is over.

`connect_service` offers a connection, and the waiting message resumes after it is made.
"""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta

from pydantic import BaseModel, ConfigDict, Field

from bot.clock import format_utc
from bot.connections.access import WORKSPACE, Connections
from bot.connections.credentials_store import (
    Wait,
    add_wait,
    drop_wait,
    drop_waits_before,
    read_waits,
)
from bot.connections.services import Service
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import Phrase
from bot.domain.messages import Command, MessageKind, OutgoingMessage, ReplyTarget
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.work import ControlWork, MessageWork, dump_work
from bot.errors import ToolError
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.inbox.session_names import control_session, session_key
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_key, notice_write
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.records.envelope import incoming_from_json, incoming_to_json
from bot.sessions.wording import sentences
from bot.sessions.wording.languages import language_for
from bot.turns.engine import TurnEngine

log = logging.getLogger(__name__)

KEPT = timedelta(hours=24)
"""An older message gets no surprise answer."""


class ConnectServiceArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    service: str = Field(
        min_length=1, max_length=60, description="What the request needs, such as google."
    )


@dataclass(frozen=True)
class ConnectionWaits:
    """Stores waiting messages in the database, so that each resumes after a restart, and once."""

    database: Database
    clock: Clock
    engine: TurnEngine
    connections: Connections

    def tool(self) -> NativeTool[ConnectServiceArguments]:
        return NativeTool("connect_service", ConnectServiceArguments, self.offer)

    async def offer(self, context: ToolContext, given: ConnectServiceArguments) -> ToolResult:
        """Sends the link as if the person had asked for it, and stores their message."""
        could = {one.id: one for one in self.connections.connectable(context.person)}
        service = could.get(given.service)
        if service is None or context.depth:
            there = ", ".join(could) if could and not context.depth else "nothing"
            raise ToolError(
                f"{given.service} can't be connected from here ({there} can); do without it, and "
                "say so"
            )
        message = incoming_from_json(context.envelope)
        key = f"connect:{context.session_id}:{context.cycle_id}:{context.call.key}"
        command = replace(
            message, key=key, kind=MessageKind.COMMAND, text=f"/connect {service.id}", typed=None,
            command=Command("connect", service.id), attachments=(), quoted=(), heard=None,
            locale=language_for(message).value,
        )  # fmt: skip
        session = session_key(message, context.person)
        body = dump_work(ControlWork(incoming_to_json(command), str(session)))
        lane = control_session(message.conversation.key, key, context.person.id)
        await self.engine.submit(lane, key, body)
        return ToolResult(
            f"The person was sent a private link to connect {service.title}. Their message comes "
            "again by itself when that is done. End now: say in one short sentence that a link "
            "was sent to them alone.",
            unit=add_wait(
                context.person.id, service.id, str(session), dict(context.envelope), context.now
            ),
        )

    async def connected(self, person: str, service: Service) -> None:
        """Resume the messages that waited for this. Raises StorageError."""
        for wait in await self._waits():
            if (wait.person, wait.service) == (person, service.id):
                await self._resume(wait)

    async def run(self) -> None:
        """At the start: resume for connections made just before the process ended."""
        await self.database.write(drop_waits_before(self.clock.now() - KEPT))
        for wait in await self._waits():
            if wait.service in self.connections.connected(wait.person):
                await self._resume(wait)

    async def _waits(self) -> list[Wait]:
        return await read_waits(self.database, self.clock.now() - KEPT)

    async def _resume(self, wait: Wait) -> None:
        """Queue the message again under a new key, in the unit that removes its wait."""
        key = f"connected:{wait.id}:{wait.message['key']}"
        message = replace(incoming_from_json(wait.message), key=key, heard=None)
        body = dump_work(MessageWork(incoming_to_json(message), connected=wait.service))
        if not await self.engine.submit(wait.session, key, body, unit=drop_wait(wait)):
            await self.database.write(drop_wait(wait))


@dataclass(frozen=True)
class LapseNotices:
    """A `LapseListener` (bot/connections/access.py): puts direct messages into the outbox.

    Every MasterAdmin is told about the workspace's account.
    """

    places: CardPlaces
    outbox: Outbox
    clock: Clock

    async def lapse_unit(self, person: str, service: Service) -> Unit:
        if person == WORKSPACE:
            text = sentences.lapsed_for_all(service.title, service.id)
            admins = await self.places.admins()
            if not admins:
                log.error("service=<%s> | no MasterAdmin could be told: %s", service.id, text)
            writes = [self._notice(id_, target, service, text) for id_, target in admins]
            return Unit(tuple(writes))
        target = await self.places.direct(person)
        if target is None:
            return Unit()
        language = await spoken_at(self.places.database, target.conversation)
        text = Phrase(
            "{service} no longer accepts your connection, so your requests and scheduled tasks "
            "can't use it. `/connect {id}` connects it again."
        ).said(language, service=service.title, id=service.id)
        return Unit.of(self._notice(person, target, service, text))

    def _notice(self, person: str, target: ReplyTarget, service: Service, text: str) -> Write:
        now = self.clock.now()
        key = notice_key("lapsed", person, service.id, format_utc(now))
        return notice_write(key, person, OutgoingMessage(target, text), now)

    def lapsed(self) -> None:
        self.outbox.retries.wake()
