"""
What a request may say, declared once: checked by it, described by it.

An endpoint is a row of a table (:mod:`fiuto.web.api`).  Its fields are read from the
query, or from the JSON body of a POST; whatever is not declared is refused by name.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fiuto.web.problems import Problem

__all__ = ["Endpoint", "Field", "Method", "Values", "body_values", "query_values"]

Method: TypeAlias = Literal["GET", "POST", "DELETE"]
Values: TypeAlias = Mapping[str, Any]

_WORDS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that a request may say."""

    name: str
    about: str
    kind: type = str
    """``str``, ``int`` or ``bool``."""
    many: bool = False
    needed: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    longest: int = 1_000
    """Characters of a text."""
    least: int = 0
    most: int = 1_000_000
    """Bounds of a number."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path."""

    method: Method
    path: str
    summary: str
    run: Callable[[Any, Values], Any]
    """Called with the service and the values in a worker thread; gives JSON data."""
    answer: str
    """Name of the answer's schema."""
    fields: tuple[Field, ...] = ()
    status: int = 200

    @property
    def path_fields(self) -> tuple[str, ...]:
        """Names in braces."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))


def query_values(fields: Sequence[Field], query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """
    The values of a query string.

    Raises:
        Problem: an unknown name, a name given twice, or a value of the wrong form.
    """
    given: dict[str, list[str]] = {}
    for name, value in query:
        given.setdefault(name, []).append(value)
    out: dict[str, Any] = {}
    for field in _declared(fields, given):
        texts = given.get(field.name)
        if texts is None:
            continue
        if len(texts) > 1 and not field.many:
            raise Problem(f"{field.name} is given {len(texts)} times; once is enough")
        values = [_from_text(field, text) for text in texts]
        out[field.name] = tuple(values) if field.many else values[0]
    return _filled(fields, out)


def body_values(fields: Sequence[Field], body: bytes) -> dict[str, Any]:
    """
    The values of a JSON body; an empty one is an empty object.

    Raises:
        Problem: no JSON object, an unknown key, or a value of the wrong form.
    """
    try:
        data = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError) as error:
        raise Problem(f"the body is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise Problem("the body must be a JSON object")
    out: dict[str, Any] = {}
    for field in _declared(fields, data):
        if field.name not in data or data[field.name] is None:
            continue
        value = data[field.name]
        if field.many:
            if not isinstance(value, list):
                raise Problem(f"{field.name} must be a list")
            out[field.name] = tuple(_checked(field, item) for item in value)
        else:
            out[field.name] = _checked(field, value)
    return _filled(fields, out)


def _declared(fields: Sequence[Field], given: Mapping[str, Any]) -> Sequence[Field]:
    known = [field.name for field in fields]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known) or 'none'}"
            raise Problem(f"nothing is called {name[:80]!r} here; {hint}")
    return fields


def _filled(fields: Sequence[Field], values: dict[str, Any]) -> dict[str, Any]:
    for field in fields:
        if field.name not in values:
            if field.needed:
                raise Problem(f"{field.name} is missing: {field.about}")
            values[field.name] = () if field.many and field.default is None else field.default
    return values


def _from_text(field: Field, text: str) -> Any:
    if field.kind is bool:
        if text.lower() not in _WORDS:
            raise Problem(f"{field.name} must be true or false, not {text[:80]!r}")
        return _WORDS[text.lower()]
    if field.kind is int:
        try:
            return _checked(field, int(text))
        except ValueError as error:
            raise Problem(f"{field.name} must be a whole number, not {text[:80]!r}") from error
    return _checked(field, text)


def _checked(field: Field, value: Any) -> Any:
    wrong = not isinstance(value, field.kind)
    if wrong or (field.kind is int and isinstance(value, bool)):
        names = {str: "text", int: "a whole number", bool: "true or false"}
        raise Problem(f"{field.name} must be {names[field.kind]}")
    if isinstance(value, str) and len(value) > field.longest:
        raise Problem(f"{field.name} is {len(value):,} characters; {field.longest:,} are the most")
    if isinstance(value, int) and not isinstance(value, bool):
        if not field.least <= value <= field.most:
            raise Problem(f"{field.name} must lie between {field.least} and {field.most:,}")
    elif field.choices and value not in field.choices:
        raise Problem(f"{field.name} must be one of {', '.join(field.choices)}")
    return value
