"""Dataclasses that get their methods when these are first used.

`dataclasses.dataclass` compiles up to six methods for each class, which takes 0.4 ms and 10 KB.
Bellhop has 650 such classes. Most processes use less than half of them, and of those mostly only
`__init__`.
"""

import dataclasses
from collections.abc import Mapping
from threading import RLock
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

_FIELDS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
_METHODS: Mapping[str, Mapping[str, bool]] = {
    "__init__": {"init": True},
    "__repr__": {"repr": True},
    "__eq__": {"eq": True},
    "__hash__": {"eq": True, "frozen": True},
}
"""The options with which `dataclasses.dataclass` makes each method."""
_UNDERSTOOD = {"init", "repr", "eq", "frozen", "kw_only"}

_making = RLock()
"""Classes are used in several threads, and the fields of one may need those of its base."""


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Do what `dataclasses.dataclass` does, but later; at once where an option needs it.

        A mistake in a definition, such as a field without a default behind one with a default,
        raises TypeError when the class is first used.
        """

        def decorate(cls: type) -> type:
            if options.keys() <= _UNDERSTOOD:
                return _Definition(cls, options).postpone()
            return dataclasses.dataclass(**options)(cls)

        return decorate if cls is None else decorate(cls)


class _Definition:
    """What the body of a class defines, and the options of its decorator."""

    def __init__(self, cls: type, options: Mapping[str, bool]) -> None:
        self._cls = cls
        self._options = options
        typed = vars(cls).get("__annotations__", ())
        self._body: dict[str, Any] = {
            name: value for name, value in vars(cls).items() if name in typed or _is_field(value)
        }

    def postpone(self) -> type:
        """Put a stand-in wherever `dataclasses.dataclass` would add an attribute."""
        cls, frozen = self._cls, self._options.get("frozen", False)
        explicit = set(vars(cls))
        if explicit >= {"__eq__", "__hash__"} and cls.__hash__ is None:
            explicit.remove("__hash__")  # Python sets it to None where `__eq__` is defined
        wanted = [*_FIELDS]
        wanted += [name for name in ("__init__", "__repr__", "__eq__") if self._makes(name)]
        if self._makes("__eq__") and frozen:
            wanted.append("__hash__")
        for name in wanted:
            if name not in explicit:
                setattr(cls, name, _Later(self, name))
        for name, value in self._body.items():
            if _is_field(value):
                _show_default(cls, name, value.default)
        if self._makes("__eq__") and not frozen and "__hash__" not in explicit:
            setattr(cls, "__hash__", None)  # noqa: B010 - pyright knows no class without a hash
        if frozen:
            setattr(cls, "__setattr__", _refuse_assignment)  # noqa: B010 - a method of a class
            setattr(cls, "__delattr__", _refuse_deletion)  # noqa: B010
        return cls

    def make(self, name: str) -> Any:
        """Replace a stand-in, unless another thread has; give what is there now."""
        with _making:
            if isinstance(vars(self._cls)[name], _Later):
                self._take_from(self._twin(_METHODS.get(name, {})), name)
            return vars(self._cls)[name]

    def _makes(self, method: str) -> bool:
        return self._options.get(method.strip("_"), True)

    def _twin(self, methods: Mapping[str, bool]) -> type:
        """A class with the same fields that `dataclasses.dataclass` has given these methods.

        Without a twin, another thread could meet the class while it lacks a method.
        """
        own = vars(self._cls)
        kept = ("__module__", "__qualname__", "__annotations__", "__orig_bases__", "__post_init__")
        body = {name: own[name] for name in kept if name in own} | self._body
        body["__doc__"] = "a twin"  # without one, dataclasses writes a signature, which takes long
        twin = type(self._cls)(self._cls.__name__, self._cls.__bases__, body)
        none = {"init": False, "repr": False, "eq": False}
        return dataclasses.dataclass(**{**self._options, **none, **methods})(twin)

    def _take_from(self, twin: type, wanted: str) -> None:
        made, cls = vars(twin), self._cls
        for name in (*_FIELDS, wanted):
            if isinstance(vars(cls).get(name), _Later):
                setattr(cls, name, made[name])


class _Later:
    """Stands for an attribute of a dataclass until it is first used."""

    __slots__ = ("_definition", "_name")

    def __init__(self, definition: _Definition, name: str) -> None:
        self._definition = definition
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        made = self._definition.make(self._name)
        return made.__get__(instance, owner) if isinstance(made, FunctionType) else made


def _is_field(value: object) -> bool:
    return isinstance(value, dataclasses.Field)


def _show_default(cls: type, name: str, default: object) -> None:
    """Put a field's default, if it has one, where the body of the class put the field."""
    if default is dataclasses.MISSING:
        delattr(cls, name)
    else:
        setattr(cls, name, default)


def _refuse_assignment(self: object, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
