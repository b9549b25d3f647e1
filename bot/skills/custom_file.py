"""Skills that people write for themselves and for their workspace: `/custom-skills/{slug}.md`."""

from dataclasses import dataclass

import yaml

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.errors import DefinitionError
from bot.skills.front_matter import FENCE, read_front_matter
from bot.skills.names import NAME_CHARS, command_name, is_name
from bot.skills.skill_file import FILE_BYTES, SKILL_FILE

CUSTOM = "/custom-skills"
SHARED = "/custom-skills/shared"
"""Skills of a workspace; everything else below /custom-skills is a person's own."""
TITLE_CHARS = 64


@dataclass(frozen=True)
class CustomText:
    """The content of one file."""

    slug: str
    """Its name for people and in commands, from its path."""
    title: str
    description: str
    command: str | None
    auto_invoke: bool
    body: str
    access: Access = Access()
    confinement: Confinement | None = None
    """As in `Skill`."""


@dataclass(frozen=True)
class SkillPath:
    """A parsed path below /custom-skills: the skill's own text, or a file beside it."""

    slug: str
    is_skill: bool


def skill_path(path: str) -> SkillPath:
    """Read a normalised path below CUSTOM or SHARED.

    Raises DefinitionError when no skill could be there.
    """
    root = SHARED if path.startswith(f"{SHARED}/") else CUSTOM
    first, *rest = path.removeprefix(f"{root}/").split("/")
    slug = first if rest else first.removesuffix(".md")
    if not is_name(slug) or (not rest and slug == first) or (root == CUSTOM and slug == "shared"):
        better = command_name(slug) or "weekly_report"
        better = "my_shared" if better == "shared" else better
        raise DefinitionError(
            f"{path}: a skill is {root}/<name>.md or {root}/<name>/{SKILL_FILE}, its name up to "
            f"{NAME_CHARS} of a-z,"
            f" 0-9 and _; write {root}/{better}.md"
        )
    return SkillPath(slug, not rest or rest == [SKILL_FILE])


def parse_custom_skill(text: str, path: str) -> CustomText:
    """Read a skill's text. Raises DefinitionError that names path, line and remedy."""
    slug = skill_path(path).slug
    if len(text.encode("utf-8", "replace")) > FILE_BYTES:
        raise DefinitionError(
            f"{path}: is larger than {FILE_BYTES // 1024} KB; keep the skill short and put details "
            "into files beside it"
        )
    keys = read_front_matter(text, path)
    title = " ".join(keys.text("name").split()) or slug
    if len(title) > TITLE_CHARS:
        raise keys.bad(
            "name", f"name has {len(title)} characters, the limit is {TITLE_CHARS}; shorten it"
        )
    written = keys.text("command")
    command = command_name(written) or None
    if written and command is None:
        raise keys.bad(
            "command", f"{written!r} can't be a command; use up to {NAME_CHARS} of a-z, 0-9 and _"
        )
    auto_invoke = keys.flag("auto_invoke", default=False)
    description = keys.description()
    if command is None and not auto_invoke:
        missing = f"nothing could ever use this skill; add command: {slug}, or auto_invoke: true"
        raise keys.bad("auto_invoke", missing)
    if auto_invoke and not description:
        missing = (
            "auto_invoke needs a description; add description: with a sentence that says when to "
            "use the skill"
        )
        raise keys.bad("auto_invoke", missing)
    access = keys.access()
    if not keys.body:
        raise keys.bad("", "the skill has no instructions; write them below the second ---")
    confinement = keys.confinement(
        f"the skill {slug}", path.removesuffix(".md").removesuffix(f"/{SKILL_FILE[:-3]}")
    )
    return CustomText(
        slug, title, description, command, auto_invoke, keys.body, access, confinement
    )


def render_custom_skill(skill: CustomText) -> str:
    """Write the file that `parse_custom_skill` reads."""
    front: dict[str, object] = {"name": skill.title}
    if skill.description:
        front["description"] = skill.description
    if skill.command:
        front["command"] = skill.command
    if skill.auto_invoke:
        front["auto_invoke"] = True
    if skill.access.roles is not None:
        front["roles"] = skill.access.describe()
    if skill.confinement is not None:
        lists = (("allowed-tools", "tools"), ("hosts", "hosts"), ("paths", "paths"))
        given = {key: getattr(skill.confinement, name) for key, name in lists}
        front |= {key: list(values) for key, values in given.items() if values is not None}
    head = "".join(f"{key}: {_scalar(value)}\n" for key, value in front.items())
    return f"{FENCE}\n{head}{FENCE}\n\n{skill.body.strip()}\n"


def _scalar(value: object) -> str:
    """One value on one line, quoted as YAML needs it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return yaml.safe_dump(
            value, allow_unicode=True, width=100_000, default_flow_style=True
        ).strip()
    text = yaml.safe_dump(value, allow_unicode=True, width=100_000, default_style='"').strip()
    return text.removesuffix("\n...").strip()
