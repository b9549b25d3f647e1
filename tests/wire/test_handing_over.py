"""A file that the model hands over, by real clients: an attachment where the answer is."""

from pathlib import Path

from bot.domain.models import ModelReply
from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, known, reads

PLAN = "/documents/plan.md"
TEXT = "# The plan\n\nGrüße, 东京\n"
WRITTEN = call("write_file", {"path": PLAN, "content": TEXT})
FILE = ("plan.md", TEXT.encode())


def hand(text: str, to: str | None = None) -> ModelReply:
    return call("send", {"text": text, "file": PLAN, **({"to": to} if to else {})})


async def test_on_discord(tmp_path: Path):
    model = ScriptedModel([WRITTEN, hand("Here."), say("Done.")], strict=True)
    async with house(tmp_path, model) as made:
        ann, ben = made.ann, made.ben
        ann.say(ann.dm, "write the plan and give me the file")
        await made.reads(ann, ann.dm, "Done.")
        posts = [one for one in ann.sees(ann.dm) if one.files]
        assert [(one.content, one.files[0].name, one.files[0].data) for one in posts] == [
            ("Here.", *FILE)
        ]
        assert not any(one.files for one in ben.sees(made.general))
        model.add(
            call("write_file", {"path": "/documents/rules.md", "content": TEXT}),
            call("send", {"text": "For all.", "file": "/documents/rules.md"}),
            say("Posted."),
        )
        asked = ann.say(made.general, "write our rules and post them here", mention=True)
        thread = await made.thread(asked)
        posted = await made.reads(ben, thread, "For all.")
        assert [(file.name, file.data) for file in posted.files] == [("rules.md", TEXT.encode())]


async def test_on_slack(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    known(tmp_path, ann)
    model = ScriptedModel([WRITTEN, hand("Here."), say("Done.")], strict=True)
    async with app_on_slack(tmp_path, slack, model):
        ann.say("write the plan and give me the file")
        await reads(slack, ann, "Done.")
        sent = await slack.until(lambda: [file for one in ann.sees() for file in one.files])
        assert [(file.name, file.data) for file in sent] == [FILE]
        assert not any(one.files for one in bob.sees(office))
        model.add(hand("As asked.", "#office"), say("Posted."))
        ann.say("post the plan in #office")
        posted = await slack.until(lambda: [file for one in bob.sees(office) for file in one.files])
        assert [(file.name, file.data) for file in posted] == [FILE]
