"""The line that says what a run is doing."""

from bot.domain.chat import (
    LiveUpdate,
    Pause,
    Status,
    TextDelta,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)
from bot.domain.languages import Language
from bot.sessions.turn.run_ends import Narrator


def started(call: str, tool: str) -> ToolStarted:
    return ToolStarted(call, tool, tool)


def ended(call: str) -> ToolEnded:
    return ToolEnded(call, "x", ok=True, seconds=0.1)


def lines(*updates: LiveUpdate) -> list[str]:
    shown: list[LiveUpdate] = []
    narrator = Narrator(shown.append, Language.EN)
    for update in updates:
        narrator.show(update)
    assert [one for one in shown if not isinstance(one, WorkShown)] == list(updates)
    return [f"{'patient ' * one.patient}{one.words}" for one in shown if isinstance(one, WorkShown)]


def test_the_line_is_the_newest_call_and_says_how_many_run_beside_it():
    assert lines(started("1", "search"), started("2", "read_file"), ended("2"), ended("1")) == [
        "patient Thinking it through",
        "Searching what was said and kept here",
        "Looking through files (+1)",
        "Searching what was said and kept here",
        "patient Thinking it through",
    ]


def test_what_says_nothing_to_a_person_changes_no_line():
    said = lines(Thinking("they want"), Status("observer: turn 2 of 8"), TextDelta("So"))
    assert said == ["patient Thinking it through"]


def test_a_pause_of_the_work_has_words():
    assert lines(Status("trying again (overloaded)", Pause.TRYING_AGAIN))[1:] == ["Trying again"]


def test_what_was_done_is_told_once_each_in_its_order():
    shown: list[LiveUpdate] = []
    narrator = Narrator(shown.append, Language.DE)
    for call, tool in (("1", "manage_todos"), ("2", "read_file"), ("3", "read_file")):
        narrator.show(started(call, tool))
        narrator.show(ended(call))
    last = shown[-1]
    assert isinstance(last, WorkShown)
    assert last.done == "Fertig"
    assert last.steps == ("Ich kümmere mich um deine Aufgaben", "Ich sehe Dateien durch (2)")
