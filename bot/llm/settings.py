"""`model:` which language model answers, where it is, and how its API may be used."""

from typing import Literal

from pydantic import Field

from bot.settings import Section


class ModelSettings(Section):
    """Empty names take the provider's default; `auto` follows from provider and model (research: anthropic §4)."""

    provider: Literal["auto", "anthropic", "compatible", "offline"] = "auto"
    """auto: `compatible` when base_url names another host than Anthropic's, `anthropic` when there is a key,
    else the offline model."""
    name: str = ""
    """The model that people talk with; default claude-sonnet-5-5, required for `compatible`."""
    cheap_name: str = ""
    """For summaries and small agents; default claude-haiku-5-5, for `compatible` the same as `name`."""
    plan_name: str = ""
    """For planning; default claude-opus-5-5, for `compatible` the same as `name`."""
    base_url: str = ""
    """Where the Messages API is, without /v1; default Anthropic's."""
    unlock: Literal["auto", "inline", "reference", "append", "dispatch"] = "auto"
    """How found tools reach the model. auto: `inline` for Anthropic models that know it, `reference` for their
    predecessors, else `append`. `dispatch` suits servers that are slow to read a changed prompt."""
    system_notes: bool | None = None
    """Whether system messages may stand among the others; None follows from provider and model."""
    max_tokens: int = Field(default=16_384, ge=256)
    """Upper limit of one answer, in tokens; agents may ask for less. Thinking counts towards it."""
    context_tokens: int | None = Field(default=None, ge=4_096)
    """Size of the context window; default 1,000,000 (Anthropic's 5.x), 200,000 (older), 32,768 (compatible)."""
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    """How hard the model tries; default medium for Anthropic, not sent to others unless set."""
    cache_ttl: Literal["5m", "1h"] = "5m"
    """How long the conversation stays in the prompt cache; what all sessions share is always kept for 1h."""
    timeout_s: float = Field(default=300.0, gt=0)
    """Longest time in which the model may send next to nothing before a try has failed, in seconds."""
    attempts: int = Field(default=3, ge=1, le=5)
    """How often one sample is tried in all."""
