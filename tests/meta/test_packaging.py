"""What is locked, declared and shipped."""

import ast
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

LOCK_LINE = re.compile(
    r"[a-z0-9._-]+==[0-9][A-Za-z0-9.!+_-]*(?: ; [^\\]+)? \\"
    r"|    --hash=sha256:[0-9a-f]{64}(?: \\)?"
    r"|    #(?: via)?(?:   )?.*"
)
HOSTS = [
    ".".join(parts)
    for parts in (("pypi", "org"), ("files", "pythonhosted", "org"), ("registry", "npmjs", "org"))
]
OPTIONS = [
    "--" + "-".join(parts)
    for parts in (("index", "url"), ("extra", "index", "url"), ("find", "links"))
]
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".lock",
    ".yaml",
    ".yml",
    ".json",
    ".sql",
    ".service",
    ".cfg",
    ".txt",
    "",
}
OWN = ("bot", "prompts", "skills", "examples", "tests", "bench", "docs", "deploy", ".ci")


INSTALLS = re.compile(
    r"(?:pip3? install|pipx install|uv tool install|uvx --from)\s+(?:-\S+ +)*['\"]?([\w./*-]+)"
)
"""(what is installed)"""
EXTRA = re.compile(r"(?<![\w-])bellhop\[")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_holds_names_versions_and_hashes_only(root: Path):
    for number, line in enumerate((root / "requirements.lock").read_text().splitlines(), 1):
        assert LOCK_LINE.fullmatch(line), (
            f"requirements.lock:{number}: {line!r}; make it anew with `make lock`"
        )


def test_every_declared_dependency_is_locked(root: Path):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    declared = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    names = {normal(re.split(r"[<>=!~;\[ ]", text)[0]) for text in declared}
    locked = {
        normal(line.split("==")[0])
        for line in (root / "requirements.lock").read_text().splitlines()
        if "==" in line
    }
    assert names <= locked, f"{names - locked} is declared but not locked; run `make lock`"


def needed_by(distribution: str) -> set[str]:
    return {
        normal(re.split(r"[<>=!~;\[( ]", text)[0])
        for text in metadata.requires(distribution) or []
        if "extra ==" not in text
    }


def test_everything_that_bot_imports_is_declared(
    root: Path, imports: Mapping[Path, Sequence[ast.Import | ast.ImportFrom]]
):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    extras = [
        text for texts in project["project"]["optional-dependencies"].values() for text in texts
    ]
    declared = {
        normal(re.split(r"[<>=!~;\[ ]", text)[0])
        for text in [*project["project"]["dependencies"], *extras]
    }
    reachable = declared.union(*(needed_by(name) for name in declared))
    providers = metadata.packages_distributions()
    for path, nodes in imports.items():
        for node in nodes:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for top in {name.split(".")[0] for name in names} - {*sys.stdlib_module_names, "bot"}:
                found = {normal(name) for name in providers.get(top, [])}
                assert found & reachable, (
                    f"{path}: declare what provides {top!r} in pyproject.toml, or don't import it"
                )


def test_every_install_line_names_our_package(root: Path, bot_files: list[Path]):
    """The index's `bellhop` is somebody else's."""
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "deploy").rglob("*")]
    installed: list[str] = []
    for path in [*bot_files, *(page for page in pages if page.is_file())]:
        text = path.read_text()
        assert not EXTRA.search(text), f"{path}: the package is called bellhop-assistant"
        installed += INSTALLS.findall(text)
    ours = [name for name in installed if "bellhop" in name]
    assert len(ours) > 4, "the pattern finds the lines"
    assert all(re.match(r"bellhop-assistant$|dist/bellhop_assistant-", name) for name in ours), ours


def test_images_hold_the_same_versions_and_no_tools_of_development(root: Path):
    pins = re.compile(r"^([\w.-]+)(?:\[[^\]]*\])?==(\S+)", re.MULTILINE)
    everything = dict(pins.findall((root / "requirements.lock").read_text()))
    image = dict(pins.findall((root / "deploy" / "requirements.lock").read_text()))
    assert image.items() <= everything.items(), "run `make lock`"
    assert {"typer", "playwright", "psycopg-binary"} <= image.keys()
    assert not image.keys() & {"hypothesis", "mkdocs", "pyright", "pytest", "ruff"}


def test_no_package_index_is_named_anywhere(root: Path):
    files = [path for path in root.iterdir() if path.is_file()]
    files += [path for folder in OWN for path in (root / folder).rglob("*") if path.is_file()]
    for path in files:
        if path.suffix not in TEXT or "__pycache__" in path.parts or path.name in {".env", ".git"}:
            continue
        text = path.read_text(errors="replace")
        named = [word for word in (*HOSTS, *OPTIONS) if word in text]
        assert not named, (
            f"{path} names {named}; where packages come from is set outside of the project"
        )


def test_prompts_and_skills_are_shipped_in_the_wheel(root: Path):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for source, place in shipped.items():
        assert any((root / source).rglob("*.*")), f"{source}/ is shipped but empty"
        assert place == f"bot/shipped/{source}"


def test_the_wheel_holds_the_product_and_nothing_made_for_tests(root: Path):
    wheel = WheelBuilder(str(root))
    held = {file.distribution_path for file in wheel.recurse_included_files()}
    assert {"bot/loopback/discord/platform.py", "bot/plugins/demo/page/demo.js"} <= held
    assert not (found := {name for name in held if not name.startswith("bot/")}), found
    assert not (found := {name for name in held if name.startswith("bot/testing")}), found
