"""Outcomes in the journal: versions side by side, and those before and after, read each other's."""

import json

import pytest

from bot.agents.loop.outcomes import outcome_from_json, outcome_to_json
from bot.domain.tool_outcomes import RunNote, ToolResult


@pytest.mark.parametrize("subject", ["plan", "swarm", "discovery", "skill", "noted"])
def test_a_note_comes_back_as_it_was_stored(subject: str):
    result = ToolResult("done", effects=(RunNote(subject, {"goal": "a page"}),))
    assert outcome_from_json(json.loads(json.dumps(outcome_to_json(result)))) == result


def test_the_form_of_other_notes_holds_for_each_subject():
    noted = {"effect": "noted", "subject": "swarm", "note": {"goal": "a page"}}
    read = outcome_from_json({**outcome_to_json(ToolResult("done")), "effects": [noted]})
    assert isinstance(read, ToolResult)
    assert read.effects == (RunNote("swarm", {"goal": "a page"}),)
