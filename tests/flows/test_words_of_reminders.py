"""A reminder, its buttons and its end are in the language of whoever asked for it."""

from pathlib import Path

import pytest

from bot.domain.languages import Language, Phrase
from bot.sessions.wording import phrases as words
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until

TODO = {"action": "create", "title": "Zebra", "dueDate": "in 2 hours"}
WISHES = {
    Language.EN: "please remind me of that",
    Language.DE: "erinnere mich bitte daran und vergiss es nicht",
    Language.FR: "rappelle-moi ça, s'il te plaît, dans deux heures",
    Language.ES: "recuérdame esto por favor",
    Language.IT: "ricordami questo per favore",
}


@pytest.mark.parametrize("language", Language)
async def test_a_reminder_speaks_the_language_of_the_request(home: Path, language: Language):
    made = [call("get_capabilities", {"names": ["manage_todos"]}), call("manage_todos", TODO)]
    async with app_with_clock(home, ScriptedModel([*made, say("42.")])) as at:
        await at.ask("ann", WISHES[language])
        await go(at, hours=3)
        [card] = [post for post in at.chat.posts if post.message.choices]
        assert card.text == Phrase("Reminder: **{title}**").said(language, title="Zebra")
        wanted = [words.DONE, Phrase("Tomorrow"), Phrase("In 1 h")]
        assert [one.label for one in card.message.choices] == [one.said(language) for one in wanted]
        await at.chat.click("ann", card.message.choices[0].ref, "todo_done")
        await until(lambda: at.chat.closed)
        assert at.chat.closed[card.key] == [words.DONE.said(language)]
