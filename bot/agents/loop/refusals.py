"""What a model is sent of a conversation, and what it is sent once it has refused that.

A request holds what a session stored. Some servers refuse a picture, a kind of block or an old
block of their own, and would do so in each later request. A conversation is never locked by its own
history: a refused request is made again in a plainer form (`Plainness`), without pictures, then
with the plainest blocks alone, then in words, then as the newest turn alone. Pictures are bounded
here, too: older ones leave the requests as described lines.
"""

import json
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Self

from bot.agents.loop.history import History
from bot.agents.loop.run import Run
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject, as_objects
from bot.domain.models import Images, ModelRequest, ModelSize
from bot.domain.sessions import TranscriptMessage, text_block
from bot.errors import ModelTrouble
from bot.llm.failures import about_this_picture, names_pictures, takes_no_pictures
from bot.llm.plain_blocks import NOTHING, REFUSED, append, line, plain, result_text, undeferred
from bot.llm.unlocking import added_tool, removed_tool
from bot.storage.values import HomeValue, drop_old_values, home_values, put_home_value

KEPT = timedelta(days=30)
"""A model behind the same name may change: after that it is asked again."""


async def refused_content(database: Database, now: datetime) -> list[tuple[str, str]]:
    """Model and what it refused: `pictures`, or the hash of one."""
    refused = await home_values(database, HomeValue.REFUSED_CONTENT, after=now - KEPT)
    return [(model, what) for model, _, what in (key.rpartition(" ") for key in refused)]


def refused_unit(model: str, refused: frozenset[str], now: datetime) -> Unit:
    """Remember what a model refused, and forget what was long ago."""
    return Unit.of(
        drop_old_values(HomeValue.REFUSED_CONTENT, now - KEPT),
        *(
            put_home_value(HomeValue.REFUSED_CONTENT, "", f"{model} {what}", at=now)
            for what in sorted(refused)
        ),
    )


MOST_PICTURES = 20
MOST_PICTURE_BYTES = 12_000_000
"""Of the encoded pictures in one request. Beyond either, the older half leaves it."""
KEPT_SESSIONS = 1_000
PICTURES = "pictures"
"""A model's refusal of all pictures, where others are the hash of one."""
BLIND = "this model takes no pictures"
OFF = "pictures are switched off here (model.images)"
LEFT = "it left the conversation, which has many newer pictures; if it matters, ask for it again"
_SERVER_FAILED = 500
_ARGUMENT_CHARS = 2_000


class Plainness(IntEnum):
    """How much of its form a conversation keeps."""

    WHOLE = 0
    NO_PICTURES = 1
    """A line stands for each picture and document."""
    PLAIN_BLOCKS = 2
    """Texts, calls and results alone; operator notes and unlocked tools stand where all servers
    know them.
    """
    WORDS = 3
    """One text for each message, in which calls and results are told."""
    NEWEST = 4
    """The running turn alone, in words."""


@dataclass(frozen=True)
class Spoken:
    """A conversation that a model is asked to go on with."""

    session: str
    history: History
    turn_from: int
    """The number of its messages before the running turn."""
    max_tokens: int
    size: ModelSize = ModelSize.MAIN

    @property
    def turn(self) -> str:
        """The same for all requests of a turn, within one session."""
        return f"{self.session}/{self.turn_from}"

    @classmethod
    def of(cls, run: Run) -> Self:
        session, agent = run.context.session_id, run.agent
        return cls(session, run.history, run.turn_from, agent.max_tokens, agent.model)


@dataclass(frozen=True)
class Sent:
    """One form of a conversation, as it goes out."""

    request: ModelRequest
    plainness: Plainness
    pictures: frozenset[str] = frozenset()
    """Short hashes of the pictures that it shows."""

    @property
    def shape(self) -> list[tuple[str, list[str]]]:
        """Roles, and kinds of blocks: what a server can refuse, apart from words."""
        return [
            (str(message["role"]), _kinds(message["content"])) for message in self.request.messages
        ]


def _kinds(blocks: Sequence[JsonObject]) -> list[str]:
    kinds: list[str] = []
    for block in blocks:
        kind, parts = str(block.get("type")), block.get("content")
        if kind == "tool_result":
            kind += f" of {_kinds(as_objects(parts))}"
        if kinds[-1:] != [kind]:
            kinds.append(kind)
    return kinds


@dataclass
class Refusals:
    """Remembers what models refused, also across restarts, and how plain a session has become."""

    database: Database
    clock: Clock
    images: Images
    label: str
    """The model and its server: another server may have another model of that name."""
    _known: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set[str]))
    _plain: OrderedDict[tuple[str, str], Plainness] = field(
        default_factory=OrderedDict[tuple[str, str], Plainness]
    )
    _failed: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Sessions in which a server failed at a request, and not at its plainer form."""
    _loaded: bool = False

    async def first(self, spoken: Spoken, model: str) -> Sent:
        """The form in which a conversation is sent first. Raises StorageError."""
        if not self._loaded:
            for known, what in await refused_content(self.database, self.clock.now()):
                self._known[known].add(what)
            self._loaded = True
        return self.form(spoken, model)

    def form(self, spoken: Spoken, model: str) -> Sent:
        """The same, by what is known already."""
        plainness = self._plain.get((spoken.session, model), Plainness.WHOLE)
        return self._sent(spoken, model, plainness)

    def plainer(self, spoken: Spoken, model: str, sent: Sent, trouble: ModelTrouble) -> Sent | None:
        """The next form that may do where `sent` was refused; None where the form is not at fault.

        It differs in its blocks, so a request that is wrong in another way is soon given up.
        """
        for plainness in Plainness:
            if plainness <= sent.plainness or not _may_help(plainness, sent, trouble):
                continue
            further = self._sent(spoken, model, plainness, once=True)
            if further.shape != sent.shape:
                return further
        return None

    def learned(
        self,
        spoken: Spoken,
        model: str,
        refused: Sequence[tuple[Sent, ModelTrouble]],
        taken: Sent,
        *,
        stands_in: bool = False,
    ) -> tuple[Unit, str]:
        """What a refusal teaches, and what the person is told: `blind`, `picture`, `history`.

        `refused` were sent in turn before `taken`, which the model answered. If another one
        `stands_in` for it, nothing is learned about the model.
        """
        if stands_in:
            pictures = taken.plainness is Plainness.NO_PICTURES
            return Unit(), "picture" if pictures else "history"
        first, trouble = refused[0]
        if taken.plainness is Plainness.NO_PICTURES:
            what = frozenset(self._refused(model, first, trouble))
            self._known[self._name(model)] |= what
            told_of = "blind" if PICTURES in what else "picture"
            return refused_unit(self._name(model), what, self.clock.now()), told_of
        key = (spoken.session, model)
        if trouble.status != _SERVER_FAILED or key in self._failed:
            self._plain[key] = taken.plainness
            self._plain.move_to_end(key)
            while len(self._plain) > KEPT_SESSIONS:
                self._plain.popitem(last=False)
        elif len(self._failed) < KEPT_SESSIONS:
            self._failed.add(key)
        return Unit(), "history"

    # --- pictures ---

    def _refused(self, model: str, sent: Sent, trouble: ModelTrouble) -> set[str]:
        known = self._known[self._name(model)]
        blind = takes_no_pictures(trouble.detail)
        again = bool(known) and not about_this_picture(trouble.detail)
        if (blind or again) and self.images is not Images.ON:
            return {PICTURES}
        return set(sent.pictures)

    def _name(self, model: str) -> str:
        return f"{model} ({self.label})"

    def _sent(
        self, spoken: Spoken, model: str, plainness: Plainness, *, once: bool = False
    ) -> Sent:
        history = spoken.history
        if plainness <= Plainness.NO_PICTURES:
            messages, pictures = self._shown(history, model, plainness)
            tools = history.tools
        else:
            plain = _told(history.messages, history.tools, plainness, spoken.turn_from)
            messages, tools, pictures = plain.messages, plain.tools, frozenset[str]()
        request = ModelRequest(
            history.system,
            tools,
            messages,
            spoken.max_tokens,
            spoken.size,
            pictures=bool(pictures),
            once=once,
            turn=spoken.turn,
        )
        return Sent(request, plainness, pictures)

    def _shown(
        self, history: History, model: str, plainness: Plainness
    ) -> tuple[tuple[JsonObject, ...], frozenset[str]]:
        """The messages, some with lines in place of pictures, and the pictures that they show."""
        if not any(message.pictures for message in history.messages):
            return tuple(history.requested), frozenset()
        whys = self._whys(history.messages, model, plainness)
        pairs = list(zip(history.messages, whys, strict=True))
        sent = tuple(message.described(why) if why else message.api for message, why in pairs)
        shown = (picture for message, why in pairs if not why for picture in message.pictures)
        return sent, frozenset(shown)

    def _whys(
        self, messages: Sequence[TranscriptMessage], model: str, plainness: Plainness
    ) -> list[str]:
        """For each message, why its pictures are not shown; empty where they are."""
        known = self._known.get(self._name(model), frozenset[str]())
        begins = _kept_from(messages)
        whys: list[str] = []
        for number, message in enumerate(messages):
            why = ""
            if not message.pictures:
                pass
            elif self.images is Images.OFF:
                why = OFF
            elif PICTURES in known and self.images is not Images.ON:
                why = BLIND
            elif plainness is Plainness.NO_PICTURES or not known.isdisjoint(message.pictures):
                why = REFUSED
            elif number < begins:
                why = LEFT
            whys.append(why)
        return whys


def _kept_from(messages: Sequence[TranscriptMessage]) -> int:
    """The first message whose pictures are shown.

    When there are too many, the older half leaves at once, so the prefix changes seldom. It follows
    from the messages alone: a replay and a later request leave out the same ones.
    """
    begins, count, size = 0, 0, 0
    for number, message in enumerate(messages):
        count, size = count + len(message.pictures), size + message.picture_bytes
        if count <= MOST_PICTURES and size <= MOST_PICTURE_BYTES:
            continue
        while begins < number and (count > MOST_PICTURES // 2 or size > MOST_PICTURE_BYTES // 2):
            count -= len(messages[begins].pictures)
            size -= messages[begins].picture_bytes
            begins += 1
    return begins


def _may_help(plainness: Plainness, sent: Sent, trouble: ModelTrouble) -> bool:
    """Whether a failure may be one of the form in which the conversation was sent."""
    if plainness is Plainness.NO_PICTURES:
        return bool(sent.pictures) and (
            names_pictures(trouble.detail)
            or trouble.kind in {"bad_request", "too_long"}
            or trouble.status == _SERVER_FAILED
        )
    return trouble.kind == "bad_request" or trouble.status == _SERVER_FAILED


@dataclass(frozen=True)
class _ToldPlainly:
    """The messages and tools of a request in one of these forms."""

    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]


def _told(
    history: Sequence[TranscriptMessage],
    tools: tuple[JsonObject, ...],
    plainness: Plainness,
    turn_from: int,
) -> _ToldPlainly:
    """A history from `PLAIN_BLOCKS` on; `turn_from`: where the running turn begins."""
    known = {str(tool.get("name")): undeferred(tool) for tool in tools}
    for message in history:
        for stored in message.blocks:
            if (declared := added_tool(stored.block)) is not None:
                known[str(declared.get("name"))] = declared
            elif (gone := removed_tool(stored.block)) is not None:
                known.pop(gone, None)
    if plainness is Plainness.NEWEST:
        history = history[turn_from:] or history[-1:]
    names: dict[str, str] = {}
    found: list[JsonObject] = []
    for message in history:
        blocks = [stored.block for stored in message.blocks]
        if plainness is Plainness.PLAIN_BLOCKS:
            said = [one for block in blocks for one in plain(message.role, block)]
        else:
            words = [_words(message.role, block, names) for block in blocks]
            said = [text_block("\n".join(filter(None, words)))] if any(words) else []
        append(found, "assistant" if message.role == "assistant" else "user", said)
    if found and found[0]["role"] == "assistant":
        found.insert(0, {"role": "user", "content": [text_block(NOTHING)]})
    return _ToldPlainly(tuple(found), tuple(known.values()))


def _words(role: str, block: JsonObject, names: dict[str, str]) -> str:
    match block.get("type"):
        case "text":
            return "\n".join(str(one.get("text") or "") for one in plain(role, block))
        case "tool_use":
            name = names[str(block.get("id"))] = str(block.get("name"))
            given = json.dumps(block.get("input"), ensure_ascii=False)[:_ARGUMENT_CHARS]
            return f"(I called {name} with {given})"
        case "tool_result":
            name = names.get(str(block.get("tool_use_id")), "a tool")
            return f"(result of {name}: {result_text(block) or NOTHING})"
        case _:
            return line(role, block)
