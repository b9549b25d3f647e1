"""Skills, and what waits to become one: its findings, and what an approval would change."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from bot.domain.access import Person
from bot.domain.card_words import visible
from bot.domain.skills import Skill
from bot.errors import BotError
from bot.plugin.views import ActionTold, Looker, Rows, SkillRow, StagedRow, StagedView
from bot.skills.custom import CustomSkill, CustomSkills
from bot.skills.library import SkillLibrary
from bot.views.paging import in_order
from bot.views.sight import RowKind, may_see
from bot.workshop.review.desk import ImportDesk
from bot.workshop.review.findings import Severity, blocking
from bot.workshop.review.provenance import ImportProvenance
from bot.workshop.review.wording import approved_text

_ORDER = tuple(reversed(Severity))


@dataclass(frozen=True)
class HouseSkills:
    """Implements `bot.plugin.views.ShowsSkills`."""

    library: SkillLibrary
    custom: CustomSkills
    desk: ImportDesk
    usable: Callable[[Person], frozenset[str]]
    """Ids of the services that a person can use."""

    async def look(self, who: Looker, *, behind: str = "") -> Rows[SkillRow]:
        """Those of the house by name, then their own."""
        shipped = self.library.visible(who.person.role, self.usable(who.person))
        own = await self.custom.own(who.person)
        kept = (one for one in own if may_see(who, RowKind.KEPT, who.person.id, one.learned))
        page = in_order([*shipped, *kept], _place, behind)
        return Rows([_skill_row(one) for one in page.rows], page.next)

    async def staged(self, who: Looker) -> Sequence[StagedRow]:
        if not may_see(who, RowKind.HOUSE):
            return ()
        return [_row(one) for one in await self.desk.staged()]

    async def one_staged(self, who: Looker, name: str) -> StagedView | None:
        if not may_see(who, RowKind.HOUSE):
            return None
        try:
            found = await self.desk.find(name)
            texts, live = await self.desk.texts(found), await self.desk.live_texts(found)
        except BotError:
            return None
        findings = sorted(found.findings, key=lambda one: _ORDER.index(one.severity))
        return StagedView(
            _row(found),
            [
                (str(one.severity), visible(str(one)).removeprefix(f"{one.severity}: "))
                for one in findings
            ],
            await asyncio.to_thread(_changes, texts, live),
            found.content,
        )

    async def decide(
        self, who: Looker, name: str, *, approve: bool, content: str, accepted: bool
    ) -> ActionTold:
        """As `/skills approve` and `/skills reject`; the desk looks again who decides."""
        try:
            if not approve:
                await self.desk.reject(who.person, name)
                return ActionTold(f"{name[:64]} was deleted.")
            approved = await self.desk.approve(
                who.person, name, accept_findings=accepted, content=content
            )
        except BotError as error:
            return ActionTold(str(error), done=False)
        return ActionTold(approved_text(approved))


def _place(one: Skill | CustomSkill) -> str:
    """Sorts a list, and is where its next page begins."""
    return f"house {one.name}" if isinstance(one, Skill) else f"own {one.slug}"


def _skill_row(one: Skill | CustomSkill) -> SkillRow:
    if isinstance(one, Skill):
        origin = one.connector or "library"
        return SkillRow(one.name, one.description, one.access.describe(), origin)
    return SkillRow(one.slug, one.text.description, "you", one.author)


def _row(one: ImportProvenance) -> StagedRow:
    return StagedRow(
        one.name,
        one.format,
        visible(one.source),
        one.roles,
        one.approved_by or one.imported_by,
        one.imported_at,
        len(blocking(one.findings)),
        len(one.findings),
    )


def _changes(texts: Mapping[str, str], live: Mapping[str, str]) -> dict[str, str]:
    """Every character is shown: what could hide is written by its number."""
    return {name: _change(name, text, live.get(name)) for name, text in texts.items()}


def _change(name: str, text: str, before: str | None) -> str:
    if before is None:
        return visible(text)
    lines = unified_diff(
        visible(before).splitlines(),
        visible(text).splitlines(),
        f"{name} (live)",
        f"{name} (staged)",
        lineterm="",
    )
    return "\n".join(lines) or "unchanged"
