"""The example plug-ins, installed with pip as their users would."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
START = "from bot.plugin.plugin import *\nfrom bot.plugin.tools import *\n"
Install = Callable[..., Path]


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


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a package with one plug-in; each call gives a package of its own."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    modules: list[str] = []

    def install(name: str, code: str, package: str = "") -> Path:
        module = f"{(package or name).replace('-', '_')}_{abs(hash(tmp_path))}"
        (site / module).mkdir()
        (site / module / "__init__.py").write_text(START + code)
        info = site / f"{package or name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package or name}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(f"[bellhop.plugins]\n{name} = {module}:It\n")
        modules.append(module)
        # Packages are looked for anew where the path changes.
        monkeypatch.setattr(sys, "path", [str(site / module), *sys.path])
        return site / module

    return install
