"""What is locked, declared and shipped."""

import re
import tomllib
from pathlib import Path

LOCK_LINE = re.compile(
    r"[a-z0-9._-]+==[0-9][A-Za-z0-9.!+_-]*(?: ; [^\\]+)? \\"
    r"|    --hash=sha256:[0-9a-f]{64}(?: \\)?"
    r"|    #(?: via)?(?:   )?.*"
)
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("files", "pythonhosted", "org"), ("registry", "npmjs", "org"))]
OPTIONS = ["--" + "-".join(parts) for parts in (("index", "url"), ("extra", "index", "url"), ("find", "links"))]
TEXT = {".py", ".md", ".toml", ".lock", ".yaml", ".yml", ".json", ".sql", ".service", ".cfg", ".txt", ""}
OWN = ("bot", "prompts", "skills", "tests", "bench", "docs", "deploy", ".ci")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_holds_names_versions_and_hashes_only(root: Path):
    for number, line in enumerate((root / "requirements.lock").read_text().splitlines(), 1):
        assert LOCK_LINE.fullmatch(line), f"requirements.lock:{number}: {line!r}; make it anew with `make lock`"


def test_every_declared_dependency_is_locked(root: Path):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    declared = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    names = {normal(re.split(r"[<>=!~;\[ ]", text)[0]) for text in declared}
    locked = {
        normal(line.split("==")[0]) for line in (root / "requirements.lock").read_text().splitlines() if "==" in line
    }
    assert names <= locked, f"{names - locked} is declared but not locked; run `make lock`"


def test_no_package_index_is_named_anywhere(root: Path):
    files = [path for path in root.iterdir() if path.is_file()]
    files += [path for folder in OWN for path in (root / folder).rglob("*") if path.is_file()]
    for path in files:
        if path.suffix not in TEXT or "__pycache__" in path.parts or path.name in {".env", ".git"}:
            continue
        text = path.read_text(errors="replace")
        named = [word for word in (*HOSTS, *OPTIONS) if word in text]
        assert not named, f"{path} names {named}; where packages come from is set outside of the project"


def test_prompts_and_skills_are_shipped_in_the_wheel(root: Path):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for source, place in shipped.items():
        assert any((root / source).rglob("*.*")), f"{source}/ is shipped but empty"
        assert place == f"bot/shipped/{source}"
