"""
Two drawings of ranks as inline SVG: hit@k curves, and rank against rank.

Colours come from the page's style sheet, so one drawing serves light and dark.
Both axes of ranks are logarithmic: the step from 1 to 2 matters more to a reader
than that from 50 to 51.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from fiuto.evaluation.metrics import hit, mean
from fiuto.evaluation.run import Run, ScopeRun

__all__ = ["curves", "scatter"]

_DEEPEST = 100
"""The last k of the curves: nobody reads further."""

_WIDTH, _HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 170, 14, 40

_SIDE = 230
_INSET = 34
_NONE = 30
"""Pixels beyond the last rank where answers that were not found lie."""


def curves(run: Run, scope: ScopeRun) -> str:
    """For each column the share of questions answered within the first k, k from 1 to 100."""
    shares = {
        column.name: [
            mean([hit(row.cells[column.name].rank, k) for row in scope.rows])
            for k in range(1, _DEEPEST + 1)
        ]
        for column in run.columns
    }
    body = [*_curve_axes()]
    for i, (column, values) in enumerate(zip(run.columns, shares.values(), strict=True)):
        points = [f"M{_x(1):.1f},{_y(values[0]):.1f}"]
        # A share holds until the next k, so the line has steps.
        points += [
            f"H{_x(k):.1f}V{_y(values[k - 1]):.1f}"
            for k in range(2, _DEEPEST + 1)
            if values[k - 1] != values[k - 2]
        ]
        points.append(f"H{_x(_DEEPEST):.1f}")
        body.append(
            f'<path class="line {column.kind} s{i % 10}" d="{"".join(points)}">'
            f"<title>{escape(column.name)}</title></path>"
        )
    ends = {name: values[-1] for name, values in shares.items()}
    order = list(ends)
    body += [
        f'<text class="label s{order.index(name) % 10}" x="{_WIDTH - _RIGHT + 8}" y="{y + 4:.1f}">'
        f"{escape(name)} {ends[name]:.0%}</text>"
        for name, y in _spread(ends)
    ]
    return _svg(_WIDTH, _HEIGHT, "share of questions answered within the first k hits", body)


def scatter(scope: ScopeRun, reference: str, other: str) -> str:
    """One point a question: where ``other`` ranks the answer, and where ``reference`` does."""
    ranks = [(row.cells[other].rank, row.cells[reference].rank, row) for row in scope.rows]
    deepest = max([rank for pair in ranks for rank in pair[:2] if rank is not None], default=1)
    top = max(10, deepest)
    span = _SIDE - 2 * _INSET - _NONE

    def along(rank: int | None) -> float:
        return span + _NONE if rank is None else span * math.log10(rank) / math.log10(top)

    def x(rank: int | None) -> float:
        return _INSET + along(rank)

    def y(rank: int | None) -> float:
        return _SIDE - _INSET - along(rank)

    body = [f'<path class="diagonal" d="M{x(1):.1f},{y(1):.1f}L{x(top):.1f},{y(top):.1f}"/>']
    for tick in (*_powers(top), None):
        shown = "none" if tick is None else f"{tick:,}"
        body.append(f'<path class="grid" d="M{x(tick):.1f},{y(1):.1f}V{y(None):.1f}"/>')
        body.append(f'<path class="grid" d="M{x(1):.1f},{y(tick):.1f}H{x(None):.1f}"/>')
        body.append(f'<text class="tick" x="{x(tick):.1f}" y="{_SIDE - 18}">{shown}</text>')
        body.append(f'<text class="tick end" x="{_INSET - 5}" y="{y(tick) + 3:.1f}">{shown}</text>')
    for theirs, ours, row in ranks:
        better = "even" if ours == theirs else "won" if _before(ours, theirs) else "lost"
        body.append(
            f'<circle class="{better}" cx="{x(theirs):.1f}" cy="{y(ours):.1f}" r="4">'
            f"<title>{escape(row.question.text)}\n{escape(other)} {theirs or 'none'}, "
            f"{escape(reference)} {ours or 'none'}</title></circle>"
        )
    body.append(f'<text class="axis" x="{_SIDE / 2}" y="{_SIDE - 4}">{escape(other)}</text>')
    return _svg(_SIDE, _SIDE, f"rank by {reference} against rank by {other}", body)


def _curve_axes() -> Iterator[str]:
    for k in (1, 2, 5, 10, 20, 50, 100):
        yield f'<path class="grid" d="M{_x(k):.1f},{_y(0)}V{_y(1)}"/>'
        yield f'<text class="tick" x="{_x(k):.1f}" y="{_HEIGHT - _BOTTOM + 16}">{k}</text>'
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        yield f'<path class="grid" d="M{_LEFT},{y:.1f}H{_WIDTH - _RIGHT}"/>'
        yield f'<text class="tick end" x="{_LEFT - 6}" y="{y + 4:.1f}">{percent} %</text>'
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield f'<text class="axis" x="{middle}" y="{_HEIGHT - 6}">first k hits</text>'


def _x(k: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log(k) / math.log(_DEEPEST)


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _spread(ends: dict[str, float]) -> list[tuple[str, float]]:
    """Heights for labels beside the ends of their lines, moved apart where they would touch."""
    gap = 15.0
    placed: list[tuple[str, float]] = []
    for name, share in sorted(ends.items(), key=lambda end: -end[1]):
        least = placed[-1][1] + gap if placed else _TOP
        placed.append((name, max(_y(share), least)))
    over = max(0.0, placed[-1][1] - (_HEIGHT - _BOTTOM)) if placed else 0.0
    return [(name, y - over) for name, y in placed]


def _powers(top: int) -> Iterator[int]:
    power = 1
    while power <= top:
        yield power
        power *= 10


def _before(ours: int | None, theirs: int | None) -> bool:
    return ours is not None and (theirs is None or ours < theirs)


def _svg(width: int, height: int, label: str, body: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
        f"{''.join(body)}</svg>"
    )
