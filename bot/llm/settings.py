"""`model:` which language model answers, where it is, and how its API may be used."""

from typing import Literal

from pydantic import Field

from bot.settings import Section


class OneModel(Section):
    """One provider and its models. Empty names and `auto` follow from both."""

    provider: Literal["auto", "anthropic", "compatible", "offline"] | str = "auto"
    """`anthropic`, `compatible` (any server that speaks the Messages API) or `offline`.

    auto: `compatible` if base_url names a host other than Anthropic's, else `anthropic` with a key
    and `offline` without one. Plug-ins add names.
    """
    name: str = ""
    """The model that people talk with; default claude-sonnet-5-5, required for `compatible`."""
    cheap_name: str = ""
    """For summaries and small agents; default claude-haiku-5-5, or `name` if `compatible`."""
    plan_name: str = ""
    """For planning; default claude-opus-5-5, for `compatible` the same as `name`."""
    base_url: str = ""
    """Where the Messages API is, without /v1; default Anthropic's."""
    unlock: Literal["auto", "inline", "reference", "append", "dispatch"] = "auto"
    """How found tools reach the model.

    auto: `inline` for Anthropic models that know it, `reference` for their predecessors, else
    `append`. `inline` also needs a server that takes system messages among the others. `dispatch`
    suits servers that are slow to read a changed prompt. See
    docs/setting-up.md#how-found-tools-reach-the-model.
    """
    images: Literal["auto", "on", "off"] = "auto"
    """Whether the model is sent pictures.

    auto: until it refuses them, which is remembered for 30 days.
    """
    max_tokens: int = Field(default=16_384, ge=256)
    """Upper limit of one answer, in tokens; agents may ask for less. Thinking counts towards it."""
    context_tokens: int | None = Field(default=None, ge=4_096)
    """Size of the context window in tokens.

    The default is 1,000,000 (Anthropic's 5.x), 200,000 (older) or 32,768 (compatible).
    """
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    """How hard the model tries; default medium for Anthropic, not sent to others unless set."""
    timeout_s: float = Field(default=300.0, gt=0)
    """A try fails when the model sends next to nothing for so many seconds; pings do not count."""


class ModelSettings(OneModel):
    """The language model, and the one that answers while it can't."""

    fallback: OneModel | None = None
    """One more provider, used while the first is down, overloaded or out of credit.

    It takes the other settings of `model`; its key is MODEL_FALLBACK_API_KEY. See docs/models.md.
    """
