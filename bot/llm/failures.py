"""Classifies a failed sample: for the person (kind), the operator (detail), and for retries.

Covers every error that the Messages API documents, without knowing the SDK that raises them. What
an error says about pictures decides what is tried next, and nothing else: its words are those of
the Messages API, Ollama, llama.cpp, vLLM, LM Studio, LiteLLM and OpenRouter.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from bot.domain.characters import shortened
from bot.errors import ModelTrouble

DETAIL_CHARS = 300
_KEY = re.compile(r"\b(?:sk|key|tok)-[\w-]{8,}|(?i:bearer)\s+\S+")
_TOO_LONG = re.compile(
    r"prompt is too long|context (?:window|length|size)|maximum context|too many (?:input )?tokens"
    r"|exceeds? .{0,40}context",
    re.IGNORECASE,
)
_CREDIT = re.compile(r"credit balance|insufficient (?:credit|funds|balance)|billing", re.IGNORECASE)
_UNLOCK = re.compile(
    r"tool_addition|tool_removal|inline-tools|tool.reference|defer_loading|role.{0,20}system"
    r"|system.{0,20}role",
    re.IGNORECASE,
)
_STREAM_KINDS = {
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
    "rate_limit_error": "rate_limit",
    "timeout_error": "timeout",
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "credit",
    "invalid_request_error": "bad_request",
    "not_found_error": "no_model",
    "request_too_large": "too_long",
}
_NO_ROUTE = frozenset({404, 405, 501})
NO_API = (
    "; there is no Messages API (/v1/messages) at model.base_url: a server that has only "
    "/v1/chat/completions needs LiteLLM's proxy before it (docs/models.md)"
)
_HOPELESS = frozenset({"auth", "credit", "no_model", "bad_request", "too_long"})
_PICTURES = re.compile(r"image|picture|vision|multi-?\s?modal|mmproj|llava|\bclip\b", re.IGNORECASE)
_NONE = re.compile(
    r"(?:not|n't|no endpoints?)\b.{0,40}\b(?:support|accept|take|allow)\w*\b.{0,40}"
    r"\b(?:image|vision|picture|multi-?\s?modal)"
    r"|(?:image|vision|picture|multi-?\s?modal)\w*\b.{0,40}\b(?:not|n't|un)\s?(?:be )?support"
    r"|not an? (?:multi-?\s?modal|vision)|missing data required for image|mmproj"
    r"|'image(?:_url)?'.{0,80}does not match|only (?:accepts? |supports? )?text",
    re.IGNORECASE | re.DOTALL,
)
_THIS_ONE = re.compile(
    r"could not process|unable to process|exceed|dimension|too (?:large|many|big)|at most|base64"
    r"|corrupt|invalid image|decode|single image|request entity",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Failure:
    """One failed try."""

    trouble: ModelTrouble
    again: bool
    """Whether the whole sample may be tried again."""


class SampleFailed(Exception):
    """A failed try; the retry catches it, so it never leaves this package."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.trouble.kind)
        self.failure = failure


def failure(
    kind: str, detail: str, *, again: bool, retry_after_s: float | None = None, status: int = 0
) -> Failure:
    return Failure(ModelTrouble(kind, detail, retry_after_s, status=status), again)


def from_status(
    status: int, error_type: str | None, message: str, headers: Mapping[str, str], now: datetime
) -> Failure:
    """A response that was an error; status 200 means an `error` event inside a stream."""
    wait = retry_after_s(headers, now)
    kind = _kind(status, error_type, message)
    lacks = _lacks_api(status, error_type, message)
    again = kind not in _HOPELESS
    match headers.get("x-should-retry"):
        case "true":
            again = True
        case "false":
            again = False
        case _:
            pass
    where = f"HTTP {status}" if status != 200 else "an error in the stream"
    named = f" {error_type}" if error_type else ""
    return failure(
        kind,
        f"{where}{named}: {message}{NO_API if lacks else _remedy(kind, message)}",
        again=again,
        retry_after_s=wait,
        status=status,
    )


def _kind(status: int, error_type: str | None, message: str) -> str:
    if status == 200:
        return _STREAM_KINDS.get(error_type or "", "cut")
    if status == 413 or (status in {400, 422} and _TOO_LONG.search(message)):
        return "too_long"
    if status == 402 or (status == 400 and _CREDIT.search(message)):
        return "credit"
    if status in {401, 403}:
        return "auth"
    if status in _NO_ROUTE:
        return "no_model"
    if status == 429:
        return "rate_limit"
    if status == 408:
        return "timeout"
    return "overloaded" if status == 409 or status >= 500 else "bad_request"


def _lacks_api(status: int, error_type: str | None, message: str) -> bool:
    """Whether a server seems not to know the address; it decides about a sentence alone."""
    named = error_type == "not_found_error" or "model" in message.casefold()
    return status in _NO_ROUTE and not named


def _remedy(kind: str, message: str) -> str:
    if kind == "credit":
        return "; the account has no credit left"
    if kind == "auth":
        return "; check ANTHROPIC_API_KEY"
    if kind == "no_model":
        return "; check model.name and model.base_url in bellhop.yaml"
    if kind == "bad_request" and _UNLOCK.search(message):
        return "; if the server knows no such way to add tools, set model.unlock to append"
    return ""


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """How long the server asks to wait, in seconds; `now` is for servers that name a date."""
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = (headers.get(name) or "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value) * factor
    try:
        moment = parsedate_to_datetime(headers.get("retry-after") or "")
    except (ValueError, TypeError):
        return None
    # A date without a zone ("-0000") is UTC.
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def clean(text: str, key: str) -> str:
    """One bounded line that holds neither our key nor anything that looks like one."""
    line = " ".join(text.split())
    if len(key) >= 8:
        line = line.replace(key, "[redacted]")
    return shortened(_KEY.sub("[redacted]", line), DETAIL_CHARS)


def names_pictures(detail: str) -> bool:
    """Whether an error speaks of pictures."""
    return _PICTURES.search(detail) is not None


def takes_no_pictures(detail: str) -> bool:
    """Whether it says that this model takes none at all."""
    return _NONE.search(detail) is not None and not about_this_picture(detail)


def about_this_picture(detail: str) -> bool:
    """Whether it speaks of one picture, its size, or their number."""
    return _THIS_ONE.search(detail) is not None
