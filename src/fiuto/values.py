"""
Frozen values with slots, made in a tenth of the time.

``dataclasses.dataclass`` writes six functions for each class and has Python compile them,
0.9 ms a class, and a question needs sixty.  Here one is written, when the first value is
made, and all classes share the others.  What a value can do is the same, and type checkers
see the standard decorator.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, FrozenInstanceError, fields, is_dataclass
from dataclasses import dataclass as standard
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """``dataclasses.dataclass`` for values: both must be True."""
        if not (frozen and slots):
            raise TypeError("a value is frozen and has slots; others are made by dataclasses")
        return _made


def _made(plain: Any) -> Any:
    # Fields and slots are the standard library's; what is left out here takes the time.
    inherits = any(map(is_dataclass, plain.__bases__))
    cls: Any = standard(init=False, repr=False, eq=False, frozen=inherits, slots=True)(plain)
    cls.__dataclass_params__.frozen = True  # or no frozen class could inherit from it
    shown = [f.name for f in fields(cls) if f.repr]
    compared = [f.name for f in fields(cls) if f.compare]
    for method in (_init(cls), _repr(shown), *_comparing(compared), *_FROZEN):
        if method.__name__ not in plain.__dict__:
            setattr(cls, method.__name__, method)
    cls.__signature__ = _Signature()
    return cls


def _init(cls: Any) -> Callable[..., None]:
    """Makes the first value, and leaves what was written for this class in its place."""

    def __init__(self: object, *values: object, **named: object) -> None:  # noqa: N807
        cls.__init__ = _written(cls)
        cls.__init__(self, *values, **named)

    return __init__


def _written(cls: Any) -> Callable[..., None]:
    names: dict[str, Any] = {"set_": object.__setattr__, "MISSING": MISSING}
    taken, body = ["self"], []
    for field in fields(cls):
        name = value = field.name
        if field.default is not MISSING:
            names[f"default_{name}"] = field.default
            taken.append(f"{name}=default_{name}")
        elif field.default_factory is not MISSING:
            names[f"make_{name}"] = field.default_factory
            taken.append(f"{name}=MISSING")
            value = f"make_{name}() if {name} is MISSING else {name}"
        else:
            taken.append(name)
        body.append(f" set_(self, {name!r}, {value})\n")
    text = f"def __init__({', '.join(taken)}):\n{''.join(body) or ' pass'}"
    exec(text, names)  # noqa: S102 - names of fields, as the standard library does
    made: Callable[..., None] = names["__init__"]
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    made.__annotations__ = {f.name: f.type for f in fields(cls)} | {"return": None}
    return made


class _Signature:
    """What a class is called with, for ``help``; asked for seldom, so written late."""

    def __get__(self, value: object, cls: type) -> inspect.Signature:
        whole = inspect.signature(_written(cls))
        return whole.replace(parameters=list(whole.parameters.values())[1:])


def _repr(names: Sequence[str]) -> Callable[..., str]:
    def __repr__(self: object) -> str:  # noqa: N807
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({told})"

    return __repr__


def _comparing(names: Sequence[str]) -> Iterable[Callable[..., Any]]:
    read: Callable[[object], object] = attrgetter(*names) if names else bool

    def __eq__(self: object, other: object) -> Any:  # noqa: N807
        return read(self) == read(other) if type(other) is type(self) else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(read(self))

    return __eq__, __hash__


def __setattr__(_self: object, name: str, _value: object) -> None:  # noqa: N807
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def __delattr__(_self: object, name: str) -> None:  # noqa: N807
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def __getstate__(self: Any) -> list[object]:  # noqa: N807
    return [getattr(self, field.name) for field in fields(self)]


def __setstate__(self: Any, state: Iterable[object]) -> None:  # noqa: N807
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_FROZEN = (__setattr__, __delattr__, __getstate__, __setstate__)
