"""Names for what is made here: not reserved, and not to be mistaken for one that is in use."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from bot.domain.access import Access, Role
from bot.domain.languages import Phrase
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.tools.catalog.catalog import ToolCatalog
from bot.workshop.review.names import skeleton
from bot.workshop.review.provenance import ImportProvenance
from bot.workshop.review.staging import NotReviewed

_RESERVED = ("agent_", "mcp__", "agents_using_")


@dataclass(frozen=True)
class Names:
    """The names in use, read each time."""

    catalog: ToolCatalog
    skills: SkillLibrary
    manifests: SkillManifests

    async def fresh(self) -> None:
        await self.catalog.reload_changed()
        await self.skills.reload_changed()
        await self.manifests.reload_changed()

    def tools(self, but: str) -> Iterable[str]:
        """Names and aliases of tools, staged ones too; of that one itself none."""
        live = (tool.definition for tool in self.catalog.snapshot.tools)
        for definition in (*live, *self.catalog.staged):
            if definition.name != but:
                yield from (definition.name, *definition.aliases)

    def of_skills(self, but: str) -> Iterable[str]:
        yield from (skill.name for skill in self.skills.all() if skill.name != but)
        yield from (one.skill_id for one in self.manifests.all() if one.skill_id != but)


def clash(name: str, taken: Iterable[str]) -> str | None:
    """Why a name can't be used: it is reserved, taken, or looks like a taken one."""
    if name.startswith(_RESERVED):
        return f"name: {name} begins like names that Bellhop gives; choose another"
    looks = skeleton(name)
    for other in taken:
        if other == name:
            return (
                f"name: {name} is taken here; choose another, or set `update` if you are to change "
                "it"
            )
        if skeleton(other) == looks:
            return f"name: {name} looks like {other}, which is here already; choose another"
    return None


def still_free(names: Names) -> Callable[[ImportProvenance], Awaitable[None]]:
    """Checks before an approval that staged names are still free."""

    async def judge(staged: ImportProvenance) -> None:
        await names.fresh()
        taken = {*names.tools(staged.name), *names.of_skills(staged.name)}
        if problem := clash(staged.name, taken):
            told = Phrase("{name} can't be approved: {problem}").filled(
                name=staged.name, problem=problem
            )
            raise NotReviewed(told)
        access = Access.parse(staged.roles)
        if not access.roles or Role.BANNED in access.roles:
            raise NotReviewed(
                Phrase("{name} can't be approved: it names no roles").filled(name=staged.name)
            )

    return judge
