"""A whole Bellhop with a browser: the card in the chat, and the click on it."""

from pathlib import Path

import pytest

from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.web_site import Asked, answer, web_site

pytestmark = pytest.mark.slow

SHOP = """<title>Shop</title><form method=post action=/order><label>Name <input name=n></label>
<button>Order 2 owls</button></form>"""


def answers(asked: Asked) -> bytes:
    return answer(
        SHOP if asked.method == "GET" else "<title>Done</title><p>Ordered", content_type="text/html"
    )


async def test_the_card_shows_the_step_and_a_click_runs_it(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(
        "browser: {enabled: true, sandbox: false}\nweb: {allow_private: [127.0.0.0/8]}\n"
    )
    know(tmp_path, ann="Friend")
    chat = FakeChat()
    async with web_site(answers) as site:
        model = ScriptedModel(
            [
                call("browser_navigate", {"url": site.url}),
                call("browser_act", {"action": 'type "Ann" into the Name field'}),
                call("browser_act", {"action": "click Order 2 owls"}),
                say("It waits for your yes."),
                say("Ordered."),
            ]
        )
        async with running_app(tmp_path, model, chat) as house:
            await chat.say("ann", f"order 2 owls at {site.url}")
            posts = await chat.until(2)
            card = next(post for post in posts if post.message.choices)
            assert 'click button \\"Order 2 owls\\" on 127.0.0.1' in card.text
            assert f"{site.url}/order; n=Ann" in card.text
            assert [choice.verb for choice in card.message.choices] == ["approve", "reject"]
            assert all(asked.method == "GET" for asked in site.asked)
            await chat.click("ann", card.message.choices[0].ref, "approve")
            assert (await chat.until(3))[-1].text == "Ordered."
            await house.until_idle()
            assert [asked.body for asked in site.asked if asked.method == "POST"] == [b"n=Ann"]


async def test_without_a_browser_nothing_names_it(tmp_path: Path):
    model = ScriptedModel([call("tool_search", {"pattern": "browser_*"}), say("Nothing.")])
    async with running_app(tmp_path, model) as house:
        await house.ask("ann", "open a page")
    assert "browser_navigate" not in str(model.requests)
