"""The figures of ``benchmarks/speed.py`` as tables: medians, and ratios to each peer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

__all__ = ["figures", "markdown", "percentile", "ratios"]

_COMPARED: Mapping[str, tuple[str, str]] = {
    "cold, to the first answer": ("cold", "cold"),
    "warm command, hybrid": ("hybrid", "hybrid"),
    "warm command, lexical": ("lexical", "hybrid"),
    "refresh after one edit": ("refresh", "refresh"),
    "cold, processor time": ("cold cpu", "cold cpu"),
    "warm command, hybrid, processor time": ("hybrid cpu", "hybrid cpu"),
    "warm command, lexical, processor time": ("lexical cpu", "hybrid cpu"),
    "query in process, p50": ("p50", "p50"),
    "query in process, p95": ("p95", "p95"),
    "peak memory": ("memory", "memory"),
    "index on disk": ("index", "index"),
}
"""Line of the table: fiuto's figure, and that of semble it is held against."""


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that ``share`` of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]


def figures(tool: Mapping[str, Any]) -> dict[str, float]:
    """One number for each thing measured: medians of seconds, bytes as they are."""
    out = {name: median(values) for name, values in tool.items() if isinstance(values, list)}
    out |= {name: value for name, value in tool.items() if isinstance(value, int)}
    inside = tool.get("inside", {})
    for name, kept in (("p50", 0.5), ("p95", 0.95)):
        if "query" in inside:
            out[name] = percentile(inside["query"], kept)
        for more in ("refreshed", "lexical"):
            if more in inside:
                out[f"{more} {name}"] = percentile(inside[more], kept)
    return out


def ratios(repositories: Mapping[str, Mapping[str, Any]], peer: str) -> dict[str, list[float]]:
    """For each line what the peer takes over what fiuto takes, of each repository."""
    out: dict[str, list[float]] = {}
    for entry in repositories.values():
        ours, theirs = figures(entry["fiuto"]), figures(entry.get(peer, {}))
        for line, (mine, other) in _COMPARED.items():
            if mine in ours and other in theirs:
                out.setdefault(line, []).append(theirs[other] / ours[mine])
    return out


def markdown(data: Mapping[str, Any]) -> str:
    """The report."""
    repositories = data["repositories"]
    machine, started, ended = data["machine"], data["started"], data.get("ended", {})
    lines = [
        "# Speed",
        "",
        f"`{data['command']}`",
        "",
        (
            f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB, "
            f"{machine['system']}, Python {machine['python']}.  Started {started['at']}, load "
            f"{_pair(started['load'])}; ended {ended.get('at', '')}, load "
            f"{_pair(ended.get('load', []))}.  Medians of {data['runs']} warm and half as many "
            "cold runs, each a fresh process, the tools in turn."
        ),
        "",
    ]
    peers = [name for name in next(iter(repositories.values())) if name == "semble"]
    for peer in peers:
        lines += [
            f"## {peer} over fiuto",
            "",
            (
                f"How many times as much {peer} takes; above 1 fiuto takes less.  Over "
                f"{len(repositories)} repositories."
            ),
            "",
            "| | median | least | most |",
            "|---|--:|--:|--:|",
        ]
        for line, values in ratios(repositories, peer).items():
            lines.append(
                f"| {line} | **{median(values):.2f}** | {min(values):.2f} | {max(values):.2f} |"
            )
        lines.append("")
    lines += _each(repositories)
    return "\n".join(lines) + "\n"


def _pair(load: Sequence[float]) -> str:
    return " and ".join(f"{value:.2f}" for value in load)


def _each(repositories: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines = [
        "## Each repository",
        "",
        (
            "Seconds of whole processes: cold to the first answer, warm by meaning and by words "
            "(ripgrep: one pass for the question's words), refresh and answer after one edit. "
            "Milliseconds of a query in process: p50 and p95; MB of memory at most, and of index."
        ),
        "",
        (
            "| repository | language | chunks | tool | cold | hybrid | lexical | refresh | p50 "
            "| p95 | memory | index |"
        ),
        "|---|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, entry in repositories.items():
        for tool in [key for key, value in entry.items() if isinstance(value, dict)]:
            found = figures(entry[tool])
            found.setdefault("lexical", found.get("words", 0.0))
            seconds = [_number(found, key, 1, 2) for key in ("cold", "hybrid", "lexical")]
            seconds.append(_number(found, "refresh", 1, 2))
            milliseconds = [_number(found, key, 1000, 1) for key in ("p50", "p95")]
            sizes = [_number(found, key, 1e-6, 0) for key in ("memory", "index")]
            chunks = entry[tool].get("inside", {}).get("chunks", "")
            cells = [name, entry["language"], str(chunks), tool, *seconds, *milliseconds, *sizes]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _number(found: Mapping[str, float], key: str, factor: float, digits: int) -> str:
    return f"{found[key] * factor:.{digits}f}" if found.get(key) else ""
