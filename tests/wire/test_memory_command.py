"""/memory by real clients: read, export and forget what is kept, and stop learning."""

from pathlib import Path

import pytest

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, known, reads

TIER = Path("memory/ann/assistant_memory.md")
KEPT = "- [S4][2026-11-20] Likes green tea.\n- [S3][2026-11-20][private] Is ill.\n"
PRIVATE = "1 more is private; ask me in a DM."
OFF = "I learn nothing from you any more, anywhere."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / TIER).parent.mkdir(parents=True)
    (tmp_path / TIER).write_text(KEPT)
    return tmp_path


async def test_on_discord(home: Path):
    async with house(home, ScriptedModel([say("Noted.")], strict=True)) as made:
        ann = made.ann
        ann.say(ann.dm, "the zeppelin flies at nine")
        await made.reads(ann, ann.dm, "Noted.")
        ann.say(ann.dm, "/memory")
        await made.reads(ann, ann.dm, "Is ill.")
        (file,) = await made.platform.until(
            lambda: [file for one in ann.sees(ann.dm) for file in one.files]
        )
        assert file.name == "memory.md"
        assert "Likes green tea. (2026-11-20, a public place)" in file.data.decode()
        ann.slash(made.general, "memory")  # the answer is for them alone
        assert "Is ill." in (await made.reads(ann, made.general, "Likes green tea.")).content
        assert made.ben.sees(made.general) == []
        ann.say(made.general, "/memory", mention=True)
        assert "Is ill." not in (await made.reads(ann, made.general, PRIVATE)).content
        ann.say(ann.dm, "/memory forget ill")
        await made.reads(ann, ann.dm, "- entry: Is ill.")
        assert "ill" not in (home / TIER).read_text()
        ann.say(ann.dm, "/memory forget zeppelin")
        await made.reads(ann, ann.dm, "- message: the zeppelin flies at nine")
        ann.slash(made.general, "memory", text="off me")
        await made.reads(ann, made.general, OFF)


async def test_on_slack(
    home: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    known(home, ann)
    async with app_on_slack(home, slack, ScriptedModel([say("Noted.")], strict=True)):
        ann.say("the zeppelin flies at nine")
        await reads(slack, ann, "Noted.")
        ann.slash("memory", office)
        await reads(slack, ann, "Is ill.", office)
        (file,) = await slack.until(lambda: [file for one in ann.sees() for file in one.files])
        assert file.name == "memory.md"
        assert b"Likes green tea. (2026-11-20, a public place)" in file.data
        assert bob.sees(office) == []
        ann.mention("!memory", office)
        assert "Is ill." not in str((await reads(slack, ann, PRIVATE, office)).blocks)
        ann.say("!memory forget ill")
        await reads(slack, ann, "- entry: Is ill.")
        assert "ill" not in (home / TIER).read_text()
        ann.say("!memory forget zeppelin")
        await reads(slack, ann, "- message: the zeppelin flies at nine")
        ann.slash("memory off me", office)
        await reads(slack, ann, OFF, office)
