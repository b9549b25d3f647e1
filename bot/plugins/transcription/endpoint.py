"""A server of the OpenAI-compatible kind: `POST {url}/v1/audio/transcriptions`."""

import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from bot.plugin.plugin import Setup
from bot.plugin.recordings import TranscriptionError
from bot.plugin.services import (
    AskAgain,
    GaveUp,
    Retries,
    WebError,
    WebRequest,
    WebResponse,
    redact_secrets,
)
from bot.plugins.transcription.settings import TRANSCRIPTION_KEY, TranscriptionSettings
from bot.plugins.transcription.sound import RefusedForm, format_of

log = logging.getLogger(__name__)

_ANSWER_BYTES = 4_000_000
_LONGEST_PAUSE_S = 10.0
_PATH = "/v1/audio/transcriptions"
_SAID_CHARS = 300
_WRONG_FORM = frozenset({400, 415, 422})
ASK = "ask the operator of this Bellhop to look at its transcriber"


class EndpointHears:
    """Implements `Hears`."""

    def __init__(self, setup: Setup[TranscriptionSettings], hear_s: float) -> None:
        self._settings, self._secret = setup.settings, setup.secret
        self._hear_s = hear_s
        self._url = _address(setup.settings.url)
        self._client = setup.client_at(self._url)
        self._retries = Retries("transcription", _again, _LONGEST_PAUSE_S, setup.clock)

    @property
    def called(self) -> str:
        return f"transcription.url ({self._url}, {self._settings.model})"

    async def hear(self, data: bytes) -> str:
        fields = {"model": self._settings.model, "response_format": "json"}
        if self._settings.language:
            fields["language"] = self._settings.language
        kind = format_of(data)
        content_type, body = form_body(fields, f"recording.{kind.ending}", kind.media_type, data)
        headers = {"Content-Type": content_type, "Accept": "application/json"}
        if key := self._secret(TRANSCRIPTION_KEY):
            headers["Authorization"] = f"Bearer {key}"
        request = WebRequest(
            "POST", self._url, headers, body, self._hear_s, _ANSWER_BYTES, follow=False
        )
        try:
            outcome = await self._retries.ask(lambda: self._client.fetch(request), repeatable=True)
        except WebError as error:
            raise self._failed(str(error)) from error
        if isinstance(outcome, GaveUp):
            if outcome.answer is None:
                raise self._failed(str(outcome.error)) from outcome.error
            outcome = outcome.answer
        return self._text(outcome)

    def _text(self, answer: WebResponse) -> str:
        if answer.status != 200:
            said = _said(answer)
            problem = f"HTTP {answer.status}" + (f": {said}" if said else "")
            if answer.status in _WRONG_FORM:
                log.warning(
                    "server=<%s>, answer=<%s> | a recording was refused", self._url, problem
                )
                raise RefusedForm("the transcriber does not take this kind of file")
            if answer.status == 413:
                raise TranscriptionError("it is too large for the transcriber; send a shorter one")
            raise self._failed(problem)
        try:
            found: Any = answer.json()
            text: Any = found["text"]
        except (ValueError, TypeError, KeyError) as error:
            raise self._failed("its answer holds no text") from error
        if answer.cut or not isinstance(text, str):
            raise self._failed("its answer holds no text")
        return text

    def _failed(self, problem: str) -> TranscriptionError:
        log.error("server=<%s>, problem=<%s> | nothing was transcribed", self._url, problem)
        return TranscriptionError(f"the transcriber could not be asked; try again later, or {ASK}")


def form_body(
    fields: Mapping[str, str], name: str, media_type: str, data: bytes
) -> tuple[str, bytes]:
    """A form with one file, as multipart/form-data: its content type and its body."""
    boundary = f"bellhop-{secrets.token_hex(16)}"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        for field, value in fields.items()
    ]
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        f"Content-Type: {media_type}\r\n\r\n"
    )
    body = "".join([*parts, head]).encode() + data + f"\r\n--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", body


def _address(url: str) -> str:
    """With the path that the interface has; whether the operator wrote a part of it or not."""
    base = url.removesuffix("/").removesuffix("/audio/transcriptions").removesuffix("/v1")
    return f"{base.rstrip('/')}{_PATH}"


def _again(answer: WebResponse) -> AskAgain | None:
    if answer.status != 429 and answer.status < 500:
        return None
    wait = answer.headers.get("retry-after", "")
    return AskAgain(acted=False, seconds=float(wait) if wait.isdigit() else None)


def _said(answer: WebResponse) -> str:
    """The server's own words about its error, for the operator."""
    found: Any = answer.text
    with suppress(ValueError):
        found = answer.json()
    for name in ("error", "detail", "message"):
        if isinstance(found, dict):
            found = cast("dict[str, Any]", found).get(name, cast("Any", found))
    return redact_secrets(" ".join(str(found).split()))[:_SAID_CHARS]
