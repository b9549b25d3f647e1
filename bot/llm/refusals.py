"""What a server's error says about pictures. It decides what is tried next, and nothing else.

The words are those of the Messages API, Ollama, llama.cpp, vLLM, LM Studio, LiteLLM and OpenRouter.
"""

import re

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


def names_pictures(detail: str) -> bool:
    """Whether an error speaks of pictures."""
    return _PICTURES.search(detail) is not None


def takes_no_pictures(detail: str) -> bool:
    """Whether it says that this model takes none at all."""
    return _NONE.search(detail) is not None and not about_this_picture(detail)


def about_this_picture(detail: str) -> bool:
    """Whether it speaks of one picture, its size, or their number."""
    return _THIS_ONE.search(detail) is not None
