"""The rules of the house that no linter knows. Each failure says what to do."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

MOST_LINES = 500
LOOP_LINES = 300
VAGUE = {
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "core",
    "base",
    "misc",
    "manager",
    "managers",
    "stuff",
}
OTHER_TESTS = {"flows", "wire", "durability", "meta"}
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
SQL = re.compile(
    r"\s*(?:SELECT\s.+\sFROM|INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM"
    r"|CREATE\s+(?:TABLE|INDEX|VIRTUAL)"
    r"|ALTER\s+TABLE|PRAGMA\s)",
    re.DOTALL,
)
SQL_WORDS = re.compile(r"SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA")
MIGRATION = re.compile(r"(\d{4})_([a-z]+)_[a-z_]+(?:\.(sqlite|postgresql))?\.sql")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def where(path: Path, node: ast.AST) -> str:
    return f"{path}:{getattr(node, 'lineno', 1)}"


def called(node: ast.AST) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def test_no_file_is_long(root: Path, bot_files: list[Path], test_files: list[Path]):
    for path in [*bot_files, *test_files]:
        lines = len(path.read_text().splitlines())
        most = LOOP_LINES if path == root / "bot" / "agents" / "loop" / "loop.py" else MOST_LINES
        assert lines <= most, f"{path} has {lines} lines, {most} are the most; split it by noun"


def test_names_say_what_is_inside(bot_files: list[Path]):
    for path in bot_files:
        parts = set(re.split(r"[_/]", "/".join(path.with_suffix("").parts[-3:])))
        assert not parts & VAGUE, (
            f"{path}: {parts & VAGUE} says nothing; name it after what it holds"
        )


def with_words(paths: list[Path], words: re.Pattern[str]) -> Iterator[Path]:
    """The files in which such words stand at all: the others need not be parsed."""
    return (path for path in paths if words.search(path.read_text()))


def test_nothing_is_left_for_later(bot_files: list[Path], test_files: list[Path]):
    for path in with_words([*bot_files, *test_files], UNFINISHED):
        for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
            if token.type == tokenize.COMMENT:
                assert not UNFINISHED.search(token.string), (
                    f"{path}:{token.start[0]}: do it or drop it: {token.string}"
                )


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions that must do something.

    Those of Protocols, abstract ones and overloads only say what there is.
    """
    protocols = {
        function
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        and any("Protocol" in ast.unparse(base) for base in node.bases)
        for function in node.body
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node in protocols:
            continue
        marks = {ast.unparse(decorator) for decorator in node.decorator_list}
        if not marks & {"abstractmethod", "overload"}:
            yield node


def test_no_function_is_a_stub(bot_files: list[Path]):
    for path in bot_files:
        for function in functions(tree(path)):
            body = [node for node in function.body if not _is_text(node)]
            empty = all(isinstance(node, ast.Pass) or _is_ellipsis(node) for node in body)
            lacking = any(
                isinstance(node, ast.Raise) and "NotImplemented" in ast.unparse(node)
                for node in body
            )
            assert not lacking, (
                f"{where(path, function)}: {function.name} is not written; write it or leave it out"
            )
            assert not empty or _only_words(function, body), (
                f"{where(path, function)}: {function.name} does nothing; write it"
            )


def _only_words(function: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]) -> bool:
    """Whether a function that returns nothing has a docstring alone."""
    returns = ast.unparse(function.returns) if function.returns else "None"
    return not body and returns == "None"


def _is_ellipsis(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and node.value.value is ...
    )


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def test_tests_use_the_real_thing_and_never_wait_by_the_clock(test_files: list[Path]):
    for path in with_words(test_files, re.compile("mock|sleep")):
        for node in ast.walk(tree(path)):
            here = where(path, node)
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert "mock" not in ast.unparse(node), (
                    f"{here}: use bot.testing (a real loopback server) instead"
                )
            assert called(node) != "time.sleep", (
                f"{here}: wait for the event itself, or use FakeClock"
            )
            if called(node) == "asyncio.sleep":
                assert ast.unparse(node).endswith("(0)"), (
                    f"{here}: wait for the event itself, or use FakeClock"
                )


def test_no_test_is_switched_off(test_files: list[Path]):
    marks = re.compile(r"pytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)")
    for path in with_words(test_files, re.compile("skip|xfail")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute):
                off = marks.fullmatch(ast.unparse(node))
                assert not off, (
                    f"{where(path, node)}: repair the test or delete it with what it tested"
                )


def test_tests_of_postgresql_are_left_out_where_it_is_missing(root: Path, test_files: list[Path]):
    for path in with_words(test_files, re.compile("postgres: PostgresServer")):
        left_out = path.name.startswith("test_postgresql") or "standing" in path.parts
        assert left_out or "if postgres_programs()" in path.read_text(), (
            f"{path.relative_to(root)}: name it test_postgresql_…, which conftest.py leaves out "
            "where the server is not installed"
        )


def test_every_test_file_says_what_it_is_about(test_files: list[Path]):
    for path in test_files:
        assert path.read_text().startswith('"""'), (
            f"{path}: begin with one line that says what is tested"
        )


def test_sql_stands_in_stores_only(root: Path, bot_files: list[Path]):
    for path in with_words(bot_files, SQL_WORDS):
        within = path.relative_to(root / "bot").parts
        engine = within[:2] == ("plugins", "postgresql")
        if within[0] in {"storage", "testing"} or engine or path.name.endswith("store.py"):
            continue
        module = tree(path)
        texts = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
        for node in ast.walk(module):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in texts
            ):
                assert not SQL.match(node.value), (
                    f"{where(path, node)}: move this SQL to the room's store.py"
                )


def test_migrations_are_numbered_and_name_their_room(root: Path):
    folders = ("bot/storage/migrations", "bot/plugins/postgresql/own_migrations")
    found = sorted(path.name for folder in folders for path in (root / folder).glob("*.sql"))
    assert found, "there are no migrations; no earlier home could be opened"
    matches = [MIGRATION.fullmatch(name) for name in found]
    wrong = [name for name, match in zip(found, matches, strict=True) if match is None]
    assert not wrong, f"{wrong}: name a migration NNNN_<room>_<what>.sql"
    numbers = [(match[1], match[3]) for match in matches if match]
    assert len({*numbers}) == len(numbers), (
        f"a number is used twice in {found}; take the next free one"
    )
    rooms = {match[2] for match in matches if match}
    strange = {room for room in rooms if not (root / "bot" / room).is_dir()}
    assert not strange, (
        f"{strange} is no room of bot/; a migration belongs to the room that owns the table"
    )


def test_tests_mirror_the_rooms(root: Path):
    rooms = {path.name for path in (root / "bot").iterdir() if (path / "__init__.py").exists()}
    tested = {
        path.name
        for path in (root / "tests").iterdir()
        if path.is_dir() and any(path.glob("**/test_*.py"))
    }
    assert tested - rooms <= OTHER_TESTS, (
        f"{tested - rooms - OTHER_TESTS}: name the folder after the room it tests"
    )
    untested = rooms - tested - {"domain", "testing"}
    assert not untested, f"{untested} has no tests; add tests/<room>/test_<what>.py"


def test_tests_have_no_init_files(root: Path):
    found = list((root / "tests").rglob("__init__.py"))
    assert not found, f"{found}: delete it; tests are imported by path"
