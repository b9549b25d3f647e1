"""Sharing: the one way from private words into shared memory is their person's own yes.

The person is shown the exact text and who will see it. Nothing else counts as that yes: no rule, no
grant, no wording, no yes of somebody else. The tool `share_memory` only proposes one sentence.
"""

from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.card_words import in_words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import CountedPhrase, Language, Phrase, Translations, number
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.places import Location
from bot.domain.platforms import PlatformTraits
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Deferred, NeedsApproval, ToolOutcome, ToolResult
from bot.domain.tools import Risk
from bot.errors import ToolError
from bot.log import redact
from bot.memory.choices_store import share_write, sharer_of, shares_of, unshare_write
from bot.memory.distillation.routing import ENTRY_CHARS, SHARED_SIGNIFICANCE
from bot.memory.editing import TierEditor, TierOf
from bot.sessions.people.contacts import Contacts
from bot.tools.permission.store import AuditEntry, audit
from bot.tools.policy.rights import Rights
from bot.turns.refs import hashed_ref

NAMES = 12
"""The most people that a card names."""
SHARE_MEMORY = "share_memory"
SOURCE = "share-"
"""What the source of a shared entry begins with; its reference follows."""
_TIER = TierOf(Tier.SHARED, "", "")


@dataclass(frozen=True)
class Audience:
    """Who would see a shared text."""

    workspace: str
    """`platform:workspace`; empty: members everywhere."""
    traits: PlatformTraits
    """Of that platform."""
    here: bool
    """Whether it is shared from a place of that workspace."""
    known: tuple[tuple[str, str], ...]
    """Ids and names of the people who are known to be among them."""

    @property
    def ref(self) -> str:
        """Says who they are in no language: the same readers have the same one."""
        return hashed_ref("r", self.workspace, *sorted(id_ for id_, _ in self.known), chars=20)

    @property
    def words(self) -> str:
        """As the model reads it."""
        return self.said(Language.EN)

    def said(self, language: Language) -> str:
        """The same for the person who decides, without a point at the end."""
        return Phrase(
            "every member of rank {rank} and above (Business, Friend, Partner, MasterAdmin) "
            "{where}, now and later. {known}"
        ).said(language, rank=INNER_RANK, where=self._where(language), known=self._known(language))

    def _where(self, language: Language) -> str:
        if not self.workspace:
            return Phrase("everywhere that I talk").said(language)
        where = self.traits.here if self.here else self.traits.there
        platform, id_ = self.traits.title or self.traits.name, self.workspace.partition(":")[2]
        return where.said(language, platform=platform, id=id_)

    def _known(self, language: Language) -> str:
        if not self.known:
            return Phrase("I know none by name yet").said(language)
        names = ", ".join(in_words(name) for _, name in self.known[:NAMES])
        more = len(self.known) - NAMES
        if more > 0:
            return CountedPhrase(
                Phrase("Known now: {names} and {count} more", context="one"),
                Phrase("Known now: {names} and {count} more"),
            ).said(language, more, names=names)
        return Phrase("Known now: {names}").said(language, names=names)


@dataclass(frozen=True)
class Shared:
    """A text that is in shared memory now. `unit` records who shared it."""

    ref: str
    new: bool
    """Whether it was not there before."""
    unit: Unit

    def said(self, language: Language = Language.EN) -> str:
        """The sentence about it; it does not repeat the text."""
        phrase = (
            Phrase("Shared. `/share back {ref}` takes it back.")
            if self.new
            else Phrase("It was shared before.")
        )
        return phrase.said(language, ref=self.ref)


@dataclass(frozen=True)
class Sharing:
    """Puts single texts into shared memory, and takes them out again."""

    database: Database
    clock: Clock
    tiers: TierEditor
    contacts: Contacts
    rights: Rights

    def audience(self, location: Location) -> Audience:
        """Who would see what somebody shares from there.

        From a direct message that belongs to several workspaces, or to none: members everywhere.
        """
        workspaces = location.workspaces
        workspace = next(iter(workspaces)) if len(workspaces) == 1 else ""
        platform = workspace.partition(":")[0]
        known = tuple(
            (one.id, one.name or one.id)
            for one in self.contacts.people
            if (not platform or platform in one.ids)
            and (person := self.contacts.person(one.id)) is not None
            and person.role.rank >= INNER_RANK
        )
        traits = self.contacts.platforms[platform]
        return Audience(workspace, traits, location.has_workspace, known)

    def problem(
        self, text: str, person: Person, location: Location, language: Language = Language.EN
    ) -> str:
        """Why a text can't be shared from there, as a sentence; empty if it can."""
        if person.role.rank < INNER_RANK:
            return Phrase(
                "Only members of rank {rank} and above can share something with all."
            ).said(language, rank=INNER_RANK)
        if not self.rights.at(location).learns:
            return Phrase(
                "Nothing is learned in this place, so nothing is shared from it either."
            ).said(language)
        if not text:
            return Phrase("There is no text to share.").said(language)
        if len(text) > ENTRY_CHARS:
            count = number(len(text), language)
            return Phrase("That has {count} characters; shared memory takes up to {most}.").said(
                language, count=count, most=ENTRY_CHARS
            )
        if redact(text) != text:
            return Phrase("That looks like it holds a password or key. I don't share these.").said(
                language
            )
        return ""

    async def share(self, person: Person, text: str, workspace: str) -> Shared:
        """Write a text after its person's yes; repeating it writes nothing twice.

        Raises StorageError.
        """
        now = self.clock.now()
        ref = hashed_ref("s", person.id, workspace, text)
        entry = MemoryEntry(
            text, SHARED_SIGNIFICANCE, now.date(), f"{SOURCE}{ref}", workspace=workspace
        )
        async with self.tiers.store.lock:
            await self.tiers.append(_TIER, entry)
            there = await self.tiers.store.entries(Tier.SHARED, agent="", person_id="")
        own = any(one.source == entry.source for one in there)
        line = AuditEntry(
            now, person.id, "shared", SHARE_MEMORY, f"{ref} {workspace or 'everywhere'}"
        )
        unit = Unit.of(audit(line))
        return Shared(
            ref, own, unit + Unit.of(share_write(ref, person.id, workspace, now)) if own else unit
        )

    async def take_back(self, ref: str, person: Person, language: Language) -> str:
        """Remove what this person shared, or anybody did for a MasterAdmin; returns the answer.

        Raises StorageError.
        """
        owner = await sharer_of(self.database, ref)
        if owner is None or (owner != person.id and person.role is not Role.MASTER_ADMIN):
            return Phrase("You have shared nothing with the reference {ref}.").said(
                language, ref=ref[:20]
            )
        async with self.tiers.store.lock:
            await self.tiers.remove_source(_TIER, f"{SOURCE}{ref}")
        line = AuditEntry(self.clock.now(), person.id, "unshared", SHARE_MEMORY, ref)
        await self.database.write(Unit.of(unshare_write(ref), audit(line)))
        return Phrase(
            "Taken back, also from the archive and the backups. Conversations that are open now "
            "may show it until they end."
        ).said(language)

    async def shared_by(self, person: str) -> list[tuple[str, str]]:
        """What a person has shared: references and texts, oldest first. Raises StorageError."""
        texts = {
            one.source: one.text
            for read in (self.tiers.store.entries, self.tiers.store.archived)
            for one in await read(Tier.SHARED, agent="", person_id="")
        }
        refs = await shares_of(self.database, person)
        return [(ref, texts[key]) for ref in refs if (key := f"{SOURCE}{ref}") in texts]


def as_entry(text: str) -> str:
    """A text as shared memory holds it: without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


REASON = "it tells this text to everybody named there"
FROM_OUTSIDE = (
    "text from outside is in this conversation, so nothing is shared on your word; the person can "
    "share their own words with /share TEXT"
)


class ShareMemory(BaseModel):
    """Arguments of `share_memory`."""

    model_config = ConfigDict(extra="forbid")

    text: str
    seen_by: str | None = None
    """Who will see it: filled in for the card."""


def share_memory_tool(sharing: Sharing) -> NativeTool[ShareMemory]:
    """Asks with a card in every case, and writes only after the person's own yes to its text."""

    async def run(context: ToolContext, given: ShareMemory) -> ToolOutcome:
        text = as_entry(given.text)
        audience = sharing.audience(context.location)
        if problem := sharing.problem(text, context.person, context.location):
            raise ToolError(problem)
        if context.origin.untrusted:
            raise ToolError(FROM_OUTSIDE)
        if not context.confirmed:
            return _question(context, {"text": text, "seen_by": audience.words})
        if (given.text, given.seen_by) != (text, audience.words):
            raise ToolError(
                "the card did not say who would see it now; call it again with seen_by: "
                f"{audience.words}"
            )
        done = await sharing.share(context.person, text, audience.workspace)
        return ToolResult(done.said(), unit=done.unit, summary="shared a sentence")

    async def tell(context: ToolContext, given: ShareMemory) -> Translations:
        readers = sharing.audience(context.location)
        return Translations.by(
            lambda language: Phrase("share a text with {readers}").said(
                language, readers=readers.said(language)
            )
        )

    return NativeTool(SHARE_MEMORY, ShareMemory, run, tells=tell)


def _question(context: ToolContext, shown: dict[str, object]) -> NeedsApproval | Deferred:
    call = replace(context.call, arguments=shown)
    if not context.run.shape.person_present:
        return Deferred(call, REASON, Risk.EXTERNAL_WRITE)
    return NeedsApproval(call, Risk.EXTERNAL_WRITE, REASON, 0)
