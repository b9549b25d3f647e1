"""What people are told outside of answers is in their language: cards, notices, schedules."""

from pathlib import Path

import pytest

from bot.agents.loop.spending import SPENT
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation, Place
from bot.domain.retelling import INNER, Retelling
from bot.errors import DeliveryError
from bot.sessions.outbox.spoken_language import spoken_at, spoken_by
from bot.sessions.run.epochs import NOTHING_TO_SUMMARISE, WHY_NOT_SUMMARISED
from bot.sessions.wording import phrases as words
from bot.sessions.wording.card_text import RUN
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.card_home import PLANS, furnish
from bot.testing.discord_house import house
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import settle
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say, unlock
from bot.testing.waiting import until
from bot.turns.schedules.reason_words import NOT_ALLOWED, REASONS

OTHERS = [one for one in Language if one is not Language.EN]


async def test_what_can_not_be_worked_on_is_answered_in_the_language_of_the_app(home: Path):
    async with running_app(home, ScriptedModel([]), FakeChat()) as at:
        for language in OTHERS:
            at.chat.locale = language
            assert await at.ask("ann", " ") == Phrase(
                "Your message was empty. Write what you need, or /help for what I can do."
            ).said(language)
            assert await at.command("ann", "compact") == NOTHING_TO_SUMMARISE.said(language)


async def test_a_message_that_is_too_long_is_answered_in_its_own_language(home: Path):
    async with running_app(home, ScriptedModel([]), FakeChat()) as at:
        said = await at.ask("ann", "das ist nicht kurz und ich mag es. " * 4_000)
        assert said.startswith("Diese Nachricht hat 140.000 Zeichen; ich lese höchstens ")


async def test_a_refused_answer_is_told_directly_in_the_language_of_the_question(home: Path):
    async with running_app(home, ScriptedModel([say("Montag.")]), FakeChat()) as at:
        closed = DeliveryError("closed", retryable=False)
        at.chat.refuse = lambda one: None if one.target.ephemeral_to else closed
        await at.chat.say("ann", "wann ist das Treffen und wo?", where="c", place=Place.CHANNEL)
        [told] = await at.chat.until(1)
        assert told.text.startswith("Ich darf dort nicht schreiben")


async def test_a_place_has_the_language_of_its_newest_message_that_shows_one(home: Path):
    model = ScriptedModel([say("Hello."), say("Ciao."), say("42.")])
    async with running_app(home, model, FakeChat()) as at:
        for text in ("what is the news", "che cosa c'è di nuovo?", "42?"):
            await at.ask("ann", text)
        place = at.chat.message("ann", "x").conversation
        assert await spoken_at(at.app.database, place) is Language.IT
        elsewhere = Conversation("discord", "w", "nowhere")
        assert await spoken_at(at.app.database, elsewhere) is Language.EN
        assert await spoken_by(at.app.database, "ann") is Language.IT
        assert await spoken_by(at.app.database, "ben") is Language.EN


ASKED_FOR_A_NOTE = {
    Language.DE: "note, bitte, ich möchte das jetzt haben",
    Language.FR: "note s'il vous plaît, je veux ça maintenant",
    Language.ES: "note por favor, lo quiero ahora",
    Language.IT: "note per favore, lo voglio adesso",
}


@pytest.fixture
def lives(home: Path) -> AppLives:
    know(home, fay="Friend", meg="MasterAdmin")
    furnish(home)
    return AppLives(home)


async def closing(life: AppLife, card: str, verb: str) -> str:
    """Decide the card with this key, and return the line that then stands under it."""
    [post] = [post for post in life.chat.posts if post.key == card]
    await life.posts_after(life.chat.click("fay", post.message.choices[0].ref, verb))
    await until(lambda: card in life.chat.closed)
    await settle()
    return life.chat.closed[card][-1]


@pytest.mark.parametrize("by", ["words", "app"])
async def test_whoever_asked_reads_a_card_in_their_language(lives: AppLives, by: str):
    async with lives.life(model := ScriptedModel()) as life:
        for language in OTHERS:
            model.replace(*PLANS["note"], say("Fine."))
            life.chat.locale = language if by == "app" else ""
            await life.tell("fay", ASKED_FOR_A_NOTE[language] if by == "words" else "note 42!")
            card = [post for post in life.chat.posts if post.message.choices][-1]
            assert card.text.startswith(f"**{RUN.said(language, who='Fay', tool='note')}**")
            labels = [choice.label for choice in card.message.choices]
            assert labels[0] == Phrase("Approve").said(language)
            assert labels[-1] == Phrase("Reject").said(language)
            line = await closing(life, card.key, "reject")
            assert line == Phrase("Rejected by {who}").said(language, who="Fay")


async def test_who_is_asked_elsewhere_reads_what_they_write_themselves(lives: AppLives):
    async with lives.life(ScriptedModel([say("Hola."), *PLANS["wipe"]])) as life:
        await life.tell("meg", "hola, ¿qué hay de nuevo?")
        life.chat.locale = "de"
        await life.tell("fay", "wipe 42!")
        [asked] = [post for post in life.chat.posts if post.message.choices]
        assert asked.text.startswith("Fay (`fay`) lo pide en una conversación directa")
        assert asked.message.choices[0].label == "Aprobar"
        told = [post.text for post in life.chat.posts if not post.message.choices]
        assert any("ich habe Meg gefragt" in text for text in told)


RINGS = {"action": "create", "title": "Zebra", "dueDate": "in 2 hours"}
REMIND_ME = {
    Language.EN: "please remind me of that",
    Language.DE: "erinnere mich bitte daran und vergiss es nicht",
    Language.FR: "rappelle-moi ça, s'il te plaît, dans deux heures",
    Language.ES: "recuérdame esto por favor",
    Language.IT: "ricordami questo per favore",
}


@pytest.mark.parametrize("language", Language)
async def test_a_reminder_speaks_the_language_of_the_request(home: Path, language: Language):
    made = [unlock("manage_todos"), call("manage_todos", RINGS)]
    async with app_with_clock(home, ScriptedModel([*made, say("42.")])) as at:
        await at.ask("ann", REMIND_ME[language])
        await go(at, hours=3)
        [card] = [post for post in at.chat.posts if post.message.choices]
        assert card.text == Phrase("Reminder: **{title}**").said(language, title="Zebra")
        wanted = [words.DONE, Phrase("Tomorrow"), Phrase("In 1 h")]
        assert [one.label for one in card.message.choices] == [one.said(language) for one in wanted]
        await at.chat.click("ann", card.message.choices[0].ref, "todo_done")
        await until(lambda: at.chat.closed)
        assert at.chat.closed[card.key] == [words.DONE.said(language)]


EACH_HOUR = {
    Language.DE: "sag mir bitte jede Stunde, was noch offen ist",
    Language.FR: "dites-moi chaque heure ce qui est ouvert, s'il vous plaît",
    Language.ES: "dime cada hora qué está abierto, por favor",
    Language.IT: "dimmi ogni ora che cosa è aperto, per favore",
}
HOURLY = {"name": "Zebra", "prompt": "Say what is open.", "cron": "0 * * * *"}
TODO = {"action": "create", "title": "Zebra", "wakeAt": "in 2 hours"}


@pytest.mark.parametrize("language", OTHERS)
async def test_what_its_role_stops_is_told_in_the_language_of_the_request(
    home: Path, language: Language
):
    """A schedule that is paused, and a todo that was not worked on."""
    made = [call("manage_todos", TODO), call("schedule_task", HOURLY)]
    async with app_with_clock(home, ScriptedModel([*made, say("42.")])) as at:
        await at.ask("ann", EACH_HOUR[language])
        await at.change_contacts("Ann, role: Friend", "Ann, role: Guest")
        await go(at, hours=1)
        why = NOT_ALLOWED.said(language, who="ann", role="Guest")
        told = at.chat.posts[-1].text
        ref = told.partition("(")[2].partition(")")[0]
        assert told == Phrase(
            "I paused the schedule “{name}” ({ref}): {why}. `/schedule resume {ref}` resumes it, "
            "`/schedule cancel {ref}` removes it."
        ).said(language, name="Zebra", ref=ref, why=why)
        await go(at, hours=1)
        todo = Phrase("The todo “{title}”").said(language, title="Zebra")
        assert at.chat.posts[-1].text == Phrase(
            "{todo} was to be worked on now, but I didn't: {why}."
        ).said(language, todo=todo, why=why)
        at.chat.locale = language
        assert why in await at.command("ann", "schedule", f"show {ref}")


@pytest.mark.parametrize("language", OTHERS)
async def test_a_used_up_budget_is_told_in_the_language_of_the_request(
    home: Path, language: Language
):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("budgets: {per_person_day: {model_calls: 1}}\n")
    model = ScriptedModel([say("42."), say("42.")])
    async with running_app(home, model, FakeChat()) as at:
        await at.ask("ann", EACH_HOUR[language])
        before = len(at.chat.posts)
        await at.chat.say("ann", EACH_HOUR[language])
        posts = await at.chat.until(before + 1)
        await at.until_idle()
        english = "I stopped: today's budget of 1 model call for you is used up."
        told = SPENT.told(
            f"{english} I have asked those who run me whether I may use more; when they say yes I"
            " go on. Tomorrow there is a new one.",
            language,
        )
        assert "budget of" not in told
        assert any(post.text.startswith(told) for post in posts[before:])


KEPT = {"reasons": REASONS, "spent": SPENT, "summaries": WHY_NOT_SUMMARISED}


@pytest.mark.parametrize(
    ("kept", "phrase"), [(kept, phrase) for kept, one in KEPT.items() for phrase in one.phrases]
)
def test_each_reason_that_is_kept_in_english_is_told_in_each_language(kept: str, phrase: Phrase):
    retelling: Retelling = KEPT[kept]
    names = ("who", "role", "platform", "words", "count", "kind", "reason", "all", "name", "ref")
    parts = {**dict.fromkeys(names, "7"), INNER: "§"}
    for language in OTHERS:
        english = phrase.said(Language.EN, **parts)
        assert retelling.told(english, language) == phrase.said(language, **parts)


async def test_commands_are_named_and_answered_in_the_language_of_the_app(home: Path):
    async with house(home, ScriptedModel([])) as made:
        made.ann.user.locale = "de"
        registered = made.platform.interactions.available(made.general)["stop"]
        assert registered["name_localizations"]["de"] == "stopp"
        for person, said in (
            (made.ann, "Hier läuft oder wartet nichts."),
            (made.ben, "Nothing is"),
        ):
            used = person.slash(made.general, "stop")
            response = await made.platform.until(lambda used=used: used.response)
            await made.platform.until(lambda response=response: response.content)
            assert response.content.startswith(said)
            assert response.only_for == person.user.id
        assert made.platform.refusals == []
