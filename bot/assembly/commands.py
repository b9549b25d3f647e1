"""Builds the commands: the built-in ones, then those of skills."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from bot.assembly.forgetting import build_exports, build_memory_commands
from bot.assembly.house import House
from bot.assembly.plugged import Plugged
from bot.assembly.views import Sites, build_trails
from bot.domain.access import Person
from bot.domain.chat_commands import ChatCommand
from bot.domain.home import HasHome, PreviewsLinks
from bot.domain.native_commands import SEND_FILES, NativePlatform
from bot.domain.processes import OneProcess
from bot.domain.skills import Skill
from bot.errors import SettingsError
from bot.sessions.approvals.cards import ApprovalCards
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.answering import (
    AnswersCommand,
    AskCommand,
    ModeCommand,
    RateCommand,
    ThreadCommands,
)
from bot.sessions.commands.approvals import ApprovalCommands, GrantCommands
from bot.sessions.commands.automations import AutomationCommands, ScheduleCommands
from bot.sessions.commands.commands import (
    HELP,
    LEAVING,
    OWN_NAME,
    SKILL,
    Commands,
    NativeCommandDesk,
    skill_commands,
)
from bot.sessions.commands.connect import ConnectCommands
from bot.sessions.commands.files import ExportCommand, FileCommands
from bot.sessions.commands.home_pages import HomeCommand, HomeFront, HomePages
from bot.sessions.commands.people import Claims, PairCommand, TakeOverCommand
from bot.sessions.commands.reports import ReportCommands, StatusCommand
from bot.sessions.commands.session_commands import PlanCommands, SessionCommands, UndoCommand
from bot.sessions.commands.share import ShareCommand
from bot.sessions.commands.skill_desk import SkillDesk, SkillShelf
from bot.sessions.commands.skill_imports import ImportCommands
from bot.sessions.commands.skill_turns import SkillTurns
from bot.sessions.commands.todos import RemindMeCommands, TodoCommands
from bot.sessions.learning.memory_passes import OwnWays
from bot.sessions.people.takeovers import TakeOvers
from bot.sessions.records.answer_length_store import AnswerLengths
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.settings import AccessSettings
from bot.tools.permission.bundles import Bundles


def build_decisions(house: House) -> Decisions:
    """What an answer to a card does."""
    ground, permission = house.ground, house.permission
    return Decisions(
        permission.approvals,
        permission.grants,
        permission.plans,
        Bundles(ground.database, ground.clock),
        ground.engine,
        ground.clock,
        ground.database,
        house.chats.cards.look,
    )


def build_rights_reports(house: House) -> RightsReports:
    """Why somebody may use what they may use."""
    return RightsReports(
        house.permission.rights,
        house.written.agents,
        house.tooling.catalog,
        house.written.contacts,
        house.crew.compose,
        house.resolver.integrations.usable,
        house.rules.default_agent,
    )


def build_commands(
    house: House,
    decisions: Decisions,
    rights_reports: RightsReports,
    takeovers: TakeOvers,
    sites: Sites,
) -> Commands:
    """Put the commands together; platforms with commands or forms of their own get ours.

    Raises SettingsError for a plug-in's command whose name is taken.
    """
    ground, chats, written = house.ground, house.chats, house.written
    connected, agent = house.resolver.integrations.of, house.rules.default_agent
    built_in = _built_ins(house, decisions, rights_reports, takeovers)
    built_in += commands_of_plugins(house.plugged, sites.commands, built_in)
    skills = skill_commands(written.skills, written.custom_skills, connected, built_in)
    turns = SkillTurns(ground.engine, ground.clock, skills)
    desk = SkillDesk(
        turns,
        chats.outbox,
        written.custom_skills,
        _visible_skills(house),
        agent,
        OwnWays(ground.database, house.learning),
    )
    native = NativeCommandDesk(
        ground.database,
        ground.clock,
        skills,
        written.custom_skills,
        written.contacts,
        house.channels,
        built_in,
    )
    answers = ground.settings.get(AccessSettings).unknown_people == "answer"
    processes = ground.processes
    notices = OneProcess() if processes is None else processes.notices
    front = HomeFront(
        _home_pages(house),
        written.contacts,
        house.channels,
        skills,
        answers,
        notices,
        ground.changes.catch_up,
    )
    house.accounts.connecting.on_connected.append(front.connected)
    for chat in chats.adapters:
        if isinstance(chat, NativePlatform):
            chat.offer(native)
        if isinstance(chat, HasHome):
            chat.offer_home(front)
        if isinstance(chat, PreviewsLinks):
            chat.offer_links(sites)
    return Commands(
        built_in=built_in,
        skills=skills,
        skill_turns=turns,
        desk=desk,
        contacts=written.contacts,
        channels=house.channels,
        approvals=house.permission.approvals,
        engine=ground.engine,
        outbox=chats.outbox,
        agent=agent,
    )


def _home_pages(house: House) -> HomePages:
    ground, permission = house.ground, house.permission
    return HomePages(
        ground.database,
        ground.clock,
        permission.approvals,
        house.accounts.connections,
        ground.meter,
    )


def _visible_skills(house: House) -> Callable[[Person], Sequence[Skill]]:
    connected, skills = house.resolver.integrations.of, house.written.skills
    return lambda person: skills.visible(person.role, connected(person))


def _built_ins(
    house: House,
    decisions: Decisions,
    rights_reports: RightsReports,
    takeovers: TakeOvers,
) -> tuple[ChatCommand, ...]:
    """In the order in which /help lists them."""
    ground, permission, chats, crew = house.ground, house.permission, house.chats, house.crew
    database, clock, engine = ground.database, ground.clock, ground.engine
    channels, approvals, background = house.channels, permission.approvals, crew.background
    contacts, attachments, tell = (
        house.written.contacts,
        chats.attachments,
        chats.outbox.retries.wake,
    )
    session = SessionCommands(house.records.sessions, engine, background)
    status = StatusCommand(
        database,
        engine,
        ground.model,
        approvals,
        background,
        chats.platforms,
        session,
        ground.sandbox,
    )
    trails = build_trails(house)
    places = house.places
    making = ApprovalCards(contacts, places, attachments, house.rules.default_agent)
    schedules = ScheduleCommands(database, engine, clock, ground.meter)
    rescheduled = house.rescheduled
    shelf = SkillShelf(_visible_skills(house))
    return (
        *AskCommand(engine, clock).commands(),
        *ThreadCommands(database).commands(),
        *ModeCommand(database, clock, permission.rights).commands(),
        *AnswersCommand(AnswerLengths(database)).commands(),
        *session.commands(),
        *status.commands(),
        *PlanCommands(crew.plans).commands(),
        *ReportCommands(trails, rights_reports, ground.meter).commands(),
        *HomeCommand(_home_pages(house)).commands(),
        *RateCommand(trails, house.tooling.catalog.past, database, clock).commands(),
        *ApprovalCommands(approvals, chats.cards, decisions, places, making).commands(),
        *GrantCommands(permission.grants).commands(),
        *PairCommand(house.pairing, approvals, decisions, takeovers).commands(),
        *TakeOverCommand(takeovers, contacts).commands(),
        *Claims(database, clock, contacts, takeovers.own).commands(),
        *schedules.commands(),
        *AutomationCommands(database, clock, schedules, tell).commands(),
        *TodoCommands(database, clock, rescheduled).commands(),
        *UndoCommand(database, clock, rescheduled).commands(),
        *RemindMeCommands(database, clock, rescheduled).commands(),
        *build_memory_commands(house).commands(),
        *ShareCommand(house.memory.sharing, approvals, channels, database).commands(),
        *ConnectCommands(house.accounts.connections, house.accounts.connecting).commands(),
        *ExportCommand(build_exports(house), attachments).commands(),
        *FileCommands(house.files, attachments).commands(),
        *ImportCommands(house.imports, attachments, database, shelf).commands(),
    )


# --- chat commands of plug-ins ---


NAME_CHARS = 32
ABOUT_CHARS = 100
"""The most that Discord takes of both."""
_RESERVED = (HELP, OWN_NAME, SKILL, *LEAVING, "answer", SEND_FILES.partition("_")[0])
"""Beside the built-in ones: what the terminal understands, and verbs of buttons."""


def commands_of_plugins(
    plugged: Sequence[Plugged],
    of_sites: Mapping[str, Sequence[ChatCommand]],
    built_in: Sequence[ChatCommand],
) -> tuple[ChatCommand, ...]:
    """In the order of the plug-ins. `of_sites`: those of their pages, by the name of the plug-in.

    Raises SettingsError for those whose name is taken, or that a platform would refuse.
    """
    owners = dict.fromkeys(_RESERVED, "Bellhop")
    owners |= {name: "Bellhop" for one in built_in for name in (one.name, *one.aliases)}
    found: list[ChatCommand] = []
    problems: list[str] = []
    for one in plugged:
        for command in (*one.parts.chat_commands, *of_sites.get(one.plugin.name, ())):
            found.append(command)
            problems += [f"{_of(one)} {what}; its author must {do}" for what, do in _wrong(command)]
            for name in (command.name, *command.aliases):
                if name in owners:
                    problems.append(
                        f"{_of(one)} has a chat command /{name}, and so has {owners[name]}; remove "
                        f"{one.plugin.name} from plugins, or have its author rename the command"
                    )
                owners.setdefault(name, _of(one))
    if problems:
        raise SettingsError("\n".join(problems))
    return tuple(found)


def _of(one: Plugged) -> str:
    return f"the plug-in {one.plugin.name!r}"


def _wrong(command: ChatCommand) -> Iterator[tuple[str, str]]:
    """What keeps a command from being registered, and what its author must do."""
    for name in (command.name, *command.aliases):
        if not (name.isascii() and _is_name(name, "_")):
            told = f"has a chat command called {name!r}"
            yield told, f"take up to {NAME_CHARS} small letters, digits and underscores"
    if command.about is None:
        yield f"doesn't say what its chat command /{command.name} does", "say it in `about`"
        return
    for language, about in command.words.about.all.items():
        if not 1 <= len(about) <= ABOUT_CHARS:
            told = f"says in {len(about)} characters what /{command.name} does ({language})"
            yield told, f"say it in 1 to {ABOUT_CHARS}"
    for language, name in command.words.name.all.items():
        if not _is_name(name, "_-"):
            told = f"calls /{command.name} {name!r} ({language})"
            yield told, f"take up to {NAME_CHARS} small letters, digits, underscores and dashes"


def _is_name(name: str, joined_by: str) -> bool:
    letters = "".join(char for char in name if char not in joined_by)
    return len(name) <= NAME_CHARS and letters.isalnum() and name == name.lower()
