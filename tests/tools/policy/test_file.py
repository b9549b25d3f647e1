"""policy.yaml: its grammar, errors with places, and the last good version in force."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import NativeImplementation, ToolCall, ToolDefinition
from bot.errors import SettingsError
from bot.testing.tools import a_call, a_scope
from bot.tools.policy.book import PolicyBook
from bot.tools.policy.file import parse_policy
from bot.tools.policy.rules import spellings, values_at
from bot.tools.policy.verdicts import Strictness, strictest_of
from bot.tools.text.patterns import MAX_PATTERN, TextPattern

RULES = """\
rules:
  - name: no mail outside
    tools: [send_email, "*_send"]
    arguments:
      to: {regex: "@(?:[^e]|e[^x])"}
    decision: deny
    reason: mail stays in the house
  - name: our own address
    tools: send_email
    roles: Friend+
    arguments: {to: "*@example.org"}
    decision: allow
  - name: nights
    runs: [scheduled, todo]
    agents: assistant
    decision: ask
    approver: Partner
outputs:
  - name: card numbers
    patterns: {regex: '\\d{4} \\d{4} \\d{4} \\d{4}'}
"""


def a_tool(name: str = "send_email", *aliases: str) -> ToolDefinition:
    return ToolDefinition(
        name, "d", {"type": "object"}, "shared", NativeImplementation(name), aliases=aliases
    )


def verdict(
    text: str, call: ToolCall, scope: ToolScope | None = None, tool: ToolDefinition | None = None
):
    rules = parse_policy(text, "policy.yaml").rules
    found = (rule.judge(tool or a_tool(call.name), call, scope or a_scope()) for rule in rules)
    return strictest_of(one for one in found if one is not None)


def test_a_rule_matches_by_tool_argument_role_agent_and_run():
    to = a_call("send_email", to="bo@example.org")
    found = verdict(RULES, to, a_scope(Role.FRIEND))
    assert found is not None
    assert (found.strictness, found.rule, found.named) == (
        Strictness.ALLOW,
        "our own address",
        frozenset({"to"}),
    )
    assert verdict(RULES, to, a_scope(Role.GUEST)) is None
    night = ToolScope(a_scope().person, "assistant", RunKind(RunShape.SCHEDULED))
    found = verdict(RULES, a_call("anything"), night)
    assert found is not None
    assert (found.strictness, found.approver_rank) == (Strictness.ASK, Role.PARTNER.rank)
    assert (
        verdict(RULES, a_call("anything"), ToolScope(night.person, "observer", night.run)) is None
    )


def test_a_denial_needs_one_matching_value_and_an_allow_needs_all():
    mixed = a_call("send_email", to=["bo@example.org", "eve@attack.example"])
    found = verdict(RULES, mixed)
    assert found is not None
    assert found.strictness is Strictness.DENY
    allow = RULES.partition("  - name: our own")[2].partition("  - name: nights")[0]
    only_allow = f"rules:\n  - name: our own{allow}"
    assert verdict(only_allow, mixed) is None
    assert (
        verdict(only_allow, a_call("send_email", to=["a@example.org", "b@example.org"])) is not None
    )
    assert verdict(only_allow, a_call("send_email", to=[])) is None
    assert verdict(only_allow, a_call("send_email")) is None


@pytest.mark.parametrize(
    "tool",
    [
        a_tool("mail_send", "send_email"),
        replace(a_tool("mail_send"), implementation=NativeImplementation("send_email")),
    ],
)
def test_a_denial_holds_for_an_alias_and_what_a_file_runs_and_an_allow_for_the_name_alone(
    tool: ToolDefinition,
):
    assert verdict(RULES, a_call("send_email", to="x@a.b"), tool=tool) is not None
    allow = "rules: [{name: a, tools: send_email, roles: Guest+, decision: allow}]"
    assert verdict(allow, a_call("send_email"), tool=tool) is None
    assert verdict(allow, a_call("send_email")) is not None
    place = "places: [{name: a, where: dm, tools: {deny: [send_email]}}]"
    [rule] = parse_policy(place, "policy.yaml").places
    assert rule.closes(tool)
    assert not rule.closes(a_tool("mail_send"))


@pytest.mark.parametrize(
    ("arguments", "path", "values"),
    [
        ({"to": "x"}, "to", ["x"]),
        ({"o": {"p": 1.5}}, "o.p", ["1.5"]),
        ({"items": [{"url": "a"}, {"url": True}]}, "items.*.url", ["a", "true"]),
        ({"items": [{"url": "a"}, {"url": None}]}, "items.url", ["a", "null"]),
        ({"o": {"a": {"b": "x"}, "c": [2]}}, "o", ["a", "b", "x", "c", "2"]),
        ({"o": {"a": 1, "b": 2}}, "o.*", ["1", "2"]),
        ({"to": "x"}, "cc", []),
        ({"to": "x"}, "to.name", []),
    ],
)
def test_values_are_found_by_path(arguments: JsonObject, path: str, values: list[str]):
    assert list(values_at(arguments, path)) == values


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("rule: []", 1, "did you mean 'rules'?"),
        ("- a", 1, "must hold `rules:`"),
        ("rules:\n  - name: a\n    tool: x\n    decision: deny", 3, "did you mean 'tools'?"),
        ("rules:\n  - name: a\n    decision: refuse", 3, "'allow', 'ask' or 'deny'"),
        ("rules:\n  - decision: deny", 2, "rules.0.name: is missing"),
        (
            "rules:\n  - {name: a, decision: deny}\n  - {name: A, decision: ask}",
            3,
            "is there twice (first on line 2)",
        ),
        ("rules:\n  - name: a\n    roles: Freind+\n    decision: deny", 3, "unknown role 'Freind'"),
        ("rules:\n  - name: a\n    decision: allow", 2, "name for whom, with roles"),
        (
            "rules:\n  - name: a\n    decision: deny\n    approver: Partner",
            4,
            "only a rule with decision: ask",
        ),
        ("rules:\n  - name: a\n    decision: ask\n    approver: Boss", 4, "unknown role 'Boss'"),
        ("rules:\n  - name: a\n    decision: deny\n    runs: [chatting]", 4, "'chat'"),
        (
            "rules:\n  - name: a\n    decision: deny\n    arguments:\n      to: {regex: '(a'}",
            5,
            "RE2 can read",
        ),
        (
            "rules:\n  - name: a\n    decision: deny\n    arguments:\n      to: {regexp: a}",
            5,
            "did you mean 'regex'?",
        ),
        (
            "rules:\n  - name: a\n    decision: deny\n    arguments:\n      a..b: x",
            5,
            "has an empty step",
        ),
        (
            f"rules:\n  - name: a\n    decision: deny\n    tools: {'x' * (MAX_PATTERN + 1)}",
            4,
            "at most",
        ),
        ("outputs:\n  - name: a", 2, "outputs.0.patterns: is missing"),
        ("rules:\n  - name: a\n   decision: deny", 3, "is not valid YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_to_do(text: str, line: int, words: str):
    with pytest.raises(SettingsError) as told:
        parse_policy(text, "policy.yaml")
    assert f"policy.yaml, line {line}: " in str(told.value)
    assert words in str(told.value)


def test_an_empty_file_has_no_rules():
    for text in ("", "# nothing\n", "rules:\noutputs:\n", "rules: []"):
        assert parse_policy(text, "p") == parse_policy("", "p")


def test_outputs_match_by_regular_expression_or_by_a_line():
    rule = parse_policy(RULES, "p").outputs[0]
    assert rule.matches(a_tool(), a_scope(), ["x 1234 5678 9012 3456 y"])
    assert not rule.matches(a_tool(), a_scope(), ["1234"])
    glob = parse_policy(
        "outputs: [{name: a, tools: crm_*, patterns: 'Class: secret*'}]", "p"
    ).outputs[0]
    assert glob.matches(a_tool("crm_read"), a_scope(), ["Title\nclass: SECRET (x)\nmore"])
    assert not glob.matches(a_tool("crm_read"), a_scope(), ["not Class: secret"])
    assert not glob.matches(a_tool("other"), a_scope(), ["Class: secret"])


def test_a_pattern_takes_time_linear_in_what_it_reads():
    TextPattern(regex="(a+)+$").fits("a" * 200_000 + "b")
    TextPattern(glob="*a*a*a*a*a*b").fits("a" * 200_000)


words = st.text("ab*.", max_size=6)


@given(
    st.lists(st.sampled_from(list(Strictness)), min_size=1, max_size=6),
    st.lists(st.integers(0, 4), min_size=6, max_size=6),
)
def test_the_strictest_rule_wins_and_asks_the_highest_approver(
    kinds: list[Strictness], ranks: list[int]
):
    names = {0: "Banned", 1: "Guest", 2: "Friend", 3: "Partner", 4: "MasterAdmin"}
    lines = ["rules:"]
    for index, (kind, rank) in enumerate(zip(kinds, ranks, strict=False)):
        more = f", approver: {names[rank]}" if kind is Strictness.ASK and rank else ""
        more = ", roles: Guest+" if kind is Strictness.ALLOW else more
        lines.append(f"  - {{name: r{index}, decision: {kind.name.lower()}{more}}}")
    found = verdict("\n".join(lines), a_call("x"))
    assert found is not None
    assert found.strictness is max(kinds)
    asked = [rank for kind, rank in zip(kinds, ranks, strict=False) if kind is Strictness.ASK]
    if found.strictness is Strictness.ASK:
        assert found.approver_rank == max(asked)


@given(st.lists(words, max_size=3), words)
@example(patterns=["a"], value="a.")
def test_a_rule_more_never_makes_a_call_freer(patterns: list[str], value: str):
    """Whatever rules are added, the verdict is at least as strict as a denial among them."""
    globs = [pattern or "x" for pattern in patterns]
    lines = [
        f"  - {{name: r{n}, arguments: {{a: '{glob}'}}, decision: deny}}"
        for n, glob in enumerate(globs)
    ]
    text = "\n".join(["rules:", "  - {name: free, roles: Guest+, decision: allow}", *lines])
    found = verdict(text, a_call("x", a=value))
    assert found is not None
    denied = any(
        TextPattern(glob=glob).fits(text) for glob in globs for text in (value, *spellings(value))
    )
    assert (found.strictness is Strictness.DENY) is denied


# --- the file in force ---


def write(path: Path, text: str) -> None:
    path.write_text(text)
    later = path.stat().st_mtime_ns + 1_000_000
    os.utime(path, ns=(later, later))


async def test_a_broken_or_vanished_file_keeps_its_last_good_version(tmp_path: Path):
    path = tmp_path / "policy.yaml"
    seen: list[int] = []
    book = PolicyBook(path)
    book.on_change.append(lambda policy: seen.append(len(policy.rules)))
    await book.load()
    assert (book.problems, seen) == ((), [0])
    write(path, RULES)
    assert await book.reload_changed()
    assert not await book.reload_changed()
    write(path, "rules:\n  - nome: a")
    assert not await book.reload_changed()
    assert len(book.policy.rules) == 3
    assert any("line 2" in problem for problem in book.problems)
    assert "the last good version is in use" in book.problems[-1]
    path.unlink()
    assert not await book.reload_changed()
    assert "has vanished" in book.problems[0]
    write(path, "# rules:\n")
    assert not await book.reload_changed()
    assert "policy.yaml is empty; write `rules: []` for no rules" in book.problems[0]
    assert len(book.policy.rules) == 3
    write(path, "rules: []")
    assert await book.reload_changed()
    assert (book.problems, seen) == ((), [0, 3, 0])


async def test_a_replacement_is_checked_and_never_overwrites_newer_changes(
    tmp_path: Path,
):
    path = tmp_path / "policy.yaml"
    path.write_text(RULES)
    book = PolicyBook(path)
    await book.load()
    with pytest.raises(SettingsError, match="line 1"):
        await book.replace("rools: []", RULES)
    with pytest.raises(SettingsError, match="changed meanwhile"):
        await book.replace("rules: []", "something else")
    assert path.read_text() == RULES
    await book.replace("rules: []", RULES)
    await book.replace("rules: []", RULES)  # again after a crash
    assert book.policy.rules == ()
    assert (tmp_path / "policy.yaml.bak").read_text() == RULES


@pytest.mark.parametrize("written", [b"\xef\xbb\xbfrules: []\n", b"rules: []\r\n"])
async def test_a_file_from_an_editor_of_windows_can_be_replaced(tmp_path: Path, written: bytes):
    path = tmp_path / "policy.yaml"
    path.write_bytes(written)
    book = PolicyBook(path)
    await book.load()
    await book.replace(RULES, await book.text())
    assert path.read_text() == RULES
    assert (tmp_path / "policy.yaml.bak").read_bytes() == written


async def test_an_unreadable_file_allows_nothing_any_more(tmp_path: Path):
    path = tmp_path / "policy.yaml"
    left: list[list[str]] = []
    book = PolicyBook(path)
    book.on_doubt.append(lambda policy: left.append([rule.name for rule in policy.rules]))
    write(
        path,
        (
            "rules:\n- {name: yes, roles: Guest+, decision: allow}\n- {name: no, tools: x, "
            "decision: deny}"
        ),
    )
    await book.load()
    write(path, "rules:\n- {name: yes, roles: Gast, decision: allow}\n")
    assert not await book.reload_changed()
    assert left == [["no"]]
    with pytest.raises(SettingsError, match="would be empty"):
        await book.replace("", path.read_text())


MAIL_OUT = ToolDefinition(
    "mail_out", "Mails.", {"type": "object"}, "shared", NativeImplementation("mail_out")
)
DENIED = [
    "eve@attack.example",
    "EVE@Attack.Example",
    "Eve <eve@attack.example>",
    '"Eve, the nice" <eve@attack.example>',
    "eve@attack.example.",
    "<eve@attack.example> Eve",
    "eve@attack.example (Eve)",
    "(Eve) eve@attack.example",
    "eve(no)@attack.example",
    "ann@example.org, Eve <eve@attack.example>",
    "Eve <eve@attack.example>; ann@example.org",
    "ann@example.org eve@attack.example",
    "mailto:eve@attack.example",
    "mailto:eve@attack.example?subject=hi",
    "eve%40attack.example",
    "eve @ attack.example",
    "eve@attack\u200b.example",
    "\uff45ve@attack\uff0eexample",
    " eve@attack.example\n",
    "eve@[attack.example]",
]


@pytest.mark.parametrize("spelling", DENIED)
@pytest.mark.parametrize("shape", ["text", "list", "object"])
def test_a_denied_recipient_is_denied_in_every_spelling(spelling: str, shape: str):
    rules = parse_policy(
        "rules:\n- {name: no, tools: mail_*, arguments: {to: '*@attack.example'}, decision: deny}",
        "policy.yaml",
    ).rules
    given = {
        "text": spelling,
        "list": ["ann@example.org", spelling],
        "object": {"name": "Ann", "address": spelling},
    }
    call = a_call("mail_out", to=given[shape])
    assert rules[0].judge(MAIL_OUT, call, a_scope()) is not None


def test_a_denied_domain_is_denied_in_both_its_scripts():
    for written, other in (
        ("müller.example", "xn--mller-kva.example"),
        ("xn--mller-kva.example", "müller.example"),
    ):
        text = f"rules:\n- {{name: no, arguments: {{to: '*@{written}'}}, decision: deny}}"
        (rule,) = parse_policy(text, "policy.yaml").rules
        call = a_call("mail_out", to=f"eve@{other}")
        assert rule.judge(MAIL_OUT, call, a_scope()) is not None, other


@pytest.mark.parametrize("spelling", DENIED[2:])
def test_an_allowed_recipient_is_allowed_as_it_stands_only(spelling: str):
    (rule,) = parse_policy(
        (
            "rules:\n- {name: ok, roles: Guest+, arguments: {to: 'eve@attack.example'}, decision: "
            "allow}"
        ),
        "policy.yaml",
    ).rules
    call = a_call("mail_out", to=spelling)
    assert rule.judge(MAIL_OUT, call, a_scope()) is None


def test_other_recipients_are_not_denied_with_it():
    (rule,) = parse_policy(
        "rules:\n- {name: no, arguments: {to: '*@attack.example'}, decision: deny}", "p"
    ).rules
    for innocent in (
        "ann@example.org",
        "eve@attack.example.org",
        "attack.example",
        "eve@my-attack.example.net",
    ):
        call = a_call("mail_out", to=innocent)
        assert rule.judge(MAIL_OUT, call, a_scope()) is None, innocent
