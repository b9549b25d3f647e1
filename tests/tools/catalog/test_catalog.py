"""The catalogue: which file counts, what stays when one breaks, what is reported, live reload."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.tools import Risk, ShellImplementation
from bot.errors import DefinitionError
from bot.testing.fake_clock import FakeClock
from bot.testing.tools import ToolFolder, a_scope, a_toolset, native
from bot.tools.definitions.definition import parse_tool_file, read_guards
from bot.tools.definitions.guards import held_back
from bot.tools.native.registry import NativeTools
from bot.tools.running.shell import ShellRoute
from bot.tools.settings import ShellSettings
from bot.tools.toolset.toolset import Toolset
from tests.thoroughness import examples


async def test_the_same_relative_path_in_the_home_wins(files: ToolFolder):
    files.put("shared/thing", "## Access\nPartner")
    files.put("shared/thing", "## Access\nGuest", root="home")
    files.put("shared/other")
    catalog = await files.loaded()
    found = {tool.name: tool for tool in catalog.definitions(["shared"])}
    assert found.keys() == {"thing", "other"}
    assert found["thing"].access.describe() == "Guest"


async def test_a_disabled_file_in_the_home_switches_a_shipped_tool_off(files: ToolFolder):
    files.put("shared/thing")
    files.put("shared/thing", "# thing\n## Disabled\n", root="home")
    catalog = await files.loaded()
    assert catalog.definitions(["shared"]) == ()
    assert catalog.problems == ()


async def test_the_first_folder_wins_and_staged_tools_are_never_given(
    files: ToolFolder,
):
    files.put("shared/thing", "## Aliases\nfrom_shared")
    files.put("assistant/thing")
    files.put("readytools/thing")
    files.put("readytools/fresh")
    catalog = await files.loaded()
    assert [tool.folder for tool in catalog.definitions(["assistant", "shared", "readytools"])] == [
        "assistant"
    ]
    assert {tool.name for tool in catalog.staged} == {"thing", "fresh"}


async def test_an_invalid_file_is_reported_and_the_rest_keeps_working(files: ToolFolder):
    files.put("shared/good")
    bad = files.put("shared/bad", "## Access\nNobody")
    (files.shipped / "tools/shared/bytes.md").write_bytes(b"# bytes\n\xff\xfe")
    catalog = await files.loaded()
    assert [tool.name for tool in catalog.definitions(["shared"])] == ["good"]
    problems = {problem.path.name: (problem.line, problem.message) for problem in catalog.problems}
    assert problems["bad.md"][0] == 5
    assert "Nobody" in problems["bad.md"][1]
    assert problems["bytes.md"] == (2, "the file is not UTF-8; save it as UTF-8")
    bad.unlink()
    assert await catalog.reload_changed()
    assert len(catalog.problems) == 1


async def test_a_link_that_leads_nowhere_is_named_and_stops_no_other_folder(files: ToolFolder):
    files.put("shared/thing")
    files.put("shared/thing", "# thing\n## Disabled\n", root="home")
    loop = files.home / "tools" / "loop"
    loop.symlink_to("loop")
    catalog = await files.loaded()
    assert catalog.definitions(["shared"]) == ()
    assert [problem.path for problem in catalog.problems] == [loop]
    assert catalog.problems[0].message.endswith("; make it a readable folder")


async def test_a_file_with_unreadable_access_is_closed_but_keeps_its_texts(
    files: ToolFolder,
):
    files.put("shared/thing", "## Access\nPartner")
    catalog = await files.loaded()
    files.put("shared/thing", "## Access\nPartnr and more")
    assert await catalog.reload_changed()
    (closed,) = catalog.definitions(["shared"])
    assert not any(closed.access.allows(role) for role in Role if role is not Role.MASTER_ADMIN)
    assert (closed.risk, closed.description) == (Risk.DESTRUCTIVE, "Does thing.")
    assert "Partnr" in catalog.problems[0].message
    files.put("shared/thing", "## Access\nFriend")
    assert await catalog.reload_changed()
    assert catalog.definitions(["shared"])[0].access.describe() == "Friend"
    assert catalog.problems == ()


async def test_nothing_changed_means_the_same_snapshot(files: ToolFolder):
    files.put("shared/thing")
    catalog = await files.loaded()
    before = catalog.snapshot
    assert not await catalog.reload_changed()
    assert catalog.snapshot is before


async def test_a_removed_file_takes_its_tool_away(files: ToolFolder):
    path = files.put("shared/thing")
    catalog = await files.loaded()
    path.unlink()
    assert await catalog.reload_changed()
    assert catalog.definitions(["shared"]) == ()


async def test_files_that_come_and_go_leave_the_catalogue_of_a_new_start(files: ToolFolder):
    paths = [files.put(f"shared/tool_{number:02}", f"Word {number}.") for number in range(20)]
    catalog = await files.loaded()
    for number in (3, 17, 19):
        paths[number].unlink()
        files.put(f"shared/also_{number}", "Something else.")
        files.put("shared/tool_05", "Edited" + "." * number)
        await catalog.reload_changed()
        started = await files.loaded()
        assert catalog.definitions(["shared"]) == started.definitions(["shared"])
        live, new = a_toolset(catalog), a_toolset(started)
        for query in ("else", "word 4", "edited"):
            assert live.search("*", query) == new.search("*", query)
            assert live.search(None, query) == new.search(None, query)


async def test_two_files_of_one_folder_with_the_same_name_are_a_problem(files: ToolFolder):
    files.put("shared/a", "# thing\n## Description\nfirst\n")
    files.put("shared/b", "# thing\n## Description\nsecond\n")
    catalog = await files.loaded()
    assert [tool.description for tool in catalog.definitions(["shared"])] == ["first"]
    assert any("defined by" in problem.message for problem in catalog.problems)


async def test_a_missing_script_is_a_problem_until_it_is_there(files: ToolFolder):
    path = files.put("shared/thing", "## Implementation\nshell: run.sh")
    catalog = await files.loaded()
    assert "no script run.sh" in catalog.problems[0].message
    path.with_name("run.sh").write_text("echo hi")
    assert await catalog.reload_changed()
    assert catalog.definitions(["shared"])[0].implementation == ShellImplementation(
        path.with_name("run.sh")
    )


async def test_a_script_beside_the_file_serves_it_when_no_handler_does(files: ToolFolder):
    path = files.put("shared/thing")
    path.with_suffix(".sh").write_text("echo hi")
    catalog = await files.loaded()
    with_handler = Toolset(catalog, a_scope(), natives=native("thing")).find("thing")
    route = ShellRoute(ShellSettings(), 1000, FakeClock())
    scripts = NativeTools(routes={ShellImplementation: route})
    without = Toolset(catalog, a_scope(), natives=scripts).find("thing")
    assert with_handler is not None
    assert without is not None
    assert without.implementation == ShellImplementation(path.with_suffix(".sh"))
    assert with_handler.implementation != without.implementation


async def test_a_running_session_finds_new_tools_and_loses_tightened_ones(
    files: ToolFolder,
):
    files.put("shared/old")
    catalog = await files.loaded()
    toolset = a_toolset(catalog, unlocked=["old"], natives=native("old", "new"))
    assert toolset.is_callable("old")
    files.put("shared/new")
    files.put("shared/old", "## Access\nMasterAdmin")
    await catalog.reload_changed()
    toolset.refresh()
    assert toolset.find("new") is not None
    assert toolset.find("old") is None
    assert [item["name"] for item in toolset.unlocked.values()] == ["old"]


async def test_a_broken_file_serves_its_last_texts_to_roles_of_both_versions(
    files: ToolFolder,
):
    files.put("shared/thing", "## Access\nFriend+")
    catalog = await files.loaded()
    files.put(
        "shared/thing", "## Access\nGuest, Partner\n## Risk\nexternal-write\n## Parameters\n{broken"
    )
    await catalog.reload_changed()
    (held,) = catalog.definitions(["shared"])
    assert held.access.describe() == "Partner"
    assert held.risk is Risk.EXTERNAL_WRITE
    files.put("shared/thing", "## Disabled\n## Parameters\n{broken")
    await catalog.reload_changed()
    assert catalog.definitions(["shared"]) == ()


async def test_a_file_that_never_could_be_read_still_hides_the_tools_of_its_name(files: ToolFolder):
    files.put("shared/thing")
    files.put("assistant/thing", "## Acess\nPartner")
    catalog = await files.loaded()
    assert a_toolset(catalog, a_scope(Role.GUEST)).find("thing") is None
    assert "did you mean ## Access?" in catalog.problems[0].message


ROLES_BELOW = [
    "Partner+",
    "Partner",
    "MasterAdmin",
    "Partner, MasterAdmin",
    "- Partner\n- MasterAdmin",
]
HEADINGS = ["## Access", "## access", "## AllowedRoles", "##  Access ##", "AllowedRoles:"]


@st.composite
def broken_access(draw: st.DrawFn) -> str:
    """An access section in which up to two characters were typed wrong, left out or doubled."""
    text = f"{draw(st.sampled_from(HEADINGS))}\n{draw(st.sampled_from(ROLES_BELOW))}"
    text = text.replace("AllowedRoles:\n", "AllowedRoles: ")
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(text) - 1))
        kept = draw(st.sampled_from(["", text[at] * 2, *"aexs#: -*"]))
        text = text[:at] + kept + text[at + 1 :]
    return text


@settings(max_examples=examples(600), deadline=None)
@given(
    broken_access(),
    st.sampled_from(["", "## Parameters\n{}\n", "## Parameters\n{\n", "## Risk\nnone\n"]),
)
def test_a_broken_access_section_never_opens_a_tool(access: str, rest: str):
    text = f"# thing\n## Description\nDoes it.\n{rest}{access}\n"
    path = Path("shared/thing.md")
    good = parse_tool_file(
        "# thing\n## Description\nDoes it.\n## Access\nPartner\n", path=path, folder="shared"
    )
    try:
        now = parse_tool_file(text, path=path, folder="shared")
    except DefinitionError:
        now = held_back(good, read_guards(text, path=path, folder="shared"))
    open_to = [role for role in (Role.GUEST, Role.FRIEND, Role.BUSINESS) if now.access.allows(role)]
    assert not open_to, f"{access!r} opened it to {open_to}"


async def test_parameters_stay_text_until_somebody_uses_the_tool(files: ToolFolder):
    schema = '{"type": "object", "properties": {"to": {"type": "string"}}}'
    files.put("shared/thing", f"## Parameters\n```json\n{schema}\n```")
    (files.shipped / "tools/shared/thing.sh").write_text("cat\n")
    catalog = await files.loaded()
    (tool,) = catalog.snapshot.tools
    served = tool.scripted()
    assert served is not None
    assert (tool.definition.stored_parameters, served.stored_parameters) == (schema, schema)
    assert served.parameters == {"type": "object", "properties": {"to": {"type": "string"}}}
    assert served.parameters is served.stored_parameters
    assert tool.definition.stored_parameters == schema


async def test_tools_are_found_anywhere_by_name_and_by_alias(files: ToolFolder):
    files.put("shared/thing", "## Aliases\nitem")
    files.put("assistant/thing")
    files.put("assistant/item")
    files.put("readytools/thing")
    catalog = await files.loaded()

    def found(name: str) -> list[tuple[str, str]]:
        return [(tool.folder, tool.name) for tool in catalog.anywhere(name)]

    assert found("thing") == [("assistant", "thing"), ("shared", "thing")]
    assert found("item") == [("assistant", "item"), ("shared", "thing")]
    assert found("nothing") == []
