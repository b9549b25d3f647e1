"""The gate of every row that a page shows."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.places import AT_TERMINAL, Reach
from bot.domain.privacy import Learned, Viewer
from bot.plugin.views import Looker
from bot.views.sight import RowKind, may_see

LEARNED = st.builds(
    Learned, st.sampled_from(Reach), st.sampled_from(["", "discord:w:a", "slack:t:b"])
)


def looker(role: Role) -> Looker:
    person = Person("ann", "Ann", role)
    return Looker(person, Viewer.at(AT_TERMINAL, person))


@given(
    st.sampled_from(Role), st.sampled_from(RowKind), st.sampled_from(["ann", "bob", ""]), LEARNED
)
def test_rows_are_for_their_person_and_the_operators_are_named(
    role: Role, kind: RowKind, owner: str, learned: Learned
):
    seen = may_see(looker(role), kind, owner, learned)
    if role is Role.BANNED:
        assert not seen
    elif kind is RowKind.KEPT:
        assert seen is (owner == "ann"), "not even an operator sees what is kept of somebody else"
    elif kind is RowKind.WORK:
        assert seen is (owner == "ann" or role is Role.MASTER_ADMIN)
    elif kind is RowKind.HOUSE:
        assert seen is (role is Role.MASTER_ADMIN)
    elif seen:
        assert role.rank >= INNER_RANK
        assert learned.reach is Reach.PUBLIC
