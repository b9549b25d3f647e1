"""References are short, readable, and lead back to their number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import TurnError
from bot.turns.refs import make_ref, read_ref


@given(st.integers(0, 2**63))
def test_a_reference_leads_back_to_its_number(number: int):
    ref = make_ref("t", number)
    assert ref == ref.lower()
    assert not set(ref[1:]) & set("ilou")
    assert read_ref("t", f" {ref.upper()} ") == number


def test_letters_that_look_like_digits_are_read_as_such():
    assert read_ref("q", "qlo") == read_ref("q", "q10") == 32


@pytest.mark.parametrize("text", ["", "t", "q1", "t-1", "tü", "1t", "tu"])
def test_an_invalid_reference_is_refused(text: str):
    with pytest.raises(TurnError, match="is not a reference"):
        read_ref("t", text)
