"""A house whose every word is hostile: the rows of its views have given texts in every field.

Rows are filled by the types of their fields, so a field that a row gets later has them, too.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from bot.domain.access import Person, Role
from bot.domain.chat_commands import Asked
from bot.domain.places import Reach
from bot.domain.privacy import Learned, Viewer
from bot.plugin import views

T = TypeVar("T")
MOMENT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
DAY = "2026-11-21"


def made(kind: type[T], text: str, /, **known: Any) -> T:
    """A row with `text` wherever its type has a string; `known` has words of closed lists."""
    types = get_type_hints(kind)
    rest = [one.name for one in fields(cast("Any", kind)) if one.name not in known]
    return kind(**{name: _value(types[name], text) for name in rest}, **known)


def _value(kind: Any, text: str) -> Any:
    outer, inner = get_origin(kind), get_args(kind)
    if outer is None:
        return _single(kind, text)
    if outer is UnionType:
        return _value(inner[0], text)
    if outer is tuple:
        return tuple(_value(one, text) for one in inner)
    if issubclass(outer, Mapping):
        return {_value(inner[0], text): _value(inner[1], text)}
    return [_value(inner[0], text)]


def _single(kind: Any, text: str) -> Any:
    if is_dataclass(kind):
        return made(cast("type[Any]", kind), text)
    if issubclass(kind, Enum):
        return next(iter(kind))
    return {str: text, int: 1, float: 1.0, bool: True, datetime: MOMENT}[kind]


@dataclass(frozen=True)
class HostileHouse:
    """Implements every view, for anybody. Lists have a row for each text; else the first stands.

    `decidable`: whether an approval shows its buttons.
    """

    texts: Sequence[str]
    decidable: bool = True

    @property
    def first(self) -> str:
        return self.texts[0]

    def looker(self, role: Role = Role.MASTER_ADMIN) -> views.Looker:
        """Somebody who has the first text for a name."""
        place = Learned(Reach.DM)
        return views.Looker(
            Person(self.first, self.first, role), Viewer(self.first, inner=True, place=place)
        )

    def house_views(self) -> views.HouseViews:
        return views.HouseViews(
            self,
            HostileNow(self.texts),
            HostileRuns(self.texts),
            HostileApprovals(self.texts, self.decidable),
            HostileUsage(self.texts),
            HostileMemory(self.texts),
            HostilePeople(self.texts),
            HostileUnattended(self.texts),
            HostileSkills(self.texts),
            HostileOwn(self.texts),
            HostileLog(self.texts),
        )

    def found_by(self, asked: Asked) -> str:
        return self.texts[0]

    async def who(self, found_by: str, person: str, role: str) -> views.Looker | views.Gone:
        return self.looker()


@dataclass(frozen=True)
class _Hostile:
    texts: Sequence[str]

    def each(self, kind: type[T], /, **known: Any) -> list[T]:
        return [made(kind, text, **known) for text in self.texts]

    def single(self, kind: type[T], /, **known: Any) -> T:
        return made(kind, self.texts[0], **known)

    def page(self, kind: type[T], /, **known: Any) -> views.Rows[T]:
        return views.Rows(self.each(kind, **known), self.texts[0])

    def told(self) -> views.ActionTold:
        return self.single(views.ActionTold, done=False)


class HostileNow(_Hostile):
    async def look(self, who: views.Looker) -> views.NowView:
        return self.single(views.NowView, work=self.each(views.WorkRow))


class HostileRuns(_Hostile):
    async def newest(
        self, who: views.Looker, *, behind: str = "", person: str = "", failed: bool = False
    ) -> views.Rows[views.RunRow]:
        return self.page(views.RunRow)

    async def one(self, who: views.Looker, name: str) -> views.RunView | None:
        # The ref stands in the address of the stream, which has an end.
        row = self.single(views.RunRow, ref="r1")
        return self.single(views.RunView, row=row, settled=False)


@dataclass(frozen=True)
class HostileApprovals(_Hostile):
    decidable: bool

    async def waiting(
        self, who: views.Looker, *, behind: str = ""
    ) -> views.Rows[views.ApprovalRow]:
        return self.page(views.ApprovalRow)

    async def past(self, who: views.Looker, *, behind: str = "") -> views.Rows[views.ApprovalRow]:
        return self.page(views.ApprovalRow)

    async def one(self, who: views.Looker, ref: str) -> views.ApprovalView | None:
        why_not = {"why_not": ""} if self.decidable else {}
        return self.single(views.ApprovalView, grants=["session", "target"], **why_not)

    async def decide(
        self,
        who: views.Looker,
        ref: str,
        *,
        approve: bool,
        shown: str,
        grant: str = "",
        lines: Sequence[int] = (),
    ) -> views.ActionTold:
        return self.told()


class HostileUsage(_Hostile):
    async def look(self, who: views.Looker, by: views.UseBy, days: int) -> views.UseView:
        return views.UseView([DAY], self.each(views.UseRow, day=DAY))


class HostileMemory(_Hostile):
    async def look(
        self, who: views.Looker, tier: str, *, behind: str = ""
    ) -> views.Rows[views.MemoryRow]:
        return self.page(views.MemoryRow)

    async def forget(self, who: views.Looker, ref: str) -> views.ActionTold:
        return self.told()


class HostilePeople(_Hostile):
    async def look(self, who: views.Looker, *, behind: str = "") -> views.Rows[views.ShownPerson]:
        return self.page(views.ShownPerson)

    async def names(self, who: views.Looker, people: Collection[str]) -> Mapping[str, str]:
        return {one: one for one in people}

    async def rights(self, who: views.Looker, person: str, place: str) -> views.RightsView | str:
        return self.single(views.RightsView)


class HostileUnattended(_Hostile):
    async def look(self, who: views.Looker, *, behind: str = "") -> views.Rows[views.UnattendedRow]:
        rows = [*self.each(views.UnattendedRow), *self.each(views.UnattendedRow, kind="schedule")]
        return views.Rows(rows, self.texts[0])

    async def change(self, who: views.Looker, verb: str, ref: str, once: str) -> views.ActionTold:
        return self.told()


class HostileSkills(_Hostile):
    async def look(self, who: views.Looker, *, behind: str = "") -> views.Rows[views.SkillRow]:
        return self.page(views.SkillRow)

    async def staged(self, who: views.Looker) -> Sequence[views.StagedRow]:
        return self.each(views.StagedRow)

    async def one_staged(self, who: views.Looker, name: str) -> views.StagedView | None:
        return self.single(views.StagedView)

    async def decide(
        self, who: views.Looker, name: str, *, approve: bool, content: str, accepted: bool
    ) -> views.ActionTold:
        return self.told()


class HostileOwn(_Hostile):
    async def todos(self, who: views.Looker, *, behind: str = "") -> views.Rows[views.TodoRow]:
        return self.page(views.TodoRow)

    async def files(self, who: views.Looker, *, behind: str = "") -> views.Rows[views.FileRow]:
        return self.page(views.FileRow)

    async def file(self, who: views.Looker, path: str) -> bytes | None:
        return path.encode("utf-8", "replace")

    async def services(self, who: views.Looker) -> Sequence[views.ServiceRow]:
        states = ("connected", "shared", "possible")
        return [one for state in states for one in self.each(views.ServiceRow, state=state)]

    async def disconnect(self, who: views.Looker, service: str) -> views.ActionTold:
        return self.told()

    async def export(self, who: views.Looker) -> bytes:
        return b""


class HostileLog(_Hostile):
    async def search(
        self, who: views.Looker, words: str, level: str, *, behind: str = ""
    ) -> views.Rows[views.LogRow]:
        return self.page(views.LogRow)
