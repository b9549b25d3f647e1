"""Keys of steps in the journal of a turn, which are the same on every replay.

A key is `<kind>` or `<kind>:<detail>`, behind the scopes that it runs in:

    model:3                  the third model call of the turn
    tool:3.0                 the first call of its reply
    tool:3.0/ask             a step of that call
    tool:3.0/task:a.1/open   a step of a task of the plan that the call runs
    send:tool:3.0/ask        what is sent is named by the rest, which may be the key of another step

What a step sends has a key, too, which platforms see: `<turn>/<step>@<identity>`. It is stable,
and unique to the database.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class StepKind(StrEnum):
    """Every kind of step and scope. Keys are stored, so never rename one."""

    OPEN = "open"
    """A session or a specialist is opened."""
    CLOSE = "close"
    STRUCK = "struck"
    """A specialist ends because its task was taken away."""
    BEGIN = "begin"
    """Due work begins."""
    MODEL = "model"
    """`model:<n>`: a model call."""
    TOOL = "tool"
    """`tool:<n>.<position>`: a call in the reply to `model:<n>`, and the scope of its own steps."""
    UNKNOWN = "unknown"
    """It is unknown whether the tool call took effect."""
    REJECTED = "rejected"
    """The writes of the tool call failed because the data had changed."""
    BUDGET = "budget"
    """`budget:<n>`: the decision when the budget was too small for `model:<n>`."""
    STEER = "steer"
    """`steer:<n>`: the turn takes new messages of its person."""
    ASK = "ask"
    """A question to a person; `ask:<n>` where one part asks several."""
    HEARD = "heard"
    """What others said in the conversation before the person answered a question."""
    SEND = "send"
    """`send:<name>`: something is sent."""
    TO = "to"
    """`to:<key>`: the target of the send with this key is looked up."""
    HAND = "hand"
    """`hand:<key>`: the file that the send of this call hands over is read and stored."""
    FETCH = "fetch"
    """`fetch:<n>`: an attached file is read."""
    KEEP = "keep"
    """`keep:<n>`: an attached file is stored."""
    COMPACT = "compact"
    """`compact:<n>`: a new epoch of the session."""
    SKILL = "skill"
    BUNDLE = "bundle"
    """`bundle:<ref>`: several calls that wait get one card."""
    PAIR = "pair"
    """The people who may decide are asked about a stranger."""
    SHARE = "share"
    """A sentence is put into shared memory."""
    TAKE = "take"
    """An automation takes its waiting events."""
    AGENT = "agent"
    """The scope of an agent in the background."""
    WAKE = "wake"
    """`wake:<n>`: the event that a plan or swarm continued with."""
    TASK = "task"
    """`task:<task>.<try>`: a task of a plan, and its scope."""
    SUB = "sub"
    """`sub:<task>`: the scope of a plan within a plan."""
    ANT = "ant"
    """`ant:<task>.<try>`: an ant of a swarm, and its scope."""
    CHECK = "check"
    """`check:<task>.<try>`, and `check:<task>.<try>.<criterion>` as a scope."""
    DRAFT = "draft"
    """A plan is drafted; also its scope."""
    SPLIT = "split"
    """`split:<task>`: a task of a plan is split."""
    REPLAN = "replan"
    """`replan:<n>`: the rest of a plan is drafted again."""
    AGAIN = "again"
    """A second try of an unreadable draft or an interrupted check; also its scope."""
    ENGINE = "engine"
    """`engine:apology`: the engine gives a turn up."""


_KINDS = {kind.value: kind for kind in StepKind}
_NAMED_BY_THE_REST = (StepKind.SEND, StepKind.TO, StepKind.HAND)
_IDENTITY = re.compile(r"@([0-9a-f]{12})$")


@dataclass(frozen=True)
class StepKey:
    """A parsed key."""

    kind: StepKind
    detail: str = ""
    scope: str = ""
    """The keys of the scopes around it, joined by `/`."""


def step_key(kind: StepKind, detail: object = "", *, within: str = "") -> str:
    """Build a key.

    `within`: the scope that it is to name itself; a turn adds the scope that it runs in.
    """
    said = str(detail)
    return in_scope(within, f"{kind}:{said}" if said else str(kind))


def in_scope(scope: str, key: str) -> str:
    return f"{scope}/{key}" if scope else key


ANSWER = step_key(StepKind.SEND, "answer")
APOLOGY = step_key(StepKind.SEND, "apology")


def read_step_key(key: str) -> StepKey | None:
    """Parse a key; None if it is not a step key."""
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
    """Whether a key is of a kind, in any scope."""
    found = read_step_key(key)
    return found is not None and found.kind is kind


# --- keys of sends ---


def send_key(turn: str, step: str, identity: str) -> str:
    """The key of one send.

    `turn`: its reference; `identity`: 12 hex digits, or empty as in keys of old versions.
    """
    return f"{turn}/{step}@{identity}" if identity else f"{turn}/{step}"


def turn_of(key: str) -> str:
    """The reference of the turn that a send belongs to."""
    return key.partition("/")[0]


def step_of(key: str) -> str:
    """The key without its identity: the turn and the step."""
    return _IDENTITY.sub("", key)


def step_in(key: str) -> str:
    """The journal key of the step that sent it."""
    return step_of(key).partition("/")[2]


def sibling_key(key: str, step: str) -> str:
    """The key of another send of the same turn."""
    return send_key(turn_of(key), step, _identity(key))


def draft_key(key: str) -> str:
    """The key of the drafts of its turn: the turn and the identity."""
    identity = _identity(key)
    return f"{turn_of(key)}@{identity}" if identity else turn_of(key)


def _identity(key: str) -> str:
    found = _IDENTITY.search(key)
    return found[1] if found else ""
