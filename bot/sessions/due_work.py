"""Work that comes due with nobody there to ask: what the runner needs of it, whatever made it come due."""

from dataclasses import replace
from typing import Protocol

from bot.agents.run import Answered, Failed, LoopOutcome, Stopped
from bot.domain.access import Person
from bot.domain.chat import KnowsMembers
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage, PlatformPerson
from bot.domain.sessions import StoredBlock
from bot.domain.turns import Turn
from bot.errors import DeliveryError
from bot.sessions.envelope import incoming_from_json
from bot.sessions.house import House
from bot.sessions.setup import RunSetup

SCHEDULING_TOOL = "schedule_task"
"""Who may use it may have the assistant work while nobody is there."""


class DueWork(Protocol):
    """A scheduled task or a todo whose time has come, with the message that its run answers."""

    @property
    def name(self) -> str:
        """What its owner knows it by."""
        ...

    @property
    def message(self) -> IncomingMessage: ...

    @property
    def person(self) -> Person:
        """Whom it runs for, with the role of this moment."""
        ...

    @property
    def words(self) -> StoredBlock:
        """What the run is asked to do."""
        ...

    async def refusal(self) -> str:
        """Why it may not run now; empty when it may."""
        ...

    def refused_words(self, why: str) -> str:
        """What its owner is told then."""
        ...

    def begun_unit(self, turn: Turn) -> Unit: ...

    def skipped_unit(self, turn: Turn, why: str) -> Unit: ...

    async def settled(self, turn: Turn, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        """What the end of the run records, and what its owner is told besides the answer."""
        ...

    def given_up(self, turn: Turn, reason: str) -> tuple[Unit, str]:
        """As `settled`, for a run that was given up after several attempts."""
        ...


def state_of(outcome: LoopOutcome) -> tuple[str, str]:
    """How a run ended, as the ledger has it: the state, and why."""
    match outcome:
        case Answered():
            return "done", ""
        case Stopped():
            return "stopped", "somebody stopped it"
        case Failed(_, reason):
            return "failed", reason[:200]


async def refusal_of(setup: RunSetup, person: Person, message: IncomingMessage) -> str:
    """Why nothing may run for this person while they are away; empty when it may."""
    if await setup.may_use(SCHEDULING_TOOL, person, message):
        return ""
    return f"{person.id} ({person.role}) may not have anything scheduled there any more"


async def as_of_now(house: House, envelope: JsonObject) -> IncomingMessage:
    """The message of a stored envelope, its sender with the roles that the platform gives them at this moment.

    While the platform can't tell, they have the lower of their role then and their role without the platform.
    """
    message = incoming_from_json(envelope)
    sender = await _sender_now(house, message)
    target = replace(message.reply_to, interaction=None, ephemeral_to=None)
    return replace(message, sender=sender, reply_to=target)


async def _sender_now(house: House, message: IncomingMessage) -> PlatformPerson:
    sender, there = message.sender, message.conversation
    adapter = house.adapters.get(there.platform)
    if not isinstance(adapter, KnowsMembers):
        return sender
    try:
        found = await adapter.member(there, sender.id)
    except DeliveryError:
        bare = replace(sender, platform_roles=())
        contacts = house.contacts()
        return min((sender, bare), key=lambda one: contacts.resolve(there.platform, there.workspace, one).role.rank)
    return replace(sender, platform_roles=() if found is None else found.platform_roles)
