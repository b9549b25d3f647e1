"""Keys of steps: what the journal of a turn calls each part of it, the same on every replay.

A key is `<kind>` or `<kind>:<detail>`, behind the scopes that it runs in:

    model:3                  the third model call of the turn
    tool:3.0                 the first call of its reply
    tool:3.0/ask             a step of that call
    tool:3.0/task:a.1/open   a step of a task of the plan that the call runs
    send:tool:3.0/ask        what is sent is named by the rest, which may be the key of another step
"""

from dataclasses import dataclass
from enum import StrEnum


class StepKind(StrEnum):
    """Every kind of step and of scope. Keys are on disk: none is renamed."""

    OPEN = "open"
    """A session or a specialist is opened."""
    CLOSE = "close"
    STRUCK = "struck"
    """A specialist whose task was taken away ends."""
    BEGIN = "begin"
    """Work that came due begins."""
    MODEL = "model"
    """`model:<n>`: a model call."""
    TOOL = "tool"
    """`tool:<n>.<position>`: a call in the reply to `model:<n>`, and the scope of its own steps."""
    UNKNOWN = "unknown"
    """Nobody knows whether the tool call took effect."""
    REJECTED = "rejected"
    """The writes of the tool call met changed data."""
    BUDGET = "budget"
    """`budget:<n>`: what was decided where a budget left nothing for `model:<n>`."""
    STEER = "steer"
    """`steer:<n>`: what the person wrote meanwhile is taken."""
    ASK = "ask"
    """A question to a person; `ask:<n>` where one part asks several."""
    SEND = "send"
    """`send:<name>`: something is sent."""
    TO = "to"
    """`to:<key>`: where the send with this key goes is found out."""
    FETCH = "fetch"
    """`fetch:<n>`: an attached file is read."""
    KEEP = "keep"
    """`keep:<n>`: an attached file is kept."""
    COMPACT = "compact"
    """`compact:<n>`: a new epoch of the session."""
    SKILL = "skill"
    PAIR = "pair"
    """Those who may decide are asked about somebody."""
    TAKE = "take"
    """Events that wait for an automation are taken."""
    AGENT = "agent"
    """The scope of an agent in the background."""
    WAKE = "wake"
    """`wake:<n>`: what a plan or swarm went on with."""
    TASK = "task"
    """`task:<task>.<try>`: a task of a plan, and its scope."""
    SUB = "sub"
    """`sub:<task>`: the scope of a plan within a plan."""
    ANT = "ant"
    """`ant:<task>.<try>`: an ant of a swarm, and its scope."""
    CHECK = "check"
    """`check:<task>.<try>`, and `check:<task>.<try>.<criterion>` as a scope."""
    DRAFT = "draft"
    """A plan is drafted, and the scope in which."""
    SPLIT = "split"
    """`split:<task>`: a task of a plan is split."""
    REPLAN = "replan"
    """`replan:<n>`: the rest of a plan is drafted anew."""
    AGAIN = "again"
    """The step and scope of a second try: of an unreadable draft, or of an interrupted check."""
    ENGINE = "engine"
    """`engine:apology`: the engine's own step when a turn is given up."""


_KINDS = {kind.value: kind for kind in StepKind}
_NAMED_BY_THE_REST = (StepKind.SEND, StepKind.TO)


@dataclass(frozen=True)
class StepKey:
    """A key, taken apart."""

    kind: StepKind
    detail: str = ""
    scope: str = ""
    """The keys of the scopes around it, joined by `/`."""


def step_key(kind: StepKind, detail: object = "", *, within: str = "") -> str:
    """Write a key.

    `within`: the scope that it is to name itself; a turn adds the scope that it runs in.
    """
    said = str(detail)
    return in_scope(within, f"{kind}:{said}" if said else str(kind))


def in_scope(scope: str, key: str) -> str:
    return f"{scope}/{key}" if scope else key


ANSWER = step_key(StepKind.SEND, "answer")
APOLOGY = step_key(StepKind.SEND, "apology")


def read_step_key(key: str) -> StepKey | None:
    """Take a key apart. None: it is none of ours."""
    rest, scopes = key, list[str]()
    while True:
        head, slash, tail = rest.partition("/")
        name, colon, detail = head.partition(":")
        kind = _KINDS.get(name)
        if kind is None or (colon and not detail):
            return None
        if kind in _NAMED_BY_THE_REST:
            return StepKey(kind, rest[len(name) + 1 :], "/".join(scopes)) if colon else None
        if not slash:
            return StepKey(kind, detail, "/".join(scopes))
        scopes.append(head)
        rest = tail


def is_step(key: str, kind: StepKind) -> bool:
    """Whether a key is of a kind, in whatever scope."""
    found = read_step_key(key)
    return found is not None and found.kind is kind
