"""The house stands without any of our own plug-ins; each folder may go."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

import bot
from bot.app import every_connector
from bot.assembly import own_commands, own_plugins
from bot.assembly.own_plugins import OWN
from bot.testing import documents

pytestmark = pytest.mark.slow

LOOK = """\
import asyncio, json, sys
from pathlib import Path
from bot.app import AppOptions, open_app
from bot.assembly.plugins import platforms_of

async def look():
    async with open_app(AppOptions(Path(sys.argv[1]))) as app:
        print(json.dumps({
            "connectors": [one.id for one in app.house.connectors],
            "agents": [one.name for one in app.house.written.agents.all()],
            "tools": [
                one.definition.name for one in app.house.tooling.catalog.snapshot.tools
            ],
            "handlers": list(app.house.tooling.natives.names),
            "commands": list(app.commands.names),
            "platforms": [one.name for one in platforms_of(app.settings)],
            "problems": app.problems(),
        }))

asyncio.run(look())
"""
PLUGINS = Path(bot.__file__).parent / "plugins"


@dataclass(frozen=True)
class Found:
    """What a house has."""

    connectors: list[str]
    agents: list[str]
    tools: list[str]
    handlers: list[str]
    commands: list[str]
    platforms: list[str]
    problems: list[str]


def copy_without(folder: Path, *gone: Path, own: str) -> Path:
    """Copy the package without these folders; `own` lists the plug-ins. Gives a home of it."""
    root, package = Path(bot.__file__).parent.parent, folder / "bot"
    shutil.copytree(root / "bot", package, ignore=shutil.ignore_patterns("testing"))
    for one in gone:
        shutil.rmtree(package / one)
    (package / "assembly" / "own_plugins.py").write_text(own)
    commands = package / "assembly" / "own_commands.py"
    for plugin, name in (("demo", "DEMO"), ("collections", "KNOWLEDGE")):
        if not (package / "plugins" / plugin).exists():
            lines = commands.read_text().splitlines(keepends=True)
            theirs = (f"plugins.{plugin}", f"    {name},")
            commands.write_text("".join(x for x in lines if not any(one in x for one in theirs)))
    for name in ("prompts", "skills"):
        (folder / name).symlink_to(root / name)
    home = folder / "home"
    home.mkdir()
    if "OfflineModel" not in own:
        (home / "bellhop.yaml").write_text("model: {name: m, base_url: 'http://127.0.0.1:9'}\n")
    return home


def done_in(folder: Path, *line: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the copy of the package."""
    return subprocess.run(
        [sys.executable, *line],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def run_in(folder: Path, *line: str) -> str:
    """What Python prints with the copy of the package."""
    done = done_in(folder, *line)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def look_without(folder: Path, *gone: Path, own: str) -> Found:
    """Open a home with such a copy."""
    home = copy_without(folder, *gone, own=own)
    return Found(**json.loads(run_in(folder, "-c", LOOK, str(home)).splitlines()[-1]))


def all_but(*names: str) -> str:
    """The list of our plug-ins without those in whose lines one of these stands."""
    lines = Path(own_plugins.__file__).read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not any(name in line.casefold() for name in names))


def test_a_house_without_our_plugins_opens_with_all_other_connectors(tmp_path: Path):
    found = look_without(tmp_path, Path("plugins"), own=all_but("bot.plugins.", "(),"))
    assert found.problems == []
    there = {one.id for one in every_connector(tmp_path / "home")}
    assert "todos" in found.connectors
    ours = {plugin.name for plugin in OWN} & there - {"documents"}  # the house shows these files
    assert {"meetings", "notes", "people"} <= ours
    assert not ours.intersection(found.connectors)
    assert found.platforms == []
    assert there.issuperset(found.connectors)


SOME = {
    "discord_chat": "discordchatplugin",
    "mail": "mailplugin",
    "swarm": "swarm",
    "telegram_chat": "telegramchatplugin",
}
"""Folders, and what stands in their lines of the list."""
OTHERS = {
    "calendars": "calendarsplugin",
    "clock": "clockplugin",
    "collections": "collections",
    "forums": "forums",
    "knowledge": "knowledge",
    "machine": "machineplugin",
    "made_files": "madefiles",
    "mailboxes": "mailboxesplugin",
    "making": "making",
    "meetings": "meetings",
    "network": "network",
    "notes": "notes",
    "people": "people",
    "polls": "polls",
    "server_events": "serverevents",
    "web_tools": "webtoolsplugin",
    "workspaces": "workspaces",
}
"""What is near in meaning stands in two houses: mail and mailboxes, the swarm and the making."""


@pytest.mark.parametrize("apart", [SOME, OTHERS], ids=["some", "others"])
def test_a_house_without_parts_of_ours_lacks_what_they_add_alone(
    apart: dict[str, str], tmp_path: Path
):
    """Many at once: an import contract forbids that one of them needs another."""
    folders = [Path("plugins", folder) for folder in apart]
    found = look_without(tmp_path, *folders, own=all_but(*apart.values()))
    assert found.problems == []
    tools = {
        folder: {path.stem for path in PLUGINS.glob(f"{folder}/tools/*/*.md")} for folder in apart
    }
    assert all(tools[folder] for folder in apart if not folder.endswith("_chat"))
    gone = {tool for names in tools.values() for tool in names}
    assert not gone.intersection([*found.tools, *found.handlers])
    others = {path.stem for path in PLUGINS.glob("*/tools/*/*.md")} - gone
    assert {"read_emails", "create_event", "pm_write_file"} <= gone | others
    assert tools.get("mail", {"send_email", "read_inbox"}) == {"send_email", "read_inbox"}
    assert {"read_file", "manage_todos", "call_agent"} | others <= set(found.tools)
    assert {"call_agent", *({"create_tool", "pm_run_batch"} - gone)} <= set(found.handlers)
    agents = {path.stem for folder in apart for path in PLUGINS.glob(f"{folder}/agents/*.md")}
    assert {"queen", "mrtool"} & agents
    assert not agents.intersection(found.agents)
    stay = {path.stem for path in PLUGINS.glob("*/agents/*.md")} - agents
    assert {"assistant", "planner", "researcher", *stay} <= set(found.agents)
    assert "todo" in found.commands
    assert ("people" in found.commands) is ("people" not in apart)
    chats = {one for one in ("discord", "slack", "telegram") if f"{one}_chat" not in apart}
    assert set(found.platforms) == chats


def test_a_house_without_parts_that_have_commands_lacks_these_alone(tmp_path: Path):
    """Booking pages, the demo, collections of documents, skills from elsewhere: all at once."""
    names = ("booking", "demo", "collections", "importing")
    folders = (*(Path("plugins", name) for name in names), Path("loopback"))
    home = copy_without(tmp_path, *folders, own=all_but(*names))
    asked = ("-m", "bot", "chat", "--home", str(home), "--once")
    assert "42" in run_in(tmp_path, *asked, "what is 6 times 7?")
    typed = run_in(tmp_path, *asked, "/help")
    assert "/connect" in typed
    assert "/booking" not in typed
    listed = [
        line.split()[0] for line in run_in(tmp_path, "-m", "bot", "--help").splitlines() if line
    ]
    assert set(listed) >= own_commands.HOUSE_COMMANDS
    assert {"demo", "knowledge"}.isdisjoint(listed)
    refused = done_in(tmp_path, "-m", "bot", "knowledge", "list", "--home", str(home))
    assert refused.returncode == 2
    assert "No such command 'knowledge'" in refused.stderr
    skill = tmp_path / "SKILL.md"
    skill.write_text("---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n")
    imports = ("-m", "bot", "skills", "import", str(skill), "--home", str(home))
    refused = done_in(tmp_path, *imports)
    assert refused.returncode == 1
    assert "no plug-in of this home reads skills from elsewhere" in refused.stderr
    assert "Nothing is staged" in run_in(tmp_path, "-m", "bot", "skills", "staged", *imports[-2:])


def test_a_house_without_the_offline_model_says_which_settings_name_a_model(tmp_path: Path):
    gone = (Path("plugins", "demo"), Path("plugins", "offline_model"))
    home = copy_without(tmp_path, *gone, own=all_but("demo", "offlinemodel"))
    listed = ("-m", "bot", "skills", "staged", "--home", str(home))
    chat = ("-m", "bot", "chat", "--home", str(home), "--once", "what is 6 times 7?")
    assert "Nothing is staged" in run_in(tmp_path, *listed)
    (home / "bellhop.yaml").unlink()
    refused = done_in(tmp_path, *chat)
    assert refused.returncode == 1
    assert "model names no model that could answer; set model.name and" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "Nothing is staged" in run_in(tmp_path, *listed), "to look needs no model"
    (home / "bellhop.yaml").write_text("model: {provider: offline}\n")
    refused = done_in(tmp_path, *chat)
    assert "must be 'auto', 'anthropic' or 'compatible'" in refused.stderr


READERS = ("document_formats", "mcp", "postgresql", "transcription")


@pytest.fixture(scope="module")
def unread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package lies without what reads documents and recordings, or asks servers."""
    folder = tmp_path_factory.mktemp("unread")
    own = all_but("documentformats", "mcpplugin", "postgresql", "transcription")
    copy_without(folder, *(Path("plugins", name) for name in READERS), own=own)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (home := tmp_path / "home").mkdir()
    return home


def chat(home: Path, words: str) -> tuple[str, ...]:
    return ("-m", "bot", "chat", "--home", str(home), "--once", words)


def refused_with(unread: Path, home: Path) -> str:
    """What a start says that ends with an error."""
    refused = done_in(unread, *chat(home, "what is 6 times 7?"))
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    return refused.stderr


def test_a_house_without_the_readers_of_documents_reads_texts_and_says_what_it_lacks(
    unread: Path, home: Path, tmp_path: Path
):
    drawn = b"".join(sha256(bytes([number])).digest() for number in range(99))
    files = {
        "plan.txt": b"The plan is to paint.",
        "plan.docx": documents.word([("Plan", "Paint")]),
        "plan.pdf": documents.pdf(["Paint"]) + drawn.replace(b"\0", b"\1"),
    }
    said: dict[str, str] = {}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        add = ("knowledge", "add", str(tmp_path / name), "--home", str(home))
        done = done_in(unread, "-m", "bot", *add)
        assert "Traceback" not in done.stderr
        said[name] = done.stdout + done.stderr
    assert "can't be read" not in said["plan.txt"]
    lacks = "it is no text and of no kind that can be read (Markdown, text); save it as one of"
    assert lacks in said["plan.docx"]
    assert lacks in said["plan.pdf"]


def test_a_house_without_postgresql_refuses_a_server(unread: Path, home: Path):
    (home / ".env").write_text("DATABASE_URL=postgresql://ann:hunter22@127.0.0.1:1/x\n")
    (home / "bellhop.yaml").write_text("database: {url: '${DATABASE_URL}'}\n")
    told = "no plug-in has another database; use sqlite:///data/bellhop.db"
    assert told in refused_with(unread, home)


def test_a_house_without_the_transcriber_says_that_nothing_can_listen(
    unread: Path, home: Path, tmp_path: Path
):
    """In the words of a house where nothing is set up; the setting is unknown."""
    (tmp_path / "note.ogg").write_bytes(b"OggS" + bytes(60))
    run_in(unread, *chat(home, f"what does @{tmp_path / 'note.ogg'} say?"))
    with closing(sqlite3.connect(home / "data" / "bellhop.db")) as database:
        (told,) = database.execute("SELECT message FROM transcript").fetchone()
    assert "note.ogg is a recording, which nothing here can listen to. Tell them" in told
    (home / "bellhop.yaml").write_text("transcription: {url: 'http://127.0.0.1:8080'}\n")
    assert "transcription: is not a setting" in refused_with(unread, home)


def test_a_house_without_servers_of_tools_says_which_file_needs_one(unread: Path, home: Path):
    file = home / "prompts" / "tools" / "shared" / "plus.md"
    file.parent.mkdir(parents=True)
    file.write_text("# plus\n## Description\nAdds.\n## Implementation\nmcp: sums.add\n")
    checked = done_in(unread, "-m", "bot", "tools", "check", "--home", str(home))
    assert checked.returncode == 1
    assert "plus.md, line 5: ## Implementation: no plug-in here calls servers" in checked.stdout
    file.unlink()
    assert "42" in run_in(unread, *chat(home, "what is 6 times 7?"))
    (home / "bellhop.yaml").write_text("mcp: {servers: {sums: {command: sums}}}\n")
    assert "mcp: is not a setting" in refused_with(unread, home)
