"""A plan on Slack: a card for each task in the one message that becomes the answer."""

from bot.domain.chat import PlanShown
from bot.domain.plans import FailureKind, PlanTask, TaskActivity, TaskNote, TaskState
from bot.loopback.slack import SlackPlatform
from bot.testing.live_updates import EACH_KIND
from bot.testing.slack_house import SlackHouse


async def test_each_task_is_a_card_that_follows_its_state(house: SlackHouse, slack: SlackPlatform):
    tasks = (
        PlanTask("1", "look", state=TaskState.COMPLETED),
        PlanTask(
            "2",
            "ask",
            state=TaskState.IN_PROGRESS,
            note=TaskNote(TaskActivity.AGAIN, FailureKind.TIMEOUT),
        ),
        PlanTask("3", "sum", struck=True),
    )
    message = await house.asked()
    live = house.live(message, PlanShown("compare vendors", tasks))
    await house.showing(lambda m: len(m.tasks) == 3)
    cards = {key: (card["title"], card["status"]) for key, card in slack.said[-1].tasks.items()}
    assert cards == {
        "plan-1": ("1. look", "complete"),
        "plan-2": ("2. ask", "in_progress"),
        "plan-3": ("3. sum (struck)", "complete"),
    }
    live.show(PlanShown("compare vendors", (tasks[0], PlanTask("4", "sum of one"))))
    await house.showing(lambda m: m.tasks.get("plan-4"))
    assert slack.said[-1].tasks["plan-2"]["title"] == "2. ask (replaced)", (
        "no card can be taken away"
    )
    started = slack.log.named("chat.startStream")[0]
    assert started.arguments["task_display_mode"] == "plan"
    await live.close()


async def test_every_kind_of_update_is_shown_and_the_answer_comes(house: SlackHouse):
    message = await house.asked()
    live = house.live(message, *EACH_KIND)
    await house.showing(lambda m: m.tasks)
    await house.answer(message.reply_to, "It is sunny.", live=live)
    await live.close()
    await house.showing(lambda m: "It is sunny." in m.text)
