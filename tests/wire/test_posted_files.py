"""Documents and pictures posted by real clients on each platform, and in the terminal."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.domain.models import ModelRequest
from bot.testing import documents as made
from bot.testing import surfaces
from bot.testing.both_platforms import PLATFORMS, reads, write_contacts
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.tools import NO_SANDBOX
from bot.testing.waiting import until

POSTED = [
    ("bill.pdf", made.pdf(["Bill of May", "Total: 40"]), "## page 2\\n\\nTotal: 40"),
    ("rows.xlsx", made.excel({"May": [["item", "sum"], ["desk", 40]]}), "| desk | 40 |"),
    ("plan.docx", made.word([("Plan", "Paint the wall")]), "# Plan\\n\\nPaint the wall"),
    ("talk.pptx", made.powerpoint([("Costs", "Few")]), "## slide 1\\n\\nCosts\\nFew"),
    ("offer.eml", made.mail("Look.", {"o.pdf": made.pdf(["Forty pounds"])}), "Forty pounds"),
    ("photo.png", made.picture((3_000, 1_500), "JPEG", orientation=6), "(1500 x 3000 pixels)"),
    ("odd.txt", "Grüße".encode("cp1252"), "Grüße"),
    ("tools.zip", made.packed({"run.exe": b"MZ"}), "- run.exe (2 bytes)"),
    ("locked.pdf", made.locked_pdf("x"), "it is protected by a password"),
    ("sums.csv", "name;sum\nMüller;40\n".encode("cp1252"), "Müller;40"),
    ("letter.odt", made.open_document("text", "<text:p>paid in May</text:p>"), "paid in May"),
    ("scan.pdf", made.scanned_pdf(1), "The next image is scan.pdf (page 1)."),
]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.slow
async def test_what_is_posted_is_read(platform: str, tmp_path: Path):
    model = ScriptedModel([say(f"Answer {number}.") for number in range(len(POSTED))])
    async with PLATFORMS[platform]() as town:
        write_contacts(tmp_path, town)
        (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
        async with running(AppOptions(tmp_path, [town.connect()], model)):
            await town.ready()
            for number, (name, data, _) in enumerate(POSTED):
                town.upload("Ann", name, data, f"what is in file {number}?")
                await reads(town, "Ann", f"Answer {number}.")
    for number, (name, _, told) in enumerate(POSTED):
        assert told in newest(model.requests[number]), name
    assert '"type": "image"' in newest(model.requests[5])
    assert '"type": "image"' in newest(model.requests[-1])


async def test_what_is_named_in_the_terminal_is_read(tmp_path: Path):
    model = ScriptedModel([say(f"Answer {number}.") for number in range(len(POSTED))])
    (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
    async with (
        surfaces.terminal(tmp_path) as place,
        running(AppOptions(tmp_path, [place.chat], model)),
    ):
        async with asyncio.timeout(120):
            for number, (name, data, _) in enumerate(POSTED):
                (tmp_path / name).write_bytes(data)
                place.say(f"what is in @{name}?")
                answer = f"Answer {number}."
                await until(lambda answer=answer: answer in str(place.sees()))
    for number, (name, _, told) in enumerate(POSTED):
        assert told in newest(model.requests[number]), name


def newest(request: ModelRequest) -> str:
    return json.dumps(request.messages[-2:], ensure_ascii=False)
