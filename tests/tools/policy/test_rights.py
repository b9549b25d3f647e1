"""One answer for listing, search, capabilities and calls: role, place and policy."""

import json
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.places import UNSURE, Location, PlaceName, Reach
from bot.domain.tool_context import ToolScope
from bot.domain.tools import NativeImplementation, ToolCall, ToolDefinition
from bot.errors import SettingsError
from bot.place_settings import Guests, PlaceTerms, PlaceTools
from bot.testing.tools import ToolFolder, a_scope, everything_native
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.permission.gate import POLICY_REFUSAL, Allowed, Ask, Refused, ToolGate
from bot.tools.policy.file import Policy, parse_policy
from bot.tools.policy.places import ANSWERING, PlaceRule
from bot.tools.policy.rights import Rights
from bot.tools.toolset.toolset import Toolset

ACCESS = {
    "notes_read": "",
    "notes_write": "## Access\nFriend+\n",
    "mail_send": "## Access\nPartner+\n## Aliases\npost_send\n",
    "tool_search": "",
    "finish_task": "",
}
TOOLS = tuple(ACCESS)
NAMES = [
    "dm",
    "private",
    "public",
    "slack",
    "discord",
    "channel:C1",
    "channel:C2",
    "category:K1",
    "workspace:W1",
]
GLOBS = ["*", "notes_*", "mail_send", "*_send", "notes_read", "finish_task"]


@pytest.fixture
async def catalog(tmp_path: Path) -> ToolCatalog:
    folder = ToolFolder(tmp_path)
    for name, text in ACCESS.items():
        folder.put(f"shared/{name}", text)
    found = folder.catalog()
    await found.load()
    return found


def locations() -> st.SearchStrategy[Location]:
    reaches = [frozenset(some) for some in chain(combinations(Reach, 1), [tuple(UNSURE)])]
    return st.builds(
        Location,
        platform=st.sampled_from(["slack", "discord"]),
        workspace=st.sampled_from(["W1", "W2"]),
        channel=st.sampled_from(["C1", "C2"]),
        category=st.sampled_from(["", "K1"]),
        reaches=st.sampled_from(reaches),
    )


def rules() -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries(
        {
            "decision": st.sampled_from(["deny", "deny", "allow", "ask"]),
            "roles": st.sampled_from(["Guest+", "Friend"]),
        },
        optional={
            "tools": st.lists(st.sampled_from(GLOBS), min_size=1, max_size=2),
            "places": st.lists(st.sampled_from(NAMES), min_size=1, max_size=2),
        },
    )


def places() -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries(
        {"where": st.lists(st.sampled_from(NAMES), min_size=1, max_size=2)},
        optional={
            "tools": st.fixed_dictionaries(
                {},
                optional={
                    "allow": st.lists(st.sampled_from(GLOBS), max_size=2),
                    "deny": st.lists(st.sampled_from(GLOBS), max_size=2),
                },
            ),
            "guests": st.sampled_from(["answer", "restrict", "ignore"]),
        },
    )


def policy_of(rule_list: list[dict[str, object]], place_list: list[dict[str, object]]) -> Policy:
    named = {
        "rules": [{"name": f"rule {n}", **rule} for n, rule in enumerate(rule_list)],
        "places": [{"name": f"place {n}", **place} for n, place in enumerate(place_list)],
    }
    return parse_policy(json.dumps(named), "policy.yaml")


def in_force(policy: Policy) -> Rights:
    rights = Rights()
    rights.take(policy)
    return rights


def toolset_in(catalog: ToolCatalog, scope: ToolScope, policy: Policy) -> Toolset:
    natives = everything_native(catalog)
    return Toolset(catalog, scope, natives=natives, limits=in_force(policy).limits)


def runs(name: str, toolset: Toolset, scope: ToolScope, policy: Policy) -> bool:
    """Whether the gate allows a call or asks about it: in both cases the right exists."""
    call = ToolCall("1", name, {}, "tool:0.0")
    return isinstance(
        ToolGate(policy.rules).check(call, toolset, scope, confirmed=True), Allowed | Ask
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    role=st.sampled_from([role for role in Role if role is not Role.BANNED]),
    location=locations(),
    rule_list=st.lists(rules(), max_size=3),
    place_list=st.lists(places(), max_size=3),
)
def test_listing_search_capabilities_and_execution_give_one_answer(
    catalog: ToolCatalog,
    role: Role,
    location: Location,
    rule_list: list[dict[str, object]],
    place_list: list[dict[str, object]],
):
    policy = policy_of(rule_list, place_list)
    scope = a_scope(role, location=location)
    toolset = toolset_in(catalog, scope, policy)
    listed = {tool.name for tool in toolset.listing()}
    globbed = {tool.name for tool in toolset.search("*", None).matches}
    searched = {
        tool.name for name in TOOLS for tool in toolset.search(None, name.replace("_", " ")).matches
    }
    described = {tool.name for tool in toolset.describe(TOOLS)}
    executed = {name for name in TOOLS if runs(name, toolset, scope, policy)}
    assert listed == globbed == described == executed
    assert searched <= listed
    declared = {tool.name for tool in toolset.always_on()}
    assert declared <= listed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    role=st.sampled_from([role for role in Role if role is not Role.BANNED]),
    location=locations(),
    rule_list=st.lists(rules(), max_size=3),
    place_list=st.lists(places(), max_size=3),
    more=rules() | places(),
)
def test_adding_a_rule_never_opens_anything(
    catalog: ToolCatalog,
    role: Role,
    location: Location,
    rule_list: list[dict[str, object]],
    place_list: list[dict[str, object]],
    more: dict[str, object],
):
    scope = a_scope(role, location=location)
    before = {
        tool.name for tool in toolset_in(catalog, scope, policy_of(rule_list, place_list)).listing()
    }
    by_role = {tool.name for tool in toolset_in(catalog, scope, Policy()).listing()}
    if "decision" in more:
        rule_list = [*rule_list, more]
    else:
        place_list = [*place_list, more]
    after = {
        tool.name for tool in toolset_in(catalog, scope, policy_of(rule_list, place_list)).listing()
    }
    assert after <= before <= by_role


@pytest.mark.parametrize(
    "rule", [{"tools": {"deny": ["mail_*"]}}, {"tools": {"allow": ["notes_*"]}}]
)
async def test_a_private_channels_limits_stay_when_it_becomes_public(
    catalog: ToolCatalog, rule: dict[str, object]
):
    policy = policy_of([], [{"where": ["private"], **rule}])
    conversation = Conversation("discord", "W1", "C1", Place.CHANNEL, visibility=Visibility.PUBLIC)
    always_public = a_scope(Role.PARTNER, location=Location.of(conversation))
    once_private = a_scope(Role.PARTNER, location=Location.of(conversation, was_private=True))
    assert toolset_in(catalog, always_public, policy).find("mail_send") is not None
    assert toolset_in(catalog, once_private, policy).find("mail_send") is None


async def test_an_allow_for_private_channels_ends_when_one_becomes_public():
    policy = policy_of([{"decision": "allow", "roles": "Guest+", "places": ["private"]}], [])
    (rule,) = policy.rules
    assert rule.scope.holds_in(
        a_scope(location=Location(reaches=frozenset({Reach.PRIVATE}))), surely=True
    )
    assert not rule.scope.holds_in(a_scope(location=Location(reaches=UNSURE)), surely=True)


async def test_a_closed_tool_is_refused_with_the_policys_words_and_its_rule(catalog: ToolCatalog):
    policy = policy_of([], [{"where": ["channel:C1"], "tools": {"deny": ["post_*"]}}])
    scope = a_scope(
        Role.PARTNER, location=Location("slack", "W1", "C1", reaches=frozenset({Reach.PUBLIC}))
    )
    toolset = toolset_in(catalog, scope, policy)
    verdict = ToolGate().check(ToolCall("1", "mail_send", {}, "tool:0.0"), toolset, scope)
    assert verdict == Refused(POLICY_REFUSAL, "place:place 0")
    guest = a_scope(Role.GUEST, location=scope.location)
    refused = ToolGate().check(
        ToolCall("1", "mail_send", {}, "tool:0.0"), toolset_in(catalog, guest, policy), guest
    )
    assert isinstance(refused, Refused)
    assert refused.text != POLICY_REFUSAL, "who lacks the role learns nothing of the tool"


async def test_restricted_guests_keep_what_an_answer_needs(catalog: ToolCatalog):
    policy = policy_of([], [{"where": ["public"], "guests": "restrict"}])
    location = Location("slack", "W1", "C1", reaches=frozenset({Reach.PUBLIC}))
    guest = toolset_in(catalog, a_scope(Role.GUEST, location=location), policy)
    friend = toolset_in(catalog, a_scope(Role.FRIEND, location=location), policy)
    assert {tool.name for tool in guest.listing()} == {"tool_search", "finish_task"}
    assert "notes_write" in {tool.name for tool in friend.listing()}


def test_the_most_specific_agent_and_reply_hold_and_limits_add_up():
    policy = parse_policy(
        """
places:
  - {name: house, where: [slack], agent: all, reply: quiet, guests: restrict, budget: {day_usd: 5}}
  - {name: desk, where: ["channel:C1"], agent: desk, reply: free, guests: answer,
     budget: {day_usd: 9}, learn: false}
""",
        "policy.yaml",
    )
    rights = in_force(policy)
    desk = rights.at(Location("slack", "W1", "C1", reaches=UNSURE))
    other = rights.at(Location("slack", "W1", "C2", reaches=UNSURE))
    assert (desk.agent, desk.reply, desk.guests, desk.learns) == (
        "desk",
        "free",
        Guests.RESTRICT,
        False,
    )
    assert (other.agent, other.reply, other.learns) == ("all", "quiet", True)
    assert [limit.quantum for limit in desk.limits] == [5_000_000_000]
    assert rights.source_of("place:desk") == "policy.yaml, line 4"


def test_a_rule_of_one_platform_holds_there_only():
    rule = PlaceRule(
        "discord.channels.public", (PlaceName.parse("public"),), PlaceTerms(), platform="discord"
    )
    assert rule.covers(Location("discord", reaches=UNSURE))
    assert not rule.covers(Location("slack", reaches=UNSURE))


def test_an_allow_list_leaves_what_an_answer_needs():
    rule = PlaceRule("none", (PlaceName.parse("dm"),), PlaceTerms(tools=PlaceTools(allow=())))
    assert "finish_task" in ANSWERING
    assert rule.allow == ()


@pytest.mark.parametrize(("name", "runs", "open_"), [
    ("send", "send", True), ("post_it", "send", True), ("send", "pm_shell", False),
])  # fmt: skip
def test_what_an_answer_needs_is_what_a_file_runs(name: str, runs: str, open_: bool):
    definition = ToolDefinition(name, "d", {"type": "object"}, "shared", NativeImplementation(runs))
    nothing = PlaceTerms(tools=PlaceTools(allow=()), guests=Guests.RESTRICT)
    rule = PlaceRule("none", (PlaceName.parse("dm"),), nothing)
    assert (rule.closes(definition), rule.closes_to_guests(definition)) == (not open_, not open_)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "rules:\n  - {name: a, decision: deny, places: [nowhere]}",
            "line 2: rules.0.places.0: 'nowhere' names no place",
        ),
        ("places:\n  - {name: a, where: 'channel:'}", "line 2: places.0.where"),
        (
            "places:\n  - {name: a, where: dm, replies: free}",
            "line 2: places.0.replies: is not a setting",
        ),
        ("places:\n  - {name: a}", "where: is missing"),
    ],
)
def test_a_place_that_cannot_be_read_makes_the_file_invalid(text: str, said: str):
    with pytest.raises(SettingsError) as refused:
        parse_policy(text, "policy.yaml")
    assert said in str(refused.value)


def test_answers_are_those_of_the_policy_in_force(catalog: ToolCatalog):
    rights, scope = Rights(), a_scope(Role.PARTNER, location=Location("slack", "W1", "C1"))
    mail = toolset_in(catalog, scope, Policy()).find("mail_send")
    assert mail is not None
    closing = policy_of([], [{"where": ["slack"], "tools": {"deny": ["mail_*"]}, "learn": False}])
    for policy, closed in ((Policy(), False), (closing, True), (Policy(), False)):
        rights.take(policy)
        assert (rights.limits(scope).objection(mail) is not None) is closed
        assert rights.at(scope.location).learns is not closed
    rights.take(closing)
    elsewhere = a_scope(Role.PARTNER, location=Location("discord", "W1", "C1"))
    assert rights.limits(elsewhere).objection(mail) is None
    assert rights.at(elsewhere.location).learns
