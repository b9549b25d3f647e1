"""What the settings mean: one endpoint, its models and what they can do.

Imports no SDK, so it is quick to load.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from bot.domain.models import Images, ModelCapabilities, ModelSize, Unlock
from bot.errors import SettingsError
from bot.llm.settings import OneModel

KEY = "ANTHROPIC_API_KEY"
FALLBACK_KEY = "MODEL_FALLBACK_API_KEY"
"""The key of `model.fallback`: a key of one provider is never sent to another."""
ANTHROPIC_URL = "https://api.anthropic.com"
DEFAULT_NAMES = {
    ModelSize.MAIN: "claude-sonnet-5-5",
    ModelSize.CHEAP: "claude-haiku-5-5",
    ModelSize.PLAN: "claude-opus-5-5",
}
NO_KEY = "none"
"""Sent to servers without keys, because the SDK reports a connection error for an empty key."""

_INLINE = ("claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-fable-5")
"""Models that accept system messages and inline tools within a conversation."""
_REFERENCE = (*_INLINE, "claude-opus-5", "claude-sonnet-5", "claude-haiku-5", "claude-haiku-4-5")
"""Models that take references to deferred tools."""
_THINKING = ("claude-opus-5", "claude-sonnet-5", "claude-haiku-5", "claude-fable-5")
"""Models that think adaptively by default, so they must be asked for text between tools."""
ATTEMPTS = 3
"""Tries for one answer in all."""


@dataclass(frozen=True)
class Endpoint:
    """Where requests go and what is added to each of them."""

    base_url: str
    key: str = field(repr=False)
    names: Mapping[ModelSize, str]
    capabilities: ModelCapabilities
    max_tokens: int
    effort: str | None = None
    anthropic: bool = False
    """Anthropic's own API: automatic cache breakpoints and thinking display are understood."""
    timeout_s: float = 300.0
    attempts: int = ATTEMPTS

    def thinks(self, size: ModelSize) -> bool:
        return self.anthropic and self.names[size].startswith(_THINKING)


def resolve(settings: OneModel, secret: Callable[[str], str | None], at: str = "model") -> Endpoint:
    """Decide which model answers; `at`: where these settings stand in bellhop.yaml.

    Raises SettingsError naming the field of bellhop.yaml and the remedy.
    """
    key = (secret(KEY) or "").strip()
    match provider_of(settings, secret, at):
        case "anthropic":
            return _anthropic(settings, key, at)
        case "compatible":
            return _compatible(settings, key, at)
        case _:
            raise SettingsError(no_answer(at))


def provider_of(settings: OneModel, secret: Callable[[str], str | None], at: str = "model") -> str:
    """The provider that these settings mean; one that is not ours is a plug-in's.

    Raises SettingsError for an address that is none.
    """
    if settings.provider != "auto":
        return settings.provider
    if settings.base_url and not is_anthropic(settings.base_url, at):
        return "compatible"
    return "anthropic" if (secret(KEY) or "").strip() else "offline"


def no_answer(at: str) -> str:
    """What an operator is told whose settings leave nobody to answer."""
    return (
        f"bellhop.yaml: {at} names no model that could answer; set {at}.name and {at}.base_url, or "
        f"put {_key_of(at)} into the environment or .env"
    )


def _anthropic(settings: OneModel, key: str, at: str) -> Endpoint:
    if not key:
        raise SettingsError(
            f"bellhop.yaml: {at}.provider is anthropic, but there is no {_key_of(at)}; set it in "
            f"the environment or in .env, or set {at}.provider to offline"
        )
    names = {
        ModelSize.MAIN: settings.name or DEFAULT_NAMES[ModelSize.MAIN],
        ModelSize.CHEAP: settings.cheap_name or DEFAULT_NAMES[ModelSize.CHEAP],
        ModelSize.PLAN: settings.plan_name or DEFAULT_NAMES[ModelSize.PLAN],
    }
    # Any of the three models may continue a session, so each must understand what was appended.
    modern = all(name.startswith(_INLINE) for name in names.values())
    referring = all(name.startswith(_REFERENCE) for name in names.values())
    main = names[ModelSize.MAIN]
    return Endpoint(
        base_url=_url(settings.base_url, at) or ANTHROPIC_URL,
        key=key,
        names=names,
        capabilities=_capabilities(
            settings,
            Unlock.INLINE if modern else Unlock.REFERENCE if referring else Unlock.APPEND,
            context_tokens=1_000_000 if main.startswith(_THINKING) else 200_000,
            label=main,
        ),
        max_tokens=settings.max_tokens,
        effort=settings.effort or "medium",
        anthropic=True,
        timeout_s=settings.timeout_s,
    )


def _compatible(settings: OneModel, key: str, at: str) -> Endpoint:
    if not settings.base_url:
        raise SettingsError(
            f"bellhop.yaml: {at}.provider is compatible, but {at}.base_url is missing; set it to "
            "the server's address, such as http://localhost:11434"
        )
    if not settings.name:
        raise SettingsError(
            f"bellhop.yaml: {at}.name is missing; set it to a model that the server at "
            f"{at}.base_url has"
        )
    base_url = _url(settings.base_url, at)
    return Endpoint(
        base_url=base_url,
        key=key or NO_KEY,
        names={
            ModelSize.MAIN: settings.name,
            ModelSize.CHEAP: settings.cheap_name or settings.name,
            ModelSize.PLAN: settings.plan_name or settings.name,
        },
        capabilities=_capabilities(
            settings,
            Unlock.APPEND,
            context_tokens=32_768,
            label=f"{settings.name} at {_place(base_url)}",
        ),
        max_tokens=settings.max_tokens,
        effort=settings.effort,
        timeout_s=settings.timeout_s,
    )


def _capabilities(
    settings: OneModel, known: Unlock, *, context_tokens: int, label: str
) -> ModelCapabilities:
    """`known`: the best that these models are documented to understand."""
    unlock = known if settings.unlock == "auto" else Unlock(settings.unlock)
    return ModelCapabilities(
        unlock,
        unlock is Unlock.INLINE,  # those tools come in system messages
        settings.context_tokens or context_tokens,
        label=label,
        images=Images(settings.images),
    )


def _url(text: str, at: str) -> str:
    """The base URL without a trailing slash or /v1, which the SDK adds itself.

    A host of the own network needs no scheme: `localhost:11434` means http. Raises SettingsError.
    """
    url = text.strip().rstrip("/").removesuffix("/v1")
    if url and "://" not in url and nearby(urlsplit(f"//{url}").hostname or ""):
        url = f"http://{url}"
    if url and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname):
        raise SettingsError(
            f"bellhop.yaml: {at}.base_url is not an http(s) address; write it like "
            "http://localhost:11434"
        )
    return url


def nearby(host: str) -> bool:
    """Whether a name can only be one of the own machine or network, where http is usual."""
    with suppress(ValueError):
        return not ip_address(host).is_global
    return bool(host) and ("." not in host or host.endswith((".local", ".lan", ".internal")))


def is_anthropic(url: str, at: str = "model") -> bool:
    """Whether an address is one of Anthropic's own. Raises SettingsError."""
    host = urlsplit(_url(url, at)).hostname or ""
    return host == "anthropic.com" or host.endswith(".anthropic.com")


def _key_of(at: str) -> str:
    return KEY if at == "model" else FALLBACK_KEY


def _place(url: str) -> str:
    """Host and port, without any user name or password that the address may hold."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
