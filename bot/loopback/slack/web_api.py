"""The HTTP side: /api/<method>, uploads, private downloads, response_url.

It is strict: anything unknown is recorded as a problem.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from aiohttp import web

from bot.loopback.serving import CallWindows, cut
from bot.loopback.slack.faults import (
    CutAfter,
    Delay,
    Fault,
    Faults,
    RateLimited,
    Refused,
    Reset,
    Status,
)
from bot.loopback.slack.limits import blocks_error
from bot.loopback.slack.log import Call, CallLog
from bot.loopback.slack.method import ApiFailure, Method, Office
from bot.loopback.slack.methods_chat import CHAT_METHODS
from bot.loopback.slack.methods_house import HOUSE_METHODS
from bot.loopback.slack.world import BOT_USER, Message
from bot.plugin.models import JsonObject

_STRUCTURED = {
    "attachments",
    "blocks",
    "chunks",
    "files",
    "metadata",
    "outputs",
    "prompts",
    "unfurls",
    "view",
}
LOGIN_PAGE = "<!DOCTYPE html><html><body>Sign in to Slack</body></html>"

METHODS: Mapping[str, Method] = {**CHAT_METHODS, **HOUSE_METHODS}


class WebApi:
    """Answers HTTP requests of the app."""

    def __init__(
        self,
        office: Office,
        faults: Faults,
        log: CallLog,
        tokens: Mapping[str, str],
        replied: Callable[[str], "Reply"],
    ) -> None:
        self.rates: CallWindows | None = None
        self._office = office
        self._faults = faults
        self._log = log
        self.alter: Callable[[str, JsonObject], JsonObject] = lambda _method, answer: answer
        self.misfit: Callable[[str, JsonObject], str] = lambda _method, _arguments: ""
        self._tokens = tokens
        self._reply = replied

    def routes(self) -> list[web.RouteDef]:
        return [
            web.route("*", "/api/{method}", self._call),
            web.post("/upload/{file}", self._upload),
            web.get("/files/{file}/download", self._download),
            web.post("/respond/{id}", self._respond),
        ]

    # --- methods ---

    async def _call(self, request: web.Request) -> web.Response:
        name = request.match_info["method"]
        arguments, as_json = await _arguments(request)
        fault = self._faults.take(name)
        if early := await self._before(fault, request, name, arguments):
            return early
        answer = self._answer(request, name, arguments, as_json=as_json)
        if isinstance(fault, CutAfter):
            fault.then()
            self._note(name, arguments, "cut after processing")
            return cut(request)
        self._note(name, arguments, "ok" if answer["ok"] else str(answer["error"]))
        wait = answer.pop("retry_after", None)
        if wait is not None:
            return web.json_response(answer, status=429, headers={"Retry-After": str(wait)})
        return web.json_response(answer, headers=self._scopes_header(request))

    def _scopes_header(self, request: web.Request) -> dict[str, str]:
        """Return the header that tells a bot token its granted scopes."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        scopes = self._office.granted()
        return (
            {"x-oauth-scopes": ",".join(sorted(scopes))}
            if scopes and self._tokens.get(token) == "bot"
            else {}
        )

    async def _before(
        self, fault: Fault | None, request: web.Request, name: str, arguments: JsonObject
    ) -> web.Response | None:
        match fault:
            case Status(status):
                self._note(name, arguments, f"status {status}")
                return web.Response(status=status, text="upstream trouble")
            case RateLimited(retry_after):
                self._note(name, arguments, "ratelimited")
                body = {"ok": False, "error": "ratelimited"}
                return web.json_response(
                    body, status=429, headers={"Retry-After": str(retry_after)}
                )
            case Refused(error):
                self._note(name, arguments, error)
                return web.json_response({"ok": False, "error": error})
            case Reset(then):
                then()
                self._note(name, arguments, "reset")
                return cut(request)
            case Delay(go):
                await go.wait()
                return None
            case _:
                return None

    def _note(self, name: str, arguments: JsonObject, answer: str) -> None:
        at = self._office.world.clock.monotonic()
        shown = {key: value for key, value in arguments.items() if "token" not in key}
        self._log.calls.append(Call(name, shown, at, answer))
        if misfit := self.misfit(name, arguments):
            self._log.problems.append(misfit)

    def _answer(
        self, request: web.Request, name: str, arguments: JsonObject, *, as_json: bool
    ) -> JsonObject:
        try:
            method = METHODS.get(name)
            if method is None:
                raise ApiFailure("unknown_method")
            self._check(request, method, arguments, as_json=as_json)
            if self.rates is not None and (wait := self._wait_s(self.rates, name, arguments)):
                return {"ok": False, "error": "ratelimited", "retry_after": wait}
            for scope in method.scopes:
                self._office.need_scope(scope)
            return self.alter(name, {"ok": True, **method.run(self._office, arguments)})
        except ApiFailure as failure:
            if failure.fault:
                self._log.problems.append(
                    f"{name}: {failure.error} ({json.dumps(arguments)[:300]})"
                )
            return {"ok": False, "error": failure.error}

    def _wait_s(self, rates: CallWindows, name: str, arguments: JsonObject) -> int:
        """Calls of a method in a minute; of posts, one in a second and channel."""
        posts = ((f"{name} {arguments.get('channel')}", 1, 1.0),)
        post = posts if name == "chat.postMessage" else ()
        return rates.wait_s(*post, (name, METHODS[name].tier, 60.0))

    def _check(
        self, request: web.Request, method: Method, arguments: JsonObject, *, as_json: bool
    ) -> None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or str(
            arguments.get("token", "")
        )
        kind = self._tokens.get(token)
        if kind is None:
            raise ApiFailure("invalid_auth" if token else "not_authed")
        if kind != method.token:
            raise ApiFailure("not_allowed_token_type")
        if as_json and not method.takes_json:
            raise ApiFailure("invalid_arguments")
        missing = [
            name for name in method.required if arguments.get(name) is None or arguments[name] == ""
        ]
        unknown = arguments.keys() - method.known - {*method.required, *method.optional}
        if missing or unknown:
            raise ApiFailure("invalid_arguments")

    # --- files ---

    async def _upload(self, request: web.Request) -> web.Response:
        file = self._office.world.files.get(request.match_info["file"])
        if file is None or file.shared:
            return web.Response(status=404, text="no such upload")
        data, mime = await _uploaded(request)
        if len(data) != int(request.query["length"]):
            self._log.problems.append(
                f"upload of {file.name}: {len(data)} bytes, announced {request.query['length']}"
            )
            return web.Response(status=400, text="length differs")
        file.data, file.mime = data, mime
        return web.Response(text=f"OK - {len(data)}")

    async def _download(self, request: web.Request) -> web.Response:
        """Serve a private file; a wrong token gets the login page with status 200, as on Slack."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        file = self._office.world.files.get(request.match_info["file"])
        if fault := self._faults.take("files.download"):
            early = await self._before(fault, request, "files.download", {})
            if early is not None:
                return early
        if self._tokens.get(token) != "bot":
            return web.Response(text=LOGIN_PAGE, content_type="text/html")
        if file is None or file.mode != "hosted":
            return web.Response(status=404)
        mime = "text/html" if file.is_canvas else file.mime or "application/octet-stream"
        return web.Response(body=file.data, headers={"Content-Type": mime})

    # --- response_url ---

    async def _respond(self, request: web.Request) -> web.Response:
        body: JsonObject = await request.json()
        reply = self._reply(request.match_info["id"])
        if fault := self._faults.take("response_url"):
            early = await self._before(fault, request, "response_url", body)
            if early is not None:
                return early
        error = reply.use(self._office, body)
        self._note("response_url", body, error or "ok")
        if error:
            return web.json_response({"ok": False, "error": error}, status=404)
        return web.Response(text="ok")


class Reply:
    """One response_url: five uses in thirty minutes, for one person and place."""

    def __init__(
        self, channel: str, user: str, expires: float, message: Message | None = None
    ) -> None:
        self._channel = channel
        self._user = user
        self._expires = expires
        self._message = message
        self._uses = 0

    def use(self, office: Office, body: JsonObject) -> str | None:
        """Post or replace the app's message; return an error code if that isn't allowed."""
        if office.world.clock.monotonic() > self._expires:
            return "expired_url"
        if self._uses >= 5:
            return "used_url"
        self._uses += 1
        blocks = body.get("blocks")
        if not (body.get("text") or blocks or body.get("delete_original")):
            return "no_text"
        if blocks is not None and (error := blocks_error(blocks)):
            return error
        if body.get("replace_original") and self._message is not None:
            self._message.text = str(body.get("text") or "")
            self._message.blocks = list(blocks or [])
            return None
        message = Message(
            self._channel, office.world.next_ts(), BOT_USER, str(body.get("text") or "")
        )
        message.blocks = list(blocks or [])
        if body.get("response_type") != "in_channel":
            message.only_for = self._user
        office.world.add(message)
        return None


async def _arguments(request: web.Request) -> tuple[JsonObject, bool]:
    query: JsonObject = dict(request.query)
    if request.content_type == "application/json" and request.can_read_body:
        return {**query, **(await request.json())}, True
    form: Any = await request.post()
    return {name: _value(name, value) for name, value in {**query, **dict(form)}.items()}, False


def _value(name: str, value: Any) -> Any:
    """Decode a form's JSON structures and boolean words; the method refuses anything else."""
    if not isinstance(value, str):
        return value
    if name in _STRUCTURED:
        with suppress(ValueError):
            return json.loads(value)
    return {"true": True, "false": False}.get(value, value)


async def _uploaded(request: web.Request) -> tuple[bytes, str]:
    if request.content_type != "multipart/form-data":
        return await request.read(), request.content_type
    form = await request.post()
    for field in form.values():
        if isinstance(field, web.FileField):
            return field.file.read(), field.content_type
    return b"", ""
