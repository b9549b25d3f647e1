"""Request tools from their file to a loopback server and back, and their secrets."""

from pathlib import Path
from typing import Any

import pytest

from bot.domain.origins import Trust
from bot.domain.tool_outcomes import ToolResult
from bot.testing.tools import ToolFolder
from bot.testing.web_site import Answers, WebSite, answer, redirect, web_site
from bot.tools.toolset.view import ToolStanding
from tests.tools.running.request_bench import RequestBench

SECRETS = {"TRACKER_TOKEN": "tok-12345/67", "ANTHROPIC_API_KEY": "sk-never-to-be-lent"}
LENT = ("TRACKER_TOKEN",)


async def called(
    files: ToolFolder, answers: Answers, line: str, *more: str, **arguments: Any
) -> tuple[ToolResult, WebSite]:
    async with web_site(answers) as site:
        bench = RequestBench(files, SECRETS, lent=LENT)
        properties: dict[str, Any] = {name: {} for name in arguments}
        toolset = await bench.toolset(line.replace("SITE", site.url), *more, **properties)
        return await bench.call(toolset, **arguments), site


async def test_json_comes_back_compact_with_its_status_and_as_text_from_outside(files: ToolFolder):
    body = answer('{\n  "name":   "grün"\n}', content_type="application/json; charset=utf-8")
    result, site = await called(files, lambda _: body, "http: GET SITE/v1/{id}", id="a/b", q="ä")
    assert result.content == 'HTTP 200 OK\n{"name": "grün"}'
    assert (result.is_error, result.origin.trust, result.origin.source) == (
        False,
        Trust.EXTERNAL,
        "tool:thing",
    )
    assert (site.asked[0].method, site.asked[0].path) == ("GET", "/v1/a%2Fb?q=%C3%A4")


async def test_a_secret_goes_out_and_never_comes_back(files: ToolFolder):
    def echo(asked: Any) -> bytes:
        return answer(f"you sent {asked.headers['authorization']} and {asked.path}")

    result, site = await called(
        files,
        echo,
        "http: POST SITE/x?key={secret:TRACKER_TOKEN}",
        "header: Authorization: Bearer {secret:TRACKER_TOKEN}",
        'body: {"t": "{title}"}',
        title="hello",
    )
    assert site.asked[0].headers["authorization"] == f"Bearer {SECRETS['TRACKER_TOKEN']}"
    assert site.asked[0].body == b'{"t": "hello"}'
    assert result.content == "HTTP 200 OK\nyou sent Bearer [redacted] and /x?key=[redacted]"


@pytest.mark.parametrize(
    ("lent", "name"), [((), "TRACKER_TOKEN"), (("TRACKER_TOKEN",), "ANTHROPIC_API_KEY")]
)
async def test_a_secret_that_was_not_lent_takes_the_tool_away(
    files: ToolFolder, lent: tuple[str, ...], name: str
):
    bench = RequestBench(files, SECRETS, lent=lent)
    toolset = await bench.toolset(
        "http: GET https://example.org/", f"header: X-Key: {{secret:{name}}}"
    )
    assert toolset.find("thing") is None
    assert toolset.standing("thing") is ToolStanding.UNSERVED
    assert "tools.http.secrets" in (toolset.hindrance("thing") or "")


async def test_a_secret_that_is_not_set_takes_the_tool_away(files: ToolFolder):
    bench = RequestBench(files, SECRETS, lent=("NOT_SET",))
    toolset = await bench.toolset(
        "http: GET https://example.org/", "header: X-Key: {secret:NOT_SET}"
    )
    assert toolset.find("thing") is None
    assert "is not set" in (toolset.hindrance("thing") or "")


async def test_a_secret_does_not_follow_a_redirect_to_another_host(files: ToolFolder):
    async with web_site(lambda _: answer("elsewhere")) as other:
        result, site = await called(
            files,
            lambda _: redirect(f"{other.url}/"),
            "http: GET SITE/",
            "header: X-Key: {secret:TRACKER_TOKEN}",
        )
    assert result.content.endswith("elsewhere")
    assert "x-key" in site.asked[0].headers
    assert "x-key" not in other.asked[0].headers
    assert SECRETS["TRACKER_TOKEN"] not in str(other.asked)


async def test_a_refusal_of_the_server_is_an_error_with_an_excerpt(files: ToolFolder):
    body = answer("no such item " * 500, status="404 Not Found")
    result, _ = await called(files, lambda _: body, "http: GET SITE/{id}", id="x")
    assert result.is_error
    assert result.content.startswith("ERROR: HTTP 404 Not Found\nno such item")
    assert result.origin.trust is Trust.EXTERNAL
    assert len(result.content) <= 1_000


async def test_long_answers_are_cut_and_pictures_are_named(files: ToolFolder):
    result, _ = await called(files, lambda _: answer("x" * 50_000), "http: GET SITE/")
    assert len(result.content) <= 1_000
    result, _ = await called(
        files, lambda _: answer(b"\x89PNG", content_type="image/png"), "http: GET SITE/"
    )
    assert result.content == "HTTP 200 OK\n(image/png, 4 bytes; not shown)"


@pytest.mark.parametrize("text", ["[" * 100_000, "{not json", "", '"\\ud800"'])
async def test_json_that_is_none_is_shown_as_it_is(files: ToolFolder, text: str):
    result, _ = await called(
        files, lambda _: answer(text, content_type="application/json"), "http: GET SITE/"
    )
    assert result.content.startswith("HTTP 200 OK")
    assert not result.is_error


async def test_this_machine_is_closed_unless_the_settings_open_it(files: ToolFolder):
    async with web_site(lambda _: answer("inside")) as site:
        bench = RequestBench(files, SECRETS, lent=LENT, private=())
        result = await bench.call(await bench.toolset(f"http: GET {site.url}/"))
    assert result.is_error
    assert "not on the public internet" in result.content
    assert site.connections == 0


async def test_a_free_address_can_reach_nothing_that_is_closed(files: ToolFolder):
    tricks = [
        "http://127.0.0.1/",
        "http://0x7f.1/",
        "http://[::1]/",
        "file:///etc/passwd",
        "http://localhost./",
        "x",
        "",
    ]
    bench = RequestBench(files, SECRETS, lent=LENT, private=())
    toolset = await bench.toolset("http: GET {url}", url={"type": "string"})
    for trick in tricks:
        result = await bench.call(toolset, url=trick)
        assert result.is_error, trick


async def test_the_error_names_no_secret(files: ToolFolder, tmp_path: Path):
    result, _ = await called(files, lambda _: b"", "http: GET SITE/x?key={secret:TRACKER_TOKEN}")
    assert result.is_error
    assert "tok-12345" not in result.content
