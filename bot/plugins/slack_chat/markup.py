"""Slack's markup: incoming text becomes plain, outgoing text can't notify anybody."""

import re
from collections.abc import Callable

from bot.plugin.chat import FRIENDLY_FACE, UNKNOWN_FACE
from bot.plugin.payloads import plain_name

FALLBACK_CHARS = 3000
"""Of the text beside blocks, which notifications, search and screen readers take."""
_TOKEN = re.compile(r"<([@#!]?)([^<>|\s][^<>|]*)(?:\|([^<>]*))?>")
_FRIENDLY = frozenset(
    ("+1", "thumbsup", "pray", "slightly_smiling_face", "smile", "smiley", "grinning", "blush",
     "heart", "tada", "partying_face", "sparkles", "sunny", "four_leaf_clover")
)  # fmt: skip
_EMOJI = re.compile(r"(?<![\w/]):(?=[^:\s]*[a-z])[a-z0-9_+'-]{1,100}:(?!\w)")
_CALL = re.compile(r"<(?=[@!#])")
_DIALLED = re.compile(r"[^+\d]")
"""What a telephone number is written with and not dialled."""
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^<>]*)?>")


def mentioned(text: str) -> list[str]:
    """Ids of the people that a message mentions, in order."""
    return _MENTION.findall(text)


def without_leading_mention(text: str, user: str) -> str:
    """The text after a mention of this user at its start; unchanged when there is none."""
    match = _MENTION.match(text.lstrip())
    return text.lstrip()[match.end() :].lstrip(" ,:") if match and match[1] == user else text


def readable(text: str, name_of: Callable[[str], str]) -> str:
    """Mentions, channels and links in readable form, and Slack's three escapes undone."""

    def replace(match: re.Match[str]) -> str:
        sign, body, label = match[1], match[2], match[3]
        match sign:
            case "@":
                return f"@{plain_name(label or name_of(body))}"
            case "#":
                return f"#{plain_name(label or body)}"
            case "!":
                name = plain_name(label or body.split("^")[0])
                return name if body.startswith("date^") else f"@{name}"
            case _:
                return _linked(body, label)

    return unescape(_TOKEN.sub(replace, text))


def _linked(body: str, label: str | None) -> str:
    """A link with its words; an address that somebody typed became one with itself as words."""
    if not label or label == body:
        return body
    if body in {f"mailto:{label}", f"http://{label}", f"https://{label}"}:
        return label
    if body.startswith("tel:") and body == f"tel:{_DIALLED.sub('', label)}":
        return label
    return f"{label} ({body})"


def typed_words(text: str, user: str = "") -> str:
    """What the sender typed: mentions and channels by id, none of `user` (ourselves).

    Names of people and emojis are left out: others chose them. What is left of an emoji says
    whether it is a friendly one; any other may mean the opposite of the words beside it.
    """

    def replace(match: re.Match[str]) -> str:
        sign, body, label = match[1], match[2], match[3]
        if sign == "!" or (sign == "@" and body == user):
            return " "
        return f"<{sign}{body}>" if sign else _linked(body, label)

    return unescape(_TOKEN.sub(replace, _EMOJI.sub(_face, text)))


def _face(match: re.Match[str]) -> str:
    name = match[0].strip(":")
    if name.startswith("skin-tone"):
        return " "
    return FRIENDLY_FACE if name in _FRIENDLY else UNKNOWN_FACE


def unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def escape(text: str) -> str:
    """For mrkdwn: the text without any of Slack's markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_CODE = re.compile(r"^ *(`{3,}|~{3,}).*?(?:^ *\1|\Z)", re.DOTALL | re.MULTILINE)


_HINT = r"(?<![\w/.:<-])/(?P<name>{names})(?![\w/-]|\.\w)"
_ANY_NAME = re.compile(_HINT.format(names="[A-Za-z0-9_-]{1,32}"))
MOST_HINTS = 60


def hinted(text: str) -> list[str]:
    """The words behind a slash that may be commands, each once."""
    return list(dict.fromkeys(found["name"] for found in _ANY_NAME.finditer(_CODE.sub("", text))))[
        :MOST_HINTS
    ]


def with_commands(text: str, names: frozenset[str], *, in_thread: bool) -> str:
    """Name the form that works here: `/bellhop approve` outside of threads, else `!approve`."""
    if not names:
        return text
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    hint = re.compile(_HINT.format(names=known))
    sign = "!" if in_thread else "/bellhop "
    parts: list[str] = []
    start = 0
    for code in _CODE.finditer(text):  # text in a code block is no hint
        parts += [hint.sub(rf"{sign}\g<name>", text[start : code.start()]), code[0]]
        start = code.end()
    return "".join([*parts, hint.sub(rf"{sign}\g<name>", text[start:])])


def tame(text: str) -> str:
    """For markdown: an invisible joiner keeps `<!channel>`, `<@U1>` and the like plain words.

    Growing text stays a prefix of itself, so it can be used on a stream.
    """
    return _CALL.sub("<\u2060", text)
