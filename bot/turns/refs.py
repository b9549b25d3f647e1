"""Short references that people see and type: a letter and a number in base 32 (`t1k`, `q7`)."""

import base64
import hashlib

from bot.errors import TurnError

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Lower case, without the letters that are mistaken for digits or make words (i, l, o, u)."""
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)} | {"o": 0, "i": 1, "l": 1}

_LARGEST = 2**63
"""The largest number that the database holds."""


def make_ref(letter: str, number: int) -> str:
    """`t` for turns, `q` for questions; `make_ref("t", 52)` is `t1m`."""
    digits = ""
    while number or not digits:
        number, rest = divmod(number, 32)
        digits = _DIGITS[rest] + digits
    return letter + digits


def hashed_ref(letter: str, *parts: str, chars: int = 8) -> str:
    """A reference made of texts: the same texts give the same one, also after a crash."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).digest()
    return letter + base64.b32encode(digest).decode()[:chars].lower()


def read_ref(letter: str, ref: str) -> int:
    """The number in a reference, as typed by a person. Raises TurnError for an invalid one."""
    text = ref.strip().lower()
    if len(text) < 2 or text[0] != letter or any(digit not in _VALUES for digit in text[1:]):
        raise TurnError(f"{ref!r} is not a reference; one looks like {make_ref(letter, 1234)}")
    number = 0
    for digit in text[1:]:
        number = number * 32 + _VALUES[digit]
    return number


def number_in(letter: str, ref: str) -> int | None:
    """Like `read_ref`, for any typed text: None when it is no reference of that letter."""
    try:
        number = read_ref(letter, ref)
    except TurnError:
        return None
    return number if number < _LARGEST else None
