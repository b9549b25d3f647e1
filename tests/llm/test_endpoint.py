"""What the model settings mean, and what the person is told when they don't fit."""

import pytest
from pydantic import ValidationError

from bot.domain.models import ModelSize, Unlock
from bot.errors import SettingsError
from bot.llm.endpoint import provider_of, resolve
from bot.llm.settings import ModelSettings

KEY = "sk-ant-test-0123456789"


def with_key(_: str) -> str | None:
    return KEY


def without_key(_: str) -> str | None:
    return None


def test_with_a_key_it_is_anthropic():
    endpoint = resolve(ModelSettings(), with_key)
    assert endpoint.anthropic
    assert endpoint.base_url == "https://api.anthropic.com"
    assert endpoint.capabilities.unlock is Unlock.INLINE
    assert endpoint.capabilities.system_notes
    assert endpoint.capabilities.context_tokens == 1_000_000
    assert endpoint.capabilities.label == "claude-sonnet-5-5"
    assert [endpoint.names[size] for size in (ModelSize.MAIN, ModelSize.CHEAP, ModelSize.PLAN)] == [
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
        "claude-opus-5-5",
    ]


@pytest.mark.parametrize("key", [None, "  "])
def test_without_a_key_it_is_the_offline_model_of_a_plugin(key: str | None):
    assert provider_of(ModelSettings(), lambda _: key) == "offline"
    with pytest.raises(SettingsError, match=r"model\.base_url, or put ANTHROPIC_API_KEY"):
        resolve(ModelSettings(), lambda _: key)


@pytest.mark.parametrize("secret", [with_key, without_key])
def test_another_servers_address_means_compatible_even_beside_a_stray_key(secret: object):
    settings = ModelSettings(base_url="http://localhost:11434/v1/", name="qwen3")
    endpoint = resolve(settings, with_key if secret is with_key else without_key)
    assert not endpoint.anthropic
    assert endpoint.base_url == "http://localhost:11434"
    assert endpoint.capabilities.unlock is Unlock.APPEND
    assert not endpoint.capabilities.system_notes
    assert endpoint.capabilities.label == "qwen3 at localhost:11434"
    assert set(endpoint.names.values()) == {"qwen3"}
    assert endpoint.key


def test_anthropics_own_address_stays_anthropic():
    assert resolve(ModelSettings(base_url="https://api.anthropic.com"), with_key).anthropic


@pytest.mark.parametrize(
    ("names", "unlock"),
    [
        ({"name": "claude-haiku-4-5"}, Unlock.REFERENCE),
        ({"cheap_name": "claude-sonnet-5"}, Unlock.REFERENCE),
        ({"plan_name": "claude-3-opus"}, Unlock.APPEND),
    ],
)
def test_one_older_model_puts_all_in_the_mode_that_it_understands(
    names: dict[str, str], unlock: Unlock
):
    endpoint = resolve(ModelSettings.model_validate(names), with_key)
    assert endpoint.capabilities.unlock is unlock
    assert not endpoint.capabilities.system_notes


def test_an_older_model_is_not_asked_to_think():
    endpoint = resolve(ModelSettings(name="claude-haiku-4-5"), with_key)
    assert not endpoint.thinks(ModelSize.MAIN)
    assert endpoint.thinks(ModelSize.PLAN)


@pytest.mark.parametrize("mode", list(Unlock))
def test_each_mode_can_be_set_for_any_server(mode: Unlock):
    settings = ModelSettings(base_url="http://h:1", name="m", unlock=mode.value)
    assert resolve(settings, without_key).capabilities.unlock is mode


def test_settings_win_over_derived_values():
    settings = ModelSettings(base_url="http://h:1", name="m", unlock="inline", context_tokens=8_000)
    capabilities = resolve(settings, without_key).capabilities
    assert (capabilities.unlock, capabilities.system_notes, capabilities.context_tokens) == (
        Unlock.INLINE,
        True,
        8_000,
    )


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (ModelSettings(provider="anthropic"), "ANTHROPIC_API_KEY"),
        (ModelSettings(provider="compatible", name="m"), "model.base_url"),
        (ModelSettings(provider="compatible", base_url="http://h:1"), "model.name"),
        (
            ModelSettings(provider="compatible", base_url="llm.example.com:8443", name="m"),
            "model.base_url",
        ),
    ],
)
def test_settings_that_do_not_fit_name_the_field_and_the_remedy(
    settings: ModelSettings, named: str
):
    with pytest.raises(SettingsError, match=named) as caught:
        resolve(settings, without_key)
    assert "bellhop.yaml" in str(caught.value)
    assert "set " in str(caught.value) or "write " in str(caught.value)


def test_an_endpoint_does_not_show_its_key_nor_a_label_its_password():
    endpoint = resolve(ModelSettings(base_url="http://me:secret@h:1", name="m"), with_key)
    assert KEY not in repr(endpoint)
    assert "secret" not in endpoint.capabilities.label


def test_unknown_keys_and_modes_are_refused():
    for wrong in ({"modle": "x"}, {"unlock": "magic"}, {"timeout_s": 0}):
        with pytest.raises(ValidationError):
            ModelSettings.model_validate(wrong)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("localhost:11434", "http://localhost:11434"),
        ("localhost:11434/v1/", "http://localhost:11434"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("192.168.1.20:1234", "http://192.168.1.20:1234"),
        ("gpu-box:8000", "http://gpu-box:8000"),
        ("https://llm.example.com", "https://llm.example.com"),
    ],
)
def test_a_host_of_the_own_network_needs_no_scheme(written: str, meant: str):
    assert resolve(ModelSettings(base_url=written, name="m"), without_key).base_url == meant


def test_a_mistake_in_the_fallback_names_its_place():
    with pytest.raises(SettingsError, match=r"model\.fallback\.name is missing"):
        resolve(ModelSettings(base_url="http://h:1"), without_key, "model.fallback")
