"""The workshop over the rooms of a running Bellhop: imported skills, and drafts of plug-ins."""

from bot.assembly.ground import Ground
from bot.assembly.permission import Permission
from bot.assembly.plugins import skill_importers_of
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.plugin.drafts import DraftGround
from bot.sessions.learning.consent import Learning
from bot.storage.shared_changes import DEFINITIONS
from bot.tools.settings import ToolSettings
from bot.workshop.drafts.desk import DraftDesk
from bot.workshop.drafts.trial import DraftTrials
from bot.workshop.review.desk import ImportDesk, Step
from bot.workshop.review.names import Names, TakenNames, still_free, taken_names
from bot.workshop.review.staging import Staging


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

    staging, importers = Staging(ground.settings.home), skill_importers_of(ground.plugins)
    desk = ImportDesk(staging, taken, ground.clock, record, changed, importers)
    desk.unlearnable = learning.forbidden
    desk.judge = still_free(_names(written, tooling))
    return desk


def build_draft_ground(
    ground: Ground,
    written: WrittenHome,
    permission: Permission,
    tooling: Tooling,
    desk: ImportDesk,
) -> DraftGround:
    """Drafts go through the same staging and approval as what is imported."""
    home, clock = ground.settings.home, ground.clock
    trials = DraftTrials(ground.settings.get(ToolSettings).shell, clock, home)
    drafts = DraftDesk(home, _names(written, tooling), desk, trials, clock)
    return DraftGround(drafts, permission.approvals.audit_unit)


def _names(written: WrittenHome, tooling: Tooling) -> Names:
    return Names(tooling.catalog, written.skills, written.manifests)
