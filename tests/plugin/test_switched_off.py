"""Our own plug-ins that a home switches off, each by -NAME in `plugins:`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.assembly.home_settings import load_settings
from bot.assembly.own_plugins import OWN
from bot.cli.doctor import examine
from bot.cli.main import app
from bot.domain.database import Unit, Write
from bot.errors import SettingsError
from bot.testing.automations import plant
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import running_app
from bot.testing.home_files import know, write_tool
from bot.testing.scripted_model import ScriptedModel, call, say

SUMS = "mcp: sums.add"


def home_with(path: Path, off: list[str], **sections: object) -> Path:
    (path / "bellhop.yaml").write_text(json.dumps({"plugins": off, **sections}))
    return path


async def test_its_commands_and_tools_are_not_there_and_those_of_the_others_are(tmp_path: Path):
    home = home_with(tmp_path, ["-people", "-polls"])
    model = ScriptedModel([call("people", {"action": "list"}), say("I can't.")])
    async with running_app(home, model) as house:
        listed = await house.command("ann", "help")
        assert "/people" not in listed
        assert "/todo" in listed
        await house.ask("ann", "who is who?")
        told = json.dumps(model.requests[-1].messages[-1])
        assert "there is no tool named 'people'" in told.replace("\\u0027", "'")
        there = {one.id for one in house.app.house.connectors}
        assert there.isdisjoint({"people", "polls"})
        assert {"notes", "meetings"} <= there


async def test_with_all_of_them_off_people_are_answered_and_keep_todos(tmp_path: Path):
    home = home_with(tmp_path, [f"-{one.name}" for one in OWN])
    todo = call("manage_todos", {"action": "create", "title": "buy milk"})
    async with running_app(home, ScriptedModel([todo, say("Done.")])) as house:
        assert await house.ask("ann", "buy milk") == "Done."
        assert "buy milk" in await house.command("ann", "todo")
        assert house.app.house.plugged == []
        assert house.app.problems() == []


async def test_what_people_have_in_its_tables_is_forgotten_while_it_is_off(tmp_path: Path):
    home, chat = home_with(tmp_path, []), FakeChat()
    know(home, ann="Friend")
    note = call("manage_notes", {"action": "add", "is_agent_note": False, "title": "zebra"})
    async with running_app(home, ScriptedModel([note, say("Noted.")]), chat) as house:
        await house.ask("ann", "note that")
        assert await house.rows("SELECT 1 FROM notes_kept")
    home_with(home, ["-notes"])
    async with running_app(home, ScriptedModel(), chat) as house:
        told = await house.command("ann", "memory", "forget everywhere zebra")
        assert "- notes: 1" in told
        assert "switched off" not in told
        sign = told.split("forget everywhere yes ")[1].split("`")[0]
        await house.command("ann", "memory", f"forget everywhere yes {sign}")
        await house.until_idle()
        assert await house.rows("SELECT 1 FROM notes_kept") == []


async def test_an_automation_that_waits_for_it_is_refused_and_told(tmp_path: Path):
    home, text = home_with(tmp_path, []), "---\nname: Ends\nevent: poll_ended\n---\nSay it."
    know(home, ann="Friend")
    async with running_app(home, ScriptedModel()) as house:
        await plant(house.app, house.chat.message("ann", "please"), "ann", text)
    home_with(home, ["-polls"])
    asked = call("write_file", {"path": "/automations/triggers/b.md", "content": text})
    model = ScriptedModel([asked, say("I can't.")])
    async with running_app(home, model) as house:
        await house.ask("ann", "tell me how polls end")
        told = json.dumps(model.requests[-1].messages[-1])
        assert "line 3: event: poll_ended needs the plug-in polls, which is not connected" in told
    [found] = [one for one in await examine(home, live=False) if one.check == "automations"]
    assert found.state == "warning"
    assert "event: poll_ended never happens, because no plug-in that is on tells of" in found.text


OLD = {
    "mail_received": "'m', 'box', 'ann', 'dm', '', 'eve', 'hi', 'hello', '{at}', NULL, ''",
    "mail_sent": "'s', 'ann', 'box', 'eve', 'hi', 'dm', '', '{at}'",
    "polls_open": "'fake:1', 'ann', 'dm', 'assistant', '{{}}', 'person', '{at}', '{at}'",
    "booking_made": "'b', 'ann', '{at}', '{at}', 'UTC', 'g', 'Eve', 'e@x.y', 't', 'made', '', ''",
    "console_links": "'h', 'ann', 'Ann', 'Friend', '{{}}', '{at}'",
}
LONG_AGO = "2020-01-01T00:00:00.000000+00:00"


async def test_what_is_kept_only_for_a_time_ends_while_it_is_off(tmp_path: Path):
    home = home_with(tmp_path, ["-mail", "-polls", "-booking", "-console"])
    clock = FakeClock()
    async with running_app(home, ScriptedModel(), FakeChat(), clock) as house:
        database = house.app.database
        for table, values in OLD.items():
            row = f"INSERT INTO {table} VALUES ({values.format(at=LONG_AGO)})"  # noqa: S608 - named above
            await database.write(Unit.of(Write(row)))

        async def left() -> list[str]:
            return [table for table in OLD if await house.rows(f"SELECT 1 FROM {table}")]  # noqa: S608

        for _ in range(200):  # housekeeping purges once it has looked for an hour
            if not await left():
                break
            await clock.advance(300)
            await settle()
        assert not await left()


@pytest.mark.parametrize(
    ("off", "sections", "told"),
    [
        (
            "-bookin",
            {},
            "bellhop.yaml, line 1: plugins: Bellhop has no plug-in 'bookin' of its own",
        ),
        ("-", {}, "bellhop.yaml, line 1: plugins: Bellhop has no plug-in '' of its own"),
        (
            "-slack_chat",
            {"slack": {"enabled": True}},
            "bellhop.yaml, line 1: slack.enabled is true, and plugins has -slack_chat; remove one",
        ),
        (
            "-offline_model",
            {"model": {"provider": "offline"}},
            "bellhop.yaml, line 1: model.provider: must be 'auto', 'anthropic' or 'compatible'",
        ),
    ],
)
def test_what_else_the_settings_need_of_it_is_told(
    off: str, sections: dict[str, object], told: str, tmp_path: Path
):
    with pytest.raises(SettingsError) as failed:
        load_settings(home_with(tmp_path, [off], **sections))
    assert str(failed.value).startswith(told)


def test_its_section_may_stay_and_is_told_of(tmp_path: Path):
    settings = load_settings(home_with(tmp_path, ["-booking", "-polls"], booking={}, mcp={}))
    assert settings.ignored == (
        "bellhop.yaml, line 1: booking does not count while the plug-in is off; take -booking out "
        "of plugins, or remove the section",
    )


def test_the_list_says_which_are_off(tmp_path: Path):
    home_with(tmp_path, ["-booking"])
    result = CliRunner().invoke(app, ["plugins", "--json", "--home", str(tmp_path)])
    lines = {one["name"]: one for one in json.loads(result.output)}
    assert (lines["booking"]["on"], lines["people"]["on"]) == (False, True)
    assert {one.name for one in OWN} <= lines.keys()
    assert all(lines[one.name]["title"] for one in OWN)


def test_its_command_says_so(tmp_path: Path):
    home_with(tmp_path, ["-collections"])
    result = CliRunner().invoke(app, ["knowledge", "list", "--home", str(tmp_path)])
    assert result.exit_code == 1
    told = "bellhop.yaml, line 1: plugins has -collections, whose command this is"
    assert told in result.output


def test_a_tool_file_that_a_server_runs_names_the_line_and_the_remedy(tmp_path: Path):
    servers = {"servers": {"sums": {"command": "/no/such/program"}}}
    file = write_tool(home_with(tmp_path, ["-mcp"], mcp=servers), "plus", implementation=SUMS)
    line = file.read_text().splitlines().index(SUMS) + 1
    told = f"{file}, line {line}: ## Implementation: no plug-in here calls servers of tools; "
    told += "remove -mcp if plugins in bellhop.yaml has it, else this file"
    checked = ["tools", "check", "--home", str(tmp_path)]
    result = CliRunner().invoke(app, checked)
    assert (result.exit_code, told in result.output) == (1, True)
    home_with(tmp_path, [], mcp=servers)
    assert CliRunner().invoke(app, checked).exit_code == 0
