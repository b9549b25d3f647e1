"""Plug-ins are found by entry points, and a broken one is named together with the remedy."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import installed_plugins
from bot.cli.doctor import examine
from bot.domain.messages import Place, Visibility
from bot.errors import SettingsError, StorageError
from bot.log import redact
from bot.plugin.plugin import API_VERSION
from bot.testing.background_lives import furnish
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from tests.plugin.conftest import Install

TOOL = """
from pydantic import BaseModel
class Nothing(BaseModel):
    pass
async def run(context, arguments):
    return ToolResult("done")
class {name}Connector(NativeConnector):
    id = "{id}"
def build(self, given):
    return Parts(connectors=({name}Connector(NativeTool("{tool}", Nothing, run)),))
"""


def home_with(path: Path, text: str) -> Path:
    home = path / "home"
    home.mkdir(exist_ok=True)
    (home / "bellhop.yaml").write_text(text)
    return home


async def start(home: Path) -> None:
    """Open an app on this home, and close it."""
    async with open_app(AppOptions(home)):
        pass


def it(body: str = "", name: str = "one") -> str:
    return f"class It(Plugin):\n    name = {name!r}\n{body}"


def provides(model: str) -> str:
    return (
        "    from bot.plugin.models import ModelProvider\n"
        f"    models = (ModelProvider({model!r}, print),)\n"
    )


BUILT = it("    build = build\n")


def test_an_unknown_name_is_refused_with_what_is_there(tmp_path: Path, install: Install):
    install("one", it())
    home = home_with(tmp_path, "# ours\nplugins: [ohne]\n")
    with pytest.raises(SettingsError) as refused:
        load_settings(home)
    assert "bellhop.yaml, line 2: plugins: no plug-in 'ohne'" in str(refused.value)
    assert "one" in str(refused.value)
    assert "pip install" in str(refused.value)


@pytest.mark.parametrize(
    ("code", "table", "check", "said"),
    [
        (it("    build = nothing\n"), "one_a", "settings", "(NameError: name 'nothing' is not def"),
        (it("    def build(self): pass\n"), "one_a", "plug-ins", "can't be built (TypeError"),
        (it(), "walks", "plug-in one", "whose name begins with one_; this one doesn't: CREATE"),
    ],
)
async def test_doctor_says_beside_the_rest_why_a_plugin_would_end_the_start(
    tmp_path: Path, install: Install, code: str, table: str, check: str, said: str
):
    module = install("one", code)
    (module / "migrations").mkdir()
    (module / "migrations" / "0001_all.sql").write_text(f"CREATE TABLE {table} (id TEXT);\n")
    home = home_with(tmp_path, "plugins: [one]\n")
    found = {one.check: one for one in await examine(home, live=False)}
    assert found[check].state == "error"
    assert said in found[check].text
    assert {"settings", "folder", "running"} <= found.keys()
    with pytest.raises((SettingsError, StorageError)) as refused:
        await start(home)
    assert said in str(refused.value)


async def test_the_section_of_a_plugin_that_is_off_may_stay(tmp_path: Path, install: Install):
    install("one", it("    settings = Section\n"))
    home = home_with(tmp_path, "timezone: UTC\none: {most: 3}\n")
    said = (
        "bellhop.yaml, line 2: one does not count while the plug-in is off; name it in plugins, "
        "or remove the section"
    )
    assert load_settings(home).ignored == (said,)
    found = next(one for one in await examine(home, live=False) if one.check == "settings")
    assert (found.state, found.text) == ("warning", said)
    install("two", it(name="two"))
    for written in ("other: {}\n", "plugins: [two]\ntwo: {}\n"):
        (home / "bellhop.yaml").write_text(written)
        with pytest.raises(SettingsError, match="is not a setting of Bellhop or of an installed"):
            load_settings(home)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import nothing_like_it", "can't be imported (ModuleNotFoundError: No module named"),
        ("\n\n1 / 0", "(ZeroDivisionError: division by zero) in "),
        ("\n\n1 / 0", "__init__.py, line 5; update their-package"),
        ("It = 3", "is no class derived from bot.plugin.plugin.Plugin"),
        (
            it("    api = 99\n"),
            f"needs version 99 of bot.plugin, and this Bellhop has {API_VERSION}",
        ),
        (it("    api = '2'\n"), "needs version '2' of bot.plugin, which is none"),
        (it(name="other"), "calls itself 'other'"),
        ("raise SystemExit(3)", "can't be imported (SystemExit: 3)"),
        (it("    settings = dict\n"), "can't be used: its settings are no class derived from"),
        (it("    platforms = ('x',)\n"), "its platforms must be tuple[bot."),
        (it("    models = 3\n"), "its models must be tuple[bot.plugin.models.ModelProvider, ...]"),
        (
            it("    tables = None\n"),
            "its tables must be tuple[bot.domain.person_tables.PersonTable, ...]",
        ),
        (it("    commands = ('x',)\n"), "its commands must be tuple[bot."),
        (it("    def __init__(self): raise OSError('no disk')\n"), "can't be made (no disk)"),
        (
            "class Needy(Section):\n    most: int\n" + it("    settings = Needy\n"),
            "has settings without a default (most): its author gives each one; update",
        ),
    ],
)
def test_a_plugin_that_cannot_be_used_is_named_with_its_package(
    tmp_path: Path, install: Install, code: str, said: str
):
    install("one", code, package="their-package")
    with pytest.raises(SettingsError) as refused:
        load_settings(home_with(tmp_path, "plugins: [one]\n"))
    assert "the plug-in 'one' of their-package 1.0" in str(refused.value)
    assert said in str(refused.value)
    assert "remove one from plugins" in str(refused.value)


def test_two_packages_with_a_plugin_of_one_name_are_refused(tmp_path: Path, install: Install):
    install("one", it(), package="first")
    install("one", it(), package="second")
    with pytest.raises(SettingsError, match=r"first 1\.0 and second 1\.0 both have"):
        load_settings(home_with(tmp_path, "plugins: [one]\n"))


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("    settings = Section\n", "", "a section 'web', which Bellhop has, too"),
        (provides("offline"), "", "a model provider 'offline', which Bellhop has, too"),
        (
            provides("echo"),
            provides("echo"),
            "a model provider 'echo', which the plug-in 'web' has, too",
        ),
    ],
)
def test_what_two_want_to_be_is_refused(
    tmp_path: Path, install: Install, first: str, second: str, said: str
):
    install("web", it(first, "web"))
    install("other", it(second, "other"))
    with pytest.raises(SettingsError) as refused:
        load_settings(home_with(tmp_path, "plugins: [web, other]\n"))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("tool", "id_", "said"),
    [
        ("search", "one", "a tool 'search'"),
        ("several_calls", "one", "a tool 'several_calls'"),
        ("mine", "web", "a connector 'web'"),
    ],
)
async def test_a_tool_or_connector_of_ours_is_not_replaced(
    tmp_path: Path, install: Install, tool: str, id_: str, said: str
):
    code = TOOL.format(name="One", id=id_, tool=tool)
    install("one", f"{code}\n{BUILT}")
    home = home_with(tmp_path, "plugins: [one]\n")
    with pytest.raises(SettingsError) as refused:
        await start(home)
    assert f"the plug-in 'one' has {said}" in str(refused.value)


@pytest.mark.parametrize(
    ("tool", "made"),
    [
        ("pm_run_batch", "agent_tools=lambda ground: [NativeTool('pm_run_batch', Nothing, run)]"),
        (
            "follow_thread",
            "places=lambda ground: PlaceParts("
            "[ToolRegistration([NativeTool('follow_thread', Nothing, run)])])",
        ),
    ],
)
async def test_a_tool_that_is_made_late_replaces_none_of_ours(
    tmp_path: Path, install: Install, tool: str, made: str
):
    code = "from bot.plugin.places import PlaceParts\n"
    code += TOOL.format(name="One", id="one", tool="mine")
    install("one", f"{code}\n{it(f'    build = lambda self, given: Parts({made}){chr(10)}')}")
    with pytest.raises(SettingsError, match=f"the plug-in 'one' has a tool '{tool}'"):
        await start(home_with(tmp_path, "plugins: [one]\n"))


GENERAL = {"where": "general", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
READS_FOR_ONE = """
from pydantic import BaseModel
from bot.domain.tool_outcomes import ForAsker
class Nothing(BaseModel):
    pass
async def read(context, arguments):
    return ToolResult("It lands in May.", private=True, effects=(ForAsker(),))
async def wonder(context, arguments):
    return ToolResult("asks nobody" if context.ask_now is None else "asks aloud")
class Reads(NativeConnector):
    id = "reads"
def build(self, given):
    def tools(ground):
        async def lead(context, arguments):
            run = ground.run_of(context)
            read = await run.call("look", "peek", {})
            return ToolResult(read.content, effects=run.effects)
        return [NativeTool("lead", Nothing, lead, reserved=True, in_turn=True)]
    reads = Reads(NativeTool("peek", Nothing, read), NativeTool("wonder", Nothing, wonder))
    return Parts(connectors=(reads,), agent_tools=tools)
"""


def home_that_reads_for_one(tmp_path: Path, install: Install) -> Path:
    install("one", f"{READS_FOR_ONE}\n{BUILT}")
    home = home_with(tmp_path, "plugins: [one]\n")
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    for name in ("lead", "peek", "wonder"):
        text = f"# {name}\n\n## Description\nTell when the airship comes.\n"
        (folder / f"{name}.md").write_text(f"{text}\n## Access\nGuest+\n")
    return home


async def test_the_calls_of_an_agent_that_read_for_one_are_shown_to_nobody(
    tmp_path: Path, install: Install
):
    home = home_that_reads_for_one(tmp_path, install)
    furnish(home)
    unlock = call("get_capabilities", {"names": ["call_agent"]})
    sums = [call("calculate", {"expression": "40 + 2"}), call("calculate", {"expression": "9 * 9"})]
    plans = {
        "ask": [unlock, call("call_agent", {"agent": "scribe", "task": "do:look"}), say("May.")],
        "look": [sums[0], call("peek", {}), sums[1], say("In May.")],
    }
    async with running_app(home, PlanModel(plans)) as house:
        await house.chat.say("ann", "do:ask", **GENERAL)
        await house.chat.until(2)
    shown = str([live.updates for live in house.chat.lives])
    assert "40 + 2" in shown
    assert "9 * 9" not in shown


async def test_what_a_tool_calls_as_its_run_is_for_whom_the_result_is(
    tmp_path: Path, install: Install
):
    home = home_that_reads_for_one(tmp_path, install)
    unlock = call("get_capabilities", {"names": ["lead"]})
    model = ScriptedModel([unlock, call("lead", {}), say("In May.")], strict=True)
    async with running_app(home, model) as house:
        await house.chat.say("ann", "when?", **GENERAL)
        line, answer = await house.chat.until(2)
    assert "It lands in May." in str(model.requests[-1].messages)
    assert line.message.text == "I answer ann privately."
    assert (answer.message.text, answer.message.target.ephemeral_to) == ("In May.", "ann")


async def test_a_tool_asks_nothing_aloud_once_its_run_has_read_for_one(
    tmp_path: Path, install: Install
):
    steps = [call("wonder", {}), call("peek", {}), call("wonder", {}), say("In May.")]
    home, model = home_that_reads_for_one(tmp_path, install), ScriptedModel(steps, strict=True)
    async with running_app(home, model) as house:
        await house.chat.say("ann", "when?", **GENERAL)
        await house.until_idle()
    told = str(model.requests[-1].messages)
    assert (told.count("asks aloud"), told.count("asks nobody")) == (1, 1)


async def test_what_agents_keep_and_plan_of_it_is_for_one_too(tmp_path: Path, install: Install):
    home = home_that_reads_for_one(tmp_path, install)
    know(home, ann="Friend")
    keeps = call("manage_todos", {"action": "create", "title": "It lands in May"})
    tasks = [{"id": str(number), "description": "Look at May."} for number in (1, 2, 3)]
    plan = call("plan", {"goal": "The airship lands in May", "tasks": tasks})
    steps = [call("peek", {}), call("agent_scheduler", {"instruction": "Keep it."}), keeps]
    looked = [say("Looked.") for _ in tasks]
    model = ScriptedModel([*steps, say("Kept."), plan, *looked, say("In May.")], strict=True)
    held = model.hold(6)
    async with running_app(home, model) as house:
        await house.chat.say("ann", "when?", **GENERAL)
        await model.asked(6)
        (kept,) = await house.rows("SELECT reach, channel FROM todos")
        assert kept["reach"] == "private"
        assert kept["channel"].endswith("+ann")
        await house.chat.command("ann", "plan", **GENERAL)
        told = (await house.chat.until(1))[0].message
        assert "The airship lands in May" in told.text
        assert told.target.ephemeral_to == "ann"
        held.set()
        await house.until_idle()


async def test_doctor_names_a_plugin_whose_own_checks_fail(tmp_path: Path, install: Install):
    for name, code in (
        ("one", "    def problems(self, setup): 1 / 0\n"),
        ("two", "    always_examined = True\n    async def examine(self, setup): 1 / 0\n"),
        ("three", "    def state(self, setup): raise SystemExit(4)\n"),
    ):
        install(name, it(code, name))
    found = await examine(home_with(tmp_path, "plugins: [one, two, three]\n"), live=False)
    wrong = {one.check: one.text for one in found if one.state == "error"}
    assert "can't say how it is set up (ZeroDivisionError: " in wrong["plug-in one"]
    assert "can't be examined (ZeroDivisionError: " in wrong["plug-in two"]
    assert "can't say how it is set up (SystemExit: 4)" in wrong["plug-in three"]


def test_a_package_whose_list_is_broken_hides_no_other(tmp_path: Path, install: Install):
    install("one", it())
    module = install("two", it(name="two"), package="their-package")
    (module.parent / "their-package-1.0.dist-info" / "entry_points.txt").write_text(
        "[bellhop.plugins]\ntwo\n"
    )
    load_settings(home_with(tmp_path, "plugins: [one]\n"))
    with pytest.raises(SettingsError, match=r"of their-package can't be read; install that again"):
        load_settings(home_with(tmp_path, "plugins: [two]\n"))


async def test_a_plugin_reads_the_secrets_that_it_declares_and_no_others(
    tmp_path: Path, install: Install
):
    body = "    secrets = (Secret('ONE_CODE'),)\n    def build(self, given):\n        {}\n"
    reads = "assert given.secret('ONE_CODE') == 'swordfish-9'; return Parts()"
    install("one", it(body.format(reads)))
    install("two", it(body.format("return given.secret('TWO_CODE')"), "two"))
    home = home_with(tmp_path, "plugins: [one]\n")
    (home / ".env").write_text("ONE_CODE=swordfish-9\nTWO_CODE=other\n")
    async with open_app(AppOptions(home)):
        assert "swordfish" not in redact("it says swordfish-9")
    home_with(tmp_path, "plugins: [two]\n")
    with pytest.raises(SettingsError, match="reads the secret TWO_CODE"):
        await start(home)


async def test_tables_of_others_are_not_touched(tmp_path: Path, install: Install):
    folder = install("one", it()) / "migrations"
    folder.mkdir()
    home = home_with(tmp_path, "plugins: [one]\n")
    for content, said in (
        (b"DROP TABLE todos;\n", "whose name begins with one_"),
        (b"CREATE TABLE one_\xff (a TEXT);\n", "0001_x.sql, line 1: is not UTF-8 text"),
        (b"CREATE TABLE one_x (a TEXT;\n", "0001_x.sql of the plug-in 'one' can't be applied: "),
    ):
        (folder / "0001_x.sql").write_bytes(content)
        with pytest.raises(StorageError, match=re.escape(said)):
            await start(home)
    (folder / "0001_x.sql").unlink()
    os.mkfifo(folder / "0001_x.sql")
    with pytest.raises(StorageError, match="it is not a regular file"):
        await start(home)


async def test_a_file_of_tables_that_was_applied_must_not_change(tmp_path: Path, install: Install):
    folder = install("one", it()) / "migrations"
    folder.mkdir()
    (folder / "0001_x.sql").write_text("CREATE TABLE one_x (a TEXT);\n")
    home = home_with(tmp_path, "plugins: [one]\n")
    await start(home)
    (folder / "0002_y.sql").write_text("CREATE TABLE one_y (a TEXT);\n")
    assert not await errors(home)
    (folder / "0001_x.sql").write_text("CREATE TABLE one_x (a TEXT, b TEXT);\n")
    said = "0001_x.sql of the plug-in 'one' was changed"
    assert said in await errors(home)
    with pytest.raises(StorageError, match=re.escape(said)):
        await start(home)
    (folder / "0001_x.sql").unlink()
    assert "newer than its package" in await errors(home)
    with pytest.raises(StorageError, match="newer than its package"):
        await start(home)


async def test_doctor_names_rows_of_people_in_a_table_that_is_not_there(
    tmp_path: Path, install: Install
):
    install("one", it())
    home = home_with(tmp_path, "plugins: [one]\n")
    await start(home)
    tables = (
        "    from bot.plugin.tables import PersonTable\n"
        "    tables = (PersonTable('two_x', 'owner', ('id',), 'thing', 'things'),)\n"
    )
    install("two", it(tables, "two"))
    home_with(tmp_path, "plugins: [two]\n")
    assert "declares rows of people in two_x" in await errors(home)


async def errors(home: Path) -> str:
    """What doctor says of the plug-ins that a start would refuse."""
    found = await examine(home, live=False)
    return "; ".join(one.text for one in found if one.state == "error" and "plug-in" in one.check)


async def test_doctor_shows_what_is_on_and_what_is_wrong_with_it(tmp_path: Path, install: Install):
    install("one", it())
    problems = "    def problems(self, setup): return ['two.url is missing; set it']\n"
    install("two", it(problems, "two"))
    home = home_with(tmp_path, "plugins: [one, two]\n")
    found = {one.check: one for one in await examine(home, live=False)}
    assert found["plug-in one"].text == "on, one 1.0"
    assert found["plug-in two"].text == "two.url is missing; set it"
    home_with(tmp_path, "plugins: [three]\n")
    found = {one.check: one for one in await examine(home, live=False)}
    assert "no plug-in 'three'" in found["settings"].text


async def test_doctor_names_the_tools_of_a_plugin_that_nobody_can_use(
    tmp_path: Path, install: Install
):
    code = TOOL.format(name="One", id="one", tool="dig")
    folder = install("one", f"{code}\n{BUILT}")
    home = home_with(tmp_path, "plugins: [one]\n")

    async def told() -> str:
        return {one.check: one.text for one in await examine(home, live=False)}["tools"]

    assert "plug-in 'one': no file describes its tool dig, so nobody can use it" in await told()
    file = folder / "tools" / "shared" / "dig.md"
    file.parent.mkdir(parents=True)
    file.write_text("# dig\n\n## Description\nDig.\n\n## Requires\nspade\n")
    assert f"{file}: Requires: no connector or service has the id 'spade'" in await told()
    file.write_text("# dig\n\n## Description\nDig.\n\n## Requires\none\n")
    assert "dig" not in await told()


def test_a_provider_that_nothing_has_is_refused(tmp_path: Path):
    home = home_with(tmp_path, "model:\n  provider: parrot\n")
    with pytest.raises(SettingsError, match=r"line 2: model\.provider: must be 'auto', "):
        load_settings(home)


def test_nothing_of_a_plugin_that_is_off_is_imported(tmp_path: Path, install: Install):
    package = install("one", "raise SystemExit('imported')")
    assert [one.name for one in installed_plugins() if one.package == "one 1.0"] == ["one"]
    load_settings(home_with(tmp_path, "timezone: UTC\n"))
    assert package.name not in sys.modules


def test_a_home_without_plugins_never_looks_for_packages(tmp_path: Path):
    script = (
        "import asyncio, importlib.metadata, sys; from pathlib import Path\n"
        "look = importlib.metadata.entry_points\n"
        "def looked(**what):\n"
        "    return sys.exit('looked') if what == {'group': 'bellhop.plugins'} else look(**what)\n"
        "importlib.metadata.entry_points = looked\n"
        "from bot.app import AppOptions, open_app\n"
        "async def start():\n"
        "    async with open_app(AppOptions(Path(sys.argv[1]))):\n"
        "        print('started')\n"
        "asyncio.run(start())"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.strip().endswith("started"), done.stderr
