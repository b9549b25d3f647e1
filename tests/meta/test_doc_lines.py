"""Shell lines and recipes of the documents: commands, options, targets and settings exist."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from bot.assembly.home_settings import load_settings
from bot.assembly.models import home_model, names_of
from bot.cli.main import app
from bot.cli.model_findings import configured
from bot.domain.models import Unlock
from bot.llm.build import LazyModel
from bot.llm.fallback import FallbackModel
from bot.yaml_file import parse_yaml

Understood = Callable[[list[str]], None]

SHELL = re.compile(r"^( *)```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(bellhop [a-z][^`\n]*)`")
BEGINS = re.compile(r"(?:^|[|;&] *|\bexec bellhop )(bellhop(?: [^|;&#)]*)?)")
CONTAINER = re.compile(r"\brun --rm bellhop( .*)$")
MAKE = re.compile(r"^make ([a-z]+)", re.MULTILINE)


def pages(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def shell_lines(root: Path) -> Iterator[tuple[str, str]]:
    """Each line of the shell blocks, without prompts of programs, and its page."""
    for path in pages(root):
        for _, block in SHELL.findall(path.read_text()):
            for line in block.replace("\\\n", " ").splitlines():
                yield path.name, line.strip()


def bellhop_lines(root: Path) -> Iterator[tuple[str, list[str]]]:
    for name, line in shell_lines(root):
        quoteless = line.partition(" #")[0]
        for found in [*BEGINS.findall(quoteless), *CONTAINER.findall(quoteless)]:
            yield name, shlex.split(found.removeprefix("bellhop"))


def test_each_shell_line_is_understood(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, understood: Understood
):
    monkeypatch.setenv("BELLHOP_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bellhop").mkdir()
    lines = list(bellhop_lines(root))
    assert ["doctor", "--live"] in [words for _, words in lines]
    assert len(lines) > 20
    for where, words in lines:
        try:
            understood(words)
        except typer.Exit:
            assert "--version" in words, where
        except Exception as error:  # noqa: BLE001 - click's and typer's own have no common class
            pytest.fail(f"{where}: bellhop {shlex.join(words)}: {error!r}")
    with pytest.raises(Exception, match="no-such-option"):
        understood(["run", "--no-such-option"])


def test_each_command_in_a_sentence_exists(root: Path):
    named = [
        (path.name, found) for path in pages(root) for found in INLINE.findall(path.read_text())
    ]
    assert len(named) > 150
    bellhop: Any = typer.main.get_command(app)
    context = bellhop.make_context("bellhop", [], resilient_parsing=True)
    for where, line in named:
        command = bellhop
        for word in line.split()[1:]:
            if word.startswith("--"):
                option = re.split(r"[=,]", word)[0]
                known = {
                    one for each in command.params for one in (*each.opts, *each.secondary_opts)
                }
                assert option in known | {"--help"}, f"{where}: `{line}`: no option {option}"
            elif hasattr(command, "get_command") and re.fullmatch(r"[a-z-]+", word):
                command = command.get_command(context, word)
                assert command is not None, f"{where}: `{line}`: no command {word}"


def test_each_target_of_make_exists(root: Path):
    targets = set(re.findall(r"^([a-z ]+):", (root / "Makefile").read_text(), re.MULTILINE))
    known = {name for line in targets for name in line.split()}
    named = {found for _, line in shell_lines(root) for found in MAKE.findall(line)}
    assert {"setup", "demo"} <= named
    assert named <= known


# The recipes of docs/models.md are settings that Bellhop reads.


PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text()
BLOCKS = [part.partition("\n```")[0] for part in PAGE.split("```yaml\n")[1:]]
OURS = [block for block in BLOCKS if block.startswith("model:\n")]


@pytest.mark.parametrize("block", OURS)
def test_each_recipe_is_read_and_names_a_model(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0000000000000000")
    (tmp_path / "bellhop.yaml").write_text(block)
    settings = load_settings(tmp_path)
    model = home_model(settings)
    first = model.first if isinstance(model, FallbackModel) else model
    assert isinstance(first, LazyModel)
    assert not first.capabilities.offline
    assert first.anthropic or first.capabilities.unlock is not Unlock.INLINE
    assert all(names_of(model))
    assert not [check for check in configured(settings) if check.state != "ok"]


def test_the_other_blocks_are_those_of_litellm():
    others = [block for block in BLOCKS if block not in OURS]
    assert len(OURS) >= 8
    for block in others:
        found = parse_yaml(block, "config.yaml").value
        assert isinstance(found, dict)
        assert list(found) == ["model_list"]  # pyright: ignore[reportUnknownArgumentType]
