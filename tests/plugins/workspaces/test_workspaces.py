"""Projects: each person's own, confined, and the only thing that command lines change."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import SystemClock
from bot.domain.messages import Conversation
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.files.projects.folders import (
    FILE_BYTES,
    PROJECT_BYTES,
    ProjectFolder,
    person_folder,
)
from bot.plugins.workspaces.connector import WorkspacesConnector, secrets_in
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


async def use(
    desk: Desk, connector: WorkspacesConnector, name: str, person: str = "ann", **given: Any
) -> ToolResult:
    return await desk.result(
        desk.tool(connector, name), {"project": "shop", **given}, person=person
    )


def everything(root: Path) -> list[Path]:
    """Every file below a folder, without the database's own."""
    return sorted(
        path
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith("bellhop.db")
    )


async def test_a_file_that_is_written_can_be_listed_and_read(
    desk: Desk, connector: WorkspacesConnector
):
    written = await use(desk, connector, "pm_write_file", path="src/app.py", content="print('ä')\n")
    assert written.content == (
        "created src/app.py in shop (12 bytes). The person gets it as /projects/shop/src/app.py: "
        "send with `file` hands it over."
    )
    again = await use(desk, connector, "pm_write_file", path="src/app.py", content="print('ä')\n")
    assert again.content.startswith("replaced")
    assert (await use(desk, connector, "pm_list_files")).content == "src/"
    assert (await use(desk, connector, "pm_list_files", path="src")).content == "app.py (12 bytes)"
    read = await use(desk, connector, "pm_read_file", path="src/app.py")
    assert read.content == "print('ä')\n"
    assert read.origin.trust is Trust.EXTERNAL
    listing = await desk.result(desk.tool(connector, "pm_list_files"), {})
    assert listing.content == "shop"


async def test_a_project_is_its_persons_alone(desk: Desk, connector: WorkspacesConnector):
    await use(desk, connector, "pm_write_file", path="a.txt", content="zq-mine")
    with pytest.raises(ToolError, match=r"there is no a\.txt"):
        await use(desk, connector, "pm_read_file", person="ben", path="a.txt")
    assert (
        "no projects yet"
        in (await desk.result(desk.tool(connector, "pm_list_files"), {}, person="ben")).content
    )


@pytest.mark.parametrize(
    "path", ["../../x", "/etc/passwd", "a/../../b", "a//b", ".", "a/./b", "..", "a\\b", "a\0b"]
)
async def test_no_path_leads_out(
    desk: Desk, connector: WorkspacesConnector, tmp_path: Path, path: str
):
    before = everything(tmp_path)
    for name, more in (("pm_write_file", {"content": "x"}), ("pm_read_file", {})):
        with pytest.raises(ToolError):
            await use(desk, connector, name, path=path, **more)
    assert everything(tmp_path) == before


async def test_links_that_a_command_made_are_not_followed(
    desk: Desk, connector: WorkspacesConnector, tmp_path: Path
):
    (tmp_path / "secret.txt").write_text("zq-secret")
    project = ProjectFolder(tmp_path / "data" / "workspaces", "ann", "shop").make()
    (project / "out").symlink_to(tmp_path)
    (project / "file").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(project / "pipe")
    for path in ("out/secret.txt", "file", "pipe"):
        with pytest.raises(ToolError):
            await use(desk, connector, "pm_read_file", path=path)
    with pytest.raises(ToolError):
        await use(desk, connector, "pm_write_file", path="out/new.txt", content="x")
    assert not (tmp_path / "new.txt").exists()
    assert "nothing was found" in (await use(desk, connector, "file_secrets")).content


async def test_large_and_binary_files_are_refused(
    desk: Desk, connector: WorkspacesConnector, tmp_path: Path
):
    with pytest.raises(ToolError, match="divide it"):
        await use(desk, connector, "pm_write_file", path="a", content="x" * (FILE_BYTES + 1))
    project = ProjectFolder(tmp_path / "data" / "workspaces", "ann", "shop").make()
    (project / "picture").write_bytes(b"\0\1")
    with pytest.raises(ToolError, match="no text"):
        await use(desk, connector, "pm_read_file", path="picture")


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


def works(connector: WorkspacesConnector) -> bool:
    """Whether command lines run on this machine; where not, the tool must not even be offered."""
    return connector.sandbox.hindrance is None


async def shell(desk: Desk, connector: WorkspacesConnector, command: str) -> ToolResult | None:
    if not works(connector):
        with pytest.raises(KeyError):
            desk.tool(connector, "pm_shell")
        return None
    return await use(desk, connector, "pm_shell", command=command)


async def test_a_command_line_works_in_the_project_and_keeps_what_it_wrote(
    desk: Desk, connector: WorkspacesConnector
):
    await use(desk, connector, "pm_write_file", path="a.txt", content="one\ntwo\n")
    ended = await shell(desk, connector, "pwd; wc -l < a.txt | tee count.txt")
    if ended is not None:
        assert ended.content.split() == ["/work", "2"]
        assert (await use(desk, connector, "pm_read_file", path="count.txt")).content.strip() == "2"


async def test_a_failing_command_is_an_error_with_its_status(
    desk: Desk, connector: WorkspacesConnector
):
    ended = await shell(desk, connector, "echo before; echo wrong >&2; exit 3")
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
    desk: Desk,
    connector: WorkspacesConnector,
    tmp_path: Path,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("BELLHOP_SECRET", "zq-environment")
    (tmp_path / "secret.txt").write_text("zq-secret")
    reached: list[object] = []
    server = await asyncio.start_server(
        lambda _, writer: reached.append(writer.close()), "127.0.0.1", 0
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        ended = await shell(
            desk, connector, command.replace("{home}", str(tmp_path)).replace("{port}", str(port))
        )
    if ended is not None:
        assert "zq-" not in ended.content
        assert not reached
        assert not [path for path in everything(tmp_path) if path.name == "new.txt"]


async def test_a_full_project_can_be_emptied_and_nothing_else(
    desk: Desk, connector: WorkspacesConnector, tmp_path: Path
):
    await use(desk, connector, "pm_write_file", path="a.txt", content="one")
    with (tmp_path / "data/workspaces/ann/shop/large.bin").open("wb") as file:
        file.truncate(PROJECT_BYTES + 1)
    with pytest.raises(ToolError, match="the project is full"):
        await use(desk, connector, "pm_write_file", path="b.txt", content="two")
    ended = await shell(desk, connector, "echo three > c.txt")
    if ended is not None:
        assert ended.is_error
        assert "commands can only remove files" in ended.content
        ended = await shell(desk, connector, "rm large.bin")
        assert ended is not None
        assert not ended.is_error
        assert (
            "created b.txt"
            in (await use(desk, connector, "pm_write_file", path="b.txt", content="two")).content
        )


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


async def test_secrets_are_named_by_file_line_and_kind_and_never_shown(
    desk: Desk, connector: WorkspacesConnector
):
    text = (
        f"# settings\nkey = {KEY}\nDB_PASSWORD=hunter2hunter2\nurl = postgres://me:sesame77@db/x\n"
    )
    await use(desk, connector, "pm_write_file", path="conf/.env", content=text)
    told = (await use(desk, connector, "file_secrets")).content
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


async def test_private_projects_are_not_shown_in_shared_places(
    desk: Desk, connector: WorkspacesConnector
):
    async def at(name: str, where: Conversation, **given: Any) -> ToolResult:
        return await desk.result(desk.tool(connector, name), given, at=where)

    dm, public, hidden = (
        a_place(Reach.DM),
        a_place(Reach.PUBLIC, "c1"),
        a_place(Reach.PRIVATE, "c2"),
    )
    for project, where in (("diary", dm), ("shop", public), ("plot", hidden)):
        await at("pm_write_file", where, project=project, path="a.txt", content="x")
    assert (await at("pm_list_files", dm)).content == "diary\nplot\nshop"
    assert (
        await at("pm_list_files", hidden)
    ).content == "plot\nshop\n[1 more is private; ask me in a DM]"
    assert (
        await at("pm_list_files", public)
    ).content == "shop\n[2 more are private; ask me in a DM]"
    for name, more in (
        ("pm_read_file", {"path": "a.txt"}),
        ("pm_list_files", {}),
        ("file_secrets", {}),
    ):
        with pytest.raises(ToolError, match="there is no project diary"):
            await at(name, public, project="diary", **more)
    with pytest.raises(ToolError, match="the name is taken"):
        await at("pm_write_file", public, project="diary", path="a.txt", content="y")
    told = await at("pm_write_file", dm, project="shop", path="b.txt", content="y")
    assert "from now on it is not shown in public places" in told.content
    with pytest.raises(ToolError, match="there is no project shop"):
        await at("pm_read_file", public, project="shop", path="a.txt")
    assert (await at("pm_read_file", dm, project="shop", path="a.txt")).content == "x"


async def test_a_refused_call_takes_no_name(desk: Desk, connector: WorkspacesConnector):
    tool, wanted = desk.tool(connector, "pm_write_file"), {"project": "shop", "path": "a.txt"}
    with pytest.raises(ToolError, match="divide it"):
        await desk.result(tool, {**wanted, "content": "x" * (FILE_BYTES + 1)})
    await desk.result(tool, {**wanted, "content": "x"}, private=False)
    read = await desk.result(desk.tool(connector, "pm_read_file"), wanted, private=False)
    assert read.content == "x"


async def test_a_project_from_before_there_were_marks_is_shown_everywhere(
    desk: Desk, connector: WorkspacesConnector, tmp_path: Path
):
    (ProjectFolder(tmp_path / "data" / "workspaces", "ann", "shop").make() / "a.txt").write_text(
        "x"
    )
    read = await desk.result(
        desk.tool(connector, "pm_read_file"), {"project": "shop", "path": "a.txt"}, private=False
    )
    assert read.content == "x"
