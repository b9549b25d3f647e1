"""/custom-skills and /skills as files: checked on writing, limited by rank and role."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.access import Person, Role
from bot.domain.database import Database
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.places import AT_TERMINAL, Reach
from bot.domain.runs import RunKind, RunShape
from bot.domain.skills import SkillScope
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Deferred, NeedsApproval, ToolOutcome, ToolResult
from bot.errors import ToolError
from bot.files.database_files import DatabaseFiles
from bot.files.directory_files import DirectoryFiles
from bot.files.pages import PAGE_CHARS, page_of
from bot.files.tools import WriteFile, file_tools
from bot.files.virtual import VirtualFiles
from bot.skills.commands import SkillCommands
from bot.skills.custom import CustomSkills
from bot.skills.custom_file import CUSTOM, SHARED
from bot.skills.library import SkillLibrary
from bot.skills.virtual_files import CustomSkillFiles, LibraryFiles
from bot.testing.contexts import a_place, make_context, make_person
from bot.testing.fake_clock import FakeClock

GOOD = "---\ncommand: weekly\n---\nList the todos.\n"
FOR_PARTNERS = "---\ncommand: weekly\nroles: Partner+\n---\nzq-secret\n"
ROLES: dict[str, Role] = {}
SCHEDULED = RunKind(RunShape.SCHEDULED)
ANN, BEN, GUS = make_person(), make_person("ben", Role.PARTNER), make_person("gus", Role.GUEST)


def context(person: Person, **options: object) -> ToolContext:
    return make_context(person, **options)  # type: ignore[arg-type]


@pytest.fixture
def skills(database: Database) -> CustomSkills:
    return CustomSkills(database, FakeClock(), ROLES.get)


@pytest.fixture
async def library(tmp_path: Path) -> SkillLibrary:
    for name, front in (("payroll", "roles: Partner+"), ("hello", ""), ("off", "disabled: true")):
        folder = tmp_path / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: d\ncommand: {name}\n{front}\n---\nDo.\n"
        )
        (folder / "table.csv").write_text("a,b\n" * 30_000)
        (folder / "play.yaml").write_text("asked: hello\n")
    library = SkillLibrary([tmp_path / "skills"])
    await library.load()
    return library


@pytest.fixture
def files(
    database: Database, skills: CustomSkills, library: SkillLibrary, tmp_path: Path
) -> VirtualFiles:
    clock = FakeClock()
    own = DatabaseFiles(database, clock, CUSTOM, "person")
    shared = DatabaseFiles(database, clock, SHARED, "workspace", least_rank=Role.GUEST.rank)
    folders = LibraryFiles(DirectoryFiles("/skills", [tmp_path / "skills"]), library)
    return VirtualFiles([CustomSkillFiles(own, shared, skills), folders])


async def write(
    files: VirtualFiles, database: Database, who: ToolContext, path: str, text: str = GOOD
) -> None:
    """Write as after the person's yes, which the workspace's skills need from a direct message."""
    before, who = await files.find(who, path), replace(who, confirmed=True)
    await database.write(await files.write(who, path, text, before.version if before else None))


async def test_private_words_enter_a_skill_of_the_workspace_after_a_yes_alone(files: VirtualFiles):
    write_file = next(tool for tool in file_tools(files) if tool.name == "write_file")
    paths = {"own": "/custom-skills/weekly.md", "all": "/custom-skills/shared/weekly.md"}

    async def tried(where: Conversation, whose: str, **changes: object) -> ToolOutcome:
        at = replace(context(BEN, at=where), **changes)  # type: ignore[arg-type]
        return await write_file.run(at, WriteFile(path=paths[whose], content=GOOD))

    private = (a_place(Reach.DM), a_place(Reach.PRIVATE))
    for where in private:
        asked = await tried(where, "all")
        assert isinstance(asked, NeedsApproval)
        assert asked.approver_rank == 0
        assert isinstance(await tried(where, "own"), ToolResult)
        assert isinstance(await tried(where, "all", confirmed=True), ToolResult)
        assert isinstance(await tried(where, "all", run=SCHEDULED), Deferred)
    assert isinstance(await tried(a_place(Reach.PUBLIC), "all"), ToolResult)


async def test_a_wrong_skill_is_refused_with_its_line_and_what_was_there_stays(
    files: VirtualFiles, database: Database
):
    await write(files, database, context(ANN), "/custom-skills/weekly.md")
    with pytest.raises(ToolError, match=r"weekly.md, line 2: .*Nothing was saved"):
        await write(
            files, database, context(ANN), "/custom-skills/weekly.md", GOOD.replace("weekly", "[x]")
        )
    with pytest.raises(ToolError, match=r"is at /custom-skills/weekly.md already"):
        await write(files, database, context(ANN), "/custom-skills/weekly/SKILL.md")
    assert (await files.read(context(ANN), "/custom-skills/weekly.md")).text == GOOD
    await write(files, database, context(ANN), "/custom-skills/other/SKILL.md")
    await write(files, database, context(ANN), "/custom-skills/other/table.csv", "a,b")


async def test_only_partners_write_for_the_workspace_and_everybody_reads(
    files: VirtualFiles, database: Database
):
    with pytest.raises(ToolError, match="only a Partner"):
        await write(files, database, context(ANN), "/custom-skills/shared/weekly.md")
    await write(files, database, context(BEN), "/custom-skills/shared/weekly.md")
    for reader in (ANN, GUS):
        file = await files.read(context(reader), "/custom-skills/shared/weekly.md")
        assert file.origin == Origin(Trust.MEMBER, "person:ben")
    with pytest.raises(ToolError, match="no file"):
        await files.read(context(ANN, workspace="elsewhere"), "/custom-skills/shared/weekly.md")
    with pytest.raises(ToolError, match="only a Partner"):
        await files.delete(context(ANN), "/custom-skills/shared/weekly.md", file.version)


async def test_skills_with_roles_are_absent_for_others(
    files: VirtualFiles, database: Database, skills: CustomSkills, library: SkillLibrary
):
    await write(
        files, database, context(BEN), "/custom-skills/shared/weekly/SKILL.md", FOR_PARTNERS
    )
    await write(files, database, context(BEN), "/custom-skills/shared/weekly/table.md", "zq-secret")
    commands = SkillCommands(library, skills, (), ())
    for path in (
        "/custom-skills/shared/weekly/SKILL.md",
        "/custom-skills/shared/weekly/table.md",
        "/skills/payroll/SKILL.md",
    ):
        assert await files.find(context(BEN), path) is not None
        assert await files.find(context(ANN), path) is None
        assert await files.list_or_none(context(ANN), path.rpartition("/")[0]) is None
    assert await files.list(context(ANN), SHARED) == ()
    assert [entry.path for entry in await files.list(context(ANN), "/skills")] == ["/skills/hello"]
    listed = [entry.path for entry in await files.list(context(ANN), "/skills/hello")]
    assert listed == ["/skills/hello/SKILL.md", "/skills/hello/table.csv"]
    place = context(ANN).conversation
    assert [one.name for one in await commands.of_person(ANN, place)] == ["hello"]
    assert [one.name for one in await commands.of_person(BEN, place)] == [
        "hello",
        "payroll",
        "weekly",
    ]
    assert await commands.find("weekly", ANN, place) is None
    assert await commands.find_by_name("payroll", ANN, place) is None
    assert await commands.near("weekl", ANN, place) is None


async def test_a_demoted_authors_skill_and_a_tainted_one_are_not_vouched_for(
    files: VirtualFiles, database: Database, skills: CustomSkills, monkeypatch: pytest.MonkeyPatch
):
    auto = GOOD.replace("command: weekly", "auto_invoke: true\ndescription: zq-listed")
    await write(files, database, context(BEN), "/custom-skills/shared/weekly.md", auto)
    tainted = context(BEN, origin=Origin(Trust.EXTERNAL, "tool:web"))
    await write(files, database, tainted, "/custom-skills/shared/page.md", auto)
    place = context(ANN).conversation
    listing = await skills.listing(ANN, place, AT_TERMINAL)
    assert listing is not None
    assert "weekly" in listing.text
    assert "page" not in listing.text
    monkeypatch.setitem(ROLES, "ben", Role.FRIEND)
    assert await skills.listing(ANN, place, AT_TERMINAL) is None
    assert (await files.read(context(ANN), "/custom-skills/shared/weekly.md")).origin.untrusted


async def test_names_clash_with_numbers_and_a_persons_own_skill_goes_before_one_that_ships(
    files: VirtualFiles, database: Database, skills: CustomSkills, library: SkillLibrary
):
    hello = GOOD.replace("weekly", "hello")
    await write(files, database, context(BEN), "/custom-skills/shared/greet.md", hello)
    await write(files, database, context(ANN), "/custom-skills/greet.md", hello)
    await write(
        files, database, context(ANN), "/custom-skills/help.md", GOOD.replace("weekly", "help")
    )
    commands, place = SkillCommands(library, skills, (), ("help",)), context(ANN).conversation
    names = {one.command.name: one.ref.scope.value for one in await commands.runnable(ANN, place)}
    assert names == {
        "hello": "person",
        "hello_2": "workspace",
        "help_2": "person",
    }
    found = await commands.find("hello", BEN, place)
    assert found is not None
    assert found.ref.scope is SkillScope.LIBRARY


async def test_file_changes_are_noticed_and_the_librarys_at_once(
    files: VirtualFiles,
    database: Database,
    skills: CustomSkills,
    library: SkillLibrary,
    tmp_path: Path,
):
    commands, clock, place = (
        SkillCommands(library, skills, (), ()),
        FakeClock(),
        context(BEN).conversation,
    )
    watching = commands.watch(place, clock)
    assert [one.name for one in await anext(watching)] == ["hello"]
    await write(files, database, context(BEN), "/custom-skills/shared/weekly.md")
    (tmp_path / "skills" / "hello" / "SKILL.md").write_text("---\ndisabled: true\n---\n")
    version = commands.version
    await library.reload_changed()
    assert commands.version == version + 1
    assert [one.name for one in await anext(watching)] == ["weekly"]
    await watching.aclose()


async def test_files_beside_a_skill_are_read_in_pages(files: VirtualFiles):
    page = page_of((await files.read(context(ANN), "/skills/hello/table.csv")).text)
    assert page is not None
    assert len(page.text) <= PAGE_CHARS
    assert "go on with offset" in page.header
