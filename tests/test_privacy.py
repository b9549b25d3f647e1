"""The one rule of who may see what was stored."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.messages import Place, Visibility
from bot.domain.places import Location, Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned, Viewer, left_out
from bot.testing.contexts import a_place, make_person

VAULT, ATTIC = Learned(Reach.PRIVATE, "slack:T1:vault"), Learned(Reach.PRIVATE, "slack:T1:attic")
LEARNED = st.sampled_from([IN_DM, VAULT, ATTIC, PUBLICLY])


def viewer(place: Learned, person: str = "ann", *, inner: bool = True) -> Viewer:
    return Viewer(person, inner, place)


@pytest.mark.parametrize(
    ("learned", "seen_in"),
    [
        (IN_DM, {IN_DM}),
        (VAULT, {IN_DM, VAULT}),
        (PUBLICLY, {IN_DM, VAULT, ATTIC, PUBLICLY}),
    ],
)
def test_where_a_person_sees_their_own_things(learned: Learned, seen_in: set[Learned]):
    assert {
        place for place in (IN_DM, VAULT, ATTIC, PUBLICLY) if viewer(place).sees("ann", learned)
    } == seen_in


def test_shared_things_as_others_see_them():
    places = (IN_DM, VAULT, ATTIC, PUBLICLY)
    assert not any(viewer(place, "ben").sees("ann", IN_DM) for place in places)
    assert [place for place in places if viewer(place, "ben").sees("ann", VAULT)] == [VAULT]
    assert all(viewer(place, "ben").sees("ann", PUBLICLY) for place in places)
    assert not any(viewer(place, "ben", inner=False).sees("ann", PUBLICLY) for place in places)


@given(LEARNED, LEARNED, LEARNED, st.sampled_from(["ann", "ben"]))
def test_a_mixture_is_seen_by_fewer_and_what_is_told_again_by_more(
    one: Learned, other: Learned, place: Learned, person: str
):
    mixed, told_again = one.narrowed(other), one.widened(other)
    both = viewer(place, person).sees("ann", one) and viewer(place, person).sees("ann", other)
    either = viewer(place, person).sees("ann", one) or viewer(place, person).sees("ann", other)
    assert viewer(place, person).sees("ann", mixed) <= both
    assert viewer(place, person).sees("ann", told_again) <= either
    assert mixed == other.narrowed(one)


def test_where_somebody_is():
    guest = make_person("zoe", Role.GUEST)
    private = Location.of(a_place(Reach.PRIVATE, "vault", workspace="T1"))
    assert Viewer.at(private, guest) == Viewer(
        "zoe",
        False,
        Learned(Reach.PRIVATE, "terminal:T1:vault"),
        workspaces=frozenset({"terminal:T1"}),
    )
    assert Learned.at(Location.of(a_place(Reach.DM))) == IN_DM
    opened = Location.of(a_place(Reach.PUBLIC, "vault", workspace="T1"), was_private=True)
    assert Learned.at(opened) == Learned.at(private)
    assert Learned.at(Location.of(a_place(Reach.PUBLIC))).reach is Reach.PUBLIC
    assert a_place(Reach.DM).place is Place.DM


def test_left_out_things_are_counted_in_words():
    assert (left_out(1), left_out(3)) == (
        "1 more is private; ask me in a DM",
        "3 more are private; ask me in a DM",
    )


def test_a_closed_thread_is_an_audience_of_its_own():
    room = a_place(Reach.PRIVATE, "vault", workspace="T1")
    thread = replace(room, id="t1", place=Place.THREAD, channel="vault", closed=True)
    open_ = replace(thread, visibility=Visibility.PUBLIC, closed=False)
    for channel in (room, replace(room, visibility=Visibility.PUBLIC)):
        inside = replace(thread, visibility=channel.visibility)
        learned = Learned.at(Location.of(inside))
        assert learned == Learned(Reach.PRIVATE, "terminal:T1:t1")
        ann, ben = make_person("ann"), make_person("ben")
        assert not Viewer.at(Location.of(channel), ann).sees("ann", learned)
        assert not Viewer.at(Location.of(open_), ann).sees("ann", learned)
        assert Viewer.at(Location.of(inside), ann).sees("ann", learned)
        assert Viewer.at(Location.of(inside), ben).sees("ann", learned)
        # Who was invited also reads the channel, so its things may be shown in the thread.
        assert Viewer.at(Location.of(inside), ann).sees("ann", Learned.at(Location.of(channel)))


def test_before_people_of_another_company_only_what_was_learned_there_is_shown():
    joint = replace(a_place(Reach.PUBLIC, "joint"), visibility=Visibility.SHARED)
    ann, here = make_person("ann"), Learned.at(Location.of(joint))
    assert here == Learned(Reach.PRIVATE, "terminal:local:joint")
    seen = Viewer.at(Location.of(joint), ann)
    for learned in (PUBLICLY, VAULT, IN_DM):
        assert not seen.sees("ann", learned)
        assert not seen.sees("", learned)
    assert seen.sees("ann", here)
    assert seen.sees("ben", here)
    assert Viewer.at(Location.of(a_place(Reach.DM)), ann).sees("ann", here)
    assert not Viewer.at(Location.of(a_place(Reach.PUBLIC)), ann).sees("ann", here)


def test_what_is_public_in_one_workspace_is_shown_to_nobody_else_in_another():
    learned = Learned(Reach.PUBLIC, "discord:g1:square")
    here, there = "discord:g1", "slack:T1"
    plaza = Learned(Reach.PUBLIC, "discord:g1:plaza")

    def of(person: str, *workspaces: str, place: Learned = plaza) -> Viewer:
        return Viewer(person, True, place, workspaces=frozenset(workspaces))

    assert of("ben", here).sees("ann", learned)
    assert not of("ben", there).sees("ann", learned)
    assert not of("ben", there).shares(learned)
    assert not of("ben", place=IN_DM).sees("ann", learned)
    assert of("ben", here, there, place=IN_DM).sees("ann", learned)
    assert of("ann", there).sees("ann", learned)
    assert of("ben", there).shares(PUBLICLY)


def test_a_document_of_a_closed_channel_is_not_everybodys():
    learned = Learned(Reach.PUBLIC, "slack:T1:square")
    closed = replace(
        viewer(Learned(Reach.PUBLIC, "slack:T1:plaza"), "ben"),
        workspaces=frozenset({"slack:T1"}),
    )
    assert closed.shares(learned)
    assert not replace(closed, withdrawn=frozenset({"slack:T1:square"})).shares(learned)


def test_what_one_person_alone_read_in_a_channel_is_theirs():
    square = Location.of(a_place(Reach.PUBLIC, "square", workspace="T1"))
    ann, ben = make_person("ann"), make_person("ben")
    learned = Learned.at(square.read_by("ann"))
    other = Location.of(a_place(Reach.PUBLIC, "plaza", workspace="T1"))
    assert Viewer.at(square, ann).sees("ann", learned)
    assert Viewer.at(square.read_by("ann"), ann) == Viewer.at(square, ann)
    assert not Viewer.at(other, ann).sees("ann", learned)
    assert viewer(IN_DM).sees("ann", learned)
    for place in (square, square.read_by("ben"), other):
        assert not Viewer.at(place, ben).sees("ann", learned)
        assert not Viewer.at(place, ben).sees("", learned)
