"""`bellhop init` at a terminal: it asks, tries each answer, writes what works."""

import asyncio
import json
import os
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.assembly.home_settings import load_settings
from bot.cli.guide import local_zone
from bot.cli.main import app
from bot.llm.settings import ModelSettings
from bot.loopback.discord import DiscordPlatform
from bot.loopback.messages_api import MessagesApi
from bot.loopback.telegram import TOKEN as TELEGRAM_TOKEN
from bot.loopback.telegram import TelegramPlatform
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.storage.ownership import loose_modes
from bot.testing.scripted_model import say


def init(home: Path, *answers: str) -> Result:
    before = os.umask(0o077)  # as the program itself sets it
    try:
        return CliRunner().invoke(
            app, ["init", str(home), "--questions"], input="".join(f"{one}\n" for one in answers)
        )
    finally:
        os.umask(before)


async def test_a_model_that_answers_is_written(tmp_path: Path):
    home = tmp_path / "home"
    async with MessagesApi([say("Hello.")]) as api:
        done = await asyncio.to_thread(
            init, home, "2", api.base_url, "qwen3", "Europe/Berlin", "n", "n", "n"
        )
    assert done.exit_code == 0, done.output
    assert "✓ qwen3 at 127.0.0.1" in done.output
    settings = load_settings(home)
    model = settings.get(ModelSettings)
    assert (model.provider, model.base_url, model.name) == ("compatible", api.base_url, "qwen3")
    assert settings.timezone == "Europe/Berlin"
    assert "Type next:" in done.output
    assert not list(loose_modes(home))


def test_a_model_that_does_not_answer_is_said_and_not_written(tmp_path: Path):
    done = init(tmp_path / "home", "2", "127.0.0.1:9", "none", "", "n", "n", "n")
    assert done.exit_code == 0, done.output
    assert "✗ Nothing listens at 127.0.0.1 on port 9." in done.output
    assert "Model, as the server calls it" not in done.output, "no question without a server"
    assert "Error" not in done.output
    assert load_settings(tmp_path / "home").get(ModelSettings) == ModelSettings()


def test_a_model_that_is_no_number_of_the_list_is_asked_again(tmp_path: Path):
    done = init(tmp_path / "home", "dunno", "7", "3", "UTC", "n", "n", "n")
    assert done.exit_code == 0, done.output
    assert done.output.count("Write 1, 2 or 3.") == 2
    assert "parse" not in done.output


def test_a_zone_by_its_city_is_asked_again(tmp_path: Path):
    done = init(tmp_path / "home", "3", "Berlin", "europe/berlin", "n", "n", "n")
    assert "'Berlin' is no time zone; write Europe/Berlin" in done.output
    assert load_settings(tmp_path / "home").timezone == "Europe/Berlin"
    assert local_zone()


async def test_a_token_is_tried_with_discord_and_kept_in_env(tmp_path: Path):
    async with DiscordPlatform() as discord:
        place = {"enabled": True, "api_base": discord.api_base}
        (tmp_path / "bellhop.yaml").write_text(f"discord: {json.dumps(place)}\n")
        token = discord.options.token
        done = await asyncio.to_thread(init, tmp_path, "3", "UTC", "123456", "y", token, "n", "n")
    assert done.exit_code == 0, done.output
    assert "Discord is switched on, but DISCORD_TOKEN is missing." in done.output
    assert "✗ DISCORD_TOKEN is an application id" in done.output
    assert "(application " in done.output
    assert token not in done.output
    assert load_settings(tmp_path).secret("DISCORD_TOKEN") == token
    assert "then write to the bot on Discord" in done.output


async def test_a_token_is_tried_with_telegram_and_kept_in_env(tmp_path: Path):
    async with TelegramPlatform() as telegram:
        place = {"enabled": True, "api_base": telegram.api_base}
        (tmp_path / "bellhop.yaml").write_text(f"telegram: {json.dumps(place)}\n")
        done = await asyncio.to_thread(
            init, tmp_path, "3", "UTC", "n", "n", "123456", "y", TELEGRAM_TOKEN
        )
    assert done.exit_code == 0, done.output
    assert "TELEGRAM_BOT_TOKEN is no token like" in done.output
    assert "@bellhop_bot" in done.output
    assert TELEGRAM_TOKEN not in done.output
    assert load_settings(tmp_path).secret("TELEGRAM_BOT_TOKEN") == TELEGRAM_TOKEN
    assert "then write to the bot on Telegram" in done.output


def test_discord_is_switched_on_where_that_is_wanted(tmp_path: Path):
    done = init(tmp_path / "home", "3", "UTC", "y", "123456", "n", "y", "n", "n")
    assert done.exit_code == 0, done.output
    settings = load_settings(tmp_path / "home")
    assert settings.get(DiscordSettings).enabled
    assert settings.secret("DISCORD_TOKEN") == "123456"


def test_settings_in_the_files_are_not_asked_again(tmp_path: Path):
    home = tmp_path / "home"
    assert init(home, "3", "Europe/Berlin", "n", "n", "n").exit_code == 0
    again = init(home, "3", "n", "n", "n")
    assert again.exit_code == 0
    assert "Time zone" not in again.output
    assert load_settings(home).timezone == "Europe/Berlin"


def test_a_file_that_takes_no_lines_stays_as_it_is(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text('{"log": {"level": "INFO"}}')
    done = init(tmp_path, "3", "Europe/Berlin", "n", "n", "n")
    assert done.exit_code == 0, done.output
    assert "write this into it: timezone: Europe/Berlin" in done.output
    assert (tmp_path / "bellhop.yaml").read_text() == '{"log": {"level": "INFO"}}'


def test_without_a_terminal_nothing_is_asked(tmp_path: Path):
    done = CliRunner().invoke(app, ["init", str(tmp_path / "home")])
    assert done.exit_code == 0
    assert "Which model" not in done.output


def test_the_key_of_openai_alone_is_said_before_the_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    done = init(tmp_path / "home", "3", "UTC", "n", "n", "n")
    before, _, _ = done.output.partition("Which model answers?")
    assert "LiteLLM's proxy" in before
    alone = CliRunner().invoke(app, ["init", str(tmp_path / "other"), "--no-questions"])
    assert "LiteLLM's proxy" in alone.output


async def test_an_address_in_place_of_a_number_and_answers_in_german(tmp_path: Path):
    home = tmp_path / "Büro für uns"
    async with MessagesApi([say("Hello.")]) as api:
        said = api.base_url.removeprefix("http://")
        done = await asyncio.to_thread(
            init, home, said, "qwen3", "Berlin", "Europe/Berlin", "vielleicht", "nein", "Nö.", "n"
        )
    assert done.exit_code == 0, done.output
    assert load_settings(home).get(ModelSettings).base_url == api.base_url
    assert "Write yes or no" in done.output
    assert f"export BELLHOP_HOME='{home}'" in done.output, "the line works when it is pasted"


def test_a_key_is_judged_before_it_is_tried(tmp_path: Path):
    done = init(tmp_path, "claude", "", "sk-proj-1234", "sk ant 1")
    assert "That was empty" in done.output
    assert "no key of Anthropic" in done.output
    assert "has no spaces in it" in done.output
    assert "trying" not in done.output


def test_who_stops_in_the_middle_is_told_how_to_go_on(tmp_path: Path):
    home = tmp_path / "my home"
    done = init(home, "3", "Europe/Berlin")  # the input ends, as with Ctrl-C
    assert done.exit_code == 130
    assert f"bellhop init '{home}'" in done.output
    assert "Aborted" not in done.output
    assert load_settings(home).timezone == "Europe/Berlin"


def test_a_broken_file_is_named_before_the_first_question(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("modell:\n  name: x\n")
    done = init(tmp_path)
    assert done.exit_code == 1
    assert "Which model" not in done.output
    assert "bellhop.yaml, line 1: modell: is not a setting of Bellhop" in done.stderr
    assert "; did you mean 'model'?" in done.stderr
    assert f"bellhop init {tmp_path}" in done.stderr


def test_nothing_typed_leaves_a_platform_for_later(tmp_path: Path):
    done = init(tmp_path, "3", "UTC", "ja", "", "nein", "nein")
    assert done.exit_code == 0, done.output
    assert "Discord is left for later" in done.output
    assert not load_settings(tmp_path).get(DiscordSettings).enabled


def test_the_lines_at_the_end_work_when_they_are_pasted(tmp_path: Path):
    home = tmp_path / "my home"
    done = init(home, "3", "UTC", "n", "n", "n")
    ending = done.output.partition("Type next:\n")[2].splitlines()
    lines = [line.partition("#")[0].strip() for line in ending if line.startswith("  ")]
    assert lines[:2] == [f"export BELLHOP_HOME='{home}'", "bellhop chat"]
    for line in lines:
        assert len(shlex.split(line)) <= 3, line
