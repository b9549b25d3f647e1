"""The recipes of docs/models.md are settings that Bellhop reads."""

from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.assembly.models import home_model, names_of
from bot.cli.model_findings import configured
from bot.domain.models import Unlock
from bot.llm.build import LazyModel
from bot.llm.fallback import FallbackModel
from bot.yaml_file import parse_yaml

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
