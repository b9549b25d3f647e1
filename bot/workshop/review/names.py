"""Names for imports and for what is made here: plain, free, and like no name that is in use.

An import whose name can't be had gets another one; what is made here is refused.
"""

import hashlib
import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from bot.domain.access import Access, Role
from bot.domain.languages import Phrase
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.tools.catalog.catalog import ToolCatalog
from bot.workshop.review.findings import Finding, Severity, shown
from bot.workshop.review.provenance import ImportProvenance
from bot.workshop.review.staging import NotReviewed

PREFIX = "imported"
SKILL_CHARS = 50
TOOL_CHARS = 50
COMMAND_CHARS = 32
_RESERVED = ("agent_", "mcp__", "agents-using-")
"""Reserved prefixes of names."""
_RESERVED_MADE = ("agent_", "mcp__", "agents_using_")
"""The same, as a name that is made here would spell them."""

_LOOKALIKES = str.maketrans(
    # Letters that look like another: Cyrillic, Greek, small capitals.
    "авекмнорстухіјѕԁԛԝһӏүѵԍԏ"
    + "αβεικνορτυχωγη"
    + "ıɑɡɩʏᴀᴄᴏᴜᴠᴡᴢ"
    + "АВЕКМНОРСТУХІЈЅԌ"  # noqa: RUF001
    + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"  # noqa: RUF001
    + "|×",  # noqa: RUF001
    "abekmhopctyxijsdqwhlyvgt"
    + "abeiknoptuxwyn"
    + "iagiyacouvwz"
    + "abekmhopctyxijsg"
    + "abezhikmnoptyx"
    + "lx",
)
_BUILT_IN_COMMANDS = frozenset(
    (
        *("help", "new", "end", "compact", "stop", "status", "why", "approve", "reject"),
        *("skill", "skills", "tools", "memory"),
    )
)
"""Built-in slash commands, whatever a platform registers."""


def slug(text: str, chars: int = SKILL_CHARS, filler: str = "-") -> str:
    """A name of a-z, 0-9, `_`, `-` that begins with a letter or digit; stable, never empty."""
    plain = _latin(text).lower()
    name = re.sub(r"[^a-z0-9_-]+", filler, plain)
    name = re.sub(r"([_-])[_-]+", r"\1", name).strip("_-")[:chars].rstrip("_-")
    return name or f"skill{filler}{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def skeleton(text: str) -> str:
    """A name's look at a glance; names with one skeleton can be mistaken for each other."""
    plain = _latin(text.replace("I", "l")).lower()
    for seen, meant in (("0", "o"), ("1", "l"), ("5", "s"), ("rn", "m"), ("vv", "w")):
        plain = plain.replace(seen, meant)
    return re.sub(r"[^a-z0-9]", "", plain)


def _latin(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.translate(_LOOKALIKES))
    return "".join(
        char for char in folded.translate(_LOOKALIKES) if not unicodedata.combining(char)
    )


@dataclass(frozen=True)
class TakenNames:
    """The names that are in use."""

    skills: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()


@dataclass
class NameChooser:
    """Gives out free names of one kind; what it gave is taken from then on."""

    kind: str
    taken: Iterable[str]
    chars: int
    filler: str
    _used: set[str] = field(default_factory=set[str])
    _looks: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self._used = set(self.taken)
        self._looks = {skeleton(name): name for name in self._used}

    def free(self, name: str) -> None:
        """Release a name, because its new version takes it again."""
        self._used.discard(name)
        self._looks.pop(skeleton(name), None)

    def choose(self, given: str, file: str, line: int) -> tuple[str, tuple[Finding, ...]]:
        """A free name near the given one, and what a reviewer should know of the given one."""
        plain = slug(given, self.chars, self.filler)
        findings: list[Finding] = []

        def note(severity: Severity, text: str) -> None:
            told = f"the {self.kind} «{shown(given, 60)}» {text}"
            findings.append(Finding(severity, "name", file, line, told))

        if not given.isascii() and any(char.isalpha() and ord(char) > 0x24F for char in given):
            note(Severity.WARN, f"has letters of another script in its name; it is {plain} here")
        name = self._apart(given, plain, note)
        if name != given:
            note(Severity.INFO, f"is named {name} here")
        self._used.add(name)
        self._looks.setdefault(skeleton(name), name)
        return name, tuple(findings)

    def _apart(self, given: str, plain: str, note: Callable[[Severity, str], None]) -> str:
        like = self._looks.get(skeleton(given)) or self._looks.get(skeleton(plain))
        if given in self._used:
            note(Severity.WARN, "has a name that is taken here; it gets a prefix")
        elif like is not None:
            severity = Severity.WARN if like == plain and given.isascii() else Severity.BLOCK
            note(severity, f"looks like {like}, which is here already; it gets a prefix")
        elif plain.startswith(_RESERVED):
            note(Severity.WARN, "begins like names that Bellhop gives; it gets a prefix")
        else:
            return plain
        name = f"{PREFIX}{self.filler}{plain}"
        number = 2
        while name in self._used:
            name = f"{PREFIX}{self.filler}{plain}{self.filler}{number}"
            number += 1
        return name


def command_name(given: str, taken: frozenset[str], names: set[str]) -> str:
    """A slash command of up to 32 a-z, 0-9 and `_`, numbered on a clash."""
    plain = slug(given, COMMAND_CHARS - 3, "_").replace("-", "_")
    name, number = plain, 2
    while name in taken or name in names:
        name = f"{plain}_{number}"
        number += 1
    names.add(name)
    return name


def taken_names(catalog: ToolCatalog, library: SkillLibrary) -> TakenNames:
    """The names of this moment; staged tools are among them."""
    skills = library.all()
    definitions = [*(tool.definition for tool in catalog.snapshot.tools), *catalog.staged]
    return TakenNames(
        skills=frozenset(skill.name for skill in skills),
        commands=_BUILT_IN_COMMANDS | {skill.command for skill in skills if skill.command},
        tools=frozenset(name for one in definitions for name in (one.name, *one.aliases)),
    )


# --- what is made here ---


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
    if name.startswith(_RESERVED_MADE):
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
