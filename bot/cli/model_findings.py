"""Findings of `bellhop doctor` on the model: settings, price, and with --live an answer."""

from dataclasses import replace

from bot.assembly.models import home_model, names_of
from bot.assembly.place_rules import place_rules
from bot.domain.health import Check
from bot.domain.models import Images, Model, ModelSize
from bot.errors import BotError, ModelTrouble
from bot.llm.build import FALLBACK, LazyModel, build_model, fallback_secret
from bot.llm.examine import OLLAMA, ContextWindow, Sight, find_window, try_models, try_picture
from bot.llm.fallback import FallbackModel
from bot.llm.settings import ModelSettings, OneModel
from bot.settings import Settings
from bot.tools.budget.budgets import Measure, guests_have, limits_of
from bot.tools.budget.settings import BudgetSettings, price_of

OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_TOLD = (
    f"{OPENAI_KEY} is set, but Bellhop speaks Anthropic's Messages API, which OpenAI has not: put "
    "LiteLLM's proxy between them (docs/models.md)"
)
_PATIENCE_S = 60.0
"""A local server may load the model first."""
_REMEDIES = {
    "auth": "put a valid ANTHROPIC_API_KEY into .env or the environment",
    "credit": "add credit to the account at the provider",
    "no_model": "check model.name and model.base_url in bellhop.yaml",
    "unreachable": "start that server, or correct model.base_url in bellhop.yaml",
    "timeout": (
        "is the server busy or still loading the model? model.timeout_s says how long it may take"
    ),
}


def configured(settings: Settings) -> list[Check]:
    """The configured model, its window if stated, and whether dollar budgets know its price."""
    wanted = settings.get(ModelSettings)
    try:
        model = home_model(settings)
    except BotError as error:
        return [Check("model", "error", str(error))]
    capabilities = model.capabilities
    if capabilities.offline:
        text = (
            f"{capabilities.label}: set ANTHROPIC_API_KEY (environment or .env), or model.base_url "
            "and model.name in bellhop.yaml for a local server"
        )
        if settings.secret(OPENAI_KEY):
            text += f"\n{OPENAI_TOLD}"
        return [Check("model", "warning", text), *_budgets(settings)]
    found = [
        Check("model", "ok", f"{capabilities.label} (change it with model.name in bellhop.yaml)")
    ]
    if isinstance(model, FallbackModel):
        label = model.second.capabilities.label
        told = f"{label} answers while {capabilities.label} can't (model.fallback)"
        found.append(Check("fallback", "ok", told))
        if wanted.fallback is not None:
            found += _assumed(model.second, wanted.fallback, "model.fallback")
        model = model.first
    return [*found, *_assumed(model, wanted, "model"), *_budgets(settings)]


def _assumed(model: Model, wanted: OneModel, at: str) -> list[Check]:
    """Whether the size of a context is only assumed."""
    if not isinstance(model, LazyModel) or model.anthropic or wanted.context_tokens is not None:
        return []
    text = (
        f"the size of its context is not stated, so {model.capabilities.context_tokens:,} tokens "
        f"are assumed; set {at}.context_tokens in bellhop.yaml to what the server gives it "
        "(doctor --live asks the server)"
    )
    return [Check("context", "warning", text)]


def _budgets(settings: Settings) -> list[Check]:
    budgets = settings.get(BudgetSettings)
    model = home_model(settings)
    prices = {name: price.price() for name, price in budgets.prices.items()}
    names = [name for name in names_of(model) if price_of(name, prices) is None]
    limits = [
        *limits_of(budgets),
        *(limit for rule in place_rules(settings) for limit in rule.limits()),
    ]
    if names and any(limit.measure is Measure.USD for limit in limits):
        text = (
            f"the price of {', '.join(names)} is not known, so budgets in dollars can't be held "
            f"and Bellhop does not start; add budgets.prices.{names[0]}: {{input: …, output: …}} "
            "(dollars per million tokens), or limit calls instead"
        )
        return [Check("budgets", "error", text)]
    return [
        Check("budgets", "ok", f"{guests_have(budgets)} (change it with budgets: in bellhop.yaml)")
    ]


async def asked(settings: Settings) -> list[Check]:
    """Ask each configured model for a word, and its server for the size of its context."""
    wanted = settings.get(ModelSettings)
    try:
        model, found = home_model(settings), list[Check]()
        first = model.first if isinstance(model, FallbackModel) else model
        if isinstance(first, LazyModel):  # else its plug-in asks it
            found += await _asked(build_model(_once(wanted), settings.secret))
        second = model.second if isinstance(model, FallbackModel) else None
        if isinstance(second, LazyModel) and wanted.fallback is not None:
            secret = fallback_secret(wanted.fallback, settings.secret, first)
            spare = await _asked(build_model(_once(wanted.fallback), secret, at=FALLBACK))
            found += [replace(one, text=f"model.fallback: {one.text}") for one in spare]
    except BotError:
        return []  # said without asking
    return found


def _once(wanted: OneModel) -> OneModel:
    return wanted.model_copy(update={"timeout_s": min(wanted.timeout_s, _PATIENCE_S)})


async def _asked(model: LazyModel) -> list[Check]:
    try:
        tried = await try_models(model)
        found = [_answered(name, trouble) for name, trouble in tried.items()]
        if not model.anthropic and any(trouble is None for trouble in tried.values()):
            found += _window(await find_window(model), model.capabilities.context_tokens)
        if tried.get(model.name(ModelSize.MAIN)) is None:
            found += await _pictures(model)
    finally:
        await model.close()
    return found


async def _pictures(model: LazyModel) -> list[Check]:
    """Whether the model that people talk with sees pictures."""
    images = model.capabilities.images
    if images is Images.OFF:
        return [Check("live pictures", "ok", "none are sent (model.images: off)")]
    sight, words = await try_picture(model)
    match sight:
        case Sight.SEES:
            return [Check("live pictures", "ok", "the model sees them")]
        case Sight.BLIND:
            text = (
                f"the model takes pictures and does not see them: shown red, it says {words!r}\n"
                "set model.images to off, so that people are told"
            )
        case Sight.REFUSES:
            text = (
                f"the model takes none: {words}\npeople are told when they send one; set "
                "model.images to off, or model.name to a model that sees them"
            )
        case Sight.UNKNOWN:
            text = f"the model did not answer about a picture: {words}"
    return [Check("live pictures", "warning", text)]


def _answered(name: str, trouble: ModelTrouble | None) -> Check:
    if trouble is None:
        return Check("live model", "ok", f"{name} answers")
    remedy = _REMEDIES.get(trouble.kind)
    return Check(
        "live model", "error", f"{name}: {trouble.detail}" + (f"\n{remedy}" if remedy else "")
    )


def _window(window: ContextWindow | None, assumed: int) -> list[Check]:
    if window is None:
        return []
    if window.tokens >= assumed:
        return [Check("live context", "ok", f"{window.tokens:,} tokens, {assumed:,} are used")]
    text = (
        f"the server reads {window.tokens:,} tokens at once, Bellhop counts on {assumed:,}: the "
        "rest is lost"
    )
    if window.server == OLLAMA:
        remedy = (
            f"start Ollama with OLLAMA_CONTEXT_LENGTH={assumed} (its default of 4,096 is too small "
            f"for tools), or set model.context_tokens to {window.tokens}"
        )
    else:
        remedy = (
            f"give the model a larger context there, or set model.context_tokens to {window.tokens}"
        )
    return [Check("live context", "error", f"{text}\n{remedy}")]
