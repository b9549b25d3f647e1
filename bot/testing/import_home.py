"""A home with the shipped skills and tools, and a desk that imports into it."""

from dataclasses import dataclass, field
from pathlib import Path

from bot.assembly.own_plugins import OWN
from bot.assembly.plugins import skill_importers_of
from bot.domain.access import Access, Person, Role
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.testing.fake_clock import FakeClock
from bot.testing.shipped_tools import SHIPPED_ROOTS
from bot.tools.catalog.catalog import ToolCatalog
from bot.workshop.review.desk import ImportDesk, Step
from bot.workshop.review.findings import ImportReport
from bot.workshop.review.names import TakenNames, taken_names
from bot.workshop.review.staging import Staging

ADMIN = Person("ann", "Ann", Role.MASTER_ADMIN)


@dataclass
class ImportHome:
    """The home as an operator and a reader see it."""

    path: Path
    steps: list[Step] = field(default_factory=list[Step])

    def __post_init__(self) -> None:
        self.staging = Staging(self.path)
        self.library = SkillLibrary([self.path / "skills", shipped_dir("skills")])
        self.catalog = ToolCatalog([self.path / "prompts", *SHIPPED_ROOTS])
        importers = skill_importers_of(OWN)
        self.desk = ImportDesk(
            self.staging, self._taken, FakeClock(), self._record, importers=importers
        )

    async def _taken(self) -> TakenNames:
        await self.reload()
        return taken_names(self.catalog, self.library)

    async def _record(self, step: Step) -> None:
        self.steps.append(step)

    async def reload(self) -> None:
        await self.library.reload_changed()
        await self.catalog.reload_changed()

    async def take(
        self,
        source: str | Path,
        form: str = "auto",
        roles: str | None = None,
        *,
        dry_run: bool = False,
    ) -> ImportReport:
        access = Access.parse(roles) if roles else None
        return await self.desk.import_source(ADMIN, str(source), form, access, dry_run=dry_run)

    async def live(self) -> tuple[set[str], set[str]]:
        """Return the names of the skills and tools that agents can see."""
        await self.reload()
        skills = {skill.name for skill in self.library.all()}
        return skills, {tool.definition.name for tool in self.catalog.snapshot.tools}

    def files(self) -> dict[str, bytes]:
        return {
            str(p.relative_to(self.path)): p.read_bytes()
            for p in self.path.rglob("*")
            if p.is_file()
        }
