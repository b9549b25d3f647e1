"""`bellhop skills list`, `show` and `new`, which read files alone; and the page docs/skills.md."""

import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from bot.assembly.database import opened
from bot.assembly.home_settings import load_settings
from bot.cli.home_files import contacts_of, manifests_of, skills_of
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import facts, inert, print_json, print_table
from bot.cli.templates import template
from bot.clock import SystemClock
from bot.domain.access import Access
from bot.domain.skills import Skill, SkillManifest
from bot.errors import BotError
from bot.regular_file import read_text_file
from bot.skills.custom import CustomSkills
from bot.skills.families import by_family, title_of
from bot.skills.play_file import PLAY_FILE, Played, read_play
from bot.skills.skill_file import SKILL_FILE, parse_skill_file
from bot.storage.confined import open_folder, replace_bytes

Name = Annotated[str, typer.Argument(metavar="NAME")]


class UnknownSkill(BotError):
    """No skill has this name."""


class SkillNotMade(BotError):
    """A new skill could not be made; the text says why, and what to do."""


async def list_(
    custom: Annotated[
        bool, typer.Option("--custom", help="Those that people made for themselves or shared.")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="As a page, by family: docs/skills.md.")
    ] = False,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List the skills that are switched on."""
    if markdown:
        typer.echo(await _page(home), nl=False)
        return
    rows = await _custom(home) if custom else await _library(home)
    if as_json:
        print_json(rows)
    elif custom:
        columns = ("path", "owner", "author", "command", "description")
        cells = [tuple(str(row[column] or "") for column in columns) for row in rows]
        headers = ("skill", "of", "author", "command", "for")
        print_table(headers, cells, empty="Nobody has made a skill yet.")
    else:
        agents = {row["name"]: ", ".join(row["agents"]) or "all" for row in rows}
        texts = [
            (row["name"], row["command"] or "", agents[row["name"]], row["description"])
            for row in rows
            if row["kind"] == "text"
        ]
        empty = "No skills yet: `bellhop skills new NAME` makes one."
        print_table(("skill", "command", "agents", "for"), texts, empty=empty)
        sets = [
            (row["name"], ", ".join(row["tools"]), row["description"])
            for row in rows
            if row["kind"] == "manifest"
        ]
        if sets:
            typer.echo("\nSets of tools, which the agent activates for a session:\n")
            print_table(("skill", "tools", "for"), sets, empty="")


async def _page(home: Path) -> str:
    skills: list[ShippedSkill] = []
    for skill in (await skills_of(home)).all():
        folder = skill.source.parent if skill.source is not None else home
        play = await asyncio.to_thread(read_play, folder / PLAY_FILE)
        skills.append(ShippedSkill(skill, play.played if play is not None else None))
    return page(skills, (await manifests_of(home)).all())


async def _library(home: Path) -> list[dict[str, Any]]:
    texts = [
        facts(
            skill,
            *("name", "description", "path", "command", "source"),
            kind="text",
            agents=list(skill.agents),
            roles=skill.access.describe(),
        )
        for skill in (await skills_of(home)).all()
    ]
    return texts + [
        facts(
            manifest,
            "source",
            kind="manifest",
            name=manifest.skill_id,
            description=manifest.description or manifest.name,
            path=None,
            agents=[],
            roles=manifest.access.describe(),
            command=None,
            tools=list(manifest.required_tools),
        )
        for manifest in (await manifests_of(home)).all()
    ]


async def _custom(home: Path) -> list[dict[str, Any]]:
    settings = await asyncio.to_thread(load_settings, home)
    contacts = await contacts_of(home)
    async with opened(settings, read_only=True) as database:
        skills = CustomSkills(database, SystemClock(), contacts.role_of)
        return [
            facts(
                skill.text,
                *("command", "auto_invoke", "description"),
                path=skill.path,
                owner=owner,
                author=skill.author,
                roles=skill.text.access.describe(),
            )
            for owner, skill in await skills.everybodys()
        ]


async def show(name: Name, home: Home = NO_HOME) -> None:
    """Show the instructions of a skill. Of a manifest, show the tools."""
    library = await skills_of(home)
    skill = library.get(name)
    if skill is None:
        manifests = {one.skill_id: one for one in (await manifests_of(home)).all()}
        if name in manifests:
            typer.echo(inert(_manifest_text(manifests[name])))
            return
        known = ", ".join([*(one.name for one in library.all()), *manifests]) or "none"
        raise UnknownSkill(f"there is no skill {name!r}; there are: {known}")
    typer.secho(inert(f"{skill.name}: {skill.description}"), bold=True)
    typer.secho(f"{skill.source or skill.path}\n", dim=True)
    if skill.confinement is not None:
        typer.echo(f"May use only: {skill.confinement.describe()}\n")
    typer.echo(inert(library.body(name) or ""))


def _manifest_text(manifest: SkillManifest) -> str:
    lines = [
        f"{manifest.name} ({manifest.skill_id}): {manifest.description}".rstrip(": "),
        f"{manifest.source}",
        f"roles: {manifest.access.describe()}",
        f"tools: {', '.join(manifest.required_tools)}",
    ]
    if manifest.default_ants or manifest.max_parallel:
        lines.append(
            f"helpers: {manifest.default_ants or '-'}, at once: {manifest.max_parallel or '-'}"
        )
    if manifest.confinement is not None:
        lines.append(f"While it is active, only: {manifest.confinement.describe()}")
    return "\n".join(lines)


def new(
    name: Name,
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="When to use it, in a sentence.")
    ],
    command: Annotated[
        str, typer.Option("--command", metavar="NAME", help="Slash command that runs it.")
    ] = "",
    slash_only: Annotated[
        bool, typer.Option("--slash-only", help="Only the command runs it.")
    ] = False,
    roles: Annotated[
        str, typer.Option("--roles", metavar="ROLES", help="Roles that it is for, such as Friend+.")
    ] = "",
    file: Annotated[str, typer.Option("--file", metavar="PATH", help="Its instructions.")] = "",
    home: Home = NO_HOME,
) -> None:
    """Make a shared skill.

    Its file is skills/NAME/SKILL.md; the text is that of --file or standard input.
    """
    text = _instructions(file)
    keys = {"name": name, "description": description, "command": command, "roles": roles}
    path = _write_skill(
        home,
        name,
        {key: value for key, value in keys.items() if value},
        text,
        slash_only=slash_only,
    )
    typer.echo(f"{path} is there. A running Bellhop has it at once.")


def _instructions(file: str) -> str:
    if file:
        try:
            return read_text_file(Path(file))
        except (OSError, UnicodeDecodeError) as error:
            raise SkillNotMade(
                f"{file}: can't be read as UTF-8 text ({error}); name another file"
            ) from error
    if sys.stdin.isatty():
        typer.echo("Write its instructions, and end with Ctrl-D on a line of its own:", err=True)
    return sys.stdin.read()


def _write_skill(
    home: Path, name: str, keys: dict[str, str], body: str, *, slash_only: bool
) -> Path:
    path = home / "skills" / name / SKILL_FILE
    head: dict[str, Any] = {**keys, **({"auto_invoke": False} if slash_only else {})}
    front = yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=1_000)
    data = f"---\n{front}---\n\n{body.strip()}\n".encode()
    parse_skill_file(data, path)
    if path.parent.parent != home / "skills" or path.exists():
        raise SkillNotMade(
            f"{path} is there already; change it with an editor, or choose another name"
        )
    write_skill(path, data)
    return path


def write_skill(path: Path, data: bytes) -> None:
    """Make or replace a file of skills/, whole also if this process is killed."""
    with open_folder(path.parent, (), create=True) as folder:
        replace_bytes(folder, path.name, data)


@dataclass(frozen=True)
class ShippedSkill:
    skill: Skill
    played: Played | None


def page(skills: Sequence[ShippedSkill], manifests: Iterable[SkillManifest]) -> str:
    """The whole page."""
    played = {one.skill.name: one.played for one in skills}
    lines = [template("skills.md")]
    for family, members in by_family(one.skill for one in skills).items():
        lines += [f"## {_capital(title_of(family)) or 'By themselves'}", ""]
        lines += ["| skill | what for | ask for it | with it, without it |", "|---|---|---|---|"]
        lines += [_row(skill, played) for skill in members]
        lines.append("")
    lines += ["## Sets of tools", "", *_sets(manifests)]
    return "\n".join(lines) + "\n"


def _row(skill: Skill, played: Mapping[str, Played | None]) -> str:
    name = f"`{skill.name}`" + (f", `/{skill.command}`" if skill.command else "")
    about = skill.description + _for_whom(skill.access)
    asked = f"“{skill.example}”" if skill.example else ""
    return f"| {name} | {_cell(about)} | {_cell(asked)} | {_cell(_cost(played[skill.name]))} |"


def _for_whom(access: Access) -> str:
    return "" if access.roles is None else f" For {access.describe()}."


def _cost(played: Played | None) -> str:
    if played is None:
        return ""
    used, unused = (
        f"{cost.calls} ({round(cost.bytes / 1000)} kB)" for cost in (played.with_, played.without)
    )
    return f"{used}, {unused}: {played.why}"


def _sets(manifests: Iterable[SkillManifest]) -> Iterator[str]:
    yield "The agent activates one for a conversation where its tools are needed."
    yield ""
    yield "| set | what for | tools |"
    yield "|---|---|---|"
    for one in manifests:
        about = (one.description or one.name) + _for_whom(one.access)
        tools = ", ".join(f"`{name}`" for name in one.required_tools)
        yield f"| `{one.skill_id}` | {_cell(about)} | {tools} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
