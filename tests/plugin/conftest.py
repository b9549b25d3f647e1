"""The example plug-ins, installed with pip as their users would."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def pip_install(source: Path, target: Path) -> None:
    """Build a package and install it into a folder, without a network."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation"]
    command += ["--no-deps", "--no-index", "--disable-pip-version-check"]
    command += ["--target", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def example_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the examples, which pip built and installed without a network."""
    folder = tmp_path_factory.mktemp("plugins")
    source = shutil.copytree(ROOT / "examples" / "plugins", folder / "source")
    target = folder / "site"
    pip_install(source, target)
    return target


@pytest.fixture
def examples(example_packages: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The examples are installed, while the test runs."""
    monkeypatch.setattr(sys, "path", [str(example_packages), *sys.path])
    return example_packages


@pytest.fixture
def install_from() -> Callable[[Path, Path], None]:
    """Builds a package and installs it into a folder."""
    return pip_install
