"""When somebody was last here: a pause of half an hour ends a visit."""

from datetime import UTC, datetime, timedelta

from bot.sessions.search.since_last_here import before_this_visit

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)


def ago(*minutes: int) -> list[datetime]:
    return [NOW - timedelta(minutes=one) for one in minutes]


def test_what_was_written_in_this_visit_does_not_count():
    assert before_this_visit(ago(1, 20, 49, 600), NOW) == ago(600)[0]
    assert before_this_visit(ago(30), NOW) == ago(30)[0]


def test_who_never_left_or_never_came_has_no_earlier_visit():
    assert before_this_visit(ago(5, 10), NOW) is None
    assert before_this_visit([], NOW) is None
