"""What an operator and a command line learn of trouble with the model."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.cli import model_findings
from bot.domain.health import Check
from bot.domain.models import ModelReply
from bot.loopback.messages_api import ErrorStatus, MessagesApi
from bot.testing.loaded_program import run_loaded
from bot.testing.scripted_model import say


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(strict=False) as server:
        yield server


def furnish(home: Path, base_url: str, more: str = "") -> None:
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: compatible, name: qwen3, base_url: '{base_url}'}}\n{more}"
    )


async def asked(home: Path) -> dict[str, Check]:
    return {finding.check: finding for finding in await model_findings.asked(load_settings(home))}


async def test_live_names_the_answering_model_and_too_small_an_ollama_context(
    tmp_path: Path, api: MessagesApi
):
    furnish(tmp_path, api.base_url)
    api.add(say("Hello."))
    api.told["/api/ps"] = {"models": [{"name": "qwen3:latest", "context_length": 4096}]}
    found = await asked(tmp_path)
    assert found["live model"].text == "qwen3 answers"
    assert found["live context"].state == "error"
    assert "4,096 tokens" in found["live context"].text
    assert "OLLAMA_CONTEXT_LENGTH=32768" in found["live context"].text
    assert len(api.requests) == 2, "a word, and a picture"


@pytest.mark.parametrize(
    ("answer", "state", "told"),
    [
        (say("Red."), "ok", "the model sees them"),
        (say("I see no picture."), "warning", "does not see them: shown red, it says"),
        (ErrorStatus(400, "api_error", "this model does not support image input"), "warning",
         "the model takes none: HTTP 400 api_error: this model does not support image input"),
        (ErrorStatus(500, "api_error", "busy"), "warning", "did not answer about a picture"),
    ],
)  # fmt: skip
async def test_live_shows_the_model_a_picture(
    answer: ModelReply | ErrorStatus, state: str, told: str, tmp_path: Path, api: MessagesApi
):
    furnish(tmp_path, api.base_url)
    api.add(say("Hello."), answer)
    found = (await asked(tmp_path))["live pictures"]
    assert (found.state, told in found.text) == (state, True), found.text
    assert "image" in str(api.bodies[1]["messages"])


async def test_live_shows_no_picture_where_they_are_off(tmp_path: Path, api: MessagesApi):
    furnish(tmp_path, api.base_url)
    with (tmp_path / "bellhop.yaml").open("r+") as file:
        text = file.read().replace("name: qwen3", "name: qwen3, images: off")
        file.seek(0)
        file.write(text)
    api.add(say("Hello."))
    assert (await asked(tmp_path))["live pictures"].text == "none are sent (model.images: off)"
    assert len(api.requests) == 1


async def test_a_server_that_tells_its_length_is_believed(tmp_path: Path, api: MessagesApi):
    furnish(tmp_path, api.base_url)
    api.add(say("Hello."))
    api.told["/v1/models"] = {"data": [{"id": "qwen3", "max_model_len": 40_960}]}
    found = await asked(tmp_path)
    assert (found["live context"].state, found["live context"].text) == (
        "ok",
        "40,960 tokens, 32,768 are used",
    )


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (ErrorStatus(401, "authentication_error", "invalid x-api-key"), "valid ANTHROPIC_API_KEY"),
        (ErrorStatus(404, "not_found_error", "model: qwen3"), "check model.name"),
        (ErrorStatus(400, "invalid_request_error", "Your credit balance is too low"), "add credit"),
    ],
)
async def test_a_model_that_refuses_is_an_error_with_what_to_do(
    fault: ErrorStatus, remedy: str, tmp_path: Path, api: MessagesApi
):
    furnish(tmp_path, api.base_url)
    api.add(fault)
    found = await asked(tmp_path)
    assert found["live model"].state == "error"
    assert remedy in found["live model"].text
    assert "live context" not in found


def test_missing_settings_are_reported_without_asking(tmp_path: Path):
    furnish(tmp_path, "http://localhost:1", "budgets: {total_day: {usd: 5}}\n")
    found = {
        finding.check: finding for finding in model_findings.configured(load_settings(tmp_path))
    }
    assert found["context"].state == "warning"
    assert "32,768 tokens are assumed" in found["context"].text
    assert found["budgets"].state == "error"
    assert "budgets.prices.qwen3" in found["budgets"].text


def test_the_daily_limits_of_guests_are_said(tmp_path: Path):
    found = {
        finding.check: finding for finding in model_findings.configured(load_settings(tmp_path))
    }
    assert found["budgets"].text.startswith(
        "a guest may use 100 model calls a day, and all guests that contacts.yaml does not "
        "name have 500 model calls"
    )


async def test_a_question_without_an_answer_ends_the_command_with_an_error(
    tmp_path: Path, api: MessagesApi
):
    furnish(tmp_path, api.base_url)
    api.add(ErrorStatus(401, "authentication_error", "invalid x-api-key"))
    line = ["chat", "--once", "hello", "--home", str(tmp_path)]
    done = await asyncio.to_thread(run_loaded, line, {**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 1, done.stderr.decode()
    text = " ".join(done.stdout.decode().split())
    assert "refused our key" in text
    assert "Put a valid ANTHROPIC_API_KEY into .env" in text
    assert "/why t" in text


async def test_a_server_without_the_messages_api_is_named_with_what_helps(tmp_path: Path):
    async with MessagesApi(strict=False) as api:
        furnish(tmp_path, f"{api.base_url}/openai")  # nothing is at /openai/v1/messages
        found = await asked(tmp_path)
    assert found["live model"].state == "error"
    assert "only /v1/chat/completions needs LiteLLM's proxy" in found["live model"].text


async def test_both_models_are_asked_and_told_apart(tmp_path: Path, api: MessagesApi):
    (tmp_path / "bellhop.yaml").write_text(
        f"model: {{name: qwen3, base_url: '{api.base_url}', context_tokens: 9000, images: 'off',"
        " fallback: {name: spare, base_url: 'http://127.0.0.1:9', images: 'off'}}\n"
    )
    api.add(say("Hello."))
    settings = load_settings(tmp_path)
    (named,) = [one for one in model_findings.configured(settings) if one.check == "fallback"]
    assert named.text.startswith("spare at 127.0.0.1:9 answers while qwen3 at")
    live = [one for one in await model_findings.asked(settings) if one.check == "live model"]
    assert [one.state for one in live] == ["ok", "error"]
    assert live[1].text.startswith("model.fallback: spare: no connection to http://127.0.0.1:9")


@pytest.mark.parametrize("other", [True, False])
def test_the_key_of_openai_alone_is_noticed(
    other: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    if other:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0000000000000000")
    found = [one.text for one in model_findings.configured(load_settings(tmp_path))]
    assert any("LiteLLM's proxy" in text for text in found) is not other
