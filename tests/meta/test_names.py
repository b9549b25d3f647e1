"""One word, one meaning: a public class of the product has a name of its own."""

import re
from collections import defaultdict
from pathlib import Path

CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


def test_no_two_public_classes_share_a_name(root: Path, bot_files: list[Path]):
    where: defaultdict[str, list[str]] = defaultdict(list)
    for path in bot_files:
        if {"testing", "loopback"} & {*path.parts}:  # loopback platforms use their platform's words
            continue
        for name in CLASS.findall(path.read_text()):
            if not name.startswith("_"):
                where[name].append(str(path.relative_to(root)))
    twice = {name: paths for name, paths in where.items() if len(paths) > 1}
    assert len(where) > 300
    assert not twice, f"say what each of them is: {twice}"


def test_the_glossary_names_classes_that_exist(root: Path, bot_files: list[Path]):
    glossary = (root / "docs" / "glossary.md").read_text()
    classes = {name for path in bot_files for name in CLASS.findall(path.read_text())}
    named = set(re.findall(r"`([A-Z]\w+)`", glossary))
    assert len(named) > 15
    assert not (missing := named - classes), f"docs/glossary.md names {sorted(missing)}"
