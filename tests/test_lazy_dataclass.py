"""Dataclasses whose methods are made when these are first used: the same as those of Python."""

import dataclasses
import inspect
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, astuple, field, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

import pytest

from bot.lazy_dataclass import dataclass

T = TypeVar("T")
Decorate = Callable[..., Any]
"""`dataclass` of bot.lazy_dataclass or of the standard library."""


def _shapes(dataclass: Decorate) -> tuple[Any, Any, Any, Any]:
    """Classes of every kind, made by one of the two decorators."""

    @dataclass(frozen=True)
    class Point:
        x: int
        y: int = 2
        label: str = field(default="", compare=False, repr=False)

    @dataclass(frozen=True)
    class Solid(Point):
        z: int = 3
        parts: tuple[int, ...] = field(default_factory=tuple)
        size: int = field(init=False, default=0)

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", self.x * self.y * self.z)

    @dataclass
    class Heap:
        items: list[int] = field(default_factory=list[int])
        total: int = 0

    @dataclass(frozen=True, kw_only=True, eq=False)
    class Named:
        name: str

    return Point, Solid, Heap, Named


def test_behaves_as_the_standard_library_does() -> None:
    def looked_at(dataclass: Decorate) -> list[object]:
        point, solid, heap, named = _shapes(dataclass)
        one, other = solid(4, label="a", parts=(7,)), solid(4, label="b", parts=(7,))
        same = named(name="n")
        return [
            repr(one).rpartition(".")[2],
            one == other,
            hash(one) == hash(other) == hash((4, 2, 3, (7,), 24)),
            one == point(4),
            point(1) == point(1, label="x"),
            astuple(one),
            asdict(heap([1])),
            astuple(replace(one, x=5)),
            [(f.name, f.default, f.repr, f.compare, f.init) for f in fields(solid)],
            solid.__match_args__,
            solid.size,
            hasattr(solid, "parts"),
            str(inspect.signature(solid)),
            heap().items is heap().items,
            heap([1], 2) == heap([1], 2),
            heap.__hash__,
            same == named(name="n"),
            named.__match_args__,
            is_dataclass(point),
        ]

    assert looked_at(dataclass) == looked_at(dataclasses.dataclass)


def test_a_method_is_made_when_it_is_first_used() -> None:
    @dataclass(frozen=True)
    class Point:
        x: int

    def made() -> list[str]:
        return [name for name in ("__init__", "__repr__", "__eq__", "__hash__") if _made(name)]

    def _made(name: str) -> bool:
        return inspect.isfunction(vars(Point)[name])

    assert made() == []
    one = Point(1)
    assert made() == ["__init__"]
    assert one == Point(1)
    assert made() == ["__init__", "__eq__"]
    assert (repr(one).endswith("Point(x=1)"), hash(one)) == (True, hash((1,)))
    assert made() == ["__init__", "__repr__", "__eq__", "__hash__"]


def test_the_class_shows_the_defaults_of_fields_before_it_is_used() -> None:
    @dataclass
    class Heap:
        items: list[int] = field(default_factory=list[int])
        label: str = field(default="", repr=False)
        total: int = field(init=False, default=3)

        def __init__(self) -> None:
            """Sets nothing: the class's defaults count."""

    assert not hasattr(Heap, "items")
    assert (Heap.label, Heap.total, Heap().total) == ("", 3, 3)
    assert [f.name for f in fields(Heap)] == ["items", "label", "total"]


def test_a_frozen_one_refuses_changes() -> None:
    @dataclass(frozen=True)
    class Point:
        x: int

    point: Any = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(FrozenInstanceError):
        point.other = 2
    assert point.x == 1


def test_what_the_body_defines_stays() -> None:
    @dataclass(frozen=True)
    class Word:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Word) and other.text.lower() == self.text.lower()

        def __hash__(self) -> int:
            return hash(self.text.lower())

        def __repr__(self) -> str:
            return "a word"

    @dataclass
    class Counter:
        count: int = 0

        def __hash__(self) -> int:
            return 7

    assert (Word("A"), hash(Word("A")), repr(Word("A"))) == (Word("a"), hash("a"), "a word")
    assert (Counter(1), hash(Counter(1))) == (Counter(1), 7)


def test_bases_may_be_generic_or_abstract() -> None:
    class Shape(ABC):
        @abstractmethod
        def area(self) -> int: ...

    @dataclass(frozen=True)
    class Square(Shape):
        side: int

        def area(self) -> int:
            return self.side**2

    @dataclass(frozen=True)
    class Box(Generic[T]):
        content: T

    @dataclass(frozen=True)
    class Parcel(Box[int]):
        weight: int = 1

    assert Square(3).area() == 9
    assert astuple(Parcel(5)) == (5, 1)


def test_positional_patterns_match() -> None:
    @dataclass(frozen=True)
    class Point:
        x: int
        y: int

    def matched(value: object) -> int:
        match value:
            case Point(x, y):
                return x + y
            case _:
                return 0

    assert matched(Point(1, 2)) == 3


def test_a_wrong_definition_shows_at_the_first_use() -> None:
    class Point:
        x: int = 0
        y: int

    point: Any = dataclass(frozen=True)(Point)
    with pytest.raises(TypeError, match="non-default argument 'y' follows default argument"):
        point(1, 2)


def test_a_field_without_a_type_shows_at_the_first_use() -> None:
    class Point:
        x: int = 0
        y = field(default=1)

    point: Any = dataclass(frozen=True)(Point)
    with pytest.raises(TypeError, match="'y' is a field but has no type annotation"):
        point(1)


def test_an_option_that_changes_the_class_counts_at_once() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int

    assert not hasattr(Point(1), "__dict__")
    assert inspect.isfunction(vars(Point)["__init__"])


def test_threads_that_use_a_class_at_once_all_get_whole_instances() -> None:
    found: list[object] = []
    for _ in range(20):

        @dataclass(frozen=True)
        class Base:
            a: int

        @dataclass(frozen=True)
        class Derived(Base):
            b: list[int] = field(default_factory=list[int])

        together = threading.Barrier(4)

        def use(
            together: threading.Barrier = together,
            base: type[Base] = Base,
            derived: type[Derived] = Derived,
        ) -> None:
            together.wait()
            found.append(derived(1) == derived(1, []) and hash(base(2)) == hash((2,)))

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [True] * 80
