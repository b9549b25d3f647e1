"""Linear-time globs and regular expressions over hostile text, for policy.yaml and for schemas.

The only importer of re2: arguments, outputs and schemas come from anywhere, and hostile text can
make Python's `re` hang.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

MAX_PATTERN = 200
"""Characters of a pattern or query that are looked at."""


def glob_regex(pattern: str) -> re.Pattern[str]:
    """Match whole names, ignoring case; only `*` is special. Linear time for any pattern.

    Matches the same as joining the escaped parts with `.*`. Each middle part takes its first
    possible place (an atomic group): later ones can't help and would take exponential time.
    """
    first, *rest = re.sub(r"\*+", "*", pattern[:MAX_PATTERN]).split("*")
    source = re.escape(first)
    for part in rest[:-1]:
        source += f"(?>.*?{re.escape(part)})"
    if rest:
        source += f".*{re.escape(rest[-1])}"
    return re.compile(source, re.IGNORECASE | re.DOTALL)


REGEX_CHARS = 2000
_MEMORY = 8 << 20
"""The most memory of one running regular expression, in bytes."""


@dataclass(frozen=True)
class TextPattern:
    """A glob or a regular expression.

    A glob must fit the whole text, a regular expression is looked for anywhere in it.
    """

    glob: str | None = None
    """Only `*` is special, case is ignored: the globs of tool_search.

    See docs/rules.md#finding-tools.
    """
    regex: str | None = None
    """RE2 syntax (no look-around or back-references); `(?i)` ignores case, `^` and `$` anchor."""
    _compiled: Any = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises ValueError for a pattern that can't be read."""
        if (self.glob is None) == (self.regex is None):
            raise ValueError("write either a glob or {regex: …}")
        made = _regex(self.regex) if self.regex is not None else _glob(self.glob or "")
        object.__setattr__(self, "_compiled", made)

    def fits(self, text: str) -> bool:
        if self.glob is not None:
            return self._compiled.fullmatch(text) is not None
        # RE2 works on UTF-8, which has no lone surrogates.
        return self._compiled.search(text.encode("utf-8", "replace")) is not None

    @property
    def anything(self) -> bool:
        """Whether it matches every text."""
        return self.glob is not None and not self.glob.strip("*")


def _glob(text: str) -> Any:
    if not text:
        raise ValueError("an empty glob fits nothing; write * for any text")
    if len(text) > MAX_PATTERN:
        raise ValueError(f"a glob has at most {MAX_PATTERN} characters; this one has {len(text)}")
    return glob_regex(text)


def _regex(text: str) -> Any:
    if not text:
        raise ValueError("an empty regex fits everything; write what to look for")
    if len(text) > REGEX_CHARS:
        raise ValueError(f"a regex has at most {REGEX_CHARS} characters; this one has {len(text)}")
    import re2  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs] - 2 MB for few homes

    engine = cast("Any", re2)
    options = engine.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return engine.compile(text.encode(), options=options)
    except engine.error as error:
        said = error.args[0] if error.args else error
        told = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise ValueError(f"is no regular expression that RE2 can read ({told})") from error


@lru_cache(maxsize=1024)
def pattern_of(text: str) -> TextPattern:
    """A pattern of a schema, looked for anywhere in a text.

    Raises ValueError when RE2 can't read it.
    """
    return TextPattern(regex=text) if text else TextPattern(glob="*")


def matches(pattern: str, text: str) -> bool:
    """Raises ValueError for a pattern that RE2 can't read."""
    return pattern_of(pattern).fits(text)
