"""Builds the native tools that belong to no connector."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from bot.agents.control_tools.sending import PostsFiles, Sends
from bot.agents.cycle_log.inspect import inspect_cycle_tool, recall_recent_tool
from bot.assembly.connectors import Documents
from bot.assembly.ground import Ground
from bot.assembly.house import House
from bot.assembly.memory import Memory
from bot.assembly.plugged import kept_going, require_own_tools
from bot.assembly.unattended import Unattended
from bot.assembly.workshop import build_draft_ground
from bot.assembly.written import WrittenHome
from bot.domain.tool_context import NativeTool
from bot.files.store import SeenFiles
from bot.files.tools import file_tools
from bot.files.virtual import VirtualFiles
from bot.memory.forget import forget_tool
from bot.memory.remember import remember_tool
from bot.plugin.places import PlaceGround, PlaceParts
from bot.plugin.plugin import Task
from bot.sessions.learning.sharing import share_memory_tool
from bot.sessions.place_tools import (
    accounts_here,
    answer_target,
    following,
    may_read_there,
    standing_place,
)
from bot.sessions.unattended.own_events import PollResults
from bot.tools.native.connector import Connector
from bot.tools.native.registry import ToolRegistration
from bot.tools.policy.view import PolicyView


def virtual_files(
    written: WrittenHome, documents: Documents, connectors: Sequence[Connector]
) -> VirtualFiles:
    """The files of all connectors and of messages, and the view of the policy."""
    sources = [source for connector in connectors for source in connector.file_sources()]
    return VirtualFiles([*sources, documents.opened, PolicyView(written.policy)])


def build_own_tools(
    ground: Ground, written: WrittenHome, files: VirtualFiles, memory: Memory
) -> list[NativeTool[Any]]:
    """Tools that exist for everybody."""
    return [
        remember_tool(memory.memories),
        forget_tool(written.memory, memory.sources),
        share_memory_tool(memory.sharing),
        inspect_cycle_tool(ground.cycle_log),
        recall_recent_tool(ground.cycle_log),
        written.skills.read_skill_tool(),
        *file_tools(files, seen=SeenFiles(ground.database)),
    ]


def add_session_tools(house: House, unattended: Unattended, files: VirtualFiles) -> list[Task]:
    """Tools that work on sessions, or on the tools. Raises SettingsError if a name is taken.

    Returns the background work of those for places.
    """
    natives, redaction = house.tooling.natives, house.permission.redaction
    keep = house.chats.attachments.keep
    natives.add(
        unattended.reminders.tool(),
        unattended.waits.tool(),
        Sends(files, house.documents.attached, keep, redaction).tool(),
    )
    taking = {
        one.plugin.name: one.tools_made(one.parts.attached_tools, house.documents.attached)
        for one in house.plugged
    }
    names = frozenset(tool.name for taken in taking.values() for tool in taken.tools)
    house.chats.attachments.taken_by = partial(house.tooling.catalog.names_running, names)
    for_places = _for_places(house, files)
    late = _late_tools(house, taking, for_places)
    for part in (following(), *chain.from_iterable(late.values())):
        if part.tools:
            natives.add(*part.tools, needs=part.needs)
    require_own_tools(house.plugged, natives, house.connectors, late)
    return [
        task
        for name, parts in for_places.items()
        for task in kept_going(name, parts.tasks, house.ground.clock)
    ]


def _for_places(house: House, files: VirtualFiles) -> Mapping[str, PlaceParts]:
    """What plug-ins add for places, by the name of the plug-in."""
    ground = house.ground
    results = PollResults(ground.clock, house.watching, ground.engine.rescheduled)
    places = PlaceGround(
        house.chats.by_platform,
        house.written.contacts.platforms,
        standing_place,
        partial(accounts_here, house.people),
        answer_target,
        partial(may_read_there, house.people),
        results.announce,
        files.read,
        PostsFiles(house.chats.attachments.keep, house.permission.redaction),
    )
    return {
        one.plugin.name: one.made(one.parts.places, places, PlaceParts)
        for one in house.plugged
        if one.parts.places is not None
    }


def _late_tools(
    house: House,
    taking: Mapping[str, ToolRegistration],
    for_places: Mapping[str, PlaceParts],
) -> Mapping[str, Sequence[ToolRegistration]]:
    """Tools of plug-ins that are made once the house stands, by the name of the plug-in.

    `taking`: those that take files of messages. `for_places`: those of places.
    """
    drafts = build_draft_ground(
        house.ground, house.written, house.permission, house.tooling, house.imports
    )
    return {
        one.plugin.name: [
            one.tools_made(one.parts.agent_tools, house.crew.led),
            taking[one.plugin.name],
            one.tools_made(one.parts.draft_tools, drafts),
            *for_places.get(one.plugin.name, PlaceParts()).tools,
        ]
        for one in house.plugged
    }
