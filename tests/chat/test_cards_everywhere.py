"""Approval cards on chats and in the terminal show or count each character of a call."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.chat.terminal import paint
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, OutgoingFile, OutgoingMessage, ReplyTarget
from bot.domain.targets import Stem, Target, TargetKind
from bot.domain.tools import Risk
from bot.log import redact
from bot.loopback.telegram.html import read_html
from bot.plugins.discord_chat.pieces import MOST_CHARS, posts_of
from bot.plugins.slack_chat.delivery import MARKDOWN_CHARS, _parts
from bot.plugins.slack_chat.markup import with_commands
from bot.plugins.telegram_chat.markup import pieces_of, said_by
from bot.sessions.wording.card_text import BELOW, CARD_CHARS, WITH_END, Card, card_of

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
HERE = ReplyTarget(Conversation("any", "w", "room"))
ASKED = Approval(
    ref="a1",
    session="s",
    person="ann",
    agent="assistant",
    tool="publish",
    arguments={},
    risk=Risk.EXTERNAL_WRITE,
    reason="it changes something outside of Bellhop",
    approver_rank=0,
    state=ApprovalState.OPEN,
    asked_at=NOW,
    expires_at=NOW,
    session_id="i1",
)
NASTY = [
    *("`", "```", "````", "\n```\n", "~~~", "**", "__", "||", "# ", "> ", "- ", "\\", "\\n", '"'),
    *(
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u00a0",
        "e\u0301",
        "日本",
        "\x1b[2J",
        "\t",
        "\r",
    ),
    *("| a | b |\n", "|---|---|\n", "<!channel>", "<@U1>", "<#1>", "@everyone", "[x](http://e)"),
    *("/approve a1", "&lt;", "&", "\n\n", " ", "   "),
]
PARTS = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=6),
    st.sampled_from("ab `~").map(lambda char: char * 700),
)
TEXTS = st.lists(PARTS, max_size=8).map("".join)
ARGUMENTS = st.dictionaries(st.sampled_from(["to", "text", "`", "```"]), TEXTS, max_size=3)
_DISCORD_BLOCK = re.compile(r"```(?:[a-z]+\n)?(.*?)```", re.DOTALL)
"""What a Discord client shows as code: it ends at the next three backticks, wherever they stand."""


@given(ARGUMENTS)
async def test_discord_shows_or_counts_every_character_of_a_call(arguments: JsonObject):
    card = card_for(arguments)
    pieces = await on_discord(card)
    blocks = [block for piece in pieces for block in _DISCORD_BLOCK.findall(piece)]
    assert "".join(pieces).count("```") == 2 * len(blocks)
    holds(blocks, card, arguments, "".join(pieces))


@given(ARGUMENTS)
def test_slack_shows_or_counts_every_character_of_a_call(arguments: JsonObject):
    card = card_for(arguments)
    pieces = on_slack(card)
    holds([code for piece in pieces for code in code_in(piece)], card, arguments, "".join(pieces))


@given(ARGUMENTS)
def test_telegram_shows_or_counts_every_character_of_a_call(arguments: JsonObject):
    card = card_for(arguments)
    pieces = [read_html(one.html) for one in pieces_of(card.text)]
    code = [
        said_by(entity, text)
        for text, entities in pieces
        for entity in entities
        if entity["type"] == "pre"
    ]
    holds(code, card, arguments, "".join(text for text, _ in pieces))


@given(ARGUMENTS, st.integers(24, 200))
def test_the_terminal_shows_or_counts_every_character_of_a_call(
    arguments: JsonObject, columns: int
):
    card = card_for(arguments)
    screen = re.sub(r"\x1b\[[0-9;]*m", "", paint.markdown(card.text, columns))
    blocks = code_in(card.text)
    assert all("".join(block.split()) in "".join(screen.split()) for block in blocks)
    holds(blocks, card, arguments, screen)


@given(st.integers(1, 10), st.integers(100, 390))
async def test_a_card_with_more_than_discord_shows_says_how_much_more(targets: int, length: int):
    stems = [
        Stem(Target(f"to[{number}]", TargetKind.ID, "v" * length), "tool:web_fetch", "w" * length)
        for number in range(targets)
    ]
    card = card_of(replace(ASKED, arguments={"text": "x" * 2500}, stems=tuple(stems)), "Ann")
    pieces = await on_discord(card)
    if (told := re.search(r"([\d,]+) more characters are not shown here", "".join(pieces))) is None:
        assert bare("".join(pieces)) == bare(card.text)
        return
    (piece,) = pieces
    body = piece[: told.start()].rstrip().removesuffix("```").rstrip()
    assert card.text.startswith(body)
    left = len(card.text) - int(told[1].replace(",", ""))
    assert card.text[:left].rstrip() == body


# --- the three surfaces ---


async def on_discord(card: Card) -> list[str]:
    async def read_blob(_name: str) -> bytes:
        return card.file

    posts = await posts_of(said(card), read_blob, None)
    assert all(len(post.content) <= MOST_CHARS for post in posts)
    if card.file:
        assert [file.data for file in posts[-1].files] == [card.file]
    return [post.content for post in posts]


def on_slack(card: Card) -> list[str]:
    hinted = with_commands(card.text, frozenset({"approve", "reject"}), in_thread=False)
    parts = _parts(replace(said(card), text=hinted), "")
    assert all(len(part.text) <= MARKDOWN_CHARS for part in parts)
    return [part.text for part in parts]


def said(card: Card) -> OutgoingMessage:
    files = (OutgoingFile(card.file_name, "application/json", "b1"),) if card.file else ()
    return OutgoingMessage(HERE, card.text, card.choices, files)


def bare(text: str) -> str:
    """Without white space, and without what opens and closes blocks."""
    return "".join(re.sub(r"```(?:json|text)?", "", text).split())


def card_for(arguments: JsonObject) -> Card:
    plain = json.dumps(arguments, ensure_ascii=False, indent=2)
    assume(redact(plain) == plain)  # what looks like a secret is kept out of cards, too
    return card_of(replace(ASKED, arguments=arguments), "Ann")


def code_in(markdown: str) -> Sequence[str]:
    """The code blocks of a text as a reader of markdown takes them."""
    return [
        token.content for token in MarkdownIt("commonmark").parse(markdown) if token.type == "fence"
    ]


def holds(blocks: Sequence[str], card: Card, arguments: JsonObject, text: str) -> None:
    """The blocks are the call, or a counted beginning.

    Line breaks in JSON may be added by surfaces; a text of lines below it keeps its own.
    """
    plain = [block.replace("\u2060", "") for block in blocks]
    # The joiner keeps `<@U1>` from calling anybody.
    below = plain.pop() if f'"{BELOW[:-1]}' in "".join(plain) and len(plain) == 2 else None
    seen = "".join(plain).replace("\n", "")
    assert all(char.isprintable() for char in seen)
    if not card.file:
        found = json.loads(seen)
        for name, value in list(found.items()) if below is not None else ():
            if value in (BELOW, WITH_END):
                body = (below or "").removesuffix("\n")
                found[name] = body + "\n" * (value == WITH_END)
        assert found == arguments
        return
    whole = card.file.decode()
    assert json.loads(whole) == arguments
    assert seen == whole[:CARD_CHARS].replace("\n", "") + "…"
    told = "".join(text.split())
    assert (
        "".join(f"{len(whole) - CARD_CHARS:,} more characters are not shown here".split()) in told
    )
