"""What follows people when contacts.yaml names them."""

import asyncio
from collections.abc import Sequence

from bot.assembly.accounts import Accounts
from bot.assembly.browser import browser_moves
from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.connectors.workspaces.folders import move_projects
from bot.sessions.person_links import PersonLinks
from bot.tools.native.connector import Connector


def build_person_links(
    ground: Ground,
    written: WrittenHome,
    tooling: Tooling,
    accounts: Accounts,
    chats: Chats,
    connectors: Sequence[Connector],
) -> PersonLinks:
    """Moves the database's rows, and what lies beside it: memory, tokens, projects."""
    projects = ground.settings.home / "data" / "workspaces"

    async def move_folders(earlier: str, person: str) -> None:
        await asyncio.to_thread(move_projects, projects, earlier, person)

    moves = [
        written.memory.move,
        accounts.credentials.move,
        move_folders,
        *browser_moves(connectors),
    ]
    if tooling.catalog.past is not None:
        moves.append(tooling.catalog.past.move)
    finish = [written.memory.finish_moves]
    return PersonLinks(
        ground.database, ground.clock, written.contacts, moves, chats.outbox.wake, finish
    )
