"""Checks that the configured model answers, and asks its server for the context window."""

from bot.domain.models import ModelRequest, ModelSize
from bot.errors import ModelError, ModelTrouble
from bot.lazy_dataclass import dataclass
from bot.llm.blocks import as_object, as_objects
from bot.llm.build import LazyModel

_REQUEST_TOKENS = 16
OLLAMA = "Ollama"


@dataclass(frozen=True)
class ContextWindow:
    """The context window that a server gives the model, in tokens, and the kind of server."""

    tokens: int
    server: str = ""


async def try_models(model: LazyModel) -> dict[str, ModelTrouble | None]:
    """For each configured model: None if it answered a short request, else the problem."""
    found: dict[str, ModelTrouble | None] = {}
    for size in ModelSize:
        name = model.name(size)
        if name not in found:
            found[name] = await _try(model, size)
    return found


async def _try(model: LazyModel, size: ModelSize) -> ModelTrouble | None:
    said = {"role": "user", "content": [{"type": "text", "text": "Say hello."}]}
    try:
        await model.sample(
            ModelRequest((), (), (said,), _REQUEST_TOKENS, size), lambda _delta: None
        )
    except ModelError as error:
        return error.trouble
    return None


async def find_window(model: LazyModel) -> ContextWindow | None:
    """The context window that the server reports; None if it reports none.

    Call this after `try_models`, because Ollama reports loaded models only.
    """
    name = model.name(ModelSize.MAIN)
    running = await model.look_up("/api/ps")
    for item in as_objects((running or {}).get("models")):
        if name in {
            item.get("name"),
            item.get("model"),
            str(item.get("name")).removesuffix(":latest"),
        }:
            tokens = item.get("context_length")
            return ContextWindow(tokens, OLLAMA) if isinstance(tokens, int) else None
    listed = await model.look_up("/v1/models")
    for item in as_objects((listed or {}).get("data")):
        if item.get("id") == name:
            told = (
                item.get("max_model_len"),
                item.get("context_length"),
                as_object(item.get("meta")).get("n_ctx"),
            )
            return next((ContextWindow(tokens) for tokens in told if isinstance(tokens, int)), None)
    return None
