"""Imports a large package without the parts that nobody uses.

The `__init__` of a generated SDK imports each of its modules to export their names. Here such a
package gets its exports when they are first used (PEP 562). The modules and classes are the
package's own.
"""

import ast
import importlib
import logging
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LeanImport:
    """How to import one package without what nobody uses.

    `uses` are the names that must work at once. `left_out` are the statements beside imports that
    its `__init__` may have without being run, each by its first line as `ast.unparse` writes it.
    `on_call` are functions whose module is imported when somebody calls them: `package.name` for
    one that a package exports, `package.module.name` for one that a module defines.
    """

    package: str
    uses: Collection[str]
    left_out: Collection[str] = ()
    on_call: Collection[str] = ()

    def load(self) -> None:
        """Import the package, unless it is imported already.

        If the lean import fails, it is undone and logged. The next `import` is a plain one.
        """
        if self.package in sys.modules:
            return
        try:
            with self.finding():
                module = importlib.import_module(self.package)
                for name in self.uses:
                    getattr(module, name)
        except Exception:
            log.warning(
                "package=<%s> | importing it whole: its lean import failed",
                self.package,
                exc_info=True,
            )
            for name in [name for name in sys.modules if self.has(name)]:
                del sys.modules[name]

    @contextmanager
    def finding(self) -> Generator[None]:
        """Import lean whatever of the package is imported meanwhile."""
        finder = _Finder(self)
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)

    def has(self, module: str) -> bool:
        return module == self.package or module.startswith(f"{self.package}.")

    def called_later(self, module: str) -> list[str]:
        """The functions of a module that are imported when somebody calls them."""
        split = (name.rpartition(".") for name in self.on_call)
        return [name for owner, _, name in split if owner == module]


class _Finder(MetaPathFinder):
    def __init__(self, lean: LeanImport) -> None:
        self._lean = lean

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not self._lean.has(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            if spec.submodule_search_locations:
                spec.loader = _PackageLoader(spec.loader, self._lean)
            elif functions := self._lean.called_later(fullname):
                spec.loader = _ModuleLoader(spec.loader, self._lean, functions)
        return spec


class _PackageLoader(SourceFileLoader):
    """Loads a package lazily if its `__init__` only exports, and else as usual."""

    def __init__(self, usual: SourceFileLoader, lean: LeanImport) -> None:
        super().__init__(usual.name, usual.path)
        self._lean = lean

    def exec_module(self, module: ModuleType) -> None:
        source = self.get_source(module.__name__) or ""
        exports = _Exports.read(source, self._lean.left_out)
        if exports is None or exports.shadow(self.path):
            super().exec_module(module)
            return
        package = _LazyPackage(module, exports, self._lean.on_call)
        vars(module).update(
            __getattr__=package.find, __dir__=package.names, __all__=exports.public()
        )


class _ModuleLoader(SourceFileLoader):
    """Runs a module when somebody calls one of these functions, or takes anything else from it."""

    def __init__(self, usual: SourceFileLoader, lean: LeanImport, functions: Sequence[str]) -> None:
        super().__init__(usual.name, usual.path)
        self._lean = lean
        self._functions = functions

    def exec_module(self, module: ModuleType) -> None:
        def find(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            self._run(module)
            return getattr(module, name)

        vars(module).update(
            {name: self._called_later(module, name) for name in self._functions}, __getattr__=find
        )

    def _run(self, module: ModuleType) -> None:
        """Run it, unless it has run or runs already."""
        find = vars(module).pop("__getattr__", None)
        if find is None:
            return
        try:
            with self._lean.finding():
                super().exec_module(module)
        except BaseException:
            vars(module)["__getattr__"] = find
            raise

    def _called_later(self, module: ModuleType, name: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            self._run(module)
            return getattr(module, name)(*args, **named)

        return call


class _Exports:
    """What the `__init__` of a package exports, read from its source."""

    def __init__(self) -> None:
        self.sources: dict[str, tuple[str, str]] = {}
        """Each name's module, relative to the package, and the name there ("" is the module)."""
        self.stars: list[str] = []
        self._all: list[str] | None = None

    @classmethod
    def read(cls, source: str, left_out: Collection[str]) -> "_Exports | None":
        """None if the source does anything but export names."""
        exports = cls()
        if all(exports._add(node, left_out) for node in ast.parse(source).body):
            return exports
        return None

    def public(self) -> list[str]:
        if self._all is not None:
            return self._all
        return [name for name in self.sources if not name.startswith("_")]

    def shadow(self, path: str) -> bool:
        """Whether importing a module of the package would hide another export of that name."""
        modules = {entry.name.partition(".")[0] for entry in Path(path).parent.iterdir()}
        return any(self.sources[name] != (".", name) for name in modules & self.sources.keys())

    def _add(self, node: ast.stmt, left_out: Collection[str]) -> bool:
        """Take in one statement. False if it does more than export."""
        if ast.unparse(node).partition("\n")[0] in left_out:
            return True
        match node:
            case ast.ImportFrom(module=module, names=names, level=level):
                self._add_from("." * level + (module or ""), names)
            case ast.Import(names=names):
                self._add_modules(names)
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return self._add_all(value)
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
                pass
            case _:
                return False
        return True

    def _add_from(self, module: str, names: Iterable[ast.alias]) -> None:
        for alias in names:
            if alias.name == "*":
                self.stars.append(module)
            else:
                self.sources[alias.asname or alias.name] = (module, alias.name)

    def _add_modules(self, names: Iterable[ast.alias]) -> None:
        for alias in names:
            module = alias.name if alias.asname else alias.name.partition(".")[0]
            self.sources[alias.asname or module] = (module, "")

    def _add_all(self, value: ast.expr) -> bool:
        try:
            self._all = list(ast.literal_eval(value))
        except ValueError:
            return False
        return True


class _LazyPackage:
    """Finds the exports of one package."""

    def __init__(self, module: ModuleType, exports: _Exports, on_call: Collection[str]) -> None:
        self._module = module
        self._exports = exports
        self._on_call = on_call

    def names(self) -> list[str]:
        return sorted({*vars(self._module), *self._exports.sources})

    def find(self, name: str) -> Any:
        """Give an export, and keep it. Raises AttributeError as a plain module would."""
        if f"{self._module.__name__}.{name}" in self._on_call:
            found = self._called_later(name)
        else:
            found = self._imported(name)
        setattr(self._module, name, found)
        return found

    def _called_later(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            return self._imported(name)(*args, **named)

        return call

    def _imported(self, name: str) -> Any:
        package = self._module.__name__
        if name in self._exports.sources:
            source, there = self._exports.sources[name]
            return _import_name(source, there, package)
        if not name.startswith("__"):
            for source in self._exports.stars:
                module = importlib.import_module(source, package)
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")


def _import_name(source: str, name: str, package: str) -> Any:
    """As `from source import name` does within the package, or `import source` for no name."""
    if set(source) == {"."}:
        return importlib.import_module(source + name, package)
    module = importlib.import_module(source, package)
    if not name:
        return module
    try:
        return getattr(module, name)
    except AttributeError:
        return importlib.import_module(f"{source}.{name}", package)
