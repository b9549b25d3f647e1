"""Builds what plug-ins with pages show of the house, and their pages and commands."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from bot.assembly.forgetting import build_exports, build_memory_commands
from bot.assembly.house import House
from bot.assembly.plugged import Plugged
from bot.connectors.calendars import CalendarAccount
from bot.domain.access import Person
from bot.domain.chat_commands import ChatCommand
from bot.endpoints.settings import ConsoleSettings
from bot.errors import SettingsError
from bot.plugin.late import LateGround, LateParts, Sealing
from bot.plugin.site import Site, SiteGround, SitePage
from bot.plugin.views import HouseViews
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.automations import AutomationCommands, ScheduleCommands
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.reports.trails import Trails
from bot.sessions.unattended.direct_notices import DirectNotices
from bot.views.approvals import HouseApprovals
from bot.views.log import HouseLog
from bot.views.lookers import HouseLookers
from bot.views.memory import HouseMemory
from bot.views.now import HouseNow
from bot.views.own import HouseOwn
from bot.views.people import HousePeople
from bot.views.runs import HouseRuns
from bot.views.skills import HouseSkills
from bot.views.unattended import HouseUnattended
from bot.views.usage import HouseUsage


@dataclass(frozen=True)
class Sites:
    """What plug-ins add once this house stands: pages, commands, and what goes with them."""

    built: Sequence[tuple[Plugged, LateParts]] = ()

    @property
    def pages(self) -> list[SitePage]:
        return [page for _, parts in self.built for page in parts.pages]

    @property
    def commands(self) -> Mapping[str, Sequence[ChatCommand]]:
        """By the name of their plug-in."""
        found: dict[str, list[ChatCommand]] = {}
        for one, parts in self.built:
            found.setdefault(one.plugin.name, []).extend(parts.commands)
        return found

    async def line(self, url: str) -> str:
        """Implements `bot.domain.links.LinkDesk`, by the plug-in whose link it is."""
        for _, parts in self.built:
            if parts.links is not None and (line := await parts.links.line(url)):
                return line
        return ""


def build_trails(house: House) -> Trails:
    """What `/why` reads."""
    ground, permission = house.ground, house.permission
    return Trails(
        ground.database,
        ground.engine,
        house.channels,
        permission.approvals,
        ground.cycle_log,
        permission.rights,
        house.written.contacts.platforms,
    )


def build_sites(house: House, decisions: Decisions, reports: RightsReports) -> Sites:
    """Raises SettingsError for a path that could be another's."""
    built = [*_website(house, decisions, reports), *build_late(house)]
    for one, parts in built:
        _require_own_paths(one, parts.pages)
    return Sites(built)


def _website(
    house: House, decisions: Decisions, reports: RightsReports
) -> list[tuple[Plugged, LateParts]]:
    """What they show to who signs in; nothing where the server or `console.website` is off."""
    console = house.ground.settings.get(ConsoleSettings)
    if not (console.port and console.website):
        return []
    views = _views(house, decisions, reports)
    ground = SiteGround(
        views,
        console.public_url or f"http://{_reachable(console.host)}:{console.port}",
        public=bool(console.public_url),
    )
    built = [
        (one, one.made(one.parts.site, ground, Site))
        for one in house.plugged
        if one.parts.site is not None
    ]
    return [(one, LateParts(site.commands, site.pages)) for one, site in built]


def _reachable(host: str) -> str:
    """An address to type for a host that stands for every address of the machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared alone


def _require_own_paths(plugged: Plugged, pages: Sequence[SitePage]) -> None:
    """Some of ours have addresses from before they were plug-ins."""
    name = plugged.plugin.name
    own = f"/plugins/{name}"
    for page in () if plugged.ours else pages:
        if page.path != own and not page.path.startswith(f"{own}/"):
            raise SettingsError(
                f"the plug-in {name!r} has a page at {page.path}; its author must let it begin "
                f"with {own}/"
            )


def _views(house: House, decisions: Decisions, reports: RightsReports) -> HouseViews:
    ground, permission, written = house.ground, house.permission, house.written
    database, clock, meter = ground.database, ground.clock, ground.meter
    schedules = ScheduleCommands(database, ground.engine, clock, meter)
    tell = house.chats.outbox.retries.wake
    connections = house.accounts.connections
    return HouseViews(
        lookers=HouseLookers(house.people, house.channels, clock),
        now=HouseNow(database, clock, house.chats.checkup, permission.approvals),
        runs=HouseRuns(ground.cycle_log, ground.engine, build_trails(house), meter.cost),
        approvals=HouseApprovals(decisions, house.places, clock),
        usage=HouseUsage(database, meter, ground.cycle_log),
        memory=HouseMemory(build_memory_commands(house), written.memory),
        people=HousePeople(database, written.contacts, house.channels, reports),
        unattended=HouseUnattended(
            database, schedules, AutomationCommands(database, clock, schedules, tell)
        ),
        skills=HouseSkills(
            written.skills, written.custom_skills, house.imports, connections.usable
        ),
        own=HouseOwn(database, house.files, connections, build_exports(house)),
        log=HouseLog(ground.settings.home / "data"),
    )


# --- parts that act for people who are not there ---


def build_late(house: House) -> list[tuple[Plugged, LateParts]]:
    """What plug-ins add once the house stands."""
    return [
        (one, one.made(one.parts.late, _late_ground(house, one.plugin.name), LateParts))
        for one in house.plugged
        if one.parts.late is not None
    ]


def _late_ground(house: House, name: str) -> LateGround:
    ground, connections = house.ground, house.accounts.connections
    console = ground.settings.get(ConsoleSettings)
    kept = house.accounts.kept.calendars

    def calendars(person: Person) -> Mapping[str, CalendarAccount]:
        own = connections.connected(person.id)
        return {id_: account for id_, account in kept.usable(person).items() if id_ in own}

    def alone(what: str) -> AbstractAsyncContextManager[None]:
        return ground.exclusive.held(f"{name}:{what}")

    return LateGround(
        people=HouseLookers(house.people, house.channels, ground.clock),
        tells=DirectNotices(house.places, house.chats.outbox, ground.clock),
        calendars=calendars,
        sealing=Sealing(house.accounts.keys, name),
        alone=alone,
        public_url=console.public_url if console.port else "",
    )
