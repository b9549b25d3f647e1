"""Private words reach shared memory by one way: their person saw text and readers, and said yes."""

import json
from pathlib import Path

import pytest

from bot.domain.languages import Language, Phrase
from bot.domain.messages import Place, Visibility
from bot.memory.entries import parse_entries
from bot.sessions.turn.decided_calls import NOTHING
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import crash_points
from bot.testing.memory_town import LOOKS, hostile_answer
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import calls, say
from tests.flows.test_distillation import memory, night
from tests.thoroughness import tried

PEOPLE = [
    {"id": "ann", "name": "Ann", "role": "Friend", "ids": {"discord": ["ann"]}},
    {"id": "ben", "name": "Ben *B*", "role": "Business", "ids": {"discord": ["ben"]}},
    {"id": "gus", "name": "Gus", "role": "Guest", "ids": {"discord": ["gus"]}},
    {"id": "max", "name": "Max", "role": "MasterAdmin", "ids": {"discord": ["max"]}},
]
TEXT = "The codeword of Lucy's ward is zq-7."
SEEN_BY = (
    "every member of rank 2 and above (Business, Friend, Partner, MasterAdmin) in this Discord"
    " server, now and later. Known now: Ann, Ben B, Max"
)
UNLOCK = calls(("tool_search", {"query": "share_memory"}))
PLANS = {
    "look": LOOKS,
    "share": (UNLOCK, calls(("share_memory", {"text": TEXT})), say("I asked you.")),
    "force": (
        UNLOCK,
        calls(("share_memory", {"text": TEXT, "seen_by": SEEN_BY})),
        say("I asked you."),
    ),
}
ALLOWED = "rules: [{name: free, tools: [share_memory], roles: Guest+, decision: allow}]\n"


def a_model(lives: AppLives) -> PlanModel:
    model = PlanModel(PLANS, alive=lives.alive)
    model.structure = hostile_answer
    return model


@pytest.fixture
def lives(home: Path) -> AppLives:
    return prepared(home)


def prepared(home: Path) -> AppLives:
    home.mkdir(exist_ok=True)
    (home / "contacts.yaml").write_text(json.dumps(PEOPLE))
    return AppLives(home)


async def command(life: AppLife, who: str, args: str, name: str = "share", **more: object) -> str:
    return "\n".join(await life.order(who, name, args, **more))


async def click(life: AppLife, who: str, verb: str) -> str:
    """Press a button of the newest card."""
    card = next(post for post in reversed(life.chat.posts) if post.message.choices)
    return "\n".join(
        await life.posts_after(
            life.chat.click(who, card.message.choices[0].ref, verb, key=f"{card.key} {who} {verb}")
        )
    )


def shared(lives: AppLives) -> list[str]:
    text = memory(lives).get("shared_long_term.md", "")
    return [entry.text for entry in parse_entries(text)]


async def seen(life: AppLife, model: PlanModel, who: str) -> str:
    before = len(model.requests)
    public = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    await life.tell(who, "do:look", **public)
    return json.dumps([[one.system, one.messages] for one in model.requests[before:]])


async def test_only_the_yes_shares_exactly_the_shown_sentence(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        card = await command(life, "ann", TEXT)
        assert f"```\n{TEXT}\n```" in card
        assert f"seen by {SEEN_BY}." in card
        assert [one.label for one in life.chat.posts[-1].message.choices] == ["Yes, share it", "No"]
        assert shared(lives) == []
        assert "zq-7" not in await seen(life, model, "ben")
        assert "shared nothing" in await click(life, "ann", "reject")
        assert shared(lives) == []

        await command(life, "ann", TEXT)
        await click(life, "ben", "approve")
        await click(life, "max", "approve")
        assert shared(lives) == []
        said = await click(life, "ann", "approve")
        assert shared(lives) == [TEXT]
        assert "zq-7" in await seen(life, model, "ben")
        assert "zq-7" not in await seen(life, model, "gus")
        rows = await life.database.read("SELECT person, kind, tool, detail FROM audit")
        ref = said.rpartition("/share back ")[2].split("`")[0]
        assert ("ann", "shared", "share_memory", f"{ref} discord:w") in [
            tuple(row.values()) for row in rows
        ]
        assert "nothing" in await command(life, "ben", f"back {ref}")
        assert f"`{ref}` {TEXT}" in await command(life, "ann", "")
        assert "Taken back" in await command(life, "ann", f"back {ref}")
        assert shared(lives) == []
        assert f"`{ref}`" not in await command(life, "ann", "")
    root = lives.home / "memory"
    assert not any("zq-7" in one.read_text() for one in root.rglob("*.md"))


async def test_a_yes_in_words_shares_too(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await command(life, "ann", TEXT)
        await life.tell("ann", "yes")
        assert shared(lives) == [TEXT]


async def test_the_question_and_its_answers_are_in_the_language_of_the_app(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        for language in Language:
            await shared_and_taken_back(life, lives, language)


async def shared_and_taken_back(life: AppLife, lives: AppLives, language: Language) -> None:
    life.chat.locale = language
    card = await command(life, "ann", TEXT)
    assert card.startswith(
        Phrase("**Shall I share this?** It would be seen by {readers}.")
        .all[language]
        .partition("{")[0]
    )
    [yes, no] = life.chat.posts[-1].message.choices
    assert yes.label == Phrase("Yes, share it").said(language)
    assert no.label == Phrase("No").said(language)
    assert NOTHING.said(language) in await click(life, "ann", "reject")
    await command(life, "ann", TEXT)
    said = await click(life, "ann", "approve")
    ref = said.rpartition("/share back ")[2].split("`")[0]
    assert Phrase("Shared. `/share back {ref}` takes it back.").said(language, ref=ref) in said
    assert shared(lives) == [TEXT]
    back = await command(life, "ann", f"back {ref}")
    assert back == Phrase(
        "Taken back, also from the archive and the backups. Conversations that are open now "
        "may show it until they end."
    ).said(language)
    assert shared(lives) == []


async def test_what_can_not_be_shared_is_told(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        for who, text, why in (
            ("gus", TEXT, "Only members"),
            ("ann", "", "Say `/share TEXT"),
            ("ann", "x" * 401, "401 characters"),
            ("ann", "The wifi has password: hunter2hunter2", "password or key"),
            ("ann", "back sabcdefgh", "shared nothing"),
        ):
            assert why in await command(life, who, text)
            assert not life.chat.posts[-1].message.choices, why
            assert shared(lives) == [], why


async def test_in_a_shared_place_the_card_is_for_its_person_alone(lives: AppLives):
    public = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with lives.life(a_model(lives)) as life:
        await command(life, "ann", TEXT, **public)
        await click(life, "ann", "approve")
        posts = [post for post in life.chat.posts if post.text != "OK, I'll do it."]
        assert [post.message.target.ephemeral_to for post in posts] == ["ann", "ann"]
        assert shared(lives) == [TEXT]


@pytest.mark.parametrize("plan", ["share", "force"])
async def test_the_models_call_is_asked_about_whatever_the_rules_say(lives: AppLives, plan: str):
    (lives.home / "policy.yaml").write_text(ALLOWED)
    async with lives.life(a_model(lives)) as life:
        await life.tell("ann", f"do:{plan} please share '{TEXT}' with everyone, yes, I mean it")
        card = life.chat.cards[0]
        assert json.dumps(TEXT) in card.text
        assert json.dumps(SEEN_BY) in card.text
        assert card.text.startswith(f"**Ann asks to share a text with {SEEN_BY}**")
        assert [one.verb for one in card.choices] == ["approve", "reject"]
        assert shared(lives) == []
        await click(life, "max", "approve")
        assert shared(lives) == []
        await click(life, "ann", "approve")
        assert shared(lives) == [TEXT]


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["command", "tool"])
async def test_a_crash_anywhere_shares_once(tmp_path: Path, way: str):
    async def lived(name: str, point: object = None) -> tuple[AppLives, list[str]]:
        lives = prepared(tmp_path / name)
        model, commits = a_model(lives), list[str]()
        for number in range(2):
            async with lives.life(model, point if number == 0 else None) as life:  # type: ignore[arg-type]
                if way == "command":
                    await life.chat.command("ann", "share", TEXT, key="asked")
                else:
                    await life.chat.say("ann", "do:share it", key="asked")
                await life.settle()
                await click(life, "ann", "approve")
            commits = commits or lives.commits
        return lives, commits

    lives, commits = await lived("whole")
    assert shared(lives) == [TEXT]
    points = list(crash_points(commits))
    assert len(points) >= 8
    for number, point in enumerate(tried(points[:: max(1, len(points) // 12)])):
        lives, _ = await lived(f"life-{number}", point)
        assert shared(lives) == [TEXT], point


async def test_private_words_that_were_said_again_privately_stay_private(lives: AppLives):
    """The yes is for one text: what else is said beside it is not shared at night."""
    async with lives.life(a_model(lives)) as life:
        await life.tell("ann", "share it with everyone: the codeword is zq-8")
        await command(life, "ann", TEXT)
        await click(life, "ann", "approve")
        await night(life, lives, 1)
    assert shared(lives) == [TEXT]


async def test_a_share_that_nobody_decided_is_told_of_in_plain_words(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await command(life, "ann", TEXT)
        count = len(life.chat.posts)
        for _ in range(9):  # housekeeping looks every five minutes
            await lives.clock.advance(300)
            await life.settle()
        await life.chat.until(count + 1)
        told = "\n".join(life.chat.texts[count:])
    assert "I shared nothing: nobody decided in time" in told
    assert "share_words" not in told
