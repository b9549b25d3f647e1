"""Telegram's formats: texts both ways, buttons, settings, limits."""

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Choice, Conversation, Place, ReplyTarget, Visibility
from bot.loopback.telegram.html import read_html
from bot.plugins.telegram_chat.buttons import DATA_BYTES, keyboard, read_click, unseen_options
from bot.plugins.telegram_chat.inbound import UpdateReader
from bot.plugins.telegram_chat.markup import (
    MOST_UNITS,
    pieces_of,
    readable,
    tame,
    to_html,
    typed_words,
    units,
)
from bot.plugins.telegram_chat.media import gathered
from bot.plugins.telegram_chat.places import Me, conversation_at, link_to, spot_of
from bot.plugins.telegram_chat.rates import windows
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.testing.fake_clock import FakeClock

MARKS = ["*", "**", "_", "`", "```\n", "~~", "[x](http://e.org)", "> ", "- ", "1. ", "# ", "<b>"]
WORDS = ["one", " ", "\n", "\n\n", "@ann", "&", "&lt;", "<", "|a|b|\n|-|-|\n", "😀", "\\", "a@b.c"]
TEXTS = st.lists(st.sampled_from([*MARKS, *WORDS]), max_size=40).map("".join)


@given(TEXTS)
def test_whatever_is_written_telegram_takes_it(text: str):
    html = to_html(text)
    shown, entities = read_html(html)  # raises for markup that Telegram would refuse
    for entity in entities:
        assert entity.get("url", "http://").startswith("http")
    assert "@ann" not in shown.replace("\n", " ").split() or any(
        one["type"] in {"code", "pre"} for one in entities
    )


@given(TEXTS.map(lambda text: text * 120))
def test_long_texts_fit_in_pieces_and_nothing_is_lost(text: str):
    pieces = pieces_of(text)
    assert all(0 < units(read_html(one.html)[0]) <= MOST_UNITS for one in pieces)
    assert "".join(one.plain for one in pieces).count("one") >= text.count("one") - text.count("](")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**bold** and *it*", "<b>bold</b> and <i>it</i>"),
        ("# Title\n\ntext", "<b>Title</b>\n\ntext"),
        ("- a\n- b\n  - c", "• a\n• b\n  • c"),
        ("2. a\n3. b", "2. a\n3. b"),
        ("```py\na < b\n```", '<pre><code class="language-py">a &lt; b</code></pre>'),
        ("> said\n> > twice", "<blockquote>said\n\ntwice</blockquote>"),
        ("[x](tg://user?id=5)", "x"),
        ("<script>", "&lt;script&gt;"),
        ("`@ann` @ann", "<code>@ann</code> @\u2060ann"),
    ],
)
def test_markdown_becomes_telegrams_tags(markdown: str, html: str):
    assert to_html(markdown) == html


def test_nobody_is_called_by_name_and_addresses_stay():
    assert tame("@ann, mail a@b.org or see https://x.org/@ann") == (
        "@\u2060ann, mail a@b.org or see https://x.org/@ann"
    )


def test_entities_count_units_of_utf_16():
    named = {"type": "text_mention", "offset": 3, "length": 3, "user": {"id": 7}}
    assert readable("😀 Ann is here", [named]) == "😀 @Ann is here"
    assert typed_words("😀 Ann is here", [named]) == "😀 <@7> is here"
    linked = {"type": "text_link", "offset": 0, "length": 4, "url": "https://e.org"}
    assert readable("here", [linked]) == "here (https://e.org)"


@given(st.text(max_size=80), st.sampled_from(["answer", "approve_session", "|%"]), st.text())
def test_a_click_brings_back_the_choice_or_its_number(label: str, verb: str, ref: str):
    choice = Choice(label, ref, verb, label)
    buttons = keyboard([choice])
    if buttons is None:
        assert len(f"l|{quote(verb, safe='')}|{quote(ref, safe='')}|1") > DATA_BYTES
        return
    data = buttons["inline_keyboard"][0][0]["callback_data"]
    assert 1 <= len(data.encode()) <= DATA_BYTES
    action = read_click(data, {"reply_markup": buttons})
    assert action is not None
    assert (action.ref, action.verb) == (ref, verb)
    assert " ".join(action.value.split()) in {" ".join(label.split()), "1"}


def test_an_option_that_no_button_can_hold_is_listed_in_full():
    long = Choice("x" * 200, "t1", "answer", "x" * 200)
    assert unseen_options([Choice("yes", "t1", "answer", "yes")]) == ""
    assert unseen_options([long]) == f"\n\n1. {'x' * 200}"
    assert read_click("other|bot|data", {}) is None
    assert keyboard([Choice("a", "r" * 90, "v")]) is None


def test_a_group_is_a_workspace_and_a_topic_a_conversation():
    group = {"id": -1001, "type": "supergroup", "title": "Trips", "username": "trips"}
    assert conversation_at(group) == Conversation(
        "telegram", "-1001", "-1001", Place.CHANNEL, "Trips"
    )
    assert conversation_at(group).visibility is Visibility.UNKNOWN
    topic = conversation_at({**group, "username": ""}, "7")
    assert (topic.key, topic.place, topic.channel) == (
        "telegram:-1001:-1001:7",
        Place.THREAD,
        "-1001",
    )
    assert topic.visibility is Visibility.PRIVATE
    spot = spot_of(ReplyTarget(topic, "9"))
    assert spot.arguments() == {
        "chat_id": "-1001",
        "message_thread_id": 7,
        "reply_parameters": {"message_id": 9, "allow_sending_without_reply": True},
    }
    assert spot_of(ReplyTarget(topic, "9", ephemeral_to="5")).arguments() == {"chat_id": "5"}
    assert link_to("-1001234", "7", "9") == "https://t.me/c/1234/7/9"
    assert link_to("-5", "", "9") == ""


READER = UpdateReader(Me("1", "bellhop"), TelegramSettings(), FakeClock(), lambda _: False)
SENT: JsonObject = {
    "message_id": 5,
    "date": 1_763_913_600,
    "chat": {"id": 7, "type": "private"},
    "from": {"id": 7, "first_name": "Ann"},
}
SAID: list[tuple[JsonObject, str | None]] = [
    ({"text": "hello"}, "hello"),
    ({"dice": {"emoji": "🎲", "value": 4}}, "[🎲: 4]"),
    ({"story": {"id": 3}}, "[story]"),
    ({"checklist": {"title": "Party", "tasks": [{"text": "cake"}, {"text": "tea"}]}},
     "[checklist: Party (cake, tea)]"),
    ({"message_auto_delete_timer_changed": {"message_auto_delete_time": 86400}}, None),
    ({"new_chat_title": "Trips"}, None),
    ({"pinned_message": {**SENT, "text": "hello"}}, None),
    ({"video_chat_started": {}}, None),
    ({"a notice of next year": {}}, None),
]  # fmt: skip


@pytest.mark.parametrize(("more", "text"), SAID)
def test_what_somebody_said_is_read_and_a_notice_of_the_chat_is_not(
    more: JsonObject, text: str | None
):
    message = READER.message({"update_id": 1, "message": SENT | more})
    assert (None if message is None else message.text) == text


GROUP: JsonObject = {**SENT, "chat": {"id": -5, "type": "group", "title": "Trips"}}
OWN: JsonObject = {**GROUP, "message_id": 4, "from": {"id": 1, "is_bot": True, "first_name": "Bot"}}
POINTED: JsonObject = {"text": "Tuesday", "position": 3, "is_manual": True}
NEWS: JsonObject = {"id": -9, "type": "channel", "title": "News"}
REFERRED: list[tuple[JsonObject, list[tuple[str, str]]]] = [
    ({"reply_to_message": {**OWN, "text": "On Tuesday."}}, []),
    ({"reply_to_message": {**OWN, "text": "On Tuesday."}, "quote": POINTED}, [("Bot", "Tuesday")]),
    ({"reply_to_message": {**GROUP, "text": "On Tuesday."}, "quote": POINTED},
     [("Ann", "On Tuesday.\n(they point at: Tuesday)")]),
    ({"reply_to_message": {**GROUP, "sender_chat": NEWS, "text": "post"}}, [("News", "post")]),
]  # fmt: skip


@pytest.mark.parametrize(("more", "quoted"), REFERRED)
def test_a_reply_quotes_who_spoke_and_the_part_that_was_chosen(
    more: JsonObject, quoted: list[tuple[str, str]]
):
    message = READER.message({"message": GROUP | {"text": "when?"} | more})
    assert message is not None
    assert [(one.author.name, one.text) for one in message.quoted] == quoted


def test_a_place_that_is_sent_as_a_reply_is_not_lost():
    place = {"location": {"latitude": 46.9, "longitude": 7.4}}
    message = READER.message({"message": GROUP | place | {"reply_to_message": GROUP}})
    assert message is not None
    assert message.text == "[place: 46.9, 7.4]"


def test_a_mention_in_a_forwarded_message_is_for_nobody_here():
    named = {"text": "@bellhop hi", "entities": [{"type": "mention", "offset": 0, "length": 8}]}
    origin = {"forward_origin": {"type": "hidden_user", "sender_user_name": "Eve"}}
    here, there = (READER.message({"message": GROUP | named | more}) for more in ({}, origin))
    assert here is not None
    assert there is not None
    assert (here.addressed, there.addressed) == (Addressed.MENTION, Addressed.NONE)


def test_an_album_is_one_message_except_for_further_words():
    def picture(number: int, **more: Any) -> JsonObject:
        photo = [{"file_id": f"p{number}", "width": 9, "height": 9}]
        return {"message": {**SENT, "message_id": number, "photo": photo, **more}}

    album = {"media_group_id": "7"}
    updates = [
        picture(1, **album),
        picture(2, **album, caption="two"),
        picture(3),
        picture(4, **album, caption="four"),
        picture(5, **album),
    ]
    read = [READER.message(update) for update in gathered(updates)]
    assert [(one.text, [file.ref for file in one.attachments]) for one in read if one] == [
        ("two", ["p1", "p2", "p5"]),
        ("", ["p3"]),
        ("four", ["p4"]),
    ]


def test_messages_to_groups_have_a_limit_by_the_minute():
    assert [one.key for one in windows("sendmessage", {"chat_id": "-5"})] == [
        "chat -5",
        "group -5",
        "all",
    ]
    assert [one.key for one in windows("editmessagetext", {"chat_id": "5"})] == ["chat 5", "all"]
    assert windows("getupdates", {}) == ()


def test_secrets_are_checked_without_a_call_and_never_shown():
    good = TelegramSecrets("123456:" + "a" * 35)
    assert good.problems(TelegramSettings()) == []
    assert good.bot == "123456"
    assert "a" * 35 not in repr(good)
    assert "no token like" in TelegramSecrets("abc").problems(TelegramSettings())[0]
    webhook = TelegramSettings(url="https://b.example/")
    assert "TELEGRAM_WEBHOOK_SECRET" in good.problems(webhook)[0]
    with pytest.raises(ValueError, match="https"):
        TelegramSettings(url="http://b.example")
    with pytest.raises(ValueError, match="https"):
        TelegramSettings(api_base="http://b.example")


def test_me_is_read_from_whatever_comes():
    assert Me.read({"id": 5}) == Me("5", "", reads_all=False)
