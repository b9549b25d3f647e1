"""Lines of tool files that say access and roles in one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.tools.definitions import guard_text
from bot.tools.definitions.guard_text import gives_roles
from tests.thoroughness import examples

TITLES = st.sampled_from(["Access: ", "Acess ", "access", "Allowed roles:", "## Access -", "Who: "])
WORDS = st.sampled_from([*Role, "Partnr", "frend", "anybody", "a", "the reader", "1,2", "."])


@st.composite
def lines(draw: st.DrawFn) -> str:
    words = draw(st.lists(WORDS, min_size=1, max_size=9))
    gap = " " * draw(st.integers(0, 24))
    return draw(TITLES) + gap + draw(st.sampled_from(["", " ", ", ", "; "])).join(words)


def always(_line: str) -> bool:
    return True


@settings(max_examples=examples(60))
@given(lines())
def test_the_quick_look_at_the_end_of_a_line_overlooks_nothing(line: str):
    found = gives_roles(line)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard_text, "_perhaps_ends_with_role", always)
        assert gives_roles(line) is found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Access: Partner", True),
        ("AccessPartner", True),
        ("Allowed roles:           Partner, MasterAdmin and Frend", False),
        ("Allowed roles:           Partner, MasterAdmin, Frend", True),
        ("Access is what a partner of the team asks for in a channel that is open", False),
    ],
)
def test_a_line_gives_roles_only_when_roles_are_all_that_follows(line: str, expected: bool):
    assert gives_roles(line) is expected
