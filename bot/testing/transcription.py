"""A loopback server with `POST /v1/audio/transcriptions`, as OpenAI and its likes publish it.

It is strict about requests. What a sound says is looked up: `says` names it by the bytes.
"""

import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.testing.web_site import Asked, WebSite, answer, web_site

_FIELDS = frozenset(
    {
        *("model", "language", "prompt", "response_format", "temperature"),
        "timestamp_granularities[]",
    }
)
_ENDINGS = frozenset({"flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm"})
_NAME = re.compile(r"[\w.-]+")
_PATH = "/v1/audio/transcriptions"


@dataclass(frozen=True)
class Sent:
    """One form that was taken."""

    fields: dict[str, str]
    name: str
    data: bytes
    key: str


@dataclass
class TranscriptionServer:
    """`takes`: the endings that it can decode; another one gets a 400, as from the originals."""

    says: dict[bytes, str] = field(default_factory=dict[bytes, str])
    models: frozenset[str] = frozenset({"whisper-1"})
    takes: frozenset[str] = _ENDINGS
    key: str = ""
    """The key that it wants; empty: none."""
    site: WebSite | None = None
    sent: list[Sent] = field(default_factory=list[Sent])
    refusals: list[str] = field(default_factory=list[str])
    """What was wrong with a request."""
    faults: list[bytes | None] = field(default_factory=list[bytes | None])
    """Answers for the next requests, whatever they are; None: no answer."""
    at_work: Callable[[], None] = lambda: None
    """Called when a form was taken."""

    @property
    def url(self) -> str:
        return self.site.url if self.site is not None else ""

    def answers(self, asked: Asked) -> bytes | None:
        if self.faults:
            return self.faults.pop(0)
        if (asked.method, asked.path) != ("POST", _PATH):
            return _refused("404 Not Found", f"Invalid URL ({asked.method} {asked.path})")
        key = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if self.key and key != self.key:
            return _refused("401 Unauthorized", f"Incorrect API key provided: {key}.")
        found = _form(asked)
        if isinstance(found, str):
            self.refusals.append(found)
            return _refused("400 Bad Request", found)
        fields, name, data = found
        if fields["model"] not in self.models:
            return _refused("404 Not Found", f"The model `{fields['model']}` does not exist")
        if name.rpartition(".")[2] not in self.takes:
            return _refused("400 Bad Request", f"Invalid file format. Supported: {self.takes}")
        self.sent.append(Sent(fields, name, data, key))
        self.at_work()
        text = self.says.get(data, "")
        return answer(json.dumps({"text": text}), content_type="application/json")


def _form(asked: Asked) -> tuple[dict[str, str], str, bytes] | str:
    """The fields, the name and the bytes of the file; or what is wrong."""
    kind = asked.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data; boundary="):
        return f"it is no form: {kind}"
    raw = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + asked.body)
    fields: dict[str, str] = {}
    file: tuple[str, bytes] | None = None
    for part in cast("list[Any]", raw.get_payload()):
        about = dict(part.get_params(header="content-disposition"))
        name, data = str(about.get("name", "")), cast("bytes", part.get_payload(decode=True))
        if name == "file":
            file = (str(about.get("filename", "")), data)
        elif name in _FIELDS and name not in fields:
            fields[name] = data.decode()
        else:
            return f"unrecognized request argument: {name}"
    if file is None or not _NAME.fullmatch(file[0]) or not file[1]:
        return "file is a required property"
    if "model" not in fields:
        return "you must provide a model parameter"
    return fields, *file


def _refused(status: str, text: str) -> bytes:
    body: JsonObject = {"error": {"message": text, "type": "invalid_request_error", "code": None}}
    return answer(json.dumps(body), status, "application/json")


@asynccontextmanager
async def transcription_server(**more: Any) -> AsyncGenerator[TranscriptionServer]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    server = TranscriptionServer(**more)
    async with web_site(server.answers) as site:
        server.site = site
        yield server
