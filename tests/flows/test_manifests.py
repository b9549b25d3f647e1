"""A manifest's tools in the house: callable when active, within the role, then put away."""

import json
from pathlib import Path

import pytest

from bot.testing.harness import running_app
from bot.testing.home_files import write_tool
from bot.testing.scripted_model import call, calls, say, strict, told, unlock


def check(home: Path, name: str, access: str = "") -> None:
    write_tool(home, name, "echo checked\n", folder="subagents", takes={}, access=access)


def manifest(home: Path, skill: str, *tools: str) -> None:
    path = home / "skills" / f"{skill}.json"
    path.parent.mkdir(exist_ok=True)
    needed = {"skill_id": skill, "name": skill.title(), "required_tools": tools}
    path.write_text(json.dumps(needed))


@pytest.fixture
def audits(home: Path) -> Path:
    """A skill with tools in a folder that no chat agent sees; one is for MasterAdmins."""
    check(home, "audit_host")
    check(home, "audit_secret", access="MasterAdmin")
    manifest(home, "auditing", "audit_host", "audit_secret", "audit_missing")
    return home


ACTIVATE = (
    unlock("activate_skill", "deactivate_skill"),
    call("activate_skill", {"skill_id": "auditing"}),
)


async def test_an_active_skill_makes_its_tools_callable_in_this_and_later_turns(audits: Path):
    scripted = strict(
        call("audit_host", {}),
        *ACTIVATE,
        call("audit_host", {}),
        say("Checked."),
        call("audit_host", {}),
        say("Again."),
    )
    async with running_app(audits, scripted) as house:
        assert await house.ask("ann", "check the host") == "Checked."
        assert await house.ask("ann", "and again") == "Again."
    assert "there is no tool named 'audit_host'" in told(scripted.requests[1])
    active = told(scripted.requests[3])
    assert "Auditing (auditing) is active for this session" in active
    assert "Missing here: audit_missing" in active
    assert "1 more of its tools is not open to this person" in active
    assert "checked" in told(scripted.requests[4])
    assert "checked" in told(scripted.requests[6])


async def test_a_skill_is_active_within_the_role_and_for_one_persons_session_alone(audits: Path):
    steps = *ACTIVATE, call("audit_secret", {}), say("No."), call("audit_host", {}), say("No.")
    async with running_app(audits, scripted := strict(*steps)) as house:
        await house.ask("ann", "audit everything")
        await house.ask("ben", "check the host")
    assert "audit_secret" not in json.dumps([request.messages for request in scripted.requests[:3]])
    assert "there is no tool named 'audit_secret'" in told(scripted.requests[3])
    assert "there is no tool named 'audit_host'" in told(scripted.requests[-1])


async def test_tools_of_a_deactivated_manifest_can_not_be_called(audits: Path):
    scripted = strict(
        *ACTIVATE,
        call("deactivate_skill", {"skill_id": "auditing"}),
        call("audit_host", {}),
        say("It is gone."),
    )
    async with running_app(audits, scripted) as house:
        await house.ask("ann", "check, then tidy up")
    assert "audit_host is no longer available here" in told(scripted.requests[4])
    assert all(request.system == scripted.requests[0].system for request in scripted.requests)


async def test_an_active_manifest_keeps_personal_records_and_can_be_deactivated(home: Path):
    scripted = strict(
        unlock("activate_skill"),
        call("activate_skill", {"skill_id": "network-auditing"}),
        say("Ready."),
        call("tool_search", {"pattern": "manage_todos"}),
        call("manage_todos", {"action": "create", "title": "buy milk"}),
        call("deactivate_skill", {"skill_id": "network-auditing"}),
        say("Put away."),
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ben", "audit the network") == "Ready."
        assert await house.ask("ben", "remind me of milk, and be done with that") == "Put away."
    declared = json.dumps(
        [request.messages for request in scripted.requests[:3]] + [scripted.requests[2].tools]
    )
    assert "deactivate_skill" in declared, "the way out comes with the skill"
    assert "not run" not in told(scripted.requests[5])
    assert "is no longer active" in told(scripted.requests[6])


async def test_a_specialist_has_nothing_of_its_callers_manifest(audits: Path):
    scripted = strict(
        *ACTIVATE,
        call("agent_observer", {"instruction": "look"}),
        call("audit_host", {}),
        say("I can't."),
        say("It can't."),
    )
    async with running_app(audits, scripted) as house:
        assert await house.ask("ann", "check the host") == "It can't."
    assert "there is no tool named 'audit_host'" in told(scripted.requests[4])


async def test_a_skill_is_found_by_its_tools_but_not_by_one_that_the_role_lacks(audits: Path):
    scripted = strict(
        call("tool_search", {"pattern": "audit_host"}),
        call("get_capabilities", {"query": "audit_host"}),
        call("get_capabilities", {"query": "audit_secret"}),
        call("tool_search", {"pattern": "audit_secret"}),
        call("audit_host", {}),
        say("Found."),
    )
    async with running_app(audits, scripted) as house:
        await house.ask("ann", "is there a check of hosts?")
    found = told(scripted.requests[1])
    assert r'"in_skill\": \"auditing\"' in found
    assert r"\"unlocked\": [\"audit_host\"]" in found, "it is active by the search"
    assert "auditing is active now: call audit_host." in found
    assert "Auditing" in told(scripted.requests[2])
    assert "Auditing" not in told(scripted.requests[3])
    assert "Nothing fits" in told(scripted.requests[4])
    assert "checked" in told(scripted.requests[5])


async def test_a_search_activates_no_skill_that_sets_limits(audits: Path):
    (audits / "skills" / "auditing.json").unlink()
    limited = {"skill_id": "careful", "name": "Careful", "required_tools": ["audit_host"]}
    (audits / "skills" / "careful.json").write_text(
        json.dumps({**limited, "confine": {"paths": ["/documents"]}})
    )
    scripted = strict(
        call("tool_search", {"pattern": "audit_host"}), call("audit_host", {}), say("No.")
    )
    async with running_app(audits, scripted) as house:
        await house.ask("ann", "check the host")
    found = told(scripted.requests[1])
    assert r"\"unlocked\": [\"activate_skill\"]" in found, "the way to it comes with the hit"
    assert "activate_skill" in found.split("hint")[1]
    assert "there is no tool named 'audit_host'" in told(scripted.requests[2])


async def test_a_skill_that_fits_a_little_leads_to_nothing(audits: Path):
    write_tool(audits, "weigh_parcel", "echo 1", takes={})
    scripted = strict(call("tool_search", {"query": "weigh parcel audit"}), say("No."))
    async with running_app(audits, scripted) as house:
        await house.ask("ann", "weigh the parcel")
    assert "activate_skill" not in told(scripted.requests[1])


async def test_searches_of_one_round_activate_each_its_skill(audits: Path):
    check(audits, "weigh_box")
    manifest(audits, "weighing", "weigh_box")
    scripted = strict(
        calls(("tool_search", {"pattern": "audit_*"}), ("tool_search", {"pattern": "weigh_*"})),
        calls(("audit_host", {}), ("weigh_box", {})),
        say("Both."),
    )
    async with running_app(audits, scripted) as house:
        await house.ask("ann", "check the host and the box")
    assert told(scripted.requests[2]).count("checked") == 2


async def test_only_skills_that_the_person_can_use_something_of_are_named(audits: Path):
    manifest(audits, "secrets", "audit_secret")
    scripted = strict(
        call("get_capabilities", {"include": ["skills"]}),
        unlock("activate_skill"),
        call("activate_skill", {"skill_id": "cooking"}),
        say("None."),
    )
    async with running_app(audits, scripted) as house:
        await house.ask("ann", "what can be activated?")
    refused = told(scripted.requests[3])
    assert "there is no skill 'cooking' to activate" in refused
    for named in (told(scripted.requests[1]), refused):
        assert "auditing" in named
        assert "secrets" not in named
