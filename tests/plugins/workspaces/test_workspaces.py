"""Projects: each person's own, confined, and the only thing that command lines change."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import SystemClock
from bot.domain.origins import Trust, escape
from bot.domain.places import Reach
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.files.projects.folders import FILE_BYTES, PROJECT_BYTES, ProjectFolder, person_folder
from bot.plugins.workspaces.plugin import WorkspacesConnector, secrets_in
from bot.testing.contexts import a_place
from bot.testing.desk import Desk
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ProgramRunner
from bot.tools.settings import ShellSettings


@pytest.fixture
async def connector(tmp_path: Path) -> WorkspacesConnector:
    settings = ShellSettings()
    sandbox = Sandbox(settings, tmp_path)
    await sandbox.probe()
    root = tmp_path / "data" / "workspaces"
    return WorkspacesConnector(root, sandbox, ProgramRunner(settings, 16_000, SystemClock()))


class Projects:
    """The tools, called for the project `shop` unless another one is named."""

    def __init__(self, desk: Desk, connector: WorkspacesConnector, home: Path) -> None:
        self.desk, self.connector = desk, connector
        self.root = home / "data" / "workspaces"

    def tool(self, name: str) -> NativeTool[Any]:
        return self.desk.tool(self.connector, name)

    async def result(
        self, name: str, how: dict[str, Any] | None = None, **given: Any
    ) -> ToolResult:
        """`how` says who calls where, as `Desk.result` takes it."""
        arguments = {"project": "shop", **given}
        return await self.desk.result(self.tool(name), arguments, **(how or {}))

    async def use(self, name: str, how: dict[str, Any] | None = None, **given: Any) -> str:
        return (await self.result(name, how, **given)).content

    async def write(
        self, path: str, content: str, how: dict[str, Any] | None = None, **given: Any
    ) -> str:
        return await self.use("pm_write_file", how, path=path, content=content, **given)

    async def read(self, path: str, how: dict[str, Any] | None = None, **given: Any) -> str:
        return await self.use("pm_read_file", how, path=path, **given)

    async def all(self, **how: Any) -> str:
        """What is listed where no project is named."""
        return (await self.desk.result(self.tool("pm_list_files"), {}, **how)).content

    async def shell(self, command: str) -> ToolResult | None:
        """None where command lines don't run on this machine: the tool must not be offered."""
        if self.connector.sandbox.hindrance is None:
            return await self.result("pm_shell", command=command)
        with pytest.raises(KeyError):
            self.tool("pm_shell")
        return None

    def folder(self) -> Path:
        return ProjectFolder(self.root, "ann", "shop").make()


@pytest.fixture
def projects(desk: Desk, connector: WorkspacesConnector, tmp_path: Path) -> Projects:
    return Projects(desk, connector, tmp_path)


def everything(root: Path) -> list[Path]:
    """Every file below a folder, without the database's own."""
    return sorted(
        path
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith("bellhop.db")
    )


async def test_a_file_that_is_written_can_be_listed_and_read(projects: Projects):
    written = await projects.write("src/app.py", "print('ä')\n")
    assert written == (
        "created src/app.py in shop (12 bytes). The person gets it as /projects/shop/src/app.py: "
        "send with `file` hands it over."
    )
    again = await projects.write("src/app.py", "print('ä')\n")
    assert again.startswith("replaced")
    assert await projects.use("pm_list_files") == "src/"
    assert await projects.use("pm_list_files", path="src") == "app.py (12 bytes)"
    read = await projects.result("pm_read_file", path="src/app.py")
    assert read.content == "print('ä')\n"
    assert read.origin.trust is Trust.EXTERNAL
    assert await projects.all() == "shop"


async def test_a_file_is_written_back_as_its_reader_saw_it(projects: Projects):
    text = "<quoted>\nand &lt;quoted>\n"
    await projects.write("a.xml", text)
    seen = escape(await projects.read("a.xml"))
    await projects.write("a.xml", f"{seen}more\n")
    assert await projects.read("a.xml") == f"{text}more\n"
    await projects.write("new.html", "&lt;quoted>")
    assert await projects.read("new.html") == "&lt;quoted>"


async def test_a_project_is_its_persons_alone(projects: Projects):
    await projects.write("a.txt", "zq-mine")
    with pytest.raises(ToolError, match=r"there is no a\.txt"):
        await projects.read("a.txt", {"person": "ben"})
    assert "no projects yet" in await projects.all(person="ben")


@pytest.mark.parametrize(
    "path", ["../../x", "/etc/passwd", "a/../../b", "a//b", ".", "a/./b", "..", "a\\b", "a\0b"]
)
async def test_no_path_leads_out(projects: Projects, tmp_path: Path, path: str):
    before = everything(tmp_path)
    with pytest.raises(ToolError):
        await projects.write(path, "x")
    with pytest.raises(ToolError):
        await projects.read(path)
    assert everything(tmp_path) == before


async def test_links_that_a_command_made_are_not_followed(projects: Projects, tmp_path: Path):
    (tmp_path / "secret.txt").write_text("zq-secret")
    project = projects.folder()
    (project / "out").symlink_to(tmp_path)
    (project / "file").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(project / "pipe")
    for path in ("out/secret.txt", "file", "pipe"):
        with pytest.raises(ToolError):
            await projects.read(path)
    with pytest.raises(ToolError):
        await projects.write("out/new.txt", "x")
    assert not (tmp_path / "new.txt").exists()
    assert "nothing was found" in await projects.use("file_secrets")


async def test_large_and_binary_files_are_refused(projects: Projects, tmp_path: Path):
    with pytest.raises(ToolError, match="divide it"):
        await projects.write("a", "x" * (FILE_BYTES + 1))
    project = projects.folder()
    (project / "picture").write_bytes(b"\0\1")
    with pytest.raises(ToolError, match="no text"):
        await projects.read("picture")


@given(st.lists(st.text(min_size=1, max_size=150), min_size=2, max_size=2, unique=True))
def test_two_people_never_share_a_folder_and_none_leads_out(people: list[str]):
    first, second = (person_folder(one.encode("utf-8", "replace").decode()) for one in people)
    if people[0].encode("utf-8", "replace") != people[1].encode("utf-8", "replace"):
        assert first != second
    for name in (first, second):
        assert "/" not in name
        assert name not in {"", ".", ".."}
        assert len(name) <= 255


# --- command lines ---


async def test_a_command_line_works_in_the_project_and_keeps_what_it_wrote(projects: Projects):
    await projects.write("a.txt", "one\ntwo\n")
    ended = await projects.shell("pwd; wc -l < a.txt | tee count.txt")
    if ended is not None:
        assert ended.content.split() == ["/work", "2"]
        assert (await projects.read("count.txt")).strip() == "2"


async def test_a_failing_command_is_an_error_with_its_status(projects: Projects):
    ended = await projects.shell("echo before; echo wrong >&2; exit 3")
    if ended is not None:
        assert ended.is_error
        assert ended.content == "ERROR: exit status 3\nbefore\n[stderr]\nwrong"


@pytest.mark.parametrize(
    "command",
    [
        "cat {home}/secret.txt",
        "touch {home}/new.txt",
        "echo x > /usr/new.txt",
        "echo x > /new.txt",
        "cd ..; touch new.txt",
        "ls ../../..; cat /work/../secret.txt",
        "cat /etc/passwd; ln -s {home}/secret.txt here; cat here",
        "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 2)'",
        "env | grep zq; cat /proc/1/environ",
    ],
)
async def test_a_command_line_reaches_nothing_but_its_project(
    projects: Projects, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BELLHOP_SECRET", "zq-environment")
    (tmp_path / "secret.txt").write_text("zq-secret")
    reached: list[object] = []
    server = await asyncio.start_server(
        lambda _, writer: reached.append(writer.close()), "127.0.0.1", 0
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        line = command.replace("{home}", str(tmp_path)).replace("{port}", str(port))
        ended = await projects.shell(line)
    if ended is not None:
        assert "zq-" not in ended.content
        assert not reached
        assert not [path for path in everything(tmp_path) if path.name == "new.txt"]


async def test_a_full_project_can_be_emptied_and_nothing_else(projects: Projects, tmp_path: Path):
    await projects.write("a.txt", "one")
    with (tmp_path / "data/workspaces/ann/shop/large.bin").open("wb") as file:
        file.truncate(PROJECT_BYTES + 1)
    with pytest.raises(ToolError, match="the project is full"):
        await projects.write("b.txt", "two")
    ended = await projects.shell("echo three > c.txt")
    if ended is not None:
        assert ended.is_error
        assert "commands can only remove files" in ended.content
        ended = await projects.shell("rm large.bin")
        assert ended is not None
        assert not ended.is_error
        assert "created b.txt" in await projects.write("b.txt", "two")


async def test_without_the_sandbox_there_is_no_shell(desk: Desk, tmp_path: Path):
    settings = ShellSettings(sandbox="none")
    sandbox = Sandbox(settings, tmp_path)
    connector = WorkspacesConnector(
        tmp_path, sandbox, ProgramRunner(settings, 16_000, SystemClock())
    )
    with pytest.raises(KeyError):
        desk.tool(connector, "pm_shell")
    with pytest.raises(ToolError, match="need the sandbox"):
        sandbox.line(tmp_path, "true", 1024)


# --- secrets ---

KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


async def test_secrets_are_named_by_file_line_and_kind_and_never_shown(projects: Projects):
    text = (
        f"# settings\nkey = {KEY}\nDB_PASSWORD=hunter2hunter2\nurl = postgres://me:sesame77@db/x\n"
    )
    await projects.write("conf/.env", text)
    told = await projects.use("file_secrets")
    assert told.splitlines() == [
        "3 findings in 1 files.",
        "conf/.env, line 2: access key of a cloud",
        "conf/.env, line 3: password in settings",
        "conf/.env, line 4: password in an address",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "password = changeme123",
        "token: ${TOKEN_OF_CI}",
        "api_key = os.environ['X']",
        "the password is long",
    ],
)
def test_placeholders_are_no_secrets(line: str):
    assert list(secrets_in("a", line)) == []


@given(st.text(max_size=300))
def test_any_text_can_be_looked_through(text: str):
    assert all(found.line <= text.count("\n") + 1 for found in secrets_in("a", text))


async def test_private_projects_are_not_shown_in_shared_places(projects: Projects):
    dm, public = {"at": a_place(Reach.DM)}, {"at": a_place(Reach.PUBLIC, "c1")}
    hidden = {"at": a_place(Reach.PRIVATE, "c2")}
    for project, where in (("diary", dm), ("shop", public), ("plot", hidden)):
        await projects.write("a.txt", "x", where, project=project)
    assert await projects.all(**dm) == "diary\nplot\nshop"
    assert await projects.all(**hidden) == "plot\nshop\n[1 more is private; ask me in a DM]"
    assert await projects.all(**public) == "shop\n[2 more are private; ask me in a DM]"
    for name, more in (
        ("pm_read_file", {"path": "a.txt"}),
        ("pm_list_files", {}),
        ("file_secrets", {}),
    ):
        with pytest.raises(ToolError, match="there is no project diary"):
            await projects.use(name, public, project="diary", **more)
    with pytest.raises(ToolError, match="the name is taken"):
        await projects.write("a.txt", "y", public, project="diary")
    told = await projects.write("b.txt", "y", dm)
    assert "from now on it is not shown in public places" in told
    with pytest.raises(ToolError, match="there is no project shop"):
        await projects.read("a.txt", public)
    assert await projects.read("a.txt", dm) == "x"


async def test_a_refused_call_takes_no_name(projects: Projects):
    shared = {"private": False}
    with pytest.raises(ToolError, match="divide it"):
        await projects.write("a.txt", "x" * (FILE_BYTES + 1))
    await projects.write("a.txt", "x", shared)
    assert await projects.read("a.txt", shared) == "x"


async def test_a_project_from_before_there_were_marks_is_shown_everywhere(projects: Projects):
    (projects.folder() / "a.txt").write_text("x")
    assert await projects.read("a.txt", {"private": False}) == "x"
