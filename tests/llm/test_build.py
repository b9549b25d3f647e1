"""The model is built without its SDK, which is loaded once, without what nobody uses."""

import asyncio
import gc
import importlib
import logging
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType

import pytest

from bot.domain.models import ModelRequest, ModelSize
from bot.errors import ModelError
from bot.llm.build import LazyModel, build_model, importing
from bot.llm.lean_import import LeanImport
from bot.llm.no_model import NoModel
from bot.llm.settings import ModelSettings
from bot.loopback.messages_api import MessagesApi
from bot.testing.fake_clock import FakeClock
from bot.testing.scripted_model import say

Package = Callable[[Mapping[str, str]], None]

_EXPORTS = '''"""What it exports."""
from typing import TYPE_CHECKING
import os.path as _path
from . import types
from ._client import Client as Client, make
from .extras import *
if TYPE_CHECKING:
    from .missing import Nothing
__all__ = ["Client", "make", "types"]
'''
_MODULES = {
    "__init__.py": _EXPORTS,
    "_client.py": "from .types import Small\nclass Client:\n    small = Small\ndef make(): ...\n",
    "extras/__init__.py": "from ._spare import spare\n",
    "extras/_spare.py": "def spare(*what): return what\n",
    "types/__init__.py": "from .large import Large\nfrom .small import Small\n",
    "types/large.py": "class Large: ...\n",
    "types/small.py": "class Small: ...\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Package]:
    """Write a package `toy`; afterwards no module of it is left."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def write(changed: Mapping[str, str]) -> None:
        for path, text in {**_MODULES, **changed}.items():
            file = tmp_path / "toy" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        importlib.invalidate_caches()

    yield write
    for name in _loaded():
        del sys.modules[name]


def _loaded() -> set[str]:
    return {name for name in sys.modules if name.split(".")[0] == "toy"}


def _toy(lean: LeanImport) -> ModuleType:
    lean.load()
    return importlib.import_module("toy")


def test_only_what_is_used_is_imported(package: Package):
    package({})
    toy = _toy(LeanImport("toy", uses=["Client"]))
    assert _loaded() == {"toy", "toy._client", "toy.types", "toy.types.small"}
    assert toy.Client.small is importlib.import_module("toy.types.small").Small


def test_lazy_exports_are_the_real_objects(package: Package):
    package({})
    toy = _toy(LeanImport("toy", uses=["Client"]))
    assert toy.types.Large is importlib.import_module("toy.types.large").Large
    assert toy.spare(1) == (1,)
    assert toy._path is importlib.import_module("os.path")
    assert toy.__all__ == ["Client", "make", "types"]
    assert {"Client", "make", "types", "__name__"} <= set(dir(toy))
    with pytest.raises(AttributeError, match="module 'toy' has no attribute 'Nothing'"):
        _ = toy.Nothing


def test_an_import_of_all_names_finds_them(package: Package):
    package({"_client.py": "from .types import *\nclass Client:\n    large = Large\nmake = 1\n"})
    assert _toy(LeanImport("toy", uses=["Client"])).Client.large.__name__ == "Large"


@pytest.mark.parametrize(
    "statement",
    [
        "print_ready = len('ready')",
        "class More: ...",
        "if TYPE_CHECKING: ...\nelse: from .large import Large",
        "__all__ = [*__name__]",
        "from .small import Small as small",  # importing the module would hide the class
    ],
)
def test_a_package_that_does_more_than_export_runs_as_it_is(package: Package, statement: str):
    text = f"from typing import TYPE_CHECKING\n{_MODULES['types/__init__.py']}{statement}\n"
    package({"types/__init__.py": text})
    toy = _toy(LeanImport("toy", uses=["Client"]))
    assert "toy.types.large" in _loaded()
    assert "Large" in vars(toy.types)


def test_named_statements_are_left_out(package: Package):
    package({"__init__.py": _EXPORTS + "for name in __all__:\n    globals()[name].seen = 1\n"})
    toy = _toy(LeanImport("toy", uses=["Client"], left_out=["for name in __all__:"]))
    assert not hasattr(toy.Client, "seen")
    assert "toy.types.large" not in _loaded()


def test_a_function_that_is_imported_when_called(package: Package):
    package({"_client.py": "from .extras import spare\nclass Client:\n    used = spare\n"})
    toy = _toy(LeanImport("toy", uses=["Client"], on_call=["toy.extras.spare"]))
    assert "toy.extras._spare" not in _loaded()
    assert toy.Client.used(1, 2) == (1, 2)
    assert "toy.extras._spare" in _loaded()


def test_a_module_runs_when_its_function_is_called(package: Package):
    package(
        {
            "_client.py": "from ._late import late\nclass Client:\n    used = late\n",
            "_late.py": "from .types import Small\nBEGUN = []\nBEGUN.append(1)\n"
            "def late(value): return Small, value\n",
        }
    )
    toy = _toy(LeanImport("toy", uses=["Client"], on_call=["toy._late.late"]))
    assert _loaded() == {"toy", "toy._client", "toy._late"}
    assert toy.Client.used(value=1) == (toy.types.Small, 1)
    assert "toy.types.large" not in _loaded()
    assert toy.Client.used(2)[1] == 2
    assert importlib.import_module("toy._late").BEGUN == [1]


def test_a_module_runs_when_anything_else_is_taken_from_it(package: Package):
    package(
        {
            "_client.py": "from ._late import late\nclass Client: ...\n",
            "_late.py": "CODES = {404: 'not found'}\ndef late(): return 1\n",
        }
    )
    _toy(LeanImport("toy", uses=["Client"], on_call=["toy._late.late"]))
    late = importlib.import_module("toy._late")
    assert "CODES" not in vars(late)
    assert late.CODES == {404: "not found"}
    with pytest.raises(AttributeError, match=r"module 'toy\._late' has no attribute 'Nothing'"):
        _ = late.Nothing


def test_a_package_that_cannot_be_lean_is_imported_whole(
    package: Package, caplog: pytest.LogCaptureFixture
):
    package({"_client.py": "import sys\nClient = sys.modules['toy.types.large'].Large\nmake = 1\n"})
    finders = list(sys.meta_path)
    with caplog.at_level(logging.WARNING):
        toy = _toy(LeanImport("toy", uses=["Client"]))
    assert toy.Client is toy.types.Large
    assert "Large" in vars(toy.types)
    assert "package=<toy> | importing it whole" in caplog.text
    assert sys.meta_path == finders


def test_a_package_that_is_imported_already_stays(package: Package):
    package({})
    toy = importlib.import_module("toy")
    assert _toy(LeanImport("toy", uses=["Client"])) is toy
    assert "toy.types.large" in _loaded()


def test_the_sdk_is_lean_and_whole_at_once():
    """Its modules are counted, so an upgrade that makes it heavy again is noticed."""
    code = (
        "import sys\n"
        "from bot.llm.sdk_transport import LEAN_SDK\n"
        "import anthropic\n"
        "loaded = [name for name in sys.modules if name.split('.')[0] == 'anthropic']\n"
        "assert len(loaded) < 60, len(loaded)\n"
        "from anthropic.types import Message\n"
        "from anthropic._exceptions import RateLimitError\n"
        "assert anthropic.RateLimitError is RateLimitError\n"
        "assert issubclass(Message, anthropic.BaseModel)\n"
        "assert anthropic.AsyncAnthropic(api_key='key').messages.create\n"
        "assert anthropic.AsyncAnthropicVertex.__name__ == 'AsyncAnthropicVertex'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# The model is built without its SDK, loaded once when it is needed, and closed.


REQUEST = ModelRequest((), (), ({"role": "user", "content": "hello"},), 100)


def test_building_imports_no_sdk():
    code = (
        "import sys; from bot.llm.build import build_model; from bot.llm.settings import "
        "ModelSettings;"
        "model = build_model(ModelSettings(), lambda _: 'sk-ant-x');"
        "assert model.capabilities.label == 'claude-sonnet-5-5';"
        "assert not {'anthropic', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@asynccontextmanager
async def at(api: MessagesApi) -> AsyncGenerator[LazyModel]:
    settings = ModelSettings(base_url=api.base_url, name="qwen3")
    model = build_model(settings, lambda _: None, FakeClock())
    yield model
    await model.close()


async def test_many_first_samples_share_one_client_and_closing_is_repeatable():
    async with MessagesApi([say("hello")] * 5) as api, at(api) as model:
        await model.warm()
        replies = await asyncio.gather(*(model.sample(REQUEST, lambda _: None) for _ in range(5)))
        await model.close()
    assert [reply.text for reply in replies] == ["hello"] * 5


def test_an_import_in_a_thread_holds_up_the_event_loop_only_briefly():
    before = sys.getswitchinterval()
    with importing():
        assert sys.getswitchinterval() < before / 5
        assert not gc.isenabled()
    assert (sys.getswitchinterval(), gc.isenabled()) == (before, True)


async def test_a_closed_model_opens_again_when_it_is_asked():
    async with MessagesApi([say("hello")] * 2) as api, at(api) as model:
        await model.sample(REQUEST, lambda _: None)
        await model.close()
        assert (await model.sample(REQUEST, lambda _: None)).text == "hello"


async def test_nobody_answers_where_a_command_needs_no_model():
    model = NoModel()
    assert model.name(ModelSize.CHEAP) == "bellhop-offline"
    with pytest.raises(ModelError, match="works without a model"):
        await model.sample(REQUEST, lambda _: None)
