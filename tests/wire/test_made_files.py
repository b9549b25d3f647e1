"""Files that are asked for, by real clients: attachments where the answer is, and nowhere else."""

import io
from pathlib import Path

import docx
import openpyxl
import pytest
from PIL import Image
from pypdf import PdfReader

from bot.app import AppOptions
from bot.testing.both_platforms import PLATFORMS, reads, write_contacts
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.tools import NO_SANDBOX

pytestmark = pytest.mark.slow

TEXT = "# Grüße\n\nΑθήνα and Москва.\n"  # noqa: RUF001 - other alphabets
ROWS = [["item", "sum"], ["=desk", 40]]
DREW = {"kind": "bar", "series": [{"x": ["Jan", "Feb"], "y": [3, 5]}], "title": "Sales"}


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_what_is_asked_for_is_attached_to_a_post_here(platform: str, tmp_path: Path):
    orders = [
        ("make_file", {"name": "plan.docx", "content": TEXT, "text": "As Word."}),
        ("make_file", {"name": "plan.pdf", "content": TEXT, "text": "As PDF."}),
        ("make_file", {"name": "costs.xlsx", "rows": ROWS, "text": "The costs."}),
        ("plot", {**DREW, "text": "The sales."}),
    ]
    model = ScriptedModel()
    for number, (name, arguments) in enumerate(orders):
        unlock = call("get_capabilities", {"names": [name]})
        model.add(unlock, call(name, arguments), say(f"Answer {number}."))
    async with PLATFORMS[platform]() as town:
        write_contacts(tmp_path, town)
        (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
        async with running(AppOptions(tmp_path, [town.connect(tmp_path)], model)):
            await town.ready()
            for number in range(len(orders)):
                town.say("Ann", f"give me file {number}", direct=True)
                await reads(town, "Ann", f"Answer {number}.")
        files = {name: data for one in town.sees("Ann") for name, data in one.files}
        assert not any(one.files for one in town.sees("Ben"))
        posted = [one for one in town.sees("Ann") if one.files]
    assert all(one.direct for one in posted)
    document = docx.Document(io.BytesIO(files["plan.docx"]))
    assert [one.text for one in document.paragraphs] == TEXT[2:].strip().split("\n\n")
    pages = PdfReader(io.BytesIO(files["plan.pdf"])).pages
    assert TEXT.strip().split("\n\n")[1] in pages[0].extract_text()
    sheet = openpyxl.load_workbook(io.BytesIO(files["costs.xlsx"]))["costs"]
    assert (sheet["A2"].value, sheet["A2"].data_type, sheet["B2"].value) == ("=desk", "s", 40)
    assert Image.open(io.BytesIO(files["Sales.png"])).format == "PNG"
