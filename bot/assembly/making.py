"""The workbench of mrtool over the rooms of a running Bellhop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.domain.clock import Clock
from bot.domain.tool_context import NativeTool
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.settings import ShellSettings
from bot.workshop.importing.desk import ImportDesk
from bot.workshop.making.tools import making_tools
from bot.workshop.making.trial import DraftTrials
from bot.workshop.making.workbench import Names, Workbench


def build_making_tools(
    home: Path,
    desk: ImportDesk,
    names: tuple[ToolCatalog, SkillLibrary, SkillManifests],
    approvals: ApprovalStore,
    shell: ShellSettings,
    clock: Clock,
) -> Sequence[NativeTool[Any]]:
    """Drafts go through the same staging and approval as what is imported."""
    bench = Workbench(home, Names(*names), desk, DraftTrials(shell, clock, home), clock)
    return making_tools(bench, approvals.audit_unit)
