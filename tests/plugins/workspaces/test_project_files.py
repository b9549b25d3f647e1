"""/projects: what a team of agents made, to be read and handed over by its person alone."""

from pathlib import Path

import pytest

from bot.domain.origins import Trust
from bot.errors import ToolError
from bot.files.projects.folders import FILE_BYTES, ProjectFolder, path_of
from bot.files.projects.places import ProjectPlaces
from bot.files.virtual import VirtualFiles
from bot.plugins.workspaces.plugin import ProjectFiles
from bot.testing.contexts import make_context, make_person

PNG = b"\x89PNG\r\n\x1a\n\xff"


@pytest.fixture
def files(tmp_path: Path) -> VirtualFiles:
    """Ann's project `shop`, made in a direct message, and `open`, made in public."""
    root = tmp_path / "workspaces"
    for project, private in (("shop", True), ("open", False)):
        context = make_context(private=private)
        ProjectPlaces(root, "ann").change(project, context.viewer, context.learned)
        folder = ProjectFolder(root, "ann", project)
        folder.write("src/app.py", b"print('hi')\n")
        folder.write("logo.png", PNG)
    return VirtualFiles([ProjectFiles(root)])


async def test_a_file_is_read_as_text_from_outside(files: VirtualFiles):
    file = await files.read(make_context(), path_of("shop", "./src/app.py"))
    assert (file.path, file.text) == ("/projects/shop/src/app.py", "print('hi')\n")
    assert file.origin.trust is Trust.EXTERNAL
    assert file.private
    assert not (await files.read(make_context(), "/projects/open/src/app.py")).private


async def test_a_file_that_is_no_text_is_handed_over_whole(files: VirtualFiles):
    with pytest.raises(ToolError, match="send can hand it over"):
        await files.read(make_context(), "/projects/shop/logo.png")
    assert await files.data(make_context(), "/projects/shop/logo.png") == PNG


async def test_folders_are_listed(files: VirtualFiles):
    context = make_context()
    assert [one.path for one in await files.list(context, "/projects")] == [
        "/projects/open",
        "/projects/shop",
    ]
    assert [(one.path, one.size) for one in await files.list(context, "/projects/shop")] == [
        ("/projects/shop/logo.png", 9),
        ("/projects/shop/src", None),
    ]
    for absent in ("/projects/none", "/projects/shop/none", "/projects/shop/logo.png/x"):
        with pytest.raises(ToolError):
            await files.list(context, absent)


async def test_a_private_project_is_not_there_where_others_read(files: VirtualFiles):
    public = make_context(private=False)
    listed = await files.list(public, "/projects")
    assert [one.path for one in listed if not one.private] == ["/projects/open"]
    assert await files.data(public, "/projects/shop/logo.png") is None
    with pytest.raises(ToolError, match="there is no file"):
        await files.read(public, "/projects/shop/src/app.py")
    with pytest.raises(ToolError):
        await files.list(public, "/projects/shop")


async def test_nobody_reads_the_project_of_somebody_else(files: VirtualFiles):
    ben = make_context(make_person("ben"))
    assert await files.list(ben, "/projects") == ()
    assert await files.data(ben, "/projects/shop/logo.png") is None
    for path in ("/projects/shop/src/app.py", "/projects/.places/shop.json", "/projects/shop"):
        with pytest.raises(ToolError):
            await files.read(ben, path)


async def test_it_is_read_only_and_bounded(files: VirtualFiles, tmp_path: Path):
    with pytest.raises(ToolError, match="read-only"):
        await files.write(make_context(), "/projects/shop/new.md", "x", None)
    folder = ProjectFolder(tmp_path / "workspaces", "ann", "shop")
    (folder.path / "large.bin").write_bytes(b"x" * (FILE_BYTES + 1))
    (folder.path / "link").symlink_to("/etc/passwd")
    with pytest.raises(ToolError, match="more than"):
        await files.data(make_context(), "/projects/shop/large.bin")
    assert await files.data(make_context(), "/projects/shop/link") is None
