"""Requests to servers of the settings, their log-ins, and answers that only look like success."""

import asyncio
import json
from base64 import b64encode
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from bot.log import redact
from bot.testing.tools import ToolFolder
from bot.testing.web_site import Asked, answer, web_site
from bot.tools.definitions.implementation import ImplementationError, parse_implementation
from bot.tools.settings import HttpToolSettings
from tests.tools.running.request_bench import RequestBench

SECRETS = {"ID": "client-7", "SECRET": "s3cret-of-the-client"}
REGION = {"type": "string", "enum": ["eu", "us"]}
JSON = "application/json"


def service(lasts: object = 3600) -> Callable[[Asked], bytes]:
    """Gives out the tokens token-1, token-2 ..., of which only the newest is good."""
    given: list[str] = []

    def answers(asked: Asked) -> bytes:
        if asked.path == "/token":
            given.append(f"token-number-{len(given) + 1}")
            body = {"access_token": given[-1], "token_type": "bearer", "expires_in": lasts}
            return answer(json.dumps(body), content_type=JSON)
        if asked.path == "/revoke":
            given.append("nobody-has-this-one")
        good = asked.headers.get("authorization") == f"Bearer {given[-1]}"
        return (
            answer(f"sent {asked.headers.get('authorization')}")
            if good
            else answer("who are you", status="401 Unauthorized")
        )

    return answers


TOKEN_LINES = ("http: GET {server:api}/x", "token: {server:api}/token {secret:ID} {secret:SECRET}")


async def test_a_token_is_fetched_once_and_until_it_ends(files: ToolFolder):
    async with web_site(service(600)) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url})
        toolset = await desk.toolset(*TOKEN_LINES)
        first = await desk.call(toolset)
        await desk.call(toolset)
        assert [asked.path for asked in site.asked] == ["/token", "/x", "/x"]
        await desk.clock.advance(541)
        await desk.call(toolset)
    assert [asked.path for asked in site.asked][3:] == ["/token", "/x"]
    asked = site.asked[0]
    wanted = b64encode(b"client-7:s3cret-of-the-client").decode()
    assert (asked.method, asked.body) == ("POST", b"grant_type=client_credentials")
    assert asked.headers["authorization"] == f"Basic {wanted}"
    assert first.content == "HTTP 200 OK\nsent Bearer [redacted]"
    assert "token-number-1" not in redact("a log line with token-number-1")


async def test_a_refused_token_is_renewed_once(files: ToolFolder):
    async with web_site(service()) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url})
        toolset = await desk.toolset(*TOKEN_LINES)
        await desk.call(toolset)
        site.answers(Asked("GET", "/revoke", {}, b""))
        again = await desk.call(toolset)
    assert not again.is_error
    assert [asked.path for asked in site.asked] == ["/token", "/x", "/x", "/token", "/x"]


async def test_no_token_is_an_error_that_says_so_and_sends_nothing_more(files: ToolFolder):
    body = answer('{"error": "invalid_client s3cret-of-the-client"}', status="401 Unauthorized")
    async with web_site(lambda _: body) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url})
        result = await desk.call(await desk.toolset(*TOKEN_LINES))
    assert result.is_error
    assert "gave no token" in result.content
    assert "s3cret" not in result.content
    assert [asked.path for asked in site.asked] == ["/token"]


async def test_a_token_that_is_no_header_is_none(files: ToolFolder):
    body = answer(json.dumps({"access_token": "a\r\nX: y"}), content_type=JSON)
    async with web_site(lambda _: body) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url})
        result = await desk.call(await desk.toolset(*TOKEN_LINES))
    assert "gave no token" in result.content


async def test_basic_logs_in_with_two_secrets(files: ToolFolder):
    async with web_site(lambda asked: answer(asked.headers["authorization"])) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url + "/base/"})
        lines = ("http: GET {server:api}/x", "basic: {secret:ID} {secret:SECRET}")
        result = await desk.call(await desk.toolset(*lines))
    assert site.asked[0].path == "/base/x"
    wanted = b64encode(b"client-7:s3cret-of-the-client").decode()
    assert site.asked[0].headers["authorization"] == f"Basic {wanted}"
    assert wanted not in result.content


@pytest.mark.parametrize(
    ("body", "ok"),
    [
        ('{"metadata": {"result": 1}}', True),
        ('{"metadata": {"result": 0, "reason": "no such user"}}', False),
        ('{"metadata": []}', False),
        ("not json", False),
    ],
)
async def test_an_answer_can_be_a_failure_with_the_status_200(
    files: ToolFolder, body: str, ok: bool
):
    async with web_site(lambda _: answer(body, content_type=JSON)) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url})
        lines = ("http: GET {server:api}/x", "success: metadata.result = 1")
        result = await desk.call(await desk.toolset(*lines))
    assert result.is_error is not ok
    assert ("no such user" in result.content) == ("no such user" in body)


async def test_an_address_that_is_not_set_takes_the_tool_away(files: ToolFolder):
    desk = RequestBench(files, SECRETS, servers={})
    toolset = await desk.toolset("http: GET {server:api}/x")
    assert toolset.find("thing") is None
    assert "tools.http.servers" in (toolset.hindrance("thing") or "")


async def test_an_argument_may_choose_among_hosts_only_if_its_schema_names_them(files: ToolFolder):
    desk = RequestBench(files, SECRETS, servers={"api": "https://{region}.api.example.org"})
    toolset = await desk.toolset("http: GET {server:api}/x", region={"type": "string"})
    assert "must be a required argument" in (toolset.hindrance("thing") or "")
    toolset = await desk.toolset("http: GET {server:api}/x", region={"enum": ["evil.org/"]})
    assert "letters, digits and hyphens" in (toolset.hindrance("thing") or "")
    toolset = await desk.toolset("http: GET {server:api}/x", region=REGION)
    assert toolset.find("thing") is not None


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org",
        "https://example.{tld}",
        "https://{host}",
        "https://u:p@example.org",
        "https://example.org?x={y}",
        "https://{a}.org",
        "example.org",
    ],
)
def test_an_address_of_the_settings_keeps_its_host(url: str):
    with pytest.raises(ValidationError):
        HttpToolSettings(servers={"api": url})


@pytest.mark.parametrize(
    "lines",
    [
        "http: GET https://example.org/\nbasic: {secret:A}",
        "http: GET https://example.org/\nbasic: user {secret:A}",
        "http: GET https://example.org/\ntoken: {secret:A} {secret:B}",
        "http: GET https://example.org/\ntoken: https://x.org/{y} {secret:A} {secret:B}",
        "http: GET https://example.org/\nbasic: {secret:A} {secret:B}\nheader: Authorization: x",
        "http: GET https://example.org/\nsuccess: metadata.result",
        "http: GET {server:api}.evil.org/",
        "http: GET https://{server:api}/",
        "http: GET {server:api}{path}",
    ],
)
def test_lines_that_say_nothing_clear_are_refused(lines: str):
    with pytest.raises(ImplementationError):
        parse_implementation(lines, "/x", {"type": "object", "properties": {}})


def test_a_free_address_can_log_in_nowhere():
    lines = "http: GET {url}\nbasic: {secret:A} {secret:B}"
    schema = {"properties": {"url": {"type": "string"}}, "required": ["url"]}
    with pytest.raises(ImplementationError, match="can't send a secret"):
        parse_implementation(lines, "/x", schema)


async def test_only_one_of_several_calls_asks_for_the_token(files: ToolFolder):
    async with web_site(service()) as site:
        desk = RequestBench(files, SECRETS, servers={"api": site.url})
        toolset = await desk.toolset(*TOKEN_LINES)
        await asyncio.gather(*(desk.call(toolset) for _ in range(5)))
    assert [asked.path for asked in site.asked].count("/token") == 1
