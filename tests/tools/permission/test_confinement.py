"""Capability confinement: no call exceeds the limits of a skill, manifest or tool file."""

from fnmatch import fnmatchcase
from pathlib import Path
from posixpath import normpath
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.confinement import Confinement
from bot.domain.tools import (
    HttpImplementation,
    Implementation,
    McpImplementation,
    NativeImplementation,
    ShellImplementation,
    ToolCall,
    ToolDefinition,
)
from bot.errors import DefinitionError
from bot.testing.tools import ToolFolder, a_call, a_scope, a_toolset
from bot.tools.definitions.definition import parse_tool_file
from bot.tools.permission.confinement import CONTROL_TOOLS, confined
from bot.tools.permission.gate import Refused, ToolGate

MARKED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "url": {"type": "string", "x-target": "url"},
        "host": {"type": "string", "x-target": "host"},
        "to": {"type": "string", "x-target": "email"},
        "path": {"type": "string"},
        "file": {"type": "string", "x-target": "path"},
    },
}


def tool(
    name: str = "fetch",
    implementation: Implementation | None = None,
    parameters: dict[str, Any] | None = None,
) -> ToolDefinition:
    schema = parameters or {"type": "object"}
    return ToolDefinition(name, "x", schema, "shared", implementation or NativeImplementation(name))


def limits(**lists: list[str]) -> Confinement:
    found = Confinement.parse("the skill triage", lists)
    assert found is not None
    return found


def judged(definition: ToolDefinition, *holding: Confinement, **arguments: Any) -> str | None:
    outside = confined(
        a_call(definition.name, **arguments), definition, a_scope(confinements=holding)
    )
    return None if outside is None else outside.text


def fields(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: MARKED["properties"][name] for name in names}}


def test_an_unnamed_tool_is_refused_and_the_text_says_what_is_allowed():
    text = judged(tool("delete_file"), limits(tools=["read_*", "send"], hosts=["a.org"]))
    assert text is not None
    assert "delete_file is not among its tools" in text
    assert "The skill triage may use only: tools read_*, send; hosts a.org." in text
    assert judged(tool("read_notes"), limits(tools=["read_*"])) is None


@pytest.mark.parametrize("name", sorted(CONTROL_TOOLS))
def test_control_tools_are_always_there(name: str):
    assert judged(tool(name), limits(tools=[], hosts=[], paths=[])) is None


def test_what_a_file_runs_decides_and_not_its_name():
    hold = Confinement("the skill triage", tools=(), paths=(), own="/skills/triage")
    asked, path = {"parameters": fields("path")}, "/skills/triage/details.md"
    assert judged(tool("post_it", NativeImplementation("send")), hold) is None
    assert judged(tool("send", NativeImplementation("web_fetch")), hold) is not None
    assert judged(tool("look", NativeImplementation("read_file"), **asked), hold, path=path) is None
    deleting = tool("read_file", NativeImplementation("delete_file"), **asked)
    assert judged(deleting, hold, path=path) is not None


def test_limits_hold_for_no_tool_with_which_an_assigned_agent_reports():
    scope = a_scope(
        confinements=(limits(tools=[], hosts=[], paths=[]),), assigned=frozenset({"hand_in"})
    )
    assert confined(ToolCall("c", "hand_in", {}, "tool:1.0"), tool("hand_in"), scope) is None
    assert confined(ToolCall("c", "other", {}, "tool:1.0"), tool("other"), scope) is not None


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://api.example.org/x", True),
        ("HTTPS://API.example.org./x", True),
        ("https://example.org/", False),
        ("https://evil-example.org/", False),
        ("https://example.org.evil.net/", False),
        ("https://api.example.org@evil.net/", False),
        ("https://evil.net/?api.example.org", False),
        ("https://exact.net:8443/", True),
        ("nonsense", False),
    ],
)
def test_hosts_are_compared_typed(url: str, inside: bool):
    holding = limits(hosts=["*.example.org", "exact.net"])
    assert (judged(tool(parameters=fields("url")), holding, url=url) is None) == inside


def test_mail_and_bare_hosts_are_held_to_the_hosts_too():
    holding = limits(hosts=["example.org"])
    assert judged(tool(parameters=fields("to")), holding, to="ann@example.org") is None
    assert (
        judged(tool(parameters=fields("to")), holding, to="ann@example.org, eve@evil.net")
        is not None
    )
    assert judged(tool(parameters=fields("host")), holding, host="Example.ORG") is None
    assert judged(tool(parameters=fields("host")), holding, host="192.0.2.7") is not None


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/documents/reports", True),
        ("/documents//reports/./may.md", True),
        ("/documents/reports2", False),
        ("/documents/reports/../secret.md", False),
        ("/documents/reports/%2e%2e/secret", False),
        ("/documents", False),
        ("\\documents\\reports", False),
        (None, False),
    ],
)
def test_paths_are_normalised_and_a_path_that_is_left_out_is_the_root(
    path: str | None, inside: bool
):
    holding = limits(paths=["/documents/reports/"])
    arguments = {} if path is None else {"path": path}
    assert (
        judged(tool("read_file", parameters=fields("path")), holding, **arguments) is None
    ) == inside


def test_a_skills_own_files_are_readable_but_not_writable():
    holding = Confinement("the skill triage", tools=(), paths=(), own="/skills/triage")
    reading, writing = (
        tool(name, parameters=fields("path")) for name in ("read_file", "write_file")
    )
    assert judged(reading, holding, path="/skills/triage/details.md") is None
    assert judged(reading, holding, path="/skills/triage2/details.md") is not None
    assert judged(reading, holding, path="/skills/triage/../other/SKILL.md") is not None
    assert judged(writing, holding, path="/skills/triage/details.md") is not None


def test_a_call_has_to_be_within_every_limit_that_holds():
    first, second = limits(tools=["a", "b"]), limits(tools=["b", "c"])
    assert [name for name in "abc" if judged(tool(name), first, second) is None] == ["b"]


def test_tools_with_unknown_hosts_must_be_named():
    script, server = (
        ShellImplementation(Path("/x.sh"), network=True),
        McpImplementation("tracker", "find"),
    )
    for implementation in (script, server):
        assert judged(tool("find", implementation), limits(hosts=["a.org"])) is not None
        assert (
            judged(tool("find", implementation), limits(hosts=["a.org"], tools=["f*"])) is not None
        )
        assert judged(tool("find", implementation), limits(hosts=["a.org"], tools=["find"])) is None
    quiet = ShellImplementation(Path("/x.sh"))
    assert judged(tool("count", quiet), limits(hosts=[])) is None
    reader = ShellImplementation(Path("/x.sh"), reads=(Path("/srv/shared"),))
    assert judged(tool("count", reader), limits(paths=["/documents"])) is not None


def test_a_request_with_a_fixed_host_is_held_to_it():
    request = HttpImplementation("GET", "https://tracker.example.org/api/{number}?q={q}")
    assert judged(tool("find", request), limits(hosts=["tracker.example.org"])) is None
    assert judged(tool("find", request), limits(hosts=["other.example.org"])) is not None


HOSTED = """\
# find_page

## Description
Finds a page.

## Parameters
{"type": "object", \
"properties": {"url": {"type": "string", "x-target": "url"}}, "required": ["url"]}

## Hosts
- wiki.example.org
- *.docs.example.org
"""


def read(text: str) -> ToolDefinition:
    return parse_tool_file(text, path=Path("find_page.md"), folder="shared")


def test_a_tool_file_names_its_hosts_and_its_calls_keep_to_them():
    definition = read(HOSTED)
    assert judged(definition, url="https://wiki.example.org/a") is None
    text = judged(definition, url="https://evil.net/")
    assert text is not None
    assert "The tool find_page may use only: hosts wiki.example.org, *.docs.example.org." in text


@pytest.mark.parametrize(
    ("wrong", "line", "word"),
    [("https://a.org", 10, "without scheme"), ("*", 10, "no host"), ("a b", 10, "no host")],
)
def test_a_wrong_host_makes_the_tool_file_invalid_naming_its_line(wrong: str, line: int, word: str):
    with pytest.raises(DefinitionError, match=rf"line {line}: ## Hosts: .*{word}"):
        read(HOSTED.split("- wiki", 1)[0] + wrong + "\n")


def test_a_scripts_hosts_are_refused_because_nothing_enforces_them():
    with pytest.raises(DefinitionError, match="can't hold a script"):
        read(HOSTED + "\n## Implementation\nshell: find_page.sh\nnetwork: yes\n")


async def test_the_gate_confines_after_the_schema_and_before_the_rules(
    files: ToolFolder,
):
    files.put("shared/thing")
    catalog = await files.loaded()
    scope = a_scope(confinements=(limits(tools=["other"]),))
    toolset = a_toolset(catalog, scope, ("thing",))
    for confirmed, granted in ((False, ""), (True, ""), (False, "G1")):
        verdict = ToolGate().check(
            a_call("thing"), toolset, scope, confirmed=confirmed, granted=granted
        )
        assert isinstance(verdict, Refused)
        assert verdict.rule == "confined:the skill triage"
        assert not verdict.security


# --- never outside ---

NAMES = ("read_file", "write_file", "fetch", "mcp__a__find", "finish_task", "send")
HOSTS = ("a.org", "b.a.org", "c.b.a.org", "xa.org", "evil.net")
PATTERNS = ("a.org", "*.a.org", "*.b.a.org", "evil.net")
PLACES = ("/documents", "/documents/a", "/documents/a/b", "/documentsx", "/skills", "/")
CLIMBS = ("", "/../skills", "/./x", "//y", "/%2e%2e/z", "\\..", "/..")


def some(values: tuple[str, ...]) -> st.SearchStrategy[list[str] | None]:
    return st.none() | st.lists(st.sampled_from(values), max_size=3)


def parsed(
    tools: list[str] | None, hosts: list[str] | None, paths: list[str] | None
) -> Confinement | None:
    return Confinement.parse("the skill x", {"tools": tools, "hosts": hosts, "paths": paths})


def joined(*values: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.tuples(*(st.sampled_from(one) for one in values)).map("".join)


confinements = st.builds(
    parsed, some((*NAMES, "read_*", "*", "mcp__*")), some(PATTERNS), some(PLACES)
)
urls = joined(
    ("https://", "HTTP://", "ftp://"),
    ("", "a.org@", "user:p@", "evil.net\\"),
    HOSTS,
    ("", "/", ":8080/x", "/?u=a.org", "#a.org", ".", "\\@a.org"),
)
paths = joined(PLACES, CLIMBS)
arguments = st.fixed_dictionaries(
    {}, optional={"url": urls, "host": st.sampled_from(HOSTS), "path": paths}
)


@given(st.lists(confinements, max_size=3), st.sampled_from(NAMES), arguments)
def test_passing_calls_are_within_every_limit(
    holding: list[Confinement | None], name: str, given_: dict[str, str]
):
    definition = tool(name, parameters=fields("url", "host", "path"))
    active = tuple(one for one in holding if one is not None)
    text = confined(
        ToolCall("c", name, given_, "tool:1.0"), definition, a_scope(confinements=active)
    )
    if text is not None:
        assert active
        return
    if name in CONTROL_TOOLS:
        return
    for limit in active:
        assert limit.tools is None or any(fnmatchcase(name, pattern) for pattern in limit.tools)
        if limit.hosts is not None:
            reached = [given_["host"]] if "host" in given_ else []
            reached += [urlsplit(given_["url"]).hostname or ""] if "url" in given_ else []
            for host in reached:
                plain = host.removesuffix(".")
                assert any(
                    plain == one or (one[0] == "*" and plain.endswith(one[1:]))
                    for one in limit.hosts
                )
        if limit.paths is not None:
            place = normpath(given_.get("path", "/").replace("%2e", ".").replace("\\", "/"))
            assert any(
                place == root or place.startswith(root.rstrip("/") + "/") for root in limit.paths
            )


@given(confinements, confinements, st.sampled_from(NAMES), arguments)
def test_another_limit_never_widens(
    one: Confinement | None, two: Confinement | None, name: str, given_: dict[str, str]
):
    definition = tool(name, parameters=fields("url", "host", "path"))
    alone, other = ((limit,) if limit else () for limit in (one, two))
    call = ToolCall("c", name, given_, "tool:1.0")
    if confined(call, definition, a_scope(confinements=alone)) is not None:
        assert confined(call, definition, a_scope(confinements=(*alone, *other))) is not None


@given(confinements)
def test_limits_survive_the_journal(limit: Confinement | None):
    if limit is not None:
        assert Confinement.from_json(limit.to_json()) == limit
