"""The desk of imported skills over the rooms of a running Bellhop."""

from pathlib import Path

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.skills.library import SkillLibrary
from bot.storage.shared_changes import DEFINITIONS, SharedChanges
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.permission.approvals import ApprovalStore
from bot.workshop.importing.desk import ImportDesk, Step
from bot.workshop.importing.names import TakenNames
from bot.workshop.importing.staging import Staging
from bot.workshop.importing.taken import taken_names


def build_import_desk(
    home: Path,
    catalog: ToolCatalog,
    skills: SkillLibrary,
    approvals: ApprovalStore,
    database: Database,
    clock: Clock,
    changes: SharedChanges,
) -> ImportDesk:
    """The desk takes loaded names, logs each step in the audit log, and loads live items.

    Other processes load them, too.
    """

    async def taken() -> TakenNames:
        return taken_names(catalog, skills)

    async def record(step: Step) -> None:
        await database.write(
            approvals.audit_unit(step.person, step.kind, f"{step.subject}:{step.name}", step.detail)
        )

    async def changed() -> None:
        await skills.reload_changed()
        await catalog.reload_changed()
        await changes.tell(DEFINITIONS)

    return ImportDesk(Staging(home), taken, clock, record, changed)
