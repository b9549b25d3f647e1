"""The desk of imported skills: its actions for command line and chat, with audit rows."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.clock import format_utc
from bot.domain.access import Access, Person, Role
from bot.domain.clock import Clock
from bot.domain.languages import Phrase, ToldError
from bot.errors import StorageError
from bot.skills.playbooks import (
    PROMOTED,
    NotPromoted,
    Playbook,
    prepare,
    taken_by_another,
    write_skill,
)
from bot.workshop.review.findings import ImportOptions, ImportRefused, ImportReport, blocking, shown
from bot.workshop.review.foreign import AUTO, SkillImporter, SkillSource, read_skills
from bot.workshop.review.names import TakenNames
from bot.workshop.review.provenance import ImportProvenance
from bot.workshop.review.staging import NotReviewed, Package, Staging

T = TypeVar("T")


class NotAllowed(ToldError):
    """Somebody who is no MasterAdmin wants to import or decide."""


@dataclass(frozen=True)
class Step:
    """One line for the audit log."""

    person: str
    kind: str
    """skill-imported, -refused, -approved, -rejected or -removed, or playbook-promoted."""
    name: str
    detail: str
    subject: str = "skill"
    """The kind of the named thing: `skill` or `tool`."""


Record = Callable[[Step], Awaitable[None]]


class ImportDesk:
    """Imports, approves, rejects and removes for one home; `taken` has its current names.

    Everything but looking raises NotAllowed for people below MasterAdmin, ImportRefused or
    NotReviewed with a sentence for the person, and StorageError. Each step is recorded; a decision
    is recorded before it holds, so that nothing becomes live without its line in the audit log.
    `changed` is called when something became live or ceased to be; `importers` read what comes
    from elsewhere.
    """

    def __init__(
        self,
        staging: Staging,
        taken: Callable[[], Awaitable[TakenNames]],
        clock: Clock,
        record: Record,
        changed: Callable[[], Awaitable[None]] | None = None,
        importers: Sequence[SkillImporter] = (),
    ) -> None:
        self._staging = staging
        self._taken = taken
        self._clock = clock
        self._record = record
        self._changed = changed
        self._importers = importers
        self._turn = asyncio.Lock()
        self.judge: Callable[[ImportProvenance], Awaitable[None]] | None = None
        """Checks mrtool's work once more before its approval; raises NotReviewed."""
        self.unlearnable: Callable[[Sequence[str]], Awaitable[Sequence[str]]] = _learns_from_all
        """Of the ids of sessions, those from which nothing may be learned."""

    async def staged(self) -> tuple[ImportProvenance, ...]:
        """Staged skills that wait for a decision."""
        return await asyncio.to_thread(self._staging.staged)

    async def find(self, name: str) -> ImportProvenance:
        """One staged skill with its findings. Raises NotReviewed."""
        return await asyncio.to_thread(self._staging.get, name)

    async def texts(self, staged: ImportProvenance) -> dict[str, str]:
        """The staged files of a skill, to read before deciding."""
        return await _in_thread(lambda: self._staging.texts(staged))

    async def live_texts(self, staged: ImportProvenance) -> dict[str, str]:
        """What an approval would replace, by the names of the staged files."""
        return await _in_thread(lambda: self._staging.live_texts(staged))

    async def live(self, name: str) -> ImportProvenance | None:
        """An imported skill that is live."""
        found = await asyncio.to_thread(self._staging.live)
        return next((one for one in found if one.name == name), None)

    async def import_source(
        self,
        person: Person,
        source: str,
        wanted: str = AUTO,
        roles: Access | None = None,
        *,
        dry_run: bool = False,
    ) -> ImportReport:
        """Stage the skills of a path, archive or git address."""
        _must_be_admin(person)
        return await self._import(person, SkillSource(source, None, wanted), roles, dry_run=dry_run)

    async def import_attachment(self, person: Person, name: str, data: bytes) -> ImportReport:
        """Stage the skills in a file that came through a chat."""
        _must_be_admin(person)
        return await self._import(person, SkillSource(name, data), None, dry_run=False)

    async def _import(
        self,
        person: Person,
        source: SkillSource,
        roles: Access | None,
        *,
        dry_run: bool,
    ) -> ImportReport:
        from bot.workshop.review.importer import stage  # noqa: PLC0415 - few homes import anything

        options = ImportOptions(person.id, self._clock.now(), roles, dry_run)
        async with self._turn:
            try:
                found = await read_skills(self._importers, source)
                report = await stage(self._staging, found, await self._taken(), options)
            except ImportRefused as error:
                if not dry_run:
                    name, why = shown(source.name, 60), shown(str(error), 400)
                    await self._record(Step(person.id, "skill-refused", name, why))
                raise
            except OSError as error:
                raise _not_stored(error) from error
            for item in report.items if not dry_run else ():
                if item.status != "unchanged":
                    kind = "skill-imported" if item.status == "staged" else "skill-refused"
                    blocks = len(blocking(item.findings))
                    where = f"{report.source}#{report.commit}" if report.commit else report.source
                    detail = (
                        f"{item.format} from {shown(where, 300)}; roles {item.roles or 'none'}; "
                        f"{blocks} blocking"
                    )
                    await self._record(Step(person.id, kind, item.name, detail))
            return report

    async def stage_made(self, package: Package) -> None:
        """Stage a skill or tool that mrtool made and validated; the caller records that.

        Raises NotReviewed.
        """
        name = package.provenance.name
        async with self._turn:
            known = (*await self.staged(), *await _in_thread(self._staging.live))
            if any(one.name == name and not one.made for one in known):
                told = Phrase("{name} came from elsewhere; choose another name")
                raise NotReviewed(told.filled(name=name))
            await _in_thread(lambda: self._staging.put(package))

    async def approve(
        self,
        person: Person,
        name: str,
        *,
        accept_findings: bool = False,
        content: str | None = None,
    ) -> ImportProvenance:
        """Make a staged skill and its tools live; `content`: only if that is still its hash."""
        _must_be_admin(person)
        async with self._turn:
            staged = await _in_thread(
                lambda: self._staging.check(name, accept_findings=accept_findings)
            )
            if content is not None and staged.content != content:
                told = Phrase("{name} is not what was shown any more; look at it again")
                raise NotReviewed(told.filled(name=name))
            if staged.made and self.judge is not None:
                await self.judge(staged)
            accepted = bool(blocking(staged.findings))
            approved = staged.approved(person.id, format_utc(self._clock.now()), accepted=accepted)
            detail = f"; roles {staged.roles}" + ("; findings accepted" if accepted else "")
            await self._record_decision(person, "approved", staged, detail)
            await _in_thread(lambda: self._staging.approve(approved))
            await self._told()
            return approved

    async def reject(self, person: Person, name: str) -> ImportProvenance:
        """Delete a staged skill."""
        _must_be_admin(person)
        async with self._turn:
            staged = await _in_thread(lambda: self._staging.get(name))
            await self._record_decision(person, "rejected", staged)
            return await _in_thread(lambda: self._staging.reject(name))

    async def remove(self, person: Person, name: str) -> ImportProvenance:
        """Remove a live imported skill and its tools."""
        _must_be_admin(person)
        async with self._turn:
            live = await _in_thread(lambda: self._staging.live_one(name))
            await self._record_decision(person, "removed", live)
            removed = await _in_thread(lambda: self._staging.remove(name))
            await self._told()
            return removed

    async def promote(
        self, person: Person, name: str, roles: Access | None = None
    ) -> tuple[Playbook, bool]:
        """Make a skill from a playbook candidate; returns it, and whether it was promoted now.

        Raises NotAllowed, NotPromoted for a candidate that is not there or broken, StorageError.
        """
        _must_be_admin(person)
        home = self._staging.skills.parent
        async with self._turn:
            made = await _in_thread(lambda: prepare(home, name, roles or Access()))
            slug = made.playbook.slug
            if made.playbook.status == PROMOTED:
                return made.playbook, False
            if closed := await self.unlearnable(made.playbook.sessions):
                sessions = ", ".join(closed)[:120]
                told = Phrase(
                    "{name} comes from sessions in places with learn: false ({sessions}), so no "
                    "skill is made of it; remove them and what they taught from the candidate"
                )
                raise NotPromoted(told.filled(name=slug, sessions=sessions))
            others = slug in (await self._taken()).skills and not (home / "skills" / slug).exists()
            if others or await _in_thread(lambda: taken_by_another(home, made)):
                told = Phrase(
                    "there is a skill {name} already; rename the candidate's file, and promote it "
                    "then"
                )
                raise NotPromoted(told.filled(name=slug))
            detail = (
                f"tools {', '.join(made.playbook.tools)}; {made.playbook.occurrences} occurrences"
            )
            await self._record(Step(person.id, "playbook-promoted", slug, shown(detail, 400)))
            await _in_thread(lambda: write_skill(home, made))
            await self._told()
            return made.playbook, True

    async def _record_decision(
        self, person: Person, kind: str, one: ImportProvenance, more: str = ""
    ) -> None:
        detail = f"content {one.content}{more}"
        step = Step(person.id, f"{one.subject}-{kind}", one.name, detail, one.subject)
        await self._record(step)

    async def _told(self) -> None:
        if self._changed is not None:
            await self._changed()


async def _learns_from_all(sessions: Sequence[str]) -> Sequence[str]:
    return ()


async def _in_thread(work: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(work)
    except OSError as error:
        raise _not_stored(error) from error


def _not_stored(error: OSError) -> StorageError:
    where = error.filename or "the home folder"
    return StorageError(
        f"{where}: {error.strerror or error}; make skills/ and prompts/tools/ writable and try "
        "again"
    )


def _must_be_admin(person: Person) -> None:
    if person.role is not Role.MASTER_ADMIN:
        told = Phrase(
            "importing skills and deciding about them is for a MasterAdmin; {name} is {role}"
        )
        raise NotAllowed(told.filled(name=person.name, role=person.role))
