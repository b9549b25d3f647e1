"""Commits say what they do in a subject that fits a line."""

import re
import subprocess
from pathlib import Path

BASE = "def0940"
"""Commits up to this one had longer subjects."""


def git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() if done.returncode == 0 else []


def problems(subject: str) -> list[str]:
    """What is wrong with a subject; merges write their own."""
    if subject.startswith("Merge "):
        return []
    found: list[str] = []
    if len(subject) > 72:
        found.append(f"{len(subject)} characters, at most 72")
    if not re.match(r"[A-Z][a-z]+ \S", subject):
        found.append("begin with a verb and a capital letter")
    if subject.endswith("."):
        found.append("no full stop")
    return found


def test_subjects_of_commits_fit_a_line(root: Path):
    """Without history, or without the base commit, this checks the commits that exist."""
    since = f"{BASE}..HEAD" if git(root, "cat-file", "-t", BASE) == ["commit"] else "HEAD"
    bad = [
        f"{subject!r}: {'; '.join(found)}"
        for subject in git(root, "log", "--format=%s", since)
        if (found := problems(subject))
    ]
    assert not bad, "\n".join(bad)


def test_a_long_or_shapeless_subject_is_noticed():
    assert problems("Keep the order of todos") == []
    assert problems("fix") == ["begin with a verb and a capital letter"]
    assert problems("Keep " + "x" * 80) == ["85 characters, at most 72"]
    assert problems("Keep it.") == ["no full stop"]
