"""KnownFacts: facts that agents found during a session, shared with the agents they call."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bot.domain.tool_outcomes import FACT_KEY_CHARS, FACT_VALUE_CHARS, Fact
from bot.errors import ToolError

RENDER_CHARS = 2000
KEYS = 100
"""The most facts of one session; the oldest are dropped. Saving all stays within one unit."""
HISTORY = 20
"""The number of superseded values stored per key."""


def checked_key(key: str) -> str:
    """A fact's key with white space folded.

    Raises ToolError when it is empty or longer than 80 characters.
    """
    key = " ".join(key.split())
    if not key or len(key) > FACT_KEY_CHARS:
        raise ToolError(
            f"key has {len(key)} characters; it needs 1 to {FACT_KEY_CHARS}, such as 'server A "
            "address'"
        )
    return key


def checked_value(value: str) -> str:
    """A fact's value, stripped. Raises ToolError when it is empty or longer than 500 characters."""
    value = value.strip()
    if not value or len(value) > FACT_VALUE_CHARS:
        raise ToolError(
            f"value has {len(value)} characters; it needs 1 to {FACT_VALUE_CHARS}. Longer texts "
            "belong in a document"
        )
    return value


class KnownFacts(Mapping[str, Fact]):
    """The current fact of each key, oldest first; replaced ones stay in `history`.

    `Fact.at` decides which is newer; at the same moment the one saved later wins. Saving never
    fails: a key or value beyond the limits is cut (`checked_key` and `checked_value` tell a model
    before).
    """

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._versions: dict[str, list[Fact]] = {}
        self.forgotten: set[str] = set()
        """Keys to be removed where facts are stored."""
        self.changed = False
        """Whether something here differs from what is stored."""
        for fact in facts:
            self.save(fact)

    def __getitem__(self, key: str) -> Fact:
        return self._versions[key][-1]

    def __iter__(self) -> Iterator[str]:
        return iter([fact.key for fact in self._ordered()])

    def __len__(self) -> int:
        return len(self._versions)

    def save(self, fact: Fact) -> None:
        """Add a fact; a known one (the same in every field) changes nothing."""
        fact = _within_limits(fact)
        self.forgotten.discard(fact.key)
        versions = self._versions.setdefault(fact.key, [])
        if fact in versions:
            return
        place = len(versions)
        while place and versions[place - 1].at > fact.at:
            place -= 1
        versions.insert(place, fact)
        self.changed = True
        del versions[: -(HISTORY + 1)]
        if len(self._versions) > KEYS:
            del self._versions[self._ordered()[0].key]

    def forget(self, key: str) -> None:
        """Drop a key with its history; an unknown key changes nothing."""
        if self._versions.pop(key, None) is not None:
            self.forgotten.add(key)
            self.changed = True

    def history(self, key: str) -> tuple[Fact, ...]:
        """Earlier values of a key, superseded by the current fact; oldest first."""
        return tuple(self._versions.get(key, [])[:-1])

    def snapshot(self) -> "KnownFacts":
        """A copy for a child agent: facts that the child saves stay there until `merge`."""
        copy = KnownFacts()
        copy.merge(self)
        return copy

    def merge(self, child: "KnownFacts") -> None:
        """Take over a child's facts; call it when the child ends, also after a failure."""
        for key in child:
            for fact in (*child.history(key), child[key]):
                self.save(fact)

    def render(self, limit: int = RENDER_CHARS) -> str:
        """All current facts for the prompt (see `render_facts`)."""
        return render_facts(self.values(), limit)

    def _ordered(self) -> list[Fact]:
        return sorted((versions[-1] for versions in self._versions.values()), key=_age)


def render_facts(facts: Iterable[Fact], limit: int = RENDER_CHARS) -> str:
    """`- key: value` lines, newest first, whole lines up to `limit` characters; "" without facts.

    White space is folded, so that no value can pose as another line. Quoted data: fence it before a
    model sees it.
    """
    lines: list[str] = []
    left = limit + 1
    for fact in sorted(facts, key=_age, reverse=True):
        line = f"- {fact.key}: {' '.join(fact.value.split())}"
        if len(line) + 1 > left:
            break
        lines.append(line)
        left -= len(line) + 1
    return "\n".join(lines)


def _age(fact: Fact) -> tuple[float, str]:
    return fact.at.timestamp(), fact.key


def _within_limits(fact: Fact) -> Fact:
    key = " ".join(fact.key.split())[:FACT_KEY_CHARS].rstrip() or "unnamed"
    return replace(fact, key=key, value=fact.value.strip()[:FACT_VALUE_CHARS])
