"""The agenda's order: people take turns within their share, and nothing is forgotten."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.turns.agenda import Agenda, DueTurn
from bot.turns.shares import Share, Urgency

PEOPLE = ("ann", "ben", "cat")
PER_PERSON = 3


def share_of(session: str) -> Share:
    kind, person, _ = session.split("/")
    return Share(person, Urgency[kind])


def agenda() -> Agenda:
    return Agenda(share_of=share_of, per_person=PER_PERSON)


def owner(start: DueTurn | None) -> str:
    assert start is not None
    return share_of(start.session).owner


def test_people_are_served_in_turn_however_much_one_of_them_wrote():
    plan = agenda()
    for turn in range(2_000):
        plan.add(f"REQUEST/flood/{turn}", turn)
    plan.add("REQUEST/ann/1", 2_000)
    plan.add("REQUEST/ben/1", 2_001)
    assert [owner(plan.next()) for _ in range(5)] == ["flood", "ann", "ben", "flood", "flood"]
    assert plan.next() is None
    plan.rested("REQUEST/flood/0")
    plan.settled("REQUEST/flood/0", 0)
    assert owner(plan.next()) == "flood"


def test_a_command_starts_before_requests_and_beside_those_of_its_person():
    plan = agenda()
    for turn in range(5):
        plan.add(f"REQUEST/ann/{turn}", turn)
    while plan.next():
        pass
    plan.add("COMMAND/ann/stop", 9)
    start = plan.next([Urgency.COMMAND])
    assert start is not None
    assert start.id == 9


def test_a_session_kept_for_a_turn_counts_towards_its_persons_share():
    plan = agenda()
    assert all(plan.reserve(f"REQUEST/ann/{number}") for number in range(PER_PERSON))
    assert not plan.reserve("REQUEST/ann/more")
    assert plan.reserve("REQUEST/ben/1")
    plan.rested("REQUEST/ann/0")
    assert plan.reserve("REQUEST/ann/more")


@given(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=60))
def test_with_one_slot_nobody_is_served_twice_while_another_waits(people: list[str]):
    plan = agenda()
    for turn, person in enumerate(people):
        plan.add(f"REQUEST/{person}/{turn}", turn)
    waiting = Counter(people)
    served: Counter[str] = Counter()
    while start := plan.next():
        person = owner(start)
        served[person] += 1
        waiting[person] -= 1
        for other in PEOPLE:
            if waiting[other]:
                assert served[person] <= served[other] + 1
        plan.settled(start.session, start.id)
        plan.rested(start.session)
    assert served == Counter(people)


class Days(RuleBasedStateMachine):
    """Work comes, starts, waits, goes on and ends in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.plan = agenda()
        self.turns = 0
        self.waiting: dict[str, list[int]] = {}
        self.running: dict[str, int] = {}
        self.held: dict[str, int] = {}

    @rule(person=st.sampled_from(PEOPLE), thread=st.integers(0, 5))
    def comes(self, person: str, thread: int) -> None:
        session = f"REQUEST/{person}/{thread}"
        self.turns += 1
        self.plan.add(session, self.turns)
        self.waiting.setdefault(session, []).append(self.turns)

    @rule()
    def starts(self) -> None:
        start = self.plan.next()
        if start is None:
            assert not self._startable()
            assert not self.plan.listed or PER_PERSON in self._busy().values()
            return
        assert start.session in self._startable()
        if start.session in self.held:
            raise AssertionError("a session that waits for its person was started")
        if start.fresh:
            assert start.id == self.waiting[start.session].pop(0)
        self.running[start.session] = start.id

    @precondition(lambda self: bool(self.running))
    @rule(data=st.data())
    def ends(self, data: st.DataObject) -> None:
        session = data.draw(st.sampled_from(sorted(self.running)))
        self.plan.settled(session, self.running.pop(session))
        self.plan.rested(session)

    @precondition(lambda self: bool(self.running))
    @rule(data=st.data())
    def asks(self, data: st.DataObject) -> None:
        session = data.draw(st.sampled_from(sorted(self.running)))
        self.held[session] = self.running.pop(session)
        self.plan.hold(session, self.held[session])
        self.plan.rested(session)

    @precondition(lambda self: bool(self.held))
    @rule(data=st.data())
    def answers(self, data: st.DataObject) -> None:
        session = data.draw(st.sampled_from(sorted(self.held)))
        turn = self.held.pop(session)
        self.plan.resume(session, turn)
        self.resumed = session
        start = self.plan.next()
        if start is not None:
            if start.fresh:
                assert start.id == self.waiting[start.session].pop(0)
            self.running[start.session] = start.id
        if (
            session not in self.running
        ):  # its person's share is used up: it goes on later, as it was
            self.plan.hold(session, turn)
            self.held[session] = turn

    def _startable(self) -> set[str]:
        busy = self._busy()
        return {
            session
            for session, turns in self.waiting.items()
            if turns and session not in self.running and session not in self.held
            if busy[share_of(session).owner] < PER_PERSON
        }

    def _busy(self) -> Counter[str]:
        return Counter(share_of(session).owner for session in self.running)

    @invariant()
    def nobody_has_more_than_their_share(self) -> None:
        assert all(count <= PER_PERSON for count in self._busy().values())

    @invariant()
    def what_can_start_is_listed(self) -> None:
        assert self.plan.listed or not self._startable()


TestDays = Days.TestCase


def test_a_lost_session_is_forgotten_with_its_later_work():
    agenda, due = Agenda(), datetime(2026, 11, 21, 9, tzinfo=UTC)
    agenda.add("s", 1, due)
    agenda.forget("s")
    assert agenda.next_due() is None
    agenda.come_due(due + timedelta(seconds=1))
    assert agenda.next() is None
