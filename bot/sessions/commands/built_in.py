"""Built-in commands, handled at once beside whatever runs, in the control lane."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.domain.access import Role
from bot.sessions.commands.approvals import ApprovalCommands, GrantCommands
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.automations import (
    AUTOMATIONS_USAGE,
    SCHEDULE_USAGE,
    AutomationCommands,
    ScheduleCommands,
)
from bot.sessions.commands.claims import Claims
from bot.sessions.commands.connect import CONNECT_USAGE, ConnectCommands
from bot.sessions.commands.files import FILES_USAGE, FileCommands
from bot.sessions.commands.memory import MEMORY_USAGE, MemoryCommands
from bot.sessions.commands.people import (
    PEOPLE_USAGE,
    TAKEOVER_USAGE,
    PairCommand,
    PeopleCommands,
    TakeOverCommand,
)
from bot.sessions.commands.plans import PLAN_USAGE, PlanCommands
from bot.sessions.commands.session_commands import SessionCommands, StatusCommand, UsageCommand
from bot.sessions.commands.share import SHARE_USAGE, ShareCommand
from bot.sessions.commands.skill_imports import ImportCommands
from bot.sessions.commands.todos import REMINDME_USAGE, TODO_USAGE, RemindMeCommands, TodoCommands
from bot.sessions.commands.undo import UNDO_USAGE, UndoCommand
from bot.sessions.records.channel_store import Channels
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.reports.trails import Trails


@dataclass(frozen=True)
class BuiltIns:
    """The table of commands that need no model, each with the object that runs it."""

    session: SessionCommands
    status: StatusCommand
    plans: PlanCommands
    trails: Trails
    usage: UsageCommand
    rights_reports: RightsReports
    approvals: ApprovalCommands
    grants: GrantCommands
    pair: PairCommand
    takeover: TakeOverCommand
    claims: Claims
    schedules: ScheduleCommands
    automations: AutomationCommands
    todos: TodoCommands
    undo: UndoCommand
    remindme: RemindMeCommands
    known: PeopleCommands
    memories: MemoryCommands
    share: ShareCommand
    connect: ConnectCommands
    files: FileCommands
    imports: ImportCommands
    channels: Channels
    wake_outbox: Callable[[], None]

    def commands(self) -> tuple[BuiltIn, ...]:
        """In the order in which /help lists them."""
        return (
            BuiltIn(
                "new",
                "start afresh: I forget our conversation; files, todos, notes and memory stay",
                self.session.new,
                ("end",),
            ),
            BuiltIn(
                "compact",
                "go on from a summary of our conversation, to make room",
                self.session.compact,
            ),
            BuiltIn("stop", "stop what I am doing for you here", self.session.stop),
            BuiltIn("status", "model, role, and what is running or waiting", self.status.run),
            BuiltIn(
                "plan",
                "the plan that I work on here; strike a task, or add one",
                self.plans.run,
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
                self.usage.run,
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
                self.approvals.approve,
                usage="[REF] [session|target]",
            ),
            BuiltIn("reject", "refuse a waiting call", self.approvals.reject, usage="[REF]"),
            BuiltIn(
                "approvals",
                "what waits for your yes; show one again",
                self.approvals.waiting,
                usage="[REF]",
            ),
            BuiltIn(
                "grants",
                "what I may do without asking; revoke it",
                self._grant,
                usage="[revoke REF]",
            ),
            BuiltIn(
                "pair",
                "say who somebody is (MasterAdmin)",
                self.pair.run,
                usage="REF friend|partner|guest|ban",
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "takeover",
                "give a contact what is kept under another id (MasterAdmin)",
                self.takeover.run,
                usage=TAKEOVER_USAGE,
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "claim",
                "become the owner, with the code that the terminal shows",
                self.claims.run,
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
                "undo",
                "take back what I changed for you in the last hour",
                self._undo,
                usage=UNDO_USAGE,
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
                "share",
                "share a sentence with all members, after you have seen who will read it",
                self.share.run,
                usage=SHARE_USAGE,
                least=Role.FRIEND,
            ),
            BuiltIn(
                "connect",
                "connect your account at another service",
                self.connect.connect,
                usage=CONNECT_USAGE,
            ),
            BuiltIn("disconnect", "disconnect it", self.connect.disconnect, usage=CONNECT_USAGE),
            BuiltIn(
                "files",
                "list your documents, or get one by its path",
                self._list_files,
                usage=FILES_USAGE,
            ),
            BuiltIn(
                "tools",
                "decide about tools and skills that were made here (MasterAdmin)",
                self.imports.run_tools,
                usage="staged|approve|reject|remove [NAME]",
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "skills",
                "import skills and decide about them (MasterAdmin)",
                self.imports.run,
                usage="import|staged|approve|reject|remove [NAME]",
                least=Role.MASTER_ADMIN,
            ),
        )

    async def _why(self, asked: Asked) -> str:
        message = asked.message
        return await self.trails.explain(
            asked.args, message.conversation.key, asked.person, await asked.viewer(self.channels)
        )

    async def _rights(self, asked: Asked) -> str:
        location = await self.channels.locate(asked.message.conversation)
        operator = asked.person.role is Role.MASTER_ADMIN
        report = await self.rights_reports.of(
            asked.person, location, asked.args or None, operator=operator
        )
        return report.text()

    async def _schedule(self, asked: Asked) -> str:
        viewer = await asked.viewer(self.channels)
        told = await self.schedules.run(asked.args, asked.person, viewer, key=asked.message.key)
        return told.text

    async def _automate(self, asked: Asked) -> str:
        verb = asked.args.strip().casefold()
        if verb in {"on", "off"}:
            said = await self.automations.open_or_close(
                asked.message, asked.person, opens=verb == "on"
            )
            self.wake_outbox()
            return said
        viewer = await asked.viewer(self.channels)
        return (
            await self.automations.run(asked.args, asked.person, viewer, key=asked.message.key)
        ).text

    async def _todo(self, asked: Asked) -> str | CommandReply:
        return await self.todos.run(
            asked.args, await asked.viewer(self.channels), asked.message.sent_at
        )

    async def _undo(self, asked: Asked) -> str:
        return await self.undo.run(asked.args, await asked.viewer(self.channels))

    async def _remind_me(self, asked: Asked) -> str:
        at = asked.message.sent_at
        return await self.remindme.run(asked.args, asked.person, at, alone=asked.alone)

    async def _people(self, asked: Asked) -> str:
        return await self.known.run(asked.args, asked.person, await asked.viewer(self.channels))

    async def _list_files(self, asked: Asked) -> str | CommandReply:
        return await self.files.run(asked.args, await asked.viewer(self.channels))

    async def _memory(self, asked: Asked) -> str | CommandReply:
        return await self.memories.run(asked, await asked.viewer(self.channels))

    async def _grant(self, asked: Asked) -> str:
        return await self.grants.run(asked.args, asked.person, alone=asked.alone, again=asked.again)
