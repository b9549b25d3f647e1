"""Built-in commands, handled at once beside whatever runs, in the control lane."""

from bot.connections.connecting import Connecting
from bot.domain.access import Role
from bot.sessions.approvals.card_places import CardPlaces
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.approvals import ApprovalCommands
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.automations import USAGE as AUTOMATIONS_USAGE
from bot.sessions.commands.automations import AutomationCommands
from bot.sessions.commands.claims import Claims
from bot.sessions.commands.connect import USAGE as CONNECT_USAGE
from bot.sessions.commands.connect import ConnectCommands
from bot.sessions.commands.files import USAGE as FILES_USAGE
from bot.sessions.commands.files import FileCommands
from bot.sessions.commands.grants import GrantCommands
from bot.sessions.commands.memory import USAGE as MEMORY_USAGE
from bot.sessions.commands.memory import MemoryCommands
from bot.sessions.commands.pair import PairCommand
from bot.sessions.commands.people import USAGE as PEOPLE_USAGE
from bot.sessions.commands.people import PeopleCommands
from bot.sessions.commands.plans import USAGE as PLAN_USAGE
from bot.sessions.commands.plans import PlanCommands
from bot.sessions.commands.remindme import USAGE as REMINDME_USAGE
from bot.sessions.commands.remindme import RemindMeCommands
from bot.sessions.commands.schedules import USAGE as SCHEDULE_USAGE
from bot.sessions.commands.schedules import ScheduleCommands
from bot.sessions.commands.session_commands import SessionCommands
from bot.sessions.commands.skill_imports import ImportCommands
from bot.sessions.commands.status import StatusCommand
from bot.sessions.commands.todos import USAGE as TODO_USAGE
from bot.sessions.commands.todos import TodoCommands
from bot.sessions.commands.usage import UsageCommand
from bot.sessions.house import House
from bot.sessions.reports.kept_things import KeptThings
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.reports.trails import Trails


class BuiltIns:
    """Commands that need no model: sessions, state, approvals."""

    def __init__(
        self,
        house: House,
        decisions: Decisions,
        connecting: Connecting,
        rights_reports: RightsReports,
    ) -> None:
        self._house = house
        self._rights_reports = rights_reports
        database, clock, engine = house.database, house.clock, house.engine
        channels, approvals, background = house.channels, house.approvals, house.crew.background
        places = CardPlaces(database, house.contacts, house.adapters, house.rules.notify)
        self._channels = channels
        self._session = SessionCommands(house.sessions, engine, background)
        self._status = StatusCommand(
            database,
            engine,
            house.model,
            approvals,
            background,
            channels,
            house.platforms,
            self._session,
        )
        self._approvals = ApprovalCommands(approvals, house.cards, decisions, places)
        self._grants = GrantCommands(house.grants)
        self._pair = PairCommand(house.pairing, approvals, decisions)
        self._claims = Claims(database, clock, house.contacts)
        self._imports = ImportCommands(house.imports, house.attachments, database)
        self._trails = Trails(database, engine, channels, approvals, house.cycle_log, house.rights)
        self._schedules = ScheduleCommands(database, engine, clock, house.meter)
        self._automations = AutomationCommands(database, clock, self._schedules)
        self._todos = TodoCommands(database, clock, house.rules.schedules, house.rescheduled)
        self._remindme = RemindMeCommands(database, clock, house.rescheduled)
        self._files = FileCommands(house.files, house.attachments)
        kept = KeptThings(database, clock, house.memory, house.facts, house.connectors)
        self._memories = MemoryCommands(kept, database, clock, house.memory, house.attachments)
        self._known = PeopleCommands(database, clock)
        self._plans = PlanCommands(house.crew.plans)
        self._connect = ConnectCommands(house.connections, connecting)

    def commands(self) -> tuple[BuiltIn, ...]:
        """In the order in which /help lists them."""
        return (
            BuiltIn(
                "new",
                "start afresh: I forget our conversation; files, todos, notes and memory stay",
                self._session.new,
                ("end",),
            ),
            BuiltIn(
                "compact",
                "go on from a summary of our conversation, to make room",
                self._session.compact,
            ),
            BuiltIn("stop", "stop what I am doing for you here", self._session.stop),
            BuiltIn("status", "model, role, and what is running or waiting", self._status.run),
            BuiltIn(
                "plan",
                "the plan that I work on here; strike a task, or add one",
                self._plan,
                usage=PLAN_USAGE,
            ),
            BuiltIn(
                "why",
                "what happened to your last message, or to a reference",
                self._why,
                usage="[REF]",
            ),
            BuiltIn(
                "usage",
                "what your requests used, and the agents that I called",
                UsageCommand(self._house.meter).run,
            ),
            BuiltIn(
                "rights",
                "what you may do here, and which file says so",
                self._rights,
                usage="[TOOL]",
            ),
            BuiltIn(
                "approve",
                "let a waiting call run",
                self._approvals.approve,
                usage="[REF] [session|target]",
            ),
            BuiltIn("reject", "refuse a waiting call", self._approvals.reject, usage="[REF]"),
            BuiltIn(
                "grants",
                "what I may do without asking; revoke it",
                self._grant,
                usage="[revoke REF]",
            ),
            BuiltIn(
                "pair",
                "say who somebody is (MasterAdmin)",
                self._pair.run,
                usage="REF friend|partner|guest|ban",
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "claim",
                "become the owner, with the code that the terminal shows",
                self._claims.run,
                usage="CODE",
            ),
            BuiltIn(
                "schedule",
                "your schedules, and how their last runs ended",
                self._schedule,
                usage=SCHEDULE_USAGE,
            ),
            BuiltIn(
                "automations",
                "what runs by itself; on or off here",
                self._automate,
                usage=AUTOMATIONS_USAGE,
            ),
            BuiltIn(
                "todo",
                "your open todos; say that one is done, or move it",
                self._todo,
                usage=TODO_USAGE,
            ),
            BuiltIn(
                "remindme",
                "whether others may set reminders for you",
                self._remind_me,
                usage=REMINDME_USAGE,
            ),
            BuiltIn(
                "people",
                "people I know; merge two files about one person",
                self._people,
                usage=PEOPLE_USAGE,
            ),
            BuiltIn(
                "memory",
                "what I remember about you; forget it; learning on or off",
                self._memory,
                usage=MEMORY_USAGE,
            ),
            BuiltIn(
                "connect",
                "connect your account at another service",
                self._connect.connect,
                usage=CONNECT_USAGE,
            ),
            BuiltIn("disconnect", "disconnect it", self._connect.disconnect, usage=CONNECT_USAGE),
            BuiltIn(
                "files",
                "list your documents, or get one by its path",
                self._list_files,
                usage=FILES_USAGE,
            ),
            BuiltIn(
                "tools",
                "decide about tools and skills that were made here (MasterAdmin)",
                self._imports.run_tools,
                usage="staged|approve|reject|remove [NAME]",
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "skills",
                "import skills and decide about them (MasterAdmin)",
                self._imports.run,
                usage="import|staged|approve|reject|remove [NAME]",
                least=Role.MASTER_ADMIN,
            ),
        )

    async def _why(self, asked: Asked) -> str:
        message = asked.message
        return await self._trails.explain(
            asked.args, message.conversation.key, asked.person, await asked.viewer(self._channels)
        )

    async def _rights(self, asked: Asked) -> str:
        location = await self._channels.locate(asked.message.conversation)
        operator = asked.person.role is Role.MASTER_ADMIN
        report = await self._rights_reports.of(
            asked.person, location, asked.args or None, operator=operator
        )
        return report.text()

    async def _plan(self, asked: Asked) -> str:
        return await self._plans.run(asked)

    async def _schedule(self, asked: Asked) -> str:
        place = (await asked.viewer(self._channels)).place
        told = await self._schedules.run(
            asked.args, asked.person, place=place, key=asked.message.key
        )
        return told.text

    async def _automate(self, asked: Asked) -> str:
        verb = asked.args.strip().casefold()
        if verb in {"on", "off"}:
            said = await self._automations.open_or_close(
                asked.message, asked.person, opens=verb == "on"
            )
            self._house.outbox.retries.wake()
            return said
        viewer = await asked.viewer(self._channels)
        return (
            await self._automations.run(asked.args, asked.person, viewer, key=asked.message.key)
        ).text

    async def _todo(self, asked: Asked) -> str:
        return await self._todos.run(
            asked.args, await asked.viewer(self._channels), asked.message.sent_at
        )

    async def _remind_me(self, asked: Asked) -> str:
        at = asked.message.sent_at
        return await self._remindme.run(asked.args, asked.person, at, alone=asked.alone)

    async def _people(self, asked: Asked) -> str:
        return await self._known.run(asked.args, asked.person, await asked.viewer(self._channels))

    async def _list_files(self, asked: Asked) -> str | CommandReply:
        return await self._files.run(asked.args, await asked.viewer(self._channels))

    async def _memory(self, asked: Asked) -> str | CommandReply:
        return await self._memories.run(asked, await asked.viewer(self._channels))

    async def _grant(self, asked: Asked) -> str:
        return await self._grants.run(asked.args, asked.person, again=asked.again)
