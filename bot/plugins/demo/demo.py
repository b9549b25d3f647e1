"""Runs the demo: both platforms, the page, and Bellhop beside them with a home of its own."""

import asyncio
import json
import os
import secrets
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from aiohttp import BodyPartReader, web
from pydantic import TypeAdapter, ValidationError

from bot.loopback.serving import serving
from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, TEAM
from bot.plugin.models import JsonObject
from bot.plugins.demo.bellhop_process import BellhopProcess
from bot.plugins.demo.model import WORD_S, NewestRequests, demo_model
from bot.plugins.demo.sides import PICTURES, Act, ActRefused, HandedFile, Side
from bot.plugins.demo.tours import TOURS, Guide
from bot.plugins.demo.town import PEOPLE, Town, open_town

LOOK_S = 0.1
"""Seconds between two looks at what an open page shows."""
LOOK_INSIDE_S = 0.5
MOST_UPLOAD = 26 * 2**20
_FILES = {"": "index.html", "demo.css": "demo.css", "demo.js": "demo.js", "icon.svg": "icon.svg"}
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_ACT: TypeAdapter[Act] = TypeAdapter(Act)


class DemoServer:
    """Serves one visitor on this machine.

    The address holds a secret, so no other page of the visitor's browser can speak with it.
    """

    def __init__(
        self,
        sides: tuple[Side, ...],
        process: BellhopProcess,
        requests: NewestRequests | None,
        *,
        pause_s: float,
    ) -> None:
        """`requests`: None where a real model answers, which gets them without the demo."""
        self._sides: Mapping[str, Side] = {one.name: one for one in sides}
        self._process = process
        self._guide = Guide(self._sides, process)
        self._requests = requests
        self._pause_s = pause_s
        self.secret = secrets.token_urlsafe(16)
        self.site_secret = secrets.token_urlsafe(16)
        self.published: list[str] = []
        """What `publish_site` was called with, one text a call."""

    def application(self) -> web.Application:
        application = web.Application(client_max_size=MOST_UPLOAD)
        application.on_response_prepare.append(_quiet)
        at = f"/{self.secret}"
        application.add_routes(
            [
                web.get(f"{at}/live", self._live),
                web.get(f"{at}/inside", self._inside_live),
                web.get(f"{at}/about", self._about),
                web.get(f"{at}/complete", self._complete),
                web.get(f"{at}/file/{{side}}/{{id}}", self._file),
                web.post(f"{at}/act", self._act),
                web.post(f"{at}/upload", self._upload),
                web.post(f"{at}/process", self._change_process),
                web.post(f"{at}/tour", self._tour),
                web.get(f"{at}/{{name:(demo\\.css|demo\\.js|icon\\.svg)?}}", self._page),
                web.post(f"/site/{self.site_secret}", self._publish),
            ]
        )
        return application

    # --- the page ---

    async def _page(self, request: web.Request) -> web.Response:
        name = _FILES[request.match_info["name"]]
        text = (resources.files("bot.plugins.demo") / "page" / name).read_text(encoding="utf-8")
        return web.Response(text=text, content_type=_TYPES[name.rpartition(".")[2]])

    async def _about(self, request: web.Request) -> web.Response:
        return web.json_response(
            {
                "people": [asdict(one) for one in PEOPLE],
                "sides": [{"id": one.name, "title": one.title} for one in self._sides.values()],
                "tours": [
                    {"id": one.id, "title": one.title, "steps": [step.says for step in one.steps]}
                    for one in TOURS
                ],
                "with_model": self._requests is None,
                "pause_s": self._pause_s,
            }
        )

    async def _live(self, request: web.Request) -> web.StreamResponse:
        """One platform as one person sees it, sent again whenever it changed."""
        side, who, place = self._asked(request.query)

        async def look() -> JsonObject:
            return asdict(side.view(who, place))

        return await _streamed(request, look, LOOK_S)

    async def _inside_live(self, request: web.Request) -> web.StreamResponse:
        async def look() -> JsonObject:
            requests = self._requests.newest() if self._requests else []
            return {
                "runs": self._process.runs,
                "cycles": await self._process.newest_runs(),
                "requests": [asdict(one) for one in requests],
                "log": list(self._process.lines)[-40:],
            }

        return await _streamed(request, look, LOOK_INSIDE_S)

    async def _complete(self, request: web.Request) -> web.Response:
        side, who, place = self._asked(request.query)
        given = [request.query.get(name, "")[:200] for name in ("command", "option", "text")]
        return web.json_response(await side.complete(who, place, *given))

    async def _file(self, request: web.Request) -> web.Response:
        side, who, _ = self._asked({**request.query, "side": request.match_info["side"]})
        found = side.file(who, request.match_info["id"])
        if found is None:
            raise web.HTTPNotFound(text="there is no such file")
        picture = found.mime in PICTURES
        how = {} if picture else {"Content-Disposition": "attachment"}
        mime = found.mime if picture else "application/octet-stream"
        return web.Response(body=found.data, content_type=mime, headers=how)

    # --- what a person does ---

    async def _act(self, request: web.Request) -> web.Response:
        body = await _body(request)
        side, who, place = self._asked(body)
        try:
            side.act(who, place, _ACT.validate_python(body.get("act")))
        except ValidationError as error:
            return _refused(str(error.errors(include_url=False)[0]["msg"]))
        except ActRefused as error:
            return _refused(str(error))
        return web.json_response({})

    async def _upload(self, request: web.Request) -> web.Response:
        fields: dict[str, str] = {}
        files: list[HandedFile] = []
        async for part in await request.multipart():
            if isinstance(part, BodyPartReader):
                data = bytes(await part.read(decode=True))
                if part.filename:
                    mime = part.headers.get("Content-Type", "application/octet-stream")
                    files.append(HandedFile(part.filename, mime, data))
                else:
                    fields[part.name or ""] = data.decode(errors="replace")
        side, who, place = self._asked(fields)
        try:
            side.upload(who, place, fields.get("text", ""), bool(fields.get("mention")), files)
        except ActRefused as error:
            return _refused(str(error))
        return web.json_response({})

    async def _change_process(self, request: web.Request) -> web.Response:
        match (await _body(request)).get("do"):
            case "kill":
                await self._process.kill()
            case "start":
                await self._process.start()
            case _:
                return _refused("do is kill or start")
        return web.json_response({})

    async def _tour(self, request: web.Request) -> web.Response:
        body = await _body(request)
        try:
            at = await self._guide.step(str(body.get("tour")), int(body.get("step") or 0))
        except (ActRefused, ValueError) as error:
            return _refused(str(error))
        return web.json_response(asdict(at))

    async def _publish(self, request: web.Request) -> web.Response:
        """The website that `publish_site` publishes."""
        note = str((await _body(request)).get("note") or "")[:200]
        self.published.append(note)
        return web.json_response({"release": len(self.published), "note": note})

    def _asked(self, given: Mapping[str, Any]) -> tuple[Side, str, str]:
        """Raises HTTPBadRequest for a platform or a person that isn't there."""
        side, who = self._sides.get(str(given.get("side"))), str(given.get("who"))
        if side is None or who not in {one.id for one in PEOPLE}:
            raise web.HTTPBadRequest(text="there is no such platform or person")
        return side, who, str(given.get("place") or "")


async def _body(request: web.Request) -> JsonObject:
    """Raises HTTPBadRequest unless a JSON object was sent.

    A page elsewhere can't send one without being asked about it first (CORS).
    """
    if request.content_type != "application/json":
        raise web.HTTPBadRequest(text="send JSON")
    try:
        body: object = await request.json()
    except ValueError:
        raise web.HTTPBadRequest(text="this is no JSON") from None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text="send a JSON object")
    return body  # pyright: ignore[reportUnknownVariableType] - JSON


async def _streamed(
    request: web.Request, look: Callable[[], Awaitable[JsonObject]], pause_s: float
) -> web.StreamResponse:
    """Server-Sent Events: what `look` gives, whenever it differs from before."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    try:
        await response.prepare(request)
        async for text in _changes(look, pause_s):
            await response.write(f"data: {text}\n\n".encode())
    except (ConnectionResetError, asyncio.CancelledError):
        if request.transport is not None and not request.transport.is_closing():
            raise
    return response


async def _changes(look: Callable[[], Awaitable[JsonObject]], pause_s: float) -> AsyncIterator[str]:
    before = ""
    while True:
        now = json.dumps(await look(), ensure_ascii=False)
        if now != before:
            yield now
            before = now
        await asyncio.sleep(pause_s)


def _refused(why: str) -> web.Response:
    return web.json_response({"error": why}, status=409)


async def _quiet(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
PAUSE_S = 4.0
"""Long enough to read a step, and short enough to kill Bellhop within an answer."""

PRICE = {"input": 3, "output": 15}
"""Dollars for a million tokens of the demo's model: as of a real one, so that costs are seen."""


def write_home(home: Path, town: Town, model: str | None, site: str, console: int) -> None:
    """Write settings, secrets, people and a tool of the team's own.

    `model` is the address of the demo's model; None leaves the choice to the keys of this machine.
    `site` is the address that the tool `publish_site` posts to, `console` the web console's port.
    """
    settings: dict[str, object] = {
        "discord": {
            "enabled": True,
            "api_base": town.discord.api_base,
        },
        "slack": {"enabled": True, "api_base": town.slack.api_base},
        "web": {"allow_private": ["127.0.0.1"]},
        "log": {"level": "INFO"},
        "console": {"port": console, "website": True},
    }
    if model is not None:
        settings["model"] = {"provider": "compatible", "base_url": model, "name": "demo"}
        settings["budgets"] = {"prices": {"demo": PRICE}}
    people = [
        {
            "id": one.id,
            "name": one.name,
            "role": one.role,
            "ids": {
                "discord": [town.accounts[one.id]["discord"]],
                "slack": [f"{TEAM}:{town.accounts[one.id]['slack']}"],
            },
        }
        for one in PEOPLE
        if one.role != "Guest"
    ]
    secrets = {
        "DISCORD_TOKEN": town.discord.options.token,
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
    }
    tools = home / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True, exist_ok=True)
    _write(home / "bellhop.yaml", json.dumps(settings, indent=2))
    _write(home / "contacts.yaml", json.dumps(people, indent=2))
    _write(home / ".env", "".join(f"{name}={value}\n" for name, value in secrets.items()))
    tool = Path(__file__).with_name("publish_site.md").read_text(encoding="utf-8")
    _write(tools / "publish_site.md", tool.format(url=site))


def _write(path: Path, text: str) -> None:
    """JSON is YAML, too, and quotes every odd character."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)


@dataclass(frozen=True)
class RunningDemo:
    """A demo that is served, and its parts."""

    address: str
    """Of its page; it holds the secret."""
    server: DemoServer
    town: Town
    process: BellhopProcess


@asynccontextmanager
async def running_demo(
    home: Path, port: int = 0, *, word_s: float = WORD_S, pause_s: float = PAUSE_S
) -> AsyncGenerator[RunningDemo]:
    """Serve the demo until the block ends, with its home in this folder.

    A key of Anthropic in the environment gives it a real model. `word_s` is the pace of the demo's
    own model, in seconds per word, and `pause_s` that between two steps of a tour that plays by
    itself. Raises OSError for a taken port.
    """
    with_model = any(os.environ.get(name) for name in KEYS)
    requests = NewestRequests()
    model = demo_model(requests, word_s)
    process = BellhopProcess(home, with_keys=with_model)
    async with open_town() as town, model:
        server = DemoServer(town.sides, process, None if with_model else requests, pause_s=pause_s)
        async with serving(server.application(), port) as place:
            address = f"http://{place}"
            site = f"{address}/site/{server.site_secret}"
            model_url = None if with_model else model.base_url
            write_home(home, town, model_url, site, _free_port())
            await process.start()
            try:
                yield RunningDemo(f"{address}/{server.secret}/", server, town, process)
            finally:
                await process.stop()


def _free_port() -> int:
    """One that nothing on this machine listened on a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
