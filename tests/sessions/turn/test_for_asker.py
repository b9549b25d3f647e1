"""What is shown of a run whose answer is for one person alone."""

from bot.agents.loop.run import RunRecord
from bot.domain.chat import LiveUpdate, PlanShown, Status, TextReset, ToolStarted, WorkShown
from bot.domain.messages import Place
from bot.sessions.turn.replies import unseen_by_others
from bot.testing.fake_chat import FakeChat


def test_others_see_that_work_goes_on_and_none_of_its_words():
    shown: list[LiveUpdate] = []
    record = RunRecord()
    message = FakeChat().message("ann", "when?", where="general", place=Place.CHANNEL)
    show = unseen_by_others(shown.append, record, message)
    works = WorkShown("Thinking it through")
    words = (Status("looks up the airship"), ToolStarted("1", "peek", "peek"), PlanShown("May", ()))
    for update in (*words, works):
        show(update)
    assert shown == [*words, works]
    record.for_asker = True
    shown.clear()
    for update in (*words, works, TextReset()):
        show(update)
    assert shown == [works, TextReset()]
