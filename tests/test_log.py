"""Log lines keep secrets out, stay on one line and never fail."""

import contextlib
import io
import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import StorageError
from bot.log import (
    REDACTED,
    close_log_file,
    is_secret_name,
    redact,
    redact_json,
    register_secret,
    set_up_logging,
)

SECRET = "correct-horse'battery\"staple\n42"
register_secret(SECRET)

TOKENS = [
    "sk-ant-api03-abcdEFGH1234_-x",
    "xoxb-123456789012-abcdefGHIJK",
    "xapp-1-A012-345-abcdef",
    "MTAxMjM0NTY3ODkwMTIzNDU2Nw.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789ab",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSM",
]
IDENTIFIERS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=8, max_size=40)


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.parametrize("token", TOKENS)
def test_well_known_tokens_are_blotted_out_wherever_they_stand(token: str):
    for text in (token, f"failed with {token}.", f"url?x={token}&y=1", json.dumps({"a": [token]})):
        assert token not in redact(text)


@given(st.text(), st.text())
def test_a_registered_secret_never_appears_in_any_text(before: str, after: str):
    assert SECRET not in redact(before + SECRET + after)
    assert json.dumps(SECRET)[1:-1] not in redact(json.dumps(before + SECRET + after))


def test_a_password_that_is_a_field_name_hides_no_names_of_fields():
    register_secret("secret")
    assert redact("client_secret=Zq4411 of secret things") == (
        f"client_secret={REDACTED} of secret things"
    )


@given(
    IDENTIFIERS,
    st.sampled_from(
        ["password", "api_key", "API-KEY", "DISCORD_TOKEN", "client_secret", "x-api-key"]
    ),
)
def test_the_value_of_a_secret_field_never_appears(value: str, key: str):
    value = f"Zq{value}"
    spellings = [
        f"{key}={value}",
        f"{key}: {value}",
        f'"{key}": "{value} {value}"',
        f"{{'{key}': '{value}'}}",
    ]
    for text in [*spellings, json.dumps(spellings)]:
        assert value not in redact(f"see {text}, please")


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_planted_secrets_are_not_in_redacted_json(value: object):
    clean = redact_json(
        {"planted": [SECRET, {"k": f"x{SECRET}y", "api_key": value}], "value": value}
    )
    assert json.dumps(SECRET)[1:-1] not in json.dumps(clean)
    assert clean["planted"][1]["api_key"] in (REDACTED, None)


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing_more(text: str):
    once = redact(text)
    assert redact(once) == once


@pytest.mark.parametrize(
    "text",
    [
        *("pa\u017f\u017fword=hunter2x", "TO\u212aEN: hunter2x", "credent\u0131al=hunter2x"),
        *("AUTHOR\u0130ZATION=hunter2x", "api_\u212aey=hunter2x", "coo\u212aie=hunter2x"),
        *("pr\u0131vate-key=hunter2x", "passphra\u017fe=hunter2x", "\u017fecret_key=hunter2x"),
        *("Bearer hunter2xhunter2x", "BEARER hunter2xhunter2x", "postgresql://bot:hunter2x@db"),
    ],
)
def test_a_name_of_a_secret_is_known_in_letters_that_fold_to_its_own(text: str):
    assert "hunter2x" not in redact(text)


@given(
    st.lists(st.sampled_from([*TOKENS, " ", ".", "-", "a", "high", "key", "\u017fk", "://", "@"]))
)
def test_no_token_is_left_between_other_pieces(pieces: list[str]):
    text = " ".join(pieces)
    clean = redact(text)
    assert not [token for token in TOKENS if token in clean]


def test_amounts_of_tokens_are_not_secrets():
    usage = {"input_tokens": 12, "max_tokens": 4096, "note": "stopped, max_tokens=4096"}
    assert redact_json(usage) == usage
    assert is_secret_name("DISCORD_TOKEN")
    assert not is_secret_name("catalogue_tokens")


def test_authorization_headers_and_passwords_in_urls_are_blotted_out():
    assert redact("Authorization: Bearer abcdefgh12345") == f"Authorization: {REDACTED}"
    assert redact("sent Bearer abcdefgh12345") == f"sent Bearer {REDACTED}"
    assert redact("postgresql://bot:hunter22@db/x") == f"postgresql://bot:{REDACTED}@db/x"


def test_a_long_value_is_cut_to_the_limit_after_redaction():
    assert redact_json({"a": 1}, 50) == {"a": 1}
    cut = redact_json({"text": "x" * 500, "token": "abc"}, 100)
    assert isinstance(cut, str)
    assert len(cut) == 100


@pytest.mark.parametrize(
    "piece", ["token=", 'token="', "eyJ-", "M", "sk-", "password: \\", "://a:", "a" * 20 + "."]
)
def test_hostile_text_takes_no_long_time(piece: str):
    started = time.thread_time()
    redact(piece * (100_000 // len(piece)))
    assert time.thread_time() - started < 5


def test_message_arguments_and_traceback_are_redacted(stream: io.StringIO):
    set_up_logging("INFO", "text", stream)
    log = logging.getLogger("bot.test")
    try:
        raise ValueError(f"cannot use {SECRET} nor sk-ant-abcdefgh")
    except ValueError:
        log.exception(
            "secret=<%s>, header=<%s> | failed", SECRET, {"Authorization": "Bearer abcdefgh1234"}
        )
    written = stream.getvalue()
    assert "ValueError" in written
    for leak in ("horse", "sk-ant-abcdefgh", "abcdefgh1234"):
        assert leak not in written


def test_a_line_break_in_a_value_does_not_make_a_second_line(stream: io.StringIO):
    set_up_logging("INFO", "text", stream)
    logging.getLogger("bot.test").info("name=<%s> | seen", "x\n2026-01-01 ERROR forged \x1b[31m")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()


def test_json_lines_are_one_object_each(stream: io.StringIO):
    set_up_logging("info", "json", stream)
    logging.getLogger("bot.test").warning("text=<%s> | odd", 'a"b\nc')
    line = json.loads(stream.getvalue())
    assert line["level"] == "WARNING"
    assert line["message"] == 'text=<a"b\nc> | odd'


def test_a_log_call_that_does_not_fit_is_reported_without_its_arguments(stream: io.StringIO):
    set_up_logging("INFO", "text", stream)
    record = logging.makeLogRecord({"msg": "%d apples", "args": (SECRET,), "name": "bot.test"})
    logging.getLogger().handlers[-1].handle(record)
    assert "do not fit" in stream.getvalue()
    assert "horse" not in stream.getvalue()


@pytest.mark.parametrize(("level", "written"), [("INFO", False), ("DEBUG", True)])
def test_library_chatter_is_logged_for_debugging(stream: io.StringIO, level: str, written: bool):
    set_up_logging(level, stream=stream)
    logging.getLogger("watchfiles.main").info("3 changes detected")
    assert ("3 changes" in stream.getvalue()) is written


def test_setting_up_twice_writes_each_line_once(stream: io.StringIO):
    set_up_logging("INFO", "text", sys.stderr)
    set_up_logging("INFO", "text", stream)
    logging.getLogger("bot.test").info("hello")
    assert stream.getvalue().count("hello") == 1


def test_a_file_gets_the_same_lines_and_is_begun_anew_when_it_is_full(
    stream: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.log.FILE_BYTES", 2_000)
    file = tmp_path / "data" / "bellhop.log"
    set_up_logging("INFO", "text", stream, file)
    for number in range(40):
        logging.getLogger("bot.test").info("number=<%d>, key=<%s> | a line", number, SECRET)
    set_up_logging("INFO", "text", stream)
    logging.getLogger("bot.test").info("no longer in the file")
    lines = stream.getvalue().splitlines()
    older = file.with_name("bellhop.log.1").read_text().splitlines()
    kept = [*older, *file.read_text().splitlines()]
    assert kept == lines[-len(kept) - 1 : -1]
    assert len(lines) == 41
    assert SECRET not in "\n".join(kept)
    assert all(one.stat().st_size <= 2_000 for one in file.parent.iterdir())


def test_a_line_without_room_on_the_disk_is_lost_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
):
    with Path("/dev/full").open("w", buffering=1) as full:
        set_up_logging("INFO", "text", full)
        logging.getLogger("bot.test").info("hello")
        set_up_logging("INFO", "text", sys.stderr)
        with contextlib.suppress(OSError):
            full.close()
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_without_room_on_the_disk_is_closed_without_an_error(
    stream: io.StringIO, tmp_path: Path
):
    (file := tmp_path / "bellhop.log").symlink_to("/dev/full")
    set_up_logging("INFO", "text", stream, file)
    logging.getLogger("bot.test").info("hello")
    close_log_file()
    logging.getLogger("bot.test").info("still told")
    assert [line.rsplit(": ")[-1] for line in stream.getvalue().splitlines()] == [
        "hello",
        "still told",
    ]


def test_a_pipe_in_the_place_of_the_file_is_refused(stream: io.StringIO, tmp_path: Path):
    os.mkfifo(file := tmp_path / "bellhop.log")
    with pytest.raises(StorageError, match="is a pipe"):
        set_up_logging("INFO", "text", stream, file)


def test_a_file_name_that_is_no_utf8_is_written_to_the_file(stream: io.StringIO, tmp_path: Path):
    file = tmp_path / "bellhop.log"
    set_up_logging("INFO", "text", stream, file)
    (to_file,) = [
        one for one in logging.getLogger().handlers if isinstance(one, RotatingFileHandler)
    ]
    to_file.handle(logging.makeLogRecord({"msg": os.fsdecode(b"caf\xe9.md: is broken")}))
    set_up_logging("INFO", "text", stream)
    assert r"caf\udce9.md: is broken" in file.read_text()
