"""Values do what the standard library's frozen dataclasses with slots do."""

import copy
import dataclasses
import inspect
import pickle

import pytest

from fiuto.values import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """As fiuto makes them."""

    path: str
    start: int = 1
    names: tuple[str, ...] = dataclasses.field(default_factory=tuple)
    secret: str = dataclasses.field(default="", repr=False)
    note: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """As the standard library makes them."""

    path: str
    start: int = 1
    names: tuple[str, ...] = dataclasses.field(default_factory=tuple)
    secret: str = dataclasses.field(default="", repr=False)
    note: str = dataclasses.field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Deeper(Place):
    """One field more."""

    end: int = 9


@pytest.mark.parametrize(
    ("values", "named"),
    [
        (("a",), {}),
        (("a", 2), {}),
        (("a",), {"names": ("x",)}),
        ((), {"path": "a", "note": "n", "secret": "s"}),
        (("a", 2, (), "s", "n"), {}),
    ],
)
def test_a_value_is_what_the_standard_one_is(values, named):
    """Fields, text, hash, and what it is taken apart and put together into."""
    ours, theirs = Place(*values, **named), Standard(*values, **named)

    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert repr(ours) == repr(theirs).replace("Standard", "Place")
    assert hash(ours) == hash(theirs)
    assert dataclasses.replace(ours, start=7) == Place(ours.path, 7, ours.names, ours.secret)
    assert pickle.loads(pickle.dumps(ours)) == copy.copy(ours) == ours
    assert Place.__match_args__ == Standard.__match_args__


@pytest.mark.parametrize(
    ("values", "named"), [((), {}), (("a",), {"path": "b"}), (("a",), {"x": 1})]
)
def test_what_cannot_be_made_is_refused_alike(values, named):
    """The first time and every time, in the same words."""
    with pytest.raises(TypeError) as theirs:
        Standard(*values, **named)
    for _ in range(2):
        with pytest.raises(TypeError) as ours:
            Place(*values, **named)
        assert str(ours.value) == str(theirs.value).replace("Standard", "Place")


def test_values_are_equal_by_class_and_by_compared_fields():
    """A field with ``compare=False`` does not count, another class is never equal."""
    assert Place("a", note="x") == Place("a", note="y")
    assert Place("a") != Place("b")
    assert Place("a") != Standard("a")
    assert Place("a") != Deeper("a")
    assert len({Place("a"), Place("a", note="x"), Place("a", 2)}) == 2


def test_values_do_not_change():
    """No field is set or deleted, none is added, and there is no room for one."""
    place = Place("a")

    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'path'"):
        place.path = "b"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'path'"):
        del place.path
    with pytest.raises(AttributeError):
        place.other = 1
    assert not hasattr(place, "__dict__")


def test_a_value_may_inherit_from_one():
    """Its fields come after; a standard frozen class may inherit too."""

    @dataclasses.dataclass(frozen=True, slots=True)
    class Theirs(Place):
        end: int = 3

    assert [f.name for f in dataclasses.fields(Deeper)][-2:] == ["note", "end"]
    assert Deeper("a", 2, end=4) == Deeper("a", 2, (), end=4)
    assert (Deeper("a").end, Theirs("a").end) == (9, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Deeper("a").end = 1


def test_methods_of_the_class_stay():
    """Who compares by something else says so."""

    @dataclass(frozen=True, slots=True)
    class Folded:
        name: str

        def __eq__(self, other):
            return self.name.lower() == other.name.lower()

        def __hash__(self):
            return hash(self.name.lower())

    assert Folded("A") == Folded("a")
    assert len({Folded("A"), Folded("a")}) == 1


def test_help_tells_the_arguments_before_the_first_value():
    """The function is written late, its signature is not lost."""

    @dataclass(frozen=True, slots=True)
    class Fresh:
        path: str
        start: int = 1

    assert str(inspect.signature(Fresh)) == "(path: str, start: int = 1) -> None"
    assert Fresh("a") == Fresh("a", 1)


def test_what_is_no_value_is_refused():
    """Nobody should believe that his class is mutable."""
    with pytest.raises(TypeError, match="frozen and has slots"):
        dataclass(frozen=False, slots=True)
