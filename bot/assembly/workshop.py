"""The workshop over the rooms of a running Bellhop: imported skills, and what mrtool makes."""

from collections.abc import Sequence
from typing import Any

from bot.assembly.ground import Ground
from bot.assembly.permission import Permission
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.domain.tool_context import NativeTool
from bot.sessions.learning.consent import Learning
from bot.storage.shared_changes import DEFINITIONS
from bot.tools.settings import ToolSettings
from bot.workshop.importing.desk import ImportDesk, Step
from bot.workshop.importing.names import TakenNames, taken_names
from bot.workshop.importing.staging import Staging
from bot.workshop.making.tools import making_tools
from bot.workshop.making.trial import DraftTrials
from bot.workshop.making.workbench import Names, Workbench


def build_import_desk(
    ground: Ground,
    written: WrittenHome,
    permission: Permission,
    tooling: Tooling,
    learning: Learning,
) -> ImportDesk:
    """The desk takes loaded names, logs each step in the audit log, and loads live items.

    Other processes load them, too. `learning`: from what nothing may be learned.
    """
    catalog, skills, approvals = tooling.catalog, written.skills, permission.approvals

    async def taken() -> TakenNames:
        return taken_names(catalog, skills)

    async def record(step: Step) -> None:
        await ground.database.write(
            approvals.audit_unit(step.person, step.kind, f"{step.subject}:{step.name}", step.detail)
        )

    async def changed() -> None:
        await skills.reload_changed()
        await catalog.reload_changed()
        await ground.changes.tell(DEFINITIONS)

    desk = ImportDesk(Staging(ground.settings.home), taken, ground.clock, record, changed)
    desk.unlearnable = learning.forbidden
    return desk


def build_workbench(
    ground: Ground,
    written: WrittenHome,
    permission: Permission,
    tooling: Tooling,
    desk: ImportDesk,
) -> Sequence[NativeTool[Any]]:
    """Drafts go through the same staging and approval as what is imported."""
    home, clock = ground.settings.home, ground.clock
    names = Names(tooling.catalog, written.skills, written.manifests)
    trials = DraftTrials(ground.settings.get(ToolSettings).shell, clock, home)
    bench = Workbench(home, names, desk, trials, clock)
    return making_tools(bench, permission.approvals.audit_unit)
