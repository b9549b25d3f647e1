"""/files by real clients: send a long text, list what is kept, have it sent back."""

from pathlib import Path

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, known, reads

TEXT = b"a line of the log\n" * 5_000
LISTED = "`/documents/incoming/log.txt`"
PRIVATE = "1 more is private; ask me in a DM."


async def test_on_discord(tmp_path: Path):
    async with house(tmp_path, ScriptedModel([say("Long.")], strict=True)) as made:
        ann = made.ann
        ann.upload(ann.dm, "log.txt", TEXT, "read this")
        await made.reads(ann, ann.dm, "Long.")
        ann.say(ann.dm, "/files")
        assert LISTED in (await made.reads(ann, ann.dm, LISTED)).content
        ann.say(ann.dm, "/files incoming/log.txt")
        await made.reads(ann, ann.dm, "Here is `/documents/incoming/log.txt`.")
        sent = await made.platform.until(
            lambda: [file for one in ann.sees(ann.dm) for file in one.files]
        )
        assert [(file.name, file.data) for file in sent] == [("log.txt", TEXT)]
        ann.slash(made.general, "files", text="incoming/log.txt")  # the answer is for them alone
        await made.reads(ann, made.general, "Here is `/documents/incoming/log.txt`.")
        whispered = await made.platform.until(
            lambda: [file for one in ann.sees(made.general) for file in one.files]
        )
        assert [file.data for file in whispered] == [TEXT]
        assert made.ben.sees(made.general) == []
        ann.say(made.general, "/files", mention=True)
        assert LISTED not in (await made.reads(ann, made.general, PRIVATE)).content


async def test_on_slack(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    known(tmp_path, ann)
    async with app_on_slack(tmp_path, slack, ScriptedModel([say("Long.")], strict=True)):
        ann.upload("log.txt", "text/plain", TEXT, "read this")
        await reads(slack, ann, "Long.")
        ann.slash("files", office)
        await reads(slack, ann, LISTED, office)
        ann.slash("files incoming/log.txt", office)
        await reads(slack, ann, "Here is `/documents/incoming/log.txt`.", office)
        sent = await slack.until(lambda: [file for one in ann.sees() for file in one.files])
        assert [(file.name, file.data) for file in sent] == [("log.txt", TEXT)]
        assert bob.sees(office) == []
        ann.mention("!files", office)
        await reads(slack, ann, PRIVATE, office)
