"""Custom skills in the database: found at once, saved, shared and removed."""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.clock import format_utc
from bot.domain.access import Access, Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Row, Unit
from bot.domain.languages import Phrase, Translations
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.domain.privacy import PUBLICLY, Learned, Viewer
from bot.domain.skills import Skill, SkillScope
from bot.errors import DefinitionError, UnitRejected
from bot.files import store
from bot.files.database_files import version_of, workspace_owner
from bot.files.store import FileRows, Owner, StoredText
from bot.skills import skill_words
from bot.skills.custom_file import (
    CUSTOM,
    SHARED,
    CustomText,
    parse_custom_skill,
    render_custom_skill,
    skill_path,
)
from bot.skills.names import command_name, free_name
from bot.skills.skill_file import SKILL_FILE
from bot.tools.catalog.phrases import PhraseBook

log = logging.getLogger(__name__)

SHARING_RANK = Role.PARTNER.rank
"""The lowest rank that may share, change or remove a workspace's skill."""
SKILLS_MAX = 200
"""The most skills per owner; further ones are ignored."""

LISTING_CHARS = 1_200
"""The most characters of all descriptions at the start of a context."""

RoleOf = Callable[[str], Role | None]
"""The role that a person has now, by person id; None for people whom contacts.yaml doesn't name."""

NO_NAME = Phrase("{name} can't be a name; use letters and digits, such as weekly_report")


@dataclass(frozen=True)
class CustomSkill:
    """A skill as one reader may see it."""

    text: CustomText
    path: str
    scope: SkillScope
    author: str
    """Person id of its last author."""
    origin: Origin
    """How far the reader may trust it (docs/rules.md#skills)."""
    learned: Learned = PUBLICLY
    """Where it was written; everybody in a workspace sees its skills."""

    @property
    def slug(self) -> str:
        return self.text.slug

    def seen_by(self, viewer: Viewer) -> bool:
        """Whether its text is shown where the viewer asks."""
        return self.scope is SkillScope.WORKSPACE or viewer.sees(viewer.person, self.learned)


@dataclass(frozen=True)
class SkillListing:
    """Paths and descriptions of custom skills; these are people's words, to be quoted."""

    text: str
    origin: Origin
    private: bool


@dataclass(frozen=True)
class SkillDraft:
    """The draft of a new skill from a form, a command or a conversation."""

    name: str
    instructions: str
    description: str = ""
    command: str = ""
    """Without slash; empty with `auto_invoke` off: the name is the command."""
    auto_invoke: bool = False
    shared: bool = False
    access: Access = Access()


@dataclass(frozen=True)
class SkillSaved:
    """The skill is saved.

    `skill.slug` may differ from the name that was asked for: `_2` when that was taken.
    """

    skill: CustomSkill


@dataclass(frozen=True)
class SkillRefused:
    """Nothing was saved or changed; `told` is a sentence for the person, with the remedy."""

    told: Translations
    field: str = "name"
    """The field of the draft that it concerns."""


SkillOutcome = SkillSaved | SkillRefused


@dataclass(frozen=True)
class _Made:
    """The file of a new skill, before it is written."""

    text: CustomText
    path: str
    rendered: str


class CustomSkills:
    """Reads a person's skills in a workspace each time, so that changes show at once."""

    def __init__(self, database: Database, clock: Clock, role_of: RoleOf) -> None:
        self._database = database
        self._clock = clock
        self._rows = FileRows(database)
        self._role_of = role_of
        self._subscribers: list[Callable[[], None]] = []

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call `changed` after each skill saved, shared or removed here, but not for files."""
        self._subscribers.append(changed)

    async def others_changed(self) -> None:
        """Called when another process may have changed skills."""
        for changed in self._subscribers:
            changed()

    async def own(self, person: Person) -> tuple[CustomSkill, ...]:
        """The person's own skills, by name."""
        rows = await self._rows.heads(Owner("person", person.id), CUSTOM, SKILL_FILE, SKILLS_MAX)
        return self._read(rows, SkillScope.PERSON, person.id)

    async def shared(self, conversation: Conversation, reader: str = "") -> tuple[CustomSkill, ...]:
        """All skills of a workspace by name, whatever their roles; `reader` is a person id."""
        rows = await self._rows.heads(workspace_owner(conversation), SHARED, SKILL_FILE, SKILLS_MAX)
        return self._read(rows, SkillScope.WORKSPACE, reader)

    async def visible(self, person: Person, conversation: Conversation) -> tuple[CustomSkill, ...]:
        """What this person may see and use here: the workspace's for their role, then their own."""
        shared = await self.shared(conversation, person.id)
        return (
            *(skill for skill in shared if skill.text.access.allows(person.role)),
            *await self.own(person),
        )

    async def everybodys(self) -> list[tuple[str, CustomSkill]]:
        """Every skill with its owner's id: a person's, or a workspace's `<platform>:<id>`."""
        found: list[tuple[str, CustomSkill]] = []
        for owner in await self._rows.owners(CUSTOM):
            scope = SkillScope.WORKSPACE if owner.kind == "workspace" else SkillScope.PERSON
            root = SHARED if owner.kind == "workspace" else CUSTOM
            rows = await self._rows.heads(owner, root, SKILL_FILE, SKILLS_MAX)
            found += [(owner.id, skill) for skill in self._read(rows, scope, owner.id)]
        return found

    async def in_place_of(
        self,
        shipped: Skill,
        words: str,
        person: Person,
        conversation: Conversation,
        location: Location,
    ) -> "CustomSkill | None":
        """The skill of the person, or of those here, that goes before one of the library.

        It has the same name, or these words hold its own.
        """
        skills = await self._of_itself(person, conversation, location)
        named = PhraseBook({one.path: (one.text.title, one.slug) for one in skills})
        said = named.weights(words)
        same = command_name(shipped.name)
        return next((one for one in skills if one.slug == same or one.path in said), None)

    async def _of_itself(
        self, person: Person, conversation: Conversation, location: Location
    ) -> list[CustomSkill]:
        """What the agent may use by itself, the person's own first."""
        viewer = Viewer.at(location, person)
        return [
            skill
            for skill in reversed(await self.visible(person, conversation))
            if skill.text.auto_invoke and not skill.origin.untrusted and skill.seen_by(viewer)
        ]

    async def listing(
        self, person: Person, conversation: Conversation, location: Location
    ) -> "SkillListing | None":
        """The skills that the agent may use by itself, for its context, or None.

        Untrusted text of others is omitted, and so are skills that are private elsewhere.
        """
        shown = await self._of_itself(person, conversation, location)
        lines: list[str] = []
        for skill in shown:
            line = f"- {skill.path}{'' if skill.author == person.id else f' (by {skill.author})'}: "
            lines.append(line + skill.text.description)
        kept = next(
            (
                count
                for count in range(len(lines), 0, -1)
                if _length(lines[:count]) <= LISTING_CHARS
            ),
            0,
        )
        if not kept:
            return None
        more = (
            [f"- and {len(lines) - kept} more in {CUSTOM} and {SHARED}"]
            if kept < len(lines)
            else []
        )
        worst = max((skill.origin for skill in shown[:kept]), key=lambda origin: origin.trust)
        return SkillListing(
            "\n".join([*lines[:kept], *more]),
            worst,
            any(skill.learned.private for skill in shown[:kept]),
        )

    # --- making and removing ---

    async def save_custom_skill(
        self, draft: SkillDraft, author: Person, conversation: Conversation, location: Location
    ) -> SkillOutcome:
        """Make a new skill from the author's words. A repeat after a crash changes nothing."""
        made = await self._made_of(draft, author, conversation)
        if not isinstance(made, _Made):
            return made
        owner, _ = _home(draft.shared, author, conversation)
        learned = PUBLICLY if draft.shared else Learned.at(location)
        stored = self._stored(made.rendered, author, learned)
        if refused := await self._write(store.put_new(owner, made.path, stored), made.text.slug):
            return refused
        scope = SkillScope.WORKSPACE if draft.shared else SkillScope.PERSON
        origin = Origin(Trust.PERSON, f"person:{author.id}")
        return SkillSaved(CustomSkill(made.text, made.path, scope, author.id, origin, learned))

    async def check(
        self, draft: SkillDraft, author: Person, conversation: Conversation
    ) -> SkillRefused | None:
        """What `save_custom_skill` would refuse, without saving anything."""
        made = await self._made_of(draft, author, conversation)
        return made if isinstance(made, SkillRefused) else None

    async def _made_of(
        self, draft: SkillDraft, author: Person, conversation: Conversation
    ) -> "_Made | SkillSaved | SkillRefused":
        """The draft's file under a free name; SkillSaved if the same one exists."""
        if draft.shared and (refused := _may_share(author, conversation)):
            return refused
        slug = command_name(draft.name)
        if not slug:
            return SkillRefused(NO_NAME.filled(name=repr(draft.name[:40])))
        if draft.command.strip() and not command_name(draft.command):
            told = Phrase(
                "{name} can't be a command; use letters and digits, such as weekly"
            ).filled(name=repr(draft.command[:40]))
            return SkillRefused(told, "command")
        mine = await (self.shared(conversation, author.id) if draft.shared else self.own(author))
        _, root = _home(draft.shared, author, conversation)
        taken = {skill.slug: skill for skill in mine}
        while True:
            text = _text(draft, slug)
            path = f"{root}/{slug}.md"
            rendered = render_custom_skill(text)
            try:
                parsed = parse_custom_skill(rendered, path)
            except DefinitionError as error:
                return SkillRefused(skill_words.IN_FILES.in_all(str(error)), _field_at_fault(draft))
            if (there := taken.get(slug)) is None:
                return _Made(parsed, path, rendered)
            if there.text == parsed:
                return SkillSaved(there)
            slug = free_name(slug, {*taken})

    async def share(self, name: str, author: Person, conversation: Conversation) -> SkillOutcome:
        """Move one of the author's own skills, with the files beside it, to the workspace."""
        if refused := _may_share(author, conversation):
            return refused
        found = next(
            (skill for skill in await self.own(author) if skill.slug == command_name(name)), None
        )
        shared = await self.shared(conversation, author.id)
        if found is None:
            return SkillRefused(
                Phrase(
                    "You have no skill {name} of your own; /skill list shows what there is."
                ).filled(name=repr(name[:40]))
            )
        if found.origin.untrusted:
            return SkillRefused(
                Phrase(
                    "{name} holds text that did not come from you; write it anew, then share it."
                ).filled(name=found.slug)
            )
        taken = {skill.slug for skill in shared}
        slug = free_name(found.slug, taken)
        rows = await self._files_of(Owner("person", author.id), found)
        target, unit = workspace_owner(conversation), Unit()
        for row in rows:
            path = SHARED + str(row["path"]).removeprefix(CUSTOM).replace(
                f"/{found.slug}", f"/{slug}", 1
            )
            unit += store.put_new(target, path, self._stored(row["text"], author, PUBLICLY))
            unit += store.delete(Owner("person", author.id), row["path"], row["version"])
        if refused := await self._write(unit, found.slug):
            return refused
        path = SHARED + found.path.removeprefix(CUSTOM).replace(f"/{found.slug}", f"/{slug}", 1)
        text = replace(found.text, slug=slug)
        return SkillSaved(
            replace(found, text=text, path=path, scope=SkillScope.WORKSPACE, learned=PUBLICLY)
        )

    async def remove(self, name: str, person: Person, conversation: Conversation) -> SkillOutcome:
        """Remove the person's own skill of this name, else the workspace's if they may."""
        slug = command_name(name.removeprefix("shared/"))
        own = () if name.startswith("shared/") else await self.own(person)
        found = next((skill for skill in own if skill.slug == slug), None)
        if found is None:
            visible = [
                skill
                for skill in await self.visible(person, conversation)
                if skill.scope != SkillScope.PERSON
            ]
            found = next((skill for skill in visible if skill.slug == slug), None)
            if found is not None and (
                refused := _may_share(
                    person,
                    conversation,
                    Phrase(
                        "To remove a skill of the whole workspace takes a Partner or MasterAdmin; "
                        "ask one of them."
                    ),
                )
            ):
                return refused
        if found is None:
            return SkillRefused(
                Phrase(
                    "There is no skill {name} that you could remove; /skill list shows them."
                ).filled(name=repr(name[:40]))
            )
        owner, _ = _home(found.scope is SkillScope.WORKSPACE, person, conversation)
        rows = await self._files_of(owner, found)
        unit = Unit.joined(store.delete(owner, row["path"], row["version"]) for row in rows)
        return await self._write(unit, slug) or SkillSaved(found)

    async def _files_of(self, owner: Owner, skill: CustomSkill) -> list[Row]:
        """The skill's own row and those beside it."""
        if not skill.path.endswith(f"/{SKILL_FILE}"):
            row = await self._rows.read(owner, skill.path)
            return [row] if row else []
        names = [
            row["path"]
            for row in await self._rows.below(owner, skill.path.removesuffix(f"/{SKILL_FILE}"))
        ]
        rows = [await self._rows.read(owner, name) for name in names[: SKILLS_MAX // 2]]
        return [row for row in rows if row]

    async def _write(self, unit: Unit, name: str) -> SkillRefused | None:
        try:
            await self._database.write(unit)
        except UnitRejected:
            return SkillRefused(
                Phrase(
                    "{name} was changed meanwhile; nothing was saved. Look at it and try again."
                ).filled(name=name)
            )
        for tell in self._subscribers:
            tell()
        return None

    def _stored(self, text: str, author: Person, learned: Learned) -> StoredText:
        origin = json.dumps(Origin(Trust.PERSON, f"person:{author.id}").to_json(), sort_keys=True)
        return StoredText(
            text, version_of(text), format_utc(self._clock.now()), author.id, learned, origin
        )

    # --- reading ---

    def _read(self, rows: Sequence[Row], scope: SkillScope, reader: str) -> tuple[CustomSkill, ...]:
        found: list[CustomSkill] = []
        for row in rows:
            text = _parsed(row["path"], row["text"])
            if text is not None:
                author = str(row["updated_by"])
                origin = trust_of(Origin.parse(row["origin"]), author, reader, self._role_of)
                found.append(CustomSkill(text, row["path"], scope, author, origin, Learned.of(row)))
        return tuple(sorted(found, key=lambda skill: skill.slug))


def trust_of(stored: Origin, author: str, reader: str, role_of: RoleOf) -> Origin:
    """The origin of a stored text for its reader (docs/rules.md#skills).

    The reader's own words are theirs. Those of another are a member's, as long as that person may
    share; people whom contacts.yaml doesn't name could when they wrote it, or it would not be
    there. Text that was tainted stays so.
    """
    if stored.untrusted or author == reader:
        return stored
    role = role_of(author)
    trusted = role is None or role.rank >= SHARING_RANK
    return Origin(Trust.MEMBER if trusted else Trust.OUTSIDER, f"person:{author}")


@lru_cache(maxsize=2048)
def _parsed(path: str, text: str) -> CustomText | None:
    """None for a file beside a skill, and for a text that no longer holds to the rules."""
    try:
        return parse_custom_skill(text, path) if skill_path(path).is_skill else None
    except DefinitionError as error:
        log.warning("path=<%s> | custom skill left out: %s", path, error)
        return None


def _length(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)


_PARTNER_GIVES = Phrase(
    "To give a skill to the whole workspace takes a Partner or MasterAdmin; ask one of them."
)


def _may_share(
    person: Person,
    conversation: Conversation,
    lacks: Phrase = _PARTNER_GIVES,
) -> SkillRefused | None:
    if not conversation.has_workspace:
        return SkillRefused(
            Phrase(
                "A direct message belongs to no server, so nothing is shared there; do this in a "
                "channel."
            ).filled()
        )
    if person.role.rank >= SHARING_RANK:
        return None
    return SkillRefused(lacks.filled())


def _home(shared: bool, person: Person, conversation: Conversation) -> tuple[Owner, str]:
    return (
        (workspace_owner(conversation), SHARED) if shared else (Owner("person", person.id), CUSTOM)
    )


def _field_at_fault(draft: SkillDraft) -> str:
    """The field of a refused draft to fix: a missing one, else the longest."""
    return "description" if draft.auto_invoke and not draft.description.strip() else "instructions"


def _text(draft: SkillDraft, slug: str) -> CustomText:
    command = command_name(draft.command) or (None if draft.auto_invoke else slug)
    title = " ".join(draft.name.split())[:64] or slug
    description = " ".join(draft.description.split())
    return CustomText(
        slug,
        title,
        description,
        command,
        draft.auto_invoke,
        draft.instructions.strip(),
        draft.access,
    )
