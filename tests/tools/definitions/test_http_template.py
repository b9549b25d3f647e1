"""Templates of requests: what is refused with its line, and that no value leaves its place."""

import json
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.targets import has_marks
from bot.domain.tools import HttpImplementation, Risk, ShellImplementation, ToolDefinition
from bot.errors import DefinitionError, ToolError
from bot.tools.definitions.definition import parse_tool_file, read_tool_file
from bot.tools.definitions.http_template import FilledRequest, fill, secrets_of
from bot.tools.policy.verdicts import strictest_risk

HERE = Path("prompts/tools/shared/thing.md")


def tool(*lines: str, required: str = "id", **properties: Any) -> str:
    schema = {
        "type": "object",
        "properties": properties or {name: {} for name in ("id", "q", "tags", "n")},
        "required": required.split(),
    }
    text = [
        "# thing",
        "## Description",
        "Does it.",
        "## Parameters",
        json.dumps(schema),
        "## Implementation",
        *lines,
    ]
    return "\n".join(text)


def parse(*lines: str, **more: Any) -> ToolDefinition:
    return parse_tool_file(tool(*lines, **more), path=HERE, folder="shared")


def filled(definition: ToolDefinition, **arguments: Any) -> FilledRequest:
    implementation = definition.implementation
    assert isinstance(implementation, HttpImplementation)
    return fill(implementation, definition.parameters, arguments, lambda name: f"<{name}>")


def test_the_address_the_query_and_headers_are_filled():
    get = parse(
        "http: GET https://api.example.org/v1/{id}/items?lang=en&q={q}&key={secret:API_KEY}",
        "header: Authorization: Bearer {secret:TOKEN}",
        "header: X-Tags: {tags}",
    )
    request = filled(get, id="a/b c", q="ä&b=c", tags=["x", "y"], n=3)
    assert request.url == (
        "https://api.example.org/v1/a%2Fb%20c/items?lang=en&q=%C3%A4%26b%3Dc&key=%3CAPI_KEY%3E&n=3"
    )
    assert request.headers == {"Authorization": "Bearer <TOKEN>", "X-Tags": "x,y"}
    assert request.body is None
    assert get.idempotent


def test_missing_arguments_are_left_out():
    get = parse("http: GET https://example.org/{id}?q={q}&a=1", "header: X-Tags: {tags}")
    assert filled(get, id=7) == FilledRequest("https://example.org/7?a=1", {}, None)
    assert (
        filled(parse("http: DELETE https://example.org/{id}"), id=True).url
        == "https://example.org/true"
    )


def test_lists_in_the_query_are_repeated_and_objects_are_json():
    url = filled(
        parse("http: GET https://example.org/{id}"), id="x", tags=["a", "b"], q={"k": 1}
    ).url
    assert parse_qsl(urlsplit(url).query) == [("tags", "a"), ("tags", "b"), ("q", '{"k": 1}')]


def test_a_write_sends_the_other_arguments_as_json():
    post = parse("http: POST https://example.org/{id}")
    request = filled(post, id="x", q="é", tags=["a"], undeclared="never sent")
    assert json.loads(request.body or b"") == {"q": "é", "tags": ["a"]}
    assert request.headers == {"Content-Type": "application/json"}
    assert not post.idempotent


def test_a_body_template_keeps_the_types_of_values():
    post = parse(
        "http: POST https://example.org/items",
        "body: {",
        (
            '  "title": "Item {id}: {q}", "tags": "{tags}", "fixed": [1, "{n}", null], "key": '
            '"{secret:KEY}"'
        ),
        "}",
    )
    request = filled(post, id='x"}', q="y", tags=["a", {"b": 1}])
    assert json.loads(request.body or b"") == {
        "title": 'Item x"}: y', "tags": ["a", {"b": 1}], "fixed": [1, None], "key": "<KEY>",
    }  # fmt: skip
    assert secrets_of(cast("HttpImplementation", post.implementation)) == ("KEY",)


@pytest.mark.parametrize(
    "value", ["..", ".", "", "a/../b", "..\\x", "a\nb", "a\x00", "x/.", "a/ .. /b"]
)
def test_a_value_cannot_climb_out_of_its_segment(value: str):
    with pytest.raises(ToolError, match="id can't stand in the address"):
        filled(parse("http: GET https://example.org/v1/{id}/x"), id=value)


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "é", "\x00"])
def test_a_value_cannot_leave_its_header(value: str):
    with pytest.raises(ToolError, match="header"):
        filled(parse("http: GET https://example.org/{id}", "header: X-Q: {q}"), id="x", q=value)


_ANY = st.recursive(
    st.one_of(
        st.text(), st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.text(), _ANY, _ANY, _ANY)
def test_values_never_change_host_path_or_keys(one: str, q: Any, tags: Any, n: Any):
    for method in ("GET", "POST"):
        definition = parse(
            f"http: {method} https://example.org/v1/{{id}}/end?q={{q}}&z=1", "header: X-A: b"
        )
        try:
            request = filled(definition, id=one, q=q, tags=tags, n=n)
        except ToolError:
            continue
        parts = urlsplit(request.url)
        assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "example.org", "")
        assert parts.path.count("/") == 3
        assert parts.path.startswith("/v1/")
        assert parts.path.endswith("/end")
        assert unquote(parts.path.split("/")[2]) == one.encode("utf-8", "replace").decode()
        keys = {key for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
        assert keys <= {"q", "z", "tags", "n"}
        assert request.headers.keys() <= {"X-A", "Content-Type"}
        if method == "POST":
            assert json.loads(request.body or b"").keys() == {"tags", "n"}


BROKEN = [
    ("http: GET https://{id}/x", 7, "fixed host"),
    ("http: GET https://example.org:{id}/x", 7, "fixed host"),
    ("http: GET https://{id}.example.org/", 7, "fixed host"),
    ("http: GET {scheme}://example.org/", 7, "fixed host"),
    ("http: GET https://user:pw@example.org/", 7, "user name"),
    ("http: GET https://example.org:22/", 7, "port 22"),
    ("http: GET https://127.1/", 7, "IPv4"),
    ("http: GET https://example.org/{other}", 7, "{other} is no argument"),
    ("http: GET https://example.org/{q}", 7, "`required`"),
    ("http: GET https://example.org/{secret:KEY}/x", 7, "can't stand in the path"),
    ("http: GET https://example.org/x#y", 7, "#"),
    ("http: GET https://example.org/\nheader: Host: evil.org", 8, "set by Bellhop"),
    ("http: GET https://example.org/\n\nheader: X-A", 9, "header: Name: value"),
    ("http: GET https://example.org/\nheader: X A: b", 8, "no header's name"),
    ("http: GET https://example.org/\nheader: X-A: {nobody}", 8, "{nobody} is no argument"),
    ("http: GET https://example.org/\nheeder: X-A: b", 8, "`success:` and `body:`"),
    ("http: GET https://example.org/\nbody: {}", 8, "has no body"),
    ("http: POST https://example.org/{id}\nbody: {\n  'a': 1\n}", 9, "not valid JSON"),
    (
        'http: POST https://example.org/{id}\nbody:\n{"q": "{q}",\n "n": "{m}"}',
        10,
        "{m} is no argument",
    ),
    (
        'http: POST https://example.org/{id}\nbody: {"q": "{q}", "n": "{n}"}',
        8,
        "'tags' stands nowhere",
    ),
    ("http: GET {id}\nheader: X: {secret:KEY}", 7, "can't send a secret"),
    ("http: GET {q}", 7, "`required`"),
    ("shell: x.sh\nnetwork: maybe", 8, "yes or no"),
    ("shell: x.sh\nnetwork: yes\nnetwork: no", 9, "once"),
    ("shell: x.sh\nread: relative", 8, "absolute"),
    ("shell: x.sh\nread: /", 8, "absolute"),
    ("shell: x.sh\nread: /srv/../etc", 8, "absolute"),
    ("shell: x.sh\nread: /etc/shadow", 8, "choose another"),
    ("shell: x.sh\nheader: X: y", 8, "`network:` and `read:`"),
    ("native: x\nnetwork: yes", 8, "takes no further lines"),
]


@pytest.mark.parametrize(("text", "line", "said"), BROKEN)
def test_errors_name_their_line(text: str, line: int, said: str):
    with pytest.raises(DefinitionError) as caught:
        parse(*text.split("\n"))
    assert f"line {line}: ## Implementation: " in str(caught.value)
    assert said in str(caught.value)


def test_the_lines_of_a_script_are_read():
    parsed = parse(
        "```", "shell: x.sh", "network: YES", "read: /srv/shared", "read: `/opt/data`", "```"
    )
    assert parsed.implementation == ShellImplementation(
        HERE.parent / "x.sh", network=True, reads=(Path("/srv/shared"), Path("/opt/data"))
    )


def test_a_whole_address_as_an_argument_is_a_target_and_an_external_write():
    free = parse("http: GET {id}")
    assert strictest_risk(free, {}) is Risk.EXTERNAL_WRITE
    assert has_marks(free.parameters)
    assert (
        filled(free, id="https://example.org/x?y=1", q="z").url == "https://example.org/x?y=1&q=z"
    )
    with pytest.raises(ToolError, match="must be an address"):
        filled(free, id=7)
    assert strictest_risk(parse("http: GET https://example.org/{id}"), {}) is None


def test_a_secret_without_encryption_is_warned_about():
    text = tool("http: GET http://example.org/{id}", "header: X: {secret:KEY}")
    assert "use https" in str(read_tool_file(text, path=HERE, folder="shared").warnings[0])
