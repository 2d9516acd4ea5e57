"""The figures of ``benchmarks/scale.py`` as a table and as a chart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log10
from typing import Any, NamedTuple

from benchmarks.speed_table import percentile

__all__ = ["chart", "markdown"]

Part = Mapping[str, Any]


class Line(NamedTuple):
    """One row of the table and one line of a panel."""

    name: str
    of: Callable[[Part], float]
    digits: int
    colour: str = ""


def _inside(way: str, share: float) -> Callable[[Part], float]:
    return lambda part: 1000 * percentile(part["inside"][way], share)


_PANELS: tuple[tuple[str, str, tuple[Line, ...]], ...] = (
    (
        "Index from nothing", "s",
        (
            Line("index", lambda p: p["index"], 1, "#c2410c"),
            Line("index, processor time", lambda p: p["index cpu"], 1, "#f59e0b"),
            Line("floor: read all bytes", lambda p: p["floors"]["read"], 2, "#94a3b8"),
        ),
    ),
    (
        "Memory and disk", "MB",
        (
            Line("memory at most while indexing", lambda p: p["memory"] / 1e6, 0, "#c2410c"),
            Line("index on disk", lambda p: sum(p["disk"].values()) / 1e6, 0, "#0f766e"),
            Line("floor: the tree", lambda p: p["bytes"] / 1e6, 0, "#94a3b8"),
        ),
    ),
    (
        "One question", "ms",
        (
            Line("in process, p50", _inside("query", 0.5), 0, "#c2410c"),
            Line("in process, p95", _inside("query", 0.95), 0, "#f59e0b"),
            Line("in process, words only, p50", _inside("lexical", 0.5), 0, "#0f766e"),
            Line(
                "floor: one pass over the vectors",
                lambda p: 1000 * p["floors"]["one pass over the vectors"], 1, "#94a3b8",
            ),
        ),
    ),
    (
        "Whole commands", "s",
        (
            Line("refresh after one edit", lambda p: p["refresh"], 2, "#c2410c"),
            Line("warm command, hybrid", lambda p: p["hybrid"], 2, "#f59e0b"),
            Line("warm command, lexical", lambda p: p["lexical"], 2, "#0f766e"),
            Line("floor: git status", lambda p: p["floors"]["git status"], 2, "#475569"),
            Line("floor: stat of all files", lambda p: p["floors"]["stat"], 2, "#94a3b8"),
        ),
    ),
)  # fmt: skip


def markdown(data: Mapping[str, Any]) -> str:
    """The report."""
    parts = data["parts"]
    machine, started, ended = data["machine"], data["started"], data.get("ended", {})
    head = [f"{part['files']:,} files" for part in parts]
    chunks = [f"{part['chunks']:,}" for part in parts]
    lines = [
        "# Growth", "", f"`{data['command']}`", "",
        (
            f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB, "
            f"{machine['system']}, Python {machine['python']}.  Started {started['at']}, load "
            f"{started['load']}; ended {ended.get('at', '')}, load {ended.get('load', '')}.  "
            "The last column is how the figure grows from the first part to the last: 1 is in "
            "step with the number of chunks, 0 not at all."
        ),
        "", f"| | unit | {' | '.join(head)} | growth |", f"|---|---|{'--:|' * (len(parts) + 1)}",
        f"| chunks | | {' | '.join(chunks)} | |",
    ]  # fmt: skip
    for title, unit, rows in _PANELS:
        for row in rows:
            values = [row.of(part) for part in parts]
            shown = " | ".join(f"{value:,.{row.digits}f}" for value in values)
            lines.append(f"| {row.name} | {unit} | {shown} | {_growth(parts, values)} |")
        del title
    return "\n".join(lines) + "\n"


def _growth(parts: Sequence[Part], values: Sequence[float]) -> str:
    """The exponent of growth between the first part and the last, by chunks."""
    more = parts[-1]["chunks"] / parts[0]["chunks"]
    if more <= 1 or min(values[0], values[-1]) <= 0:
        return ""
    return f"{log10(values[-1] / values[0]) / log10(more):.2f}"


_WIDE, _HIGH = 380, 260
_LEFT, _TOP, _RIGHT, _BOTTOM = 46, 34, 12, 62


def chart(parts: Sequence[Part]) -> str:
    """Four panels in SVG, both axes logarithmic: a straight line of slope 1 is linear growth."""
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * _WIDE} {2 * _HIGH}" '
            'font-family="sans-serif" font-size="11" fill="#1e293b">'
        ),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for nth, (title, unit, lines) in enumerate(_PANELS):
        x, y = nth % 2 * _WIDE, nth // 2 * _HIGH
        out.append(f'<g transform="translate({x} {y})">')
        out += _panel(f"{title} ({unit})", parts, lines)
        out.append("</g>")
    return "\n".join([*out, "</svg>"]) + "\n"


def _panel(title: str, parts: Sequence[Part], lines: Sequence[Line]) -> list[str]:
    counts = [part["files"] for part in parts]
    values = [[max(line.of(part), 1e-4) for part in parts] for line in lines]
    across = _Axis(min(counts), max(counts), _LEFT, _WIDE - _RIGHT)
    flat = [value for row in values for value in row]
    low, high = 10 ** int(log10(min(flat)) - (min(flat) < 1)), max(flat) * 1.3
    up = _Axis(low, high, _HIGH - _BOTTOM, _TOP)
    out = [f'<text x="{_LEFT}" y="18" font-weight="bold">{title}</text>']
    decade = low
    while decade <= high:
        at = up.at(decade)
        out.append(
            f'<path d="M{_LEFT} {at:.1f}H{_WIDE - _RIGHT}" stroke="#e2e8f0"/>'
            f'<text x="{_LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{decade:,g}</text>'
        )
        decade *= 10
    out += [
        f'<text x="{across.at(count):.1f}" y="{_HIGH - _BOTTOM + 14}" '
        f'text-anchor="middle">{count / 1000:.0f}k</text>'
        for count in counts
    ]
    for nth, (line, row) in enumerate(zip(lines, values, strict=True)):
        points = [f"{across.at(c):.1f} {up.at(v):.1f}" for c, v in zip(counts, row, strict=True)]
        dash = ' stroke-dasharray="4 3"' if line.name.startswith("floor") else ""
        out.append(
            f'<path d="M{"L".join(points)}" fill="none" stroke="{line.colour}" '
            f'stroke-width="2"{dash}/>'
        )
        x = _LEFT + nth % 2 * 165
        y = _HIGH - _BOTTOM + 28 + nth // 2 * 12
        out.append(
            f'<path d="M{x} {y - 4}h14" stroke="{line.colour}" stroke-width="2"{dash}/>'
            f'<text x="{x + 18}" y="{y}" font-size="9">{line.name}</text>'
        )
    return out


class _Axis(NamedTuple):
    """A logarithmic scale from values to places."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = log10(self.high) - log10(self.low) or 1.0
        return self.start + (log10(value) - log10(self.low)) / span * (self.end - self.start)
