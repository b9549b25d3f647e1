"""Agents as files: precedence, live reload, last good versions, remedies for broken ones."""

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.definitions.registry import AgentRegistry, agent_tool, parse_agent_file
from bot.agents.settings import AgentSettings
from bot.domain.access import Role
from bot.domain.agents import RunsIn
from bot.domain.models import ModelSize
from bot.domain.runs import RunShape
from bot.errors import DefinitionError
from bot.testing.shipped_tools import AGENT_ROOTS

_LATER = itertools.count(1)
"""Each file is visibly newer than the one before, however coarse the file system's clock."""


def write(folder: Path, name: str, *front: str, body: str = "You help.") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text("\n".join(["---", *front, "---", "", body, ""]), encoding="utf-8")
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + next(_LATER) * 1_000_000))
    return path


async def registry_of(*roots: Path) -> AgentRegistry:
    registry = AgentRegistry(roots)
    await registry.load()
    return registry


async def test_the_shipped_agents_are_valid_and_only_working_ones_can_be_called():
    registry = await registry_of(*AGENT_ROOTS)
    assert registry.problems == ()
    ants = {"debugger", "scout", "soldier", "worker"}
    of_friends = ["observer", "planner", "researcher", "reviewer", "scheduler"]
    assert {agent.name for agent in registry.all()} == {
        "assistant",
        "memorymaster",
        "mrtool",
        "queen",
        *of_friends,
        *ants,
    }
    called = {
        role: [agent.name for agent in registry.callable_by(role, "assistant")] for role in Role
    }
    assert called[Role.GUEST] == ["observer"]
    assert called[Role.FRIEND] == of_friends
    assert called[Role.MASTER_ADMIN] == sorted([*of_friends, "mrtool", "queen"])
    assert ants < {agent.name for agent in registry.callable_by(Role.PARTNER, "queen")}
    assistant, observer = registry.get("assistant"), registry.get("observer")
    assert assistant is not None
    assert observer is not None
    assert (assistant.turns, assistant.folders, assistant.specialists) == (
        10,
        ("planner", "observer"),
        ("researcher",),
    )
    assert (observer.turns, observer.max_tokens) == (8, 4096)


async def test_every_key_of_the_front_matter_is_read(tmp_path: Path):
    write(
        tmp_path,
        "scout",
        "name: scout",
        "description: Finds things.",
        "folders: [subagents]",
        "specialists: [scribe]",
        "turns: 7",
        "max_tokens: 1000",
        "model: cheap",
        "run_shape: research",
        "access: Friend+",
        "specialist: true",
        "called_by: [queen]",
        "tools: [pm_shell]",
        "skills: [triage]",
        "keeps_memory: false",
        "runs_in: inprocess",
        "email: scout@example.org",
        body="You scout.\n\nCarefully.",
    )
    write(tmp_path, "scribe", "description: Writes.")
    agent = (await registry_of(tmp_path)).get("scout")
    assert agent is not None
    assert (agent.prompt, agent.description, agent.email) == (
        "You scout.\n\nCarefully.",
        "Finds things.",
        "scout@example.org",
    )
    assert (agent.folders, agent.specialists, agent.turns, agent.max_tokens) == (
        ("subagents",),
        ("scribe",),
        7,
        1000,
    )
    assert (agent.model, agent.run_shape) == (ModelSize.CHEAP, RunShape.RESEARCH)
    assert (agent.called_by, agent.tools, agent.skills) == (("queen",), ("pm_shell",), ("triage",))
    assert (agent.keeps_memory, agent.runs_in) == (False, RunsIn.PROCESS)
    assert agent.access.allows(Role.FRIEND)
    assert not agent.access.allows(Role.GUEST)


async def test_an_agent_is_called_only_by_those_whom_its_file_names(tmp_path: Path):
    write(tmp_path, "scout", "description: Finds things.", "called_by: [queen]")
    write(tmp_path, "scribe", "description: Writes.")
    registry = await registry_of(tmp_path)
    callable_ = {
        who: [agent.name for agent in registry.callable_by(Role.GUEST, who)]
        for who in ("assistant", "queen")
    }
    assert callable_ == {"assistant": ["scribe"], "queen": ["scout", "scribe"]}


async def test_settings_win_over_the_files(tmp_path: Path):
    write(tmp_path, "assistant", "description: Talks.", "specialist: false")
    write(tmp_path, "scout", "description: Finds things.", "turns: 4")
    settings = AgentSettings.model_validate(
        {
            "overrides": {
                "assistant": {"turns": 15},
                "scout": {"turns": 9, "max_tokens": 300},
                "scuot": {"turns": 1},
            }
        }
    )
    registry = AgentRegistry([tmp_path], settings)
    await registry.load()
    assert [(agent.turns, agent.max_tokens) for agent in registry.all()] == [(15, 4096), (9, 300)]
    assert registry.problems == ()
    assert registry.idle == (
        "agents.overrides: there is no agent 'scuot'; there are assistant, scout. Take it out, or "
        "add prompts/agents/scuot.md",
    )


async def test_budgets_default_to_those_of_a_specialist_or_of_the_top_level(tmp_path: Path):
    write(tmp_path, "scout", "description: Finds things.")
    write(tmp_path, "chief", "description: Talks.", "specialist: false")
    registry = await registry_of(tmp_path)
    assert [(agent.turns, agent.max_tokens) for agent in registry.all()] == [(10, 4096), (5, 2048)]
    assert [agent.name for agent in registry.callable_by(Role.MASTER_ADMIN)] == ["scout"]


async def test_the_home_file_hides_the_shipped_one_of_the_same_name(tmp_path: Path):
    write(tmp_path / "shipped", "scout", "description: Shipped.")
    write(tmp_path / "home", "scout", "description: Mine.")
    registry = await registry_of(tmp_path / "home", tmp_path / "shipped")
    assert [agent.description for agent in registry.all()] == ["Mine."]


async def test_a_home_file_can_switch_a_shipped_agent_off_with_one_line(tmp_path: Path):
    write(tmp_path / "shipped", "scout", "description: Shipped.")
    write(tmp_path / "shipped", "chief", "description: Leads.", "specialists: [scout]")
    write(tmp_path / "home", "scout", "disabled: true", body="")
    registry = await registry_of(tmp_path / "home", tmp_path / "shipped")
    assert registry.get("scout") is None
    assert registry.problems == ()
    chief = registry.get("chief")
    assert chief is not None
    assert chief.specialists == ()


async def test_a_broken_file_keeps_its_last_valid_version_and_the_others_load(tmp_path: Path):
    write(tmp_path, "scout", "description: First.")
    registry = await registry_of(tmp_path)
    write(tmp_path, "scout", "description: Second.", "turns: many")
    write(tmp_path, "scribe", "description: Writes.")
    assert await registry.reload_changed()
    assert [agent.description for agent in registry.all()] == ["First.", "Writes."]
    (problem,) = registry.problems
    assert problem.startswith(f"{tmp_path}/scout.md, line 3: turns 'many' is not valid")
    write(tmp_path, "scout", "description: Third.")
    assert await registry.reload_changed()
    assert registry.problems == ()
    assert registry.all()[0].description == "Third."


@pytest.mark.parametrize(
    ("front", "still"),
    [
        (["acess: Partner"], []),
        (["access: Partnr"], []),
        (["access: Partner", "turns: many"], [Role.PARTNER]),
        (["turns: many"], [Role.GUEST, Role.PARTNER]),
        (["access: [Partner"], []),
    ],
)
@pytest.mark.parametrize("at_start", [True, False])
async def test_a_broken_file_lets_nobody_call_the_agent_whom_it_does_not_name(
    front: list[str], still: list[Role], at_start: bool, tmp_path: Path
):
    home, shipped = tmp_path / "home", tmp_path / "shipped"
    write(shipped, "scout", "description: Shipped.")
    registry = AgentRegistry([home, shipped])
    if not at_start:
        write(home, "scout", "description: Mine.")
        await registry.load()
    write(home, "scout", "description: Mine.", *front)
    await registry.reload_changed()
    assert registry.problems
    assert [role for role in (Role.GUEST, Role.PARTNER) if registry.callable_by(role)] == still
    assert registry.callable_by(Role.MASTER_ADMIN)


async def test_a_home_file_broken_from_the_start_leaves_the_shipped_one_in_use(tmp_path: Path):
    write(tmp_path / "shipped", "scout", "description: Shipped.")
    write(tmp_path / "home", "scout", "descripton: Mine.")
    registry = await registry_of(tmp_path / "home", tmp_path / "shipped")
    assert [agent.description for agent in registry.all()] == ["Shipped."]
    assert (
        "scout.md, line 2: unknown key descripton; did you mean description?"
        in registry.problems[0]
    )


async def test_reload_says_whether_anything_changed_and_forgets_deleted_files(tmp_path: Path):
    path = write(tmp_path, "scout", "description: First.")
    registry = await registry_of(tmp_path)
    assert not await registry.reload_changed()
    path.unlink()
    assert await registry.reload_changed()
    assert registry.all() == ()


async def test_a_missing_folder_is_simply_empty(tmp_path: Path):
    registry = await registry_of(tmp_path / "nowhere")
    assert (registry.all(), registry.problems) == ((), ())


async def test_a_specialist_that_does_not_exist_is_reported_and_not_offered(tmp_path: Path):
    write(tmp_path, "chief", "description: Leads.", "specialists: [scout, top]")
    write(tmp_path, "top", "description: Top.", "specialist: false")
    registry = await registry_of(tmp_path)
    chief = registry.get("chief")
    assert chief is not None
    assert chief.specialists == ()
    assert "specialists names scout, but there is no such agent" in registry.problems[0]
    assert "specialists names top, which has `specialist: false`" in registry.problems[1]


async def test_what_is_no_text_or_defined_twice_is_named_and_the_rest_loads(tmp_path: Path):
    write(tmp_path, "a", "name: scout", "description: First.")
    write(tmp_path, "b", "name: scout", "description: Second.")
    (tmp_path / "noise.md").write_bytes(b"---\n\xff\xfe\n---\n")
    registry = await registry_of(tmp_path)
    assert [agent.description for agent in registry.all()] == ["First."]
    assert set(registry.problems) == {
        f"{tmp_path}/b.md: a.md defines the agent scout too; rename or remove one of them",
        f"{tmp_path}/noise.md, line 2: is not UTF-8 text; save it as UTF-8",
    }


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "front matter is missing"),
        ("You help.", 1, "front matter is missing"),
        ("---\ndescription: x\n", 1, "no end"),
        ("---\n- a\n---\nYou help.", 2, "`key: value`"),
        ("---\ndescription: x\nturns: [\n---\nYou help.", 3, "not valid YAML"),
        ("---\ndescription: x\nturns: 21\n---\nYou help.", 3, "turns 21"),
        ("---\ndescription: x\nturns: 3\nturns: 4\n---\nYou help.", 4, "is there twice"),
        ("---\ndescription: x\ndisabled: off\n---\nYou help.", 3, "write true or false"),
        ("---\ndescription: x\nspecialist: no\n---\nYou help.", 3, "write true or false"),
        ("---\ndescription: x\nmodel: huge\n---\nYou help.", 3, "'main', 'cheap' or 'plan'"),
        ("---\ndescription: x\naccess: Freind+\n---\nYou help.", 3, "valid roles are"),
        ("---\ndescription: x\nname: Big One\n---\nYou help.", 3, "is not an agent's name"),
        ("---\ndescription: x\nspecialists: [No!]\n---\nYou help.", 3, "not an agent's name"),
        ("---\nturns: 3\n---\nYou help.", 1, "description is missing"),
        ("---\ndescription: x\n---\n\n", 4, "persona is missing"),
        (
            "---\ndescription: x\ncolour: red\n---\nYou help.",
            3,
            "unknown key colour; known keys are name",
        ),
    ],
)
def test_a_broken_file_is_named_with_line_and_remedy(text: str, line: int, words: str):
    with pytest.raises(DefinitionError) as raised:
        parse_agent_file(Path("scout.md"), text)
    assert str(raised.value).startswith(f"scout.md, line {line}: ")
    assert words in str(raised.value)


def test_a_file_whose_name_cannot_be_an_agents_name_says_how_to_rename_it():
    with pytest.raises(DefinitionError, match=r"^My Agent\.md, line 1: .*rename the file"):
        parse_agent_file(Path("My Agent.md"), "---\ndescription: x\n---\nYou help.")


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_text_parses_or_is_refused_with_a_sentence(front: str, body: str):
    refusal = ""
    try:
        parse_agent_file(Path("scout.md"), f"---\n{front}\n---\n{body}")
    except DefinitionError as error:
        refusal = str(error)
    assert not refusal or refusal.startswith("scout.md, line ")


async def test_the_agent_tool_has_exactly_the_two_fields_of_the_dispatch_format():
    observer = (await registry_of(*AGENT_ROOTS)).get("observer")
    assert observer is not None
    tool = agent_tool(observer)
    assert tool.name == "agent_observer"
    assert tool.description == observer.description
    assert tool.access == observer.access
    properties = tool.parameters["properties"]
    assert tool.parameters["required"] == ["instruction"]
    assert {name: schema["type"] for name, schema in properties.items()} == {
        "instruction": "string",
        "context": "string",
    }
