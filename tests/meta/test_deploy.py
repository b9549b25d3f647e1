"""What `deploy/` and docs/scaling.md tell an operator to run exists: files, commands, options."""

import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROLE = "$${1%%-*}"
"""The part of a unit's name before the dash."""


def services(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Those of all compose files that run Bellhop."""
    for path in sorted((root / "deploy").glob("compose*.yaml")):
        for name, service in yaml.safe_load(path.read_text())["services"].items():
            if "build" in service:
                yield f"{path.name}: {name}", service


def started(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Each command line of Bellhop, without the program's name, and where it stands."""
    dockerfile = (root / "deploy/Dockerfile").read_text()
    (default,) = re.findall(r'^CMD \["(.+)"\]$', dockerfile, re.MULTILINE)
    for where, service in services(root):
        yield where, list(service.get("command", [default]))
    for unit in sorted((root / "deploy").glob("*.service")):
        (line,) = re.findall(r"^ExecStart=.*?/bin/bellhop (.+)$", unit.read_text(), re.MULTILINE)
        if ROLE in line:
            names = re.findall(r"bellhop@([a-z]+)", unit.read_text())
            assert set(names) == {"gateway", "turns"}, unit.name
            for name in names:
                yield unit.name, ["run", "--only", name]
        else:
            yield unit.name, shlex.split(line)
    for line in re.findall(
        r"^(?:    )?bellhop ([^#\n]+)", (root / "docs/scaling.md").read_text(), re.MULTILINE
    ):
        yield "docs/scaling.md", shlex.split(line)


def test_each_command_and_option_exists(root: Path, understood: Callable[[list[str]], None]):
    lines = list(started(root))
    assert ["run", "--only", "turns"] in [words for _, words in lines]
    for where, words in lines:
        try:
            understood(words)
        except Exception as error:  # noqa: BLE001 - click's and typer's own have no common class
            pytest.fail(f"{where}: bellhop {shlex.join(words)}: {error!r}")
    with pytest.raises(Exception, match="no-such-option"):
        understood(["run", "--no-such-option"])


def test_the_container_is_made_of_files_that_exist(root: Path):
    deploy = root / "deploy"
    for where, service in services(root):
        build = service["build"]
        assert (deploy / build["context"] / build["dockerfile"]).resolve().is_file(), where
    copied = re.findall(r"^COPY (.+) \S+$", (deploy / "Dockerfile").read_text(), re.MULTILINE)
    missing = [name for line in copied for name in line.split() if not (root / name).exists()]
    assert not missing, f"deploy/Dockerfile copies {missing}, which do not exist"


def test_the_container_builds_the_wheel_of_all_that_it_is_made_of(root: Path):
    """The build ends where one of these folders is missing in the image."""
    project = tomllib.loads((root / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], project["project"]["readme"]}
    text = (root / "deploy" / "Dockerfile").read_text()
    stage = text[: text.index("pip wheel")]
    copied = {
        name
        for line in re.findall(r"^COPY (.+) \S+$", stage, re.MULTILINE)
        for name in line.split()
    }
    assert needed <= copied


def test_processes_that_share_a_home_wait_for_the_database(root: Path):
    found = {where.split(": ")[1]: one for where, one in services(root) if "command" in one}
    assert set(found) == {"gateway", "turns-1", "turns-2"}
    for service in found.values():
        assert service["volumes"] == ["home:/var/lib/bellhop"]
        assert service["depends_on"]["postgres"]["condition"] == "service_healthy"
        assert service["environment"]["DATABASE_URL"].startswith("postgresql://")


def test_units_differ_in_what_they_start_alone(root: Path):
    """A protection that one unit has and the other lacks is a mistake."""
    one, several = (
        {
            line
            for line in (root / "deploy" / name).read_text().splitlines()
            if re.match(
                r"(Protect|Private|NoNew|Restrict|Lock|Capab|Ambient|SystemCall|UMask)", line
            )
        }
        for name in ("bellhop.service", "bellhop@.service")
    )
    assert one == several


def test_what_runs_where_nothing_may_be_written_is_compiled_before(root: Path):
    """Without bytecode, each start would compile every module again."""
    (commands,) = re.findall(
        r"^setup: .*\n((?:\t.+\n)+)", (root / "Makefile").read_text(), re.MULTILINE
    )
    assert "-m compileall -q bot" in commands
    dockerfile = (root / "deploy/Dockerfile").read_text()
    assert not re.search(r"DONTWRITEBYTECODE|--no-compile", dockerfile)
