"""Who wants short answers reads the beginning, and has the whole as a file."""

from pathlib import Path

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, says

REASONS = "\n\n".join(f"Reason {number}: {'because ' * 30}" for number in range(8))
LONG = f"Take the blue one.\n\n{REASONS}".strip()


async def test_on_discord_who_wants_short_answers_gets_the_rest_as_a_file(tmp_path: Path):
    model = ScriptedModel([say(LONG), say(LONG)])
    async with house(tmp_path, model) as made:
        made.ann.slash(made.general, "answers", text="short")
        await made.reads(made.ann, made.general, "You get the beginning of long answers")
        thread = await made.thread(made.ann.say(made.general, "which one?", mention=True))
        answer = await made.reads(made.ann, thread, "Take the blue one.")
        assert len(answer.content) < 1_000
        assert "Reason 7" not in answer.content
        assert "is in the file" in answer.content
        assert [(file.name, file.data.decode()) for file in answer.files] == [("answer.md", LONG)]
        assert "gist first" in str(model.requests[0].messages)

        made.ben.say(thread, "and what do you say to me?", mention=True)
        await made.platform.until(
            lambda: any("Reason 7" in one.content for one in made.ben.sees(thread))
        )
        assert "Reason 7" in str(model.requests[1].messages), "others' sessions know all of it"


async def test_on_slack_who_wants_short_answers_gets_the_rest_as_a_file(
    slack: SlackPlatform, ann: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say(LONG)])
    async with app_on_slack(tmp_path, slack, model):
        ann.slash("answers short", office)
        await says(slack, "You get the beginning")
        ann.mention("which one?", office)
        shown = await slack.until(
            lambda: [one for one in slack.said if "is in the file" in one.text][:1]
        )
        assert shown[0].text.startswith("Take the blue one.")
        assert "Reason 7" not in shown[0].text
        files = await slack.until(lambda: [one for said in slack.said for one in said.files])
        assert [(one.name, one.data.decode()) for one in files] == [("answer.md", LONG)]


async def test_on_discord_the_rest_stands_in_the_thread_once(tmp_path: Path):
    model = ScriptedModel([say(LONG), say(LONG)])
    async with house(tmp_path, model) as made:
        made.ann.slash(made.general, "answers", text="thread")
        await made.reads(made.ann, made.general, "Where an answer opens a thread")
        asked = made.ann.say(made.general, "which one?", mention=True)
        first = await made.reads(made.ben, made.general, "Take the blue one.")
        assert "The rest is in the thread." in first.content
        assert "Reason 7" not in first.content
        thread = await made.thread(asked)
        rest = await made.reads(made.ben, thread, "Reason 7")
        assert "Take the blue one." not in rest.content
        made.ann.say(thread, "once more")
        await made.reads(made.ann, thread, "Take the blue one.")
        assert "Take the blue one." in str(model.requests[1].messages)
        said = [one.content for one in made.ben.sees(made.general)]
        assert sum("Take the blue one." in one for one in said) == 1


async def test_on_slack_the_rest_stands_in_the_thread(
    slack: SlackPlatform, ann: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say(LONG)])
    async with app_on_slack(tmp_path, slack, model):
        ann.slash("answers thread", office)
        await says(slack, "opens a thread")
        asked = ann.mention("which one?", office)
        rest = await slack.until(lambda: [one for one in slack.said if "Reason 7" in one.text][:1])
        (first,) = [one for one in slack.said if "The rest is in the thread." in one.text]
        assert first.thread_ts is None
        assert first.text.startswith("Take the blue one.")
        assert rest[0].thread_ts == asked.ts
        assert "Take the blue one." not in rest[0].text
