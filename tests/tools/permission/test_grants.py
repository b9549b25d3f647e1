"""Grants answer a question that was answered before, and never one that is wider."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.approvals import Approval, ApprovalState, Grant, GrantScope
from bot.domain.targets import Target, TargetKind
from bot.domain.tools import Risk
from bot.tools.permission.grants import answers, offered

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
targets = st.builds(
    Target,
    st.sampled_from(["to", "to[0]", "to[1]", "cc"]),
    st.sampled_from([TargetKind.EMAIL, TargetKind.ID]),
    st.sampled_from(["ann@a.org", "bo@a.org", "x"]),
    st.booleans(),
)
grants = st.builds(
    Grant,
    ref=st.just("g1"),
    person=st.just("ann"),
    tool=st.just("mail"),
    scope=st.sampled_from(GrantScope),
    session_id=st.sampled_from(["", "s1", "s2"]),
    targets=st.frozensets(targets.map(lambda target: replace(target, sound=True)), max_size=3),
    rank=st.integers(0, 4),
    made_by=st.just("ben"),
    made_at=st.just(NOW),
    approval=st.just("a1"),
    revoked_at=st.sampled_from([None, None, NOW]),
)


def plain(target: Target) -> tuple[str, TargetKind, str]:
    return (target.field.partition("[")[0], target.kind, target.value)


@given(
    grants,
    st.integers(0, 4),
    st.sampled_from(["", "s1", "s2"]),
    st.lists(targets, max_size=3),
    st.booleans(),
)
def test_a_grant_never_answers_more_than_was_granted(
    grant: Grant, rank: int, session: str, asked: list[Target], untrusted: bool
):
    if not answers(grant, rank, session, asked, untrusted=untrusted):
        return
    assert grant.revoked_at is None
    assert grant.rank >= rank
    if grant.scope is GrantScope.SESSION:
        assert session
        assert grant.session_id == session
        assert not untrusted
    else:
        assert asked
        assert all(target.sound for target in asked)
        assert {plain(target) for target in asked} <= {plain(target) for target in grant.targets}


@given(
    grants, st.integers(0, 4), st.sampled_from(["s1", "s2"]), st.lists(targets, max_size=3), targets
)
def test_a_target_more_or_a_higher_question_never_turns_a_no_into_a_yes(
    grant: Grant, rank: int, session: str, asked: list[Target], more: Target
):
    if grant.scope is GrantScope.TARGET and asked and not answers(grant, rank, session, asked):
        assert not answers(grant, rank, session, [*asked, more])
    if not answers(grant, rank, session, asked):
        assert not answers(grant, rank + 1, session, asked)
    if not answers(grant, rank, session, asked):
        assert not answers(grant, rank, session, asked, untrusted=True)


@given(
    st.sampled_from([None, *Risk]),
    st.lists(targets, max_size=2),
    st.sampled_from(["", "s1"]),
    st.booleans(),
)
def test_no_wider_yes_is_offered_for_deletions_policy_and_what_is_asked_each_time(
    risk: Risk | None, of: list[Target], session: str, each_time: bool
):
    approval = Approval(
        "a1",
        "s",
        "ann",
        "assistant",
        "mail",
        {},
        risk,
        "why",
        Role.FRIEND.rank,
        ApprovalState.OPEN,
        NOW,
        NOW,
        session_id=session,
        targets=tuple(of),
        each_time=each_time,
    )
    scopes = offered(approval)
    if each_time or risk in {Risk.DESTRUCTIVE, Risk.POLICY_WRITE}:
        assert scopes == ()
    else:
        assert (GrantScope.SESSION in scopes) is bool(session)
        assert (GrantScope.TARGET in scopes) is bool(of)
