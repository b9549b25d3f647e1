"""What people could have of services: what is missing, and who can give it.

Half a set-up is named as such, because it looks finished to whoever made it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.connections.access import Connections
from bot.connections.credentials import KEY
from bot.connections.services import Service
from bot.domain.access import Person, Role
from bot.domain.finding import ServiceOffer

DOCS = "docs/connecting.md"
_NAMED = 2
"""So many MasterAdmins are named at most."""
_VERBS = ("connect", "link", "verbinde", "verknüpfe", "connecte", "relie", "conecta", "collega")

Admins: TypeAlias = Callable[[], Sequence[str]]
"""Names of the MasterAdmins, as a member may hear them."""


@dataclass(frozen=True)
class Unfinished:
    """A set-up that lacks something."""

    title: str
    step: str
    """What has to be done, for whoever runs Bellhop."""
    docs: str
    begun: bool = False
    """Whether a part of it is there."""

    def way(self, person: Person, admins: Admins) -> str:
        """The next step for this person, as a sentence for the model."""
        state = "is only half set up here" if self.begun else "is not set up here"
        if person.role is Role.MASTER_ADMIN:
            return f"{self.title} {state}. This person can do it: {self.step} ({self.docs})."
        # A stranger learns no names.
        names = [name for name in admins() if name][:_NAMED] if person.known else []
        who = f"ask {' or '.join(names)}" if names else "ask whoever runs this Bellhop"
        return f"{self.title} {state}. Tell the person to {who}."


def service_offers(
    connections: Connections, person: Person, admins: Admins
) -> tuple[ServiceOffer, ...]:
    """The services that this person's requests can't use now."""
    usable = connections.usable(person)
    return tuple(
        _offer(one, connections, person, admins)
        for one in connections.services.values()
        if one.id not in usable
    )


def _offer(
    service: Service, connections: Connections, person: Person, admins: Admins
) -> ServiceOffer:
    lacks = _lacks(service, connections)
    if lacks is None:
        way = (
            f"{service.title} is not connected yet: offer it with connect_service, or tell the "
            f"person to type `/connect {service.id}`."
        )
    else:
        way = lacks.way(person, admins)
    return ServiceOffer(
        id=service.id,
        title=service.title,
        gives=service.gives(),
        tools=service.tools,
        way=way,
        words=tuple(f"{verb} {service.title}" for verb in _VERBS),
        by_person=lacks is None,
    )


def _lacks(service: Service, connections: Connections) -> Unfinished | None:
    """What the operator has to do before anybody can connect the service; None for nothing."""
    prefix = service.id.upper()
    given = {
        f"{prefix}_CLIENT_ID": bool(service.client_id),
        f"{prefix}_CLIENT_SECRET": bool(service.client_secret),
    }
    missing = [name for name, there in given.items() if not there]
    steps: list[str] = []
    if missing:
        steps.append(
            f"{'the missing' if len(missing) < len(given) else 'register Bellhop there,'}"
            f" {' and '.join(missing)} into .env"
        )
    if not connections.ready:
        steps.append(f"{KEY} with `bellhop rotate-key`")
    begun = len(missing) < len(given)
    return Unfinished(service.title, ", then ".join(steps), DOCS, begun) if steps else None
