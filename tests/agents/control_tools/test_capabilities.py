"""get_capabilities: an overview of what can be done here, and definitions in full by name."""

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.agents.arguments import CapabilitiesArguments
from bot.agents.control_tools.handlers import (
    SHOWN,
    SKILLS_AT_FIRST,
    Introspection,
    capabilities_text,
)
from bot.domain.access import Access, Role
from bot.domain.agents import AgentDefinition
from bot.domain.finding import SearchResult, ServiceOffer, ToolHit
from bot.domain.runs import RunKind, RunShape
from bot.domain.skills import Skill, SkillManifest
from bot.domain.tool_context import ListedTool, NativeTool
from bot.domain.tools import NativeImplementation, ToolDefinition


def tool(name: str, *aliases: str) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description=f"Use {name} for\nits purpose.",
        parameters={"type": "object", "properties": {}},
        folder="shared",
        implementation=NativeImplementation(name),
        access=Access.parse("Friend+"),
        aliases=aliases,
    )


@dataclass(frozen=True)
class Tools:
    """A toolset that this role sees the whole of."""

    definitions: tuple[ToolDefinition, ...]
    open: frozenset[str] = frozenset()

    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        return SearchResult(
            tuple(ToolHit(one.name, one.one_liner, one) for one in self.definitions)
        )

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        return tuple(item for item in self.definitions if {item.name, *item.aliases} & set(names))

    def is_callable(self, name: str) -> bool:
        return name in self.open

    def listing(self) -> tuple[ListedTool, ...]:
        return tuple(
            ListedTool(item.name, item.one_liner, item.name in self.open)
            for item in self.definitions
        )

    def handler(self, name: str) -> NativeTool[Any] | None:
        return None


ASSISTANT = AgentDefinition("assistant", "Talks.", "You talk.", specialist=False)
OBSERVER = AgentDefinition("observer", "Explains\nwhat happened.", "You explain.")
TOOLS = Tools(
    (tool("create_event", "calendar_create"), tool("send"), tool("manage_todos")),
    frozenset({"send"}),
)


def about(**more: Any) -> Introspection:
    fields: dict[str, Any] = {
        "agent": ASSISTANT,
        "role": Role.FRIEND,
        "run": RunKind(),
        "toolset": TOOLS,
        "agents": (ASSISTANT, OBSERVER),
        "skills": (Skill("standup", "Writes the daily report.", "/skills/standup/SKILL.md"),),
        "active_skills": ("webdev",),
        "manifests": (SkillManifest("webdev", "Web Development", ("pm_shell",)),),
        "integrations": ("google", "notion"),
        "calls_left": 7,
        "tool_calls_left": 50,
    }
    return Introspection(**{**fields, **more})


def overview(introspection: Introspection | None = None, **arguments: Any) -> dict[str, Any]:
    text, definitions = capabilities_text(
        CapabilitiesArguments(**arguments), introspection or about()
    )
    assert definitions == ()
    return json.loads(text)


def test_the_overview_tells_all_sections_unlocked_tools_first():
    assert overview() == {
        "agent": "assistant",
        "role": "Friend",
        "run": "chat",
        "tools": [
            {"name": "send", "one_liner": "Use send for its purpose.", "unlocked": True},
            {
                "name": "create_event",
                "one_liner": "Use create_event for its purpose.",
                "unlocked": False,
            },
            {
                "name": "manage_todos",
                "one_liner": "Use manage_todos for its purpose.",
                "unlocked": False,
            },
        ],
        "agents": [{"name": "observer", "description": "Explains what happened."}],
        "skills": {
            "active": ["webdev"],
            "available": [
                {
                    "name": "standup",
                    "description": "Writes the daily report.",
                    "path": "/skills/standup/SKILL.md",
                }
            ],
            "to_activate": [{"skill_id": "webdev", "name": "Web Development", "description": ""}],
        },
        "integrations": ["google", "notion"],
        "budgets": {"model_calls_left": 7, "tool_calls_left": 50},
    }


def test_services_that_are_not_there_name_the_way_to_them():
    offers = (
        ServiceOffer(
            "google", "Google", "Gmail", frozenset(), "Type /connect google.", by_person=True
        ),
        ServiceOffer(
            "notion", "Notion", "Notion pages", frozenset(), "Tell the person to ask Olga."
        ),
    )
    answer = overview(about(offers=offers), include=["integrations"])
    assert answer["could_connect"] == {"google": "Gmail"}
    assert answer["not_set_up"] == {"notion": "Notion pages. Tell the person to ask Olga."}
    assert "not_set_up" not in overview(about(offers=offers), query="gmail")
    assert "not_set_up" not in overview(about(offers=offers), include=["tools"])


def test_only_the_sections_asked_for_are_shown():
    assert set(overview(include=["budgets", "agents"])) == {
        "agent",
        "role",
        "run",
        "agents",
        "budgets",
    }


def test_names_and_sections_are_answered_by_one_call():
    given = CapabilitiesArguments(names=["manage_todos"], include=["agents"])
    text, definitions = capabilities_text(given, about())
    answer = json.loads(text)
    assert [tool.name for tool in definitions] == ["manage_todos"]
    assert [item["name"] for item in answer["unlocked"]] == ["manage_todos"]
    assert answer["agents"] == [{"name": "observer", "description": "Explains what happened."}]
    assert not answer.keys() & {"tools", "skills", "integrations", "budgets"}


def test_a_query_keeps_what_mentions_all_its_words():
    found = overview(query="TODOS purpose")
    assert [item["name"] for item in found["tools"]] == ["manage_todos"]
    assert (found["agents"], found["integrations"]) == ([], [])
    assert found["skills"] == {"active": [], "available": [], "to_activate": []}


def test_a_query_finds_the_skill_that_would_open_a_tool():
    found = overview(query="pm_shell")["skills"]
    assert [skill["skill_id"] for skill in found["to_activate"]] == ["webdev"]


def test_a_triggered_run_names_its_event():
    kind = RunKind(RunShape.TRIGGERED, "NEW_PERSON")
    assert overview(about(run=kind))["run"] == "triggered (NEW_PERSON)"


def test_names_unlock_tools_whose_definitions_follow_as_declarations_alone():
    text, definitions = capabilities_text(
        CapabilitiesArguments(names=["calendar_create", "send"]), about()
    )
    assert [item.name for item in definitions] == ["create_event", "send"]
    access = "Business, Friend, Partner, MasterAdmin"
    assert json.loads(text) == {
        "unlocked": [{"name": "create_event", "access": access}],
        "declared_before": [{"name": "send", "access": access}],
    }


def test_a_name_that_is_not_there_for_this_role_is_simply_not_found():
    text, definitions = capabilities_text(CapabilitiesArguments(names=["rm_rf", "send"]), about())
    assert [item.name for item in definitions] == ["send"]
    assert json.loads(text)["not_found"] == ["rm_rf"]
    assert "tool_search" in json.loads(text)["hint"]


def test_a_large_catalogue_is_cut_and_the_rest_counted():
    many = Tools(
        tuple(tool(f"tool_{number}") for number in range(SHOWN + 5)),
        frozenset({f"tool_{SHOWN + 4}"}),
    )
    found = overview(about(toolset=many))
    assert len(found["tools"]) == SHOWN
    assert found["tools"][0]["name"] == f"tool_{SHOWN + 4}"
    assert found["tools_left_out"] == "5; narrow with query"


def test_an_overview_shows_few_skills_and_more_where_they_are_asked_for():
    skills = tuple(Skill(f"s{number}", "Writes.", "/s") for number in range(SHOWN + 5))
    first = overview(about(skills=skills))
    assert len(first["skills"]["available"]) == SKILLS_AT_FIRST
    assert first["skills_left_out"] == f"{SHOWN + 5 - SKILLS_AT_FIRST}; narrow with query"
    for wanted in ({"include": ["skills"]}, {"query": "writes"}):
        found = overview(about(skills=skills), **wanted)
        assert len(found["skills"]["available"]) == SHOWN
        assert found["skills_left_out"] == "5; narrow with query"


@given(
    st.lists(st.sampled_from(["send", "manage_todos", "secret_tool", "x"]), max_size=5),
    st.text(max_size=20),
)
def test_nothing_outside_the_toolset_is_ever_shown_or_unlocked(names: list[str], query: str):
    text, definitions = capabilities_text(CapabilitiesArguments(names=names, query=query), about())
    assert {item.name for item in definitions} <= {item.name for item in TOOLS.definitions}
    shown = {item["name"] for item in json.loads(text).get("tools", [])}
    assert shown <= {item.name for item in TOOLS.definitions}
