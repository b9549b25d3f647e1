"""Whatever the path, no file source exposes another's, private or outer files."""

import hashlib
import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.domain.access import Role
from bot.domain.database import Database
from bot.domain.places import Reach
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ToolCall
from bot.errors import ToolError, UnitRejected
from bot.files.store import SeenFiles
from bot.files.tools import file_tools
from bot.files.versions import VersionedFiles
from bot.files.versions_tool import document_versions
from bot.files.virtual import VirtualFiles
from bot.testing.contexts import a_place, make_context, make_person
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel
from bot.tools.policy.view import PolicyView

PATHS = 800
SECRET = "kept-from-ann"
TODO = f"---\ntitle: {SECRET}\n---\n\n## Summary\n\n{SECRET}\n"
SKILL = f"---\nname: mine\ncommand: mine\ndescription: {SECRET}\n---\n{SECRET}\n"
NAMES = (
    "plan.md",
    "today.md",
    "yesterday.md",
    "2026-11-21.md",
    "call.md",
    "global.md",
    "private.md",
    "mine.md",
    "open.md",
)
STEPS = (
    *(
        "..",
        ".",
        "",
        "...",
        "%2e%2e",
        "%252e%252e",
        "%2f",
        "..%2f",
        "\uff0e\uff0e",
        "\u2025",
        "\u2024\u2024",
    ),
    *(
        "..\\",
        "\\",
        "\0",
        "\u202e",
        "\ud800",
        " ..",
        ".. ",
        "~",
        "C:",
        "file:",
        "\uff0f",
        "é",
        "e\u0301",
        "x" * 300,
    ),
    *(
        "etc",
        "passwd",
        ".env",
        "contacts.yaml",
        "data",
        "bellhop.db",
        "skills",
        "SKILL.md",
        ".versions",
        "shared",
    ),
)
TABLES = ("virtual_files", "file_versions", "todos", "people_remarks", "meetings_kept")


class House:
    """The file tools over every source that the app has."""

    def __init__(self, app: Any) -> None:
        self.database: Database = app.database
        self.sources = [
            source for connector in app.house.connectors for source in connector.file_sources()
        ]
        self.sources.append(PolicyView(app.house.written.policy))
        tools: list[NativeTool[Any]] = file_tools(
            VirtualFiles(self.sources), seen=SeenFiles(app.database)
        )
        tools += [
            document_versions(source)
            for source in self.sources
            if isinstance(source, VersionedFiles)
        ]
        self.tools = {tool.name: tool for tool in tools}
        self.calls = 0

    async def call(self, context: ToolContext, tool: str, **arguments: Any) -> ToolResult:
        self.calls += 1
        call = ToolCall(f"c{self.calls}", tool, arguments, f"tool:{self.calls}.0")
        handler = self.tools[tool]
        result = await handler.run(
            replace(context, call=call), handler.arguments.model_validate(arguments)
        )
        assert isinstance(result, ToolResult)
        await self.database.write(result.unit)
        return result

    async def rows(self, condition: str) -> str:
        """What the tables hold that must not change."""
        found: dict[str, list[str]] = {}
        for table in TABLES:
            rows = await self.database.read(
                f"SELECT * FROM {table} WHERE {condition} ORDER BY 1, 2, 3"  # noqa: S608
            )
            found[table] = [json.dumps(dict(row), sort_keys=True) for row in rows]
        return json.dumps(found)


def on_disk(home: Path) -> dict[str, str]:
    """Every file of the home but the database."""
    files = (
        path for path in sorted(home.rglob("*")) if path.is_file() and "data" not in path.parts
    )
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


def hostile(rng: random.Random, prefixes: list[str], home: Path) -> str:
    """A path that is plain, or begins, runs on or is spelt in a way that nobody means."""
    prefix, name = rng.choice(prefixes), rng.choice(NAMES)
    match rng.randrange(12):
        case 0:
            return rng.choice((prefix, f"{prefix}/", f"{prefix}//.", "/"))
        case 1 | 2 | 3 | 4 | 5:
            return f"{prefix}/{name}"
        case 6:
            return f"{prefix}/{rng.choice(STEPS)}/{name}"
        case 7:
            steps = "/".join(rng.choice((*STEPS, *NAMES)) for _ in range(rng.randrange(1, 5)))
            return f"{rng.choice((prefix, '', str(home), '/etc', prefix + '2'))}/{steps}"
        case 8:
            return rng.choice((f"{prefix}/{name}".upper(), f"{prefix}/{name.title()}"))
        case 9:
            return f"{prefix}/{name}".replace("/", rng.choice(("\\", "%2f", "/./", "\uff0f", "//")))
        case 10:
            return f"{prefix}/{name}" + rng.choice(
                (" ", ".", "/", "\0", ".md", "%00", "/..", "/../../ben")
            )
        case _:
            return f"{prefix}/ben/{name}"


async def plant(house: House) -> None:
    """Ben's files, and Ann's from direct messages, in every writable source."""
    for context in (make_context(make_person("ben", Role.PARTNER)), make_context()):
        for path in ("/documents/plan.md", "/preferences/private.md", "/daily-notes/today.md"):
            await house.call(context, "write_file", path=path, content="draft")
            await house.call(context, "write_file", path=path, content=SECRET)
        await house.call(context, "write_file", path="/todos/call.md", content=TODO)
        await house.call(context, "write_file", path="/custom-skills/mine.md", content=SKILL)


async def share(house: House) -> None:
    """What Ann may read and change in public, so that not every path is refused."""
    public = make_context(at=a_place(Reach.PUBLIC))
    for path in ("/documents/open.md", "/preferences/open.md", "/daily-notes/today.md"):
        with suppress(ToolError):
            await house.call(public, "write_file", path=path, content="for all, and mine")
            await house.call(public, "edit_file", path=path, old="for all, and", new="mine and")
    with suppress(ToolError):
        await house.call(
            public, "write_file", path="/todos/open.md", content=TODO.replace(SECRET, "mine")
        )


async def test_no_path_leads_to_what_is_not_shown_here(home: Path):
    (home / ".env").write_text(f"TOKEN={SECRET}\n")
    (home / ".env").chmod(0o600)
    (home / "skills").mkdir()
    (home / "skills" / "plan.md").write_text(SECRET)
    (home / "skills" / "link").symlink_to(home)
    rng, counts = random.Random(14), Counter[str]()  # noqa: S311 - the same paths each time
    async with running_app(home, ScriptedModel([])) as running:
        house = House(running.app)
        await plant(house)
        ids = [row["id"] for row in await house.database.read("SELECT id FROM todos")]
        prefixes = sorted({source.prefix for source in house.sources})
        prefixes += len(prefixes) * ["/documents", "/todos", "/daily-notes", "/preferences"]
        kept = "(owner = 'ben' OR (owner = 'ann' AND reach = 'dm'))"
        unchanged = await house.rows(kept), on_disk(home)
        ann = make_context(at=a_place(Reach.PUBLIC))
        guest = make_context(make_person("gus", Role.GUEST), at=a_place(Reach.PUBLIC))
        for number in range(PATHS):
            if number % 50 == 0:
                await share(house)
            context = rng.choice((ann, ann, guest))
            path, tool = hostile(rng, prefixes, home), rng.choice(sorted(house.tools))
            given = rng.choice(
                (
                    TODO.replace(SECRET, "mine"),
                    SKILL.replace(SECRET, "mine"),
                    f"id: {rng.choice(ids)}",
                )
            )
            arguments: dict[str, dict[str, Any]] = {
                "write_file": {"content": given},
                "edit_file": {
                    "old": rng.choice((SECRET, "mine")),
                    "new": "taken",
                    "replace_all": True,
                },
                "list_directory": {"deep": True},
                "document_versions": {
                    "action": rng.choice(("list", "read", "restore")),
                    "version": 1,
                },
            }
            try:
                result = await house.call(context, tool, path=path, **arguments.get(tool, {}))
                counts[f"{tool} done"] += not result.is_error
                said = result.content
            except (ToolError, UnitRejected) as error:
                counts["refused"] += 1
                said = str(error)
            assert SECRET not in said, (tool, path)
        assert (await house.rows(kept), on_disk(home)) == unchanged
    assert counts["refused"] > PATHS / 3
    assert min(counts[f"{tool} done"] for tool in house.tools) >= 3, counts
