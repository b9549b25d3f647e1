"""bellhop.yaml: what is accepted, and how each mistake is named."""

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from bot.errors import SettingsError
from bot.log import redact
from bot.retired_settings import Renamed, Withdrawn
from bot.settings import LogSettings, Section, Settings, load
from bot.shipped import shipped_dir
from bot.yaml_file import parse_yaml


class Sandbox(Section):
    kind: Literal["none", "auto"] = "auto"


class Model(Section):
    name: str = "small"
    max_tokens: int = Field(default=4096, ge=1)
    threads: Literal["auto", "off"] = "auto"
    sandbox: Sandbox = Sandbox()
    named: dict[str, Sandbox] = Field(default_factory=dict)
    asks: bool = False
    at: str = Field(default="09:00", pattern=r"^\d\d:\d\d$", examples=["09:00"])


class Boxes(Section):
    a: dict[str, dict[str, int]] = Field(default_factory=dict)
    b: dict[str, dict[str, int]] = Field(default_factory=dict)


def read(home: Path, text: str | bytes, env: dict[str, str] | None = None) -> Settings:
    (home / "bellhop.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    return load(home, {"model": Model}, env or {})


def refusal(home: Path, text: str | bytes) -> str:
    with pytest.raises(SettingsError) as caught:
        read(home, text)
    return str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "# nothing yet\n", "model:\n", "---\n", "model: {}\n", "\ufeff"]
)
def test_an_empty_file_gives_the_defaults(tmp_path: Path, text: str):
    settings = read(tmp_path, text)
    assert settings.get(Model) == Model()
    assert settings.get(LogSettings).level == "INFO"
    assert settings.timezone == "UTC"


def test_a_missing_file_gives_the_defaults(tmp_path: Path):
    assert load(tmp_path, {"model": Model}, {}).section("model") == Model()


def test_values_look_like_what_they_are(tmp_path: Path):
    text = (
        "timezone: Europe/Berlin\nlog: {level: debug}\nmodel:\n  name: 12:30\n  threads: off\n  "
        "max_tokens: 7\n"
    )
    settings = read(tmp_path, text)
    assert settings.get(Model) == Model(name="12:30", threads="off", max_tokens=7)
    assert settings.get(LogSettings).level == "DEBUG"
    assert settings.timezone == "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "model:\n  nme: x\n",
            "bellhop.yaml, line 2: model.nme: is not a setting; did you mean 'name'?",
        ),
        (
            "\nmodle: {}\n",
            "line 2: modle: is not a setting of Bellhop or of an installed plug-in; did you ",
        ),
        (
            "model:\n  named:\n    a:\n      knd: auto\n",
            "line 4: model.named.a.knd: is not a setting; did you mean 'kind'?",
        ),
        (
            "model:\n  sandbox: {zzz: 1}\n",
            "line 2: model.sandbox.zzz: is not a setting; known are kind",
        ),
        ("model:\n  max_tokens: many\n", "line 2: model.max_tokens: must be a valid integer"),
        (
            "model:\n  max_tokens: 0\n",
            "line 2: model.max_tokens: must be greater than or equal to 1; it is 0",
        ),
        (
            "model:\n  threads: maybe\n",
            "line 2: model.threads: must be 'auto' or 'off'; it is 'maybe'",
        ),
        (
            "model:\n  max_tokens: many\n",
            "line 2: model.max_tokens: must be a valid integer; it is 'many'",
        ),
        ("model:\n  asks: certainly\n", "must be true or false; it is 'certainly'"),
        ("model:\n  at: noon\n", "model.at: must be written like '09:00'; it is 'noon'"),
        ("model: 3\n", "line 1: model: must hold `key: value` lines, not a number"),
        ("- model\n", "line 1: must hold `section:` lines, not a list"),
        ("timezone: Mars/Base\n", "line 1: timezone: 'Mars/Base' is no time zone"),
        ("timezone: Europe/Pargue\n", "is no time zone; write Europe/Prague or Europe/Paris"),
        ("timezone: ../../etc/passwd\n", "line 1: timezone"),
        ("model: {name: a,\n name: b}\n", "line 2: model.name is there twice (first on line 1)"),
        ("model:\n\tname: x\n", "line 2: is not valid YAML"),
        ("model: [\n", "is not valid YAML"),
        ("model: !!python/object:os.system {}\n", "line 1: is not valid YAML"),
        ("model: &a [*a]\n", "line 1: is not valid YAML (the alias *a is not allowed"),
        (b"model:\n  name: \xff\n", "line 2: is not UTF-8; save the file as UTF-8"),
        ("model: {name: a}\x00\n", "is not valid YAML"),
    ],
)
def test_each_mistake_is_named_with_line_field_and_remedy(
    tmp_path: Path, text: str | bytes, said: str
):
    assert said in refusal(tmp_path, text)


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_file(tmp_path: Path):
    lines = refusal(tmp_path, "colour: red\nmodel:\n  nme: x\n  max_tokens: many\n").splitlines()
    assert [line.split(":")[0] for line in lines] == [f"bellhop.yaml, line {n}" for n in (1, 3, 4)]


@pytest.mark.parametrize(
    ("text", "secret", "name"),
    [
        ("model: {api_key: hunter22}\n", "hunter22", "ANTHROPIC_API_KEY"),
        ("discord:\n  token: abc123def\n", "abc123def", "DISCORD_TOKEN"),
        ("model: {fallback: {api_key: hunter22}}\n", "hunter22", "MODEL_FALLBACK_API_KEY"),
        ("ANTHROPIC_API_KEY: sk-ant-aaaabbbbcccc\n", "aaaabbbb", "ANTHROPIC_API_KEY"),
        ("model: {name: sk-ant-aaaabbbbcccc}\n", "aaaabbbb", "ANTHROPIC_API_KEY"),
        ("BRAVE_API_KEY: 12345678\n", "12345678", "BRAVE_API_KEY"),
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(
    tmp_path: Path, text: str, secret: str, name: str
):
    said = refusal(tmp_path, text)
    assert f".env as {name}" in said
    assert secret not in said


def test_secrets_come_from_the_environment_and_then_from_the_env_file(tmp_path: Path):
    (tmp_path / ".env").write_text(
        "export BRAVE_API_KEY='brave-1234567'\nANTHROPIC_API_KEY=from-file-123\nEMPTY_KEY=\n"
    )
    settings = load(tmp_path, {}, {"ANTHROPIC_API_KEY": "from-env-1234", "DISCORD_TOKEN": ""})
    assert settings.secret("ANTHROPIC_API_KEY") == "from-env-1234"
    assert settings.secret("BRAVE_API_KEY") == "brave-1234567"
    assert settings.secret("EMPTY_KEY") is None
    assert settings.secret("DISCORD_TOKEN") is None
    assert redact("it is brave-1234567 or from-env-1234") == "it is [redacted] or [redacted]"
    assert "brave-1234567" not in repr(settings)


def test_an_env_file_that_is_not_text_is_named(tmp_path: Path):
    (tmp_path / ".env").write_bytes(b"A=1\nB=\xff\n")
    with pytest.raises(SettingsError, match=r"\.env, line 2: is not UTF-8"):
        load(tmp_path, {}, {})


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path):
    (tmp_path / "bellhop.yaml").mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path, {}, {})


def test_a_section_that_was_not_handed_over_is_an_error(tmp_path: Path):
    settings = load(tmp_path, {}, {})
    with pytest.raises(SettingsError, match="Model was not handed"):
        settings.get(Model)
    with pytest.raises(SettingsError, match="no section 'model'"):
        settings.section("model")


def test_shipped_folders_are_found_in_a_checkout():
    assert (shipped_dir("prompts") / "agents").is_dir()


@given(st.text(max_size=200))
def test_any_text_is_either_read_or_refused_in_words(text: str):
    said = "x.yaml"
    try:
        parse_yaml(text, "x.yaml")
    except SettingsError as error:
        said = str(error)
    assert said.startswith("x.yaml")


def test_a_number_of_absurd_length_is_refused_in_words(tmp_path: Path):
    assert "is not valid YAML" in refusal(tmp_path, f"model: {{max_tokens: {'9' * 5000}}}\n")


def test_the_current_folder_is_no_secret(tmp_path: Path):
    load(tmp_path, {}, {"PWD": "/srv/the-current-folder", "DB_PASSWORD": "hunter2-hunter2"})
    assert (
        redact("in /srv/the-current-folder with hunter2-hunter2")
        == "in /srv/the-current-folder with [redacted]"
    )


def test_each_line_of_env_that_says_nothing_is_named_and_not_quoted(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text('# keys\nA=1\n\nKEY sk-secret\nexport B="x"\nC="sk-open\nD\n')
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, {}, {})
    lines = str(caught.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        f".env, line {number}" for number in (4, 6, 7)
    ]
    assert "sk-" not in str(caught.value)


def test_a_setting_of_an_earlier_version_is_ignored_and_named_with_its_line(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(
        "model:\n  name: large\n  tries: 5\n  named:\n    box: {memory: 3}\n"
    )
    retired = {"model.tries": "three tries are made", "model.named.*.memory": "it has 512 MB"}
    settings = load(tmp_path, {"model": Model}, {}, retired=retired)
    assert settings.get(Model).name == "large"
    assert settings.ignored == (
        "bellhop.yaml, line 3: model.tries is ignored, since it is no setting any more: three tries"
        " are made; remove it",
        "bellhop.yaml, line 5: model.named.box.memory is ignored, since it is no setting any more: "
        "it has 512 MB; remove it",
    )
    with pytest.raises(SettingsError, match="tries: is not a setting"):
        load(tmp_path, {"model": Model}, {})


def test_a_setting_that_has_another_name_counts_there_and_the_name_is_told(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(
        "model: {title: large}\nboxes:\n  a: {memory: 3}\n  b: {memory: 4, room: {disk: 5}}\n"
    )
    retired = {"model.title": Renamed("model.name"), "boxes.*.memory": Renamed("boxes.*.room.mb")}
    settings = load(tmp_path, {"model": Model, "boxes": Boxes}, {}, retired=retired)
    assert settings.get(Model).name == "large"
    assert settings.get(Boxes).a == {"room": {"mb": 3}}
    assert settings.get(Boxes).b == {"room": {"disk": 5, "mb": 4}}
    assert settings.ignored == (
        "bellhop.yaml, line 1: model.title counts as model.name, its name now; rename it",
        "bellhop.yaml, line 3: boxes.a.memory counts as boxes.a.room.mb, its name now; rename it",
        "bellhop.yaml, line 4: boxes.b.memory counts as boxes.b.room.mb, its name now; rename it",
    )


def test_a_setting_below_its_old_and_its_new_name_counts_as_the_new_one(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("model:\n  title: large\n  name: small\n")
    settings = load(tmp_path, {"model": Model}, {}, retired={"model.title": Renamed("model.name")})
    assert settings.get(Model).name == "small"
    assert settings.ignored == (
        "bellhop.yaml, line 2: model.title is ignored, since model.name is there; remove it",
    )


def test_tables_below_an_old_and_a_new_name_count_together(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(
        "boxes:\n  a:\n    7: {mb: 1}\n  old:\n    '7': {mb: 2, cpus: 3}\n    8: {mb: 4}\n"
    )
    retired = {"boxes.old": Renamed("boxes.a")}
    settings = load(tmp_path, {"boxes": Boxes}, {}, retired=retired)
    assert settings.get(Boxes).a == {"7": {"mb": 1, "cpus": 3}, "8": {"mb": 4}}
    assert settings.ignored == (
        "bellhop.yaml, line 5: boxes.old.7.mb is ignored, since boxes.a.7.mb is there; remove it",
        "bellhop.yaml, line 5: boxes.old.7.cpus counts as boxes.a.7.cpus, its name now; rename it",
        "bellhop.yaml, line 6: boxes.old.8 counts as boxes.a.8, its name now; rename it",
    )


def test_a_mistake_below_an_old_name_is_named_with_its_line(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("model:\n  name: large\n  tokens: 0\n")
    with pytest.raises(SettingsError, match=r"line 3: model\.max_tokens: must be greater"):
        load(tmp_path, {"model": Model}, {}, retired={"model.tokens": Renamed("model.max_tokens")})


def test_settings_of_earlier_versions_that_say_the_default_start_as_before(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(
        "model:\n  program: ''\n  address: there\n  file: model.yaml\n  port:\n  rooms: {}\n"
    )
    retired = {
        "model.program": Renamed("model.name"),
        "model.address": Renamed("model.name"),
        "model.file": Withdrawn("call the file model.yaml", usual="model.yaml"),
        "model.port": Withdrawn("use the other port"),
        "model.rooms.*": Renamed("model.named.room:*"),
    }
    settings = load(tmp_path, {"model": Model}, {}, retired=retired)
    assert settings.get(Model).name == "there"
    nothing = "says nothing, and is no setting any more; remove it"
    assert settings.ignored == (
        f"bellhop.yaml, line 2: model.program {nothing}",
        "bellhop.yaml, line 4: model.file says what holds anyway; remove it",
        f"bellhop.yaml, line 5: model.port {nothing}",
        f"bellhop.yaml, line 6: model.rooms {nothing}",
        "bellhop.yaml, line 3: model.address counts as model.name, its name now; rename it",
    )


def test_a_withdrawn_setting_ends_the_start_with_its_remedy(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("model:\n  name: large\n  file: rules.yaml\n")
    retired = {"model.file": Withdrawn("call the file model.yaml, and remove this line")}
    with pytest.raises(SettingsError) as refused:
        load(tmp_path, {"model": Model}, {}, retired=retired)
    assert str(refused.value) == (
        "bellhop.yaml, line 3: model.file: is no setting any more; call the file model.yaml, and "
        "remove this line"
    )
