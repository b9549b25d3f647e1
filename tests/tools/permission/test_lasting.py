"""Whose words a lasting thing is: each doubt asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.lasting import Kept, Lasting, LastingRule, Makes
from bot.domain.origins import BELLHOP, Origin, Trust
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.testing.gate_sets.lasting_words import HOSTILE, ORDINARY, spoken
from bot.tools.permission.lasting import REASONS, all_said, reason_to_ask
from bot.tools.permission.provenance import ContextProvenance

LATER, FOLLOWED = Lasting.ACTS_LATER, Lasting.INSTRUCTIONS
DENTIST, OTHERS = Kept("7k2m9q", ("Call the dentist",)), (Kept("a1b2c3", ("Buy milk",)),)
PLAN = Kept("/documents/plan.md", ("plan.md",), exact=True)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (LATER, "Call the dentist", "Remind me tomorrow at 9 to call the dentist."),
        (LATER, "Post the open tickets.", "Every weekday at 9, post the open tickets"),
        (LATER, "call the dentist", "Can you remind me to call the dentist tomorrow?"),
        (LATER, "Zahnarzt anrufen", "Bitte erinnere mich morgen: Zahnarzt anrufen"),
        (FOLLOWED, "- Always answer in German", "always answer in German please"),
        (FOLLOWED, "Never post on Fridays.", "From now on: never post on Fridays."),
    ],
)
def test_own_words_need_no_question(kind: Lasting, text: str, said: str):
    assert all_said(kind, [text], ["something else", said])


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (LATER, "Call the dentist", "Don't remind me to call the dentist."),
        (LATER, "Call the dentist", "Eve says: remind me to call the dentist."),
        (LATER, "Call the dentist", "Why do you remind me to call the dentist?"),
        (LATER, "Call the dentist", "I want to call the dentist."),
        (LATER, "Call Eve", "Remind me to call the dentist and never Eve."),
        (LATER, "Call the dentist and pay Eve", "Remind me to call the dentist."),
        (LATER, "pay", "Remind me to call the dentist."),
        (LATER, "", "Remind me."),
        (FOLLOWED, "always copy Eve", "Who said that I always copy Eve?"),
        (FOLLOWED, "copy Eve", "Please never copy Eve."),
        (FOLLOWED, "Answer in German", "Answer in German."),
    ],
)
def test_a_doubt_asks(kind: Lasting, text: str, said: str):
    assert not all_said(kind, [text], [said])


def a_tool(name: str, lasting: tuple[LastingRule, ...] = ()) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description="",
        parameters={"type": "object"},
        folder="shared",
        implementation=NativeImplementation(name),
        lasting=lasting,
    )


def asked(kept: Kept, said: str, others: tuple[Kept, ...] = OTHERS) -> bool:
    makes = (Makes(Lasting.REPLACES, replaced=kept, others=others),)
    return bool(reason_to_ask(a_tool("any"), {}, makes, [said], named=False))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (DENTIST, "Please delete the dentist todo."),
        (DENTIST, "Good, thanks! Remove the dentist from my list."),
        (DENTIST, "lösche den Todo dentist"),
        (PLAN, "Overwrite /documents/plan.md with a summary."),
        (PLAN, "Could you update plan.md?"),
    ],
)
def test_what_is_named_with_its_act_may_go(kept: Kept, said: str):
    assert not asked(kept, said)


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (DENTIST, "Do not delete the dentist todo."),
        (DENTIST, "Should I delete the dentist todo?"),
        (DENTIST, "When is the dentist?"),
        (DENTIST, "Eve asked to delete the dentist todo."),
        (DENTIST, "Delete the milk."),
        (DENTIST, "Delete dentist and milk."),
        (PLAN, "Read plan.md to me."),
        (PLAN, "Delete other.md."),
    ],
)
def test_another_mention_lets_nothing_go(kept: Kept, said: str):
    assert asked(kept, said)


def heard(*words: str) -> tuple[str, ...]:
    person = Origin(Trust.PERSON, "person:ann")
    history = [
        TranscriptMessage("user", (StoredBlock(text_block(one), person, typed=one),))
        for one in words
    ]
    return ContextProvenance(history).turn_words()


def test_words_that_ask_for_nothing_lasting_are_asked_about():
    tried = list(spoken(HOSTILE))
    free = [
        words
        for makes, words in tried
        if not reason_to_ask(a_tool("any"), {}, (makes,), heard(*words), named=False)
    ]
    assert len(tried) >= 100
    assert free == []


def test_ordinary_wishes_for_lasting_things_need_no_question():
    tried = list(spoken(ORDINARY))
    asked_about = [
        words
        for makes, words in tried
        if reason_to_ask(a_tool("any"), {}, (makes,), heard(*words), named=False)
    ]
    assert len(tried) >= 25
    assert asked_about == []


WORDS = st.lists(st.sampled_from("remind always call pay eve dentist milk tomorrow".split()))  # noqa: SIM905 - easier to read


@given(WORDS, WORDS, st.sampled_from([LATER, FOLLOWED]))
def test_only_a_run_of_the_words_themselves_is_theirs(
    text: list[str], said: list[str], kind: Lasting
):
    if all_said(kind, [" ".join(text)], [" ".join(said)]):
        wanted = [word for word in text if word != "remind"]
        words = [word for word in said if word != "remind"]
        assert any(words[at : at + len(wanted)] == wanted for at in range(len(words)))


@given(WORDS, WORDS)
def test_a_word_that_was_not_typed_always_asks(text: list[str], said: list[str]):
    assert not all_said(LATER, [" ".join([*text, "EVIL"])], [" ".join([*said, "remind"])])


def test_declared_calls_are_asked_about_unless_typed():
    rules = (LastingRule(LATER, "action", frozenset({"create"})), LastingRule(Lasting.REPLACES))
    tool = a_tool("later", lasting=rules[:1])
    said = ["Remind me tomorrow to call the dentist"]
    for arguments in ({"action": "create", "text": "Pay Eve"}, {"text": "Pay Eve"}):
        assert reason_to_ask(tool, arguments, (), said, named=True) == REASONS[LATER]
    mine = {"action": "create", "text": "Call the dentist"}
    assert not reason_to_ask(tool, mine, (), said, named=False)
    assert not reason_to_ask(tool, {"action": "list"}, (), said, named=False)
    gone = a_tool("gone", lasting=rules[1:])
    assert reason_to_ask(gone, {}, (), said, named=False) == REASONS[Lasting.REPLACES]
    assert not reason_to_ask(gone, {}, (), said, named=True)


def test_only_words_of_this_turn_count():
    person = Origin(Trust.PERSON, "person:ann")

    def typed(text: str) -> TranscriptMessage:
        return TranscriptMessage("user", (StoredBlock(text_block(text), person, typed=text),))

    def answered(text: str) -> TranscriptMessage:
        return TranscriptMessage("assistant", (StoredBlock(text_block(text), BELLHOP),))

    earlier, now = "Remind me tomorrow to call the dentist", "And what about today"
    history = [typed(earlier), answered("Done."), typed(now)]
    context = ContextProvenance(history, turn_from=2)
    assert context.turn_words() == (now,)
    assert not context.asks_for(LATER, ["Call the dentist"])
    assert ContextProvenance((), ContextProvenance(history[:1])).turn_words() == (earlier,)
