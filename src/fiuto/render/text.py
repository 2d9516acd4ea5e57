"""
Hits for people and editors: one block, or one line, for each.

Every function takes ``room``, the characters it may fill; a hit that is too long
for it is shortened and says so, but its place is always given in full.
"""

from __future__ import annotations

from fiuto.model import Also, Hit
from fiuto.render.excerpt import best_line, excerpt
from fiuto.render.matches import Matcher
from fiuto.render.style import PLAIN, Style, printable, visible_length
from fiuto.values import dataclass

__all__ = ["NOTHING_HERE", "SHORTENED", "Page", "block", "grep_line", "path_line", "tail"]

SHORTENED = "… shortened"
"""How a hit that was cut to fit is marked."""

_LONGEST = 240
"""Characters of one line where no terminal says how many it has."""

_NAMES = 3
"""Names shown of a hit that holds many small definitions."""

_TITLE = 100
"""Characters of a symbol; headings of documents can be whole sentences."""

_LEAD = 20
"""Characters kept before the first match of a line that is too long."""


@dataclass(frozen=True, slots=True)
class Page:
    """What all hits of one answer are drawn with."""

    matcher: Matcher
    prefix: str = ""
    """Put before each path, so that it leads there from the current folder."""
    style: Style = PLAIN
    explain: bool = False


def block(hit: Hit, page: Page, room: int | None = None) -> str:
    """``path:start-end  symbol  [label]``, then the lines that matter, each with its number."""
    head = [_heading(hit, page)]
    if page.explain:
        head.append("  " + page.style.dim(hit.explain()))
    body = _body(hit, page)
    whole = "\n".join((*head, *body, ""))
    if room is None or visible_length(whole) <= room:
        return whole
    kept = [*head, f"  {SHORTENED}"]
    left = room - visible_length("\n".join((*kept, "")))
    for line in body:
        left -= visible_length(line) + 1
        if left < 0:
            break
        kept.insert(-1, line)
    return "\n".join((*kept, ""))


def grep_line(hit: Hit, page: Page, room: int | None = None) -> str:
    """``path:line:column:text`` of the best line; the column counts UTF-8 bytes from 1."""
    index = best_line(hit.text, page.matcher)
    line = hit.text.split("\n")[index].removesuffix("\r")
    spans = page.matcher.spans(line)
    at = spans[0][0] if spans else len(line) - len(line.lstrip())
    column = len(line[:at].encode("utf-8", "surrogatepass")) + 1
    head = f"{printable(page.prefix + hit.path)}:{hit.start + index}:{column}:"
    text, _ = _clipped(line, spans, _LONGEST)
    whole = f"{head}{printable(text)}\n"
    if room is None or len(whole) <= room:
        return whole
    left = max(0, room - len(head) - len(SHORTENED) - 1)
    return f"{head}{printable(text)[:left]}{SHORTENED}\n"


NOTHING_HERE = "nothing here seems to answer this"
"""Said above the hits where the ranking itself does not believe in them."""


def tail(also: Also, page: Page) -> str:
    """The files that hold the names in question and are not among the hits, in a few lines."""
    names = ", ".join(f"`{printable(name)}`" for name in also.identifiers)
    least = "at least " if also.more else ""
    files = f"{also.total} more file{'s' if also.total > 1 else ''}"
    verb = "contains" if also.total == 1 and not also.more else "contain"
    lines = [f"also: {least}{files} {verb} {names}"]
    lines += [f"  {printable(page.prefix + path)}" for path in also.files]
    if also.total > len(also.files):
        lines.append(f"  … and {also.total - len(also.files)} more")
    return page.style.dim("\n".join(lines)) + "\n"


def path_line(hit: Hit, page: Page, room: int | None = None) -> str:  # noqa: ARG001 - never cut
    """The path alone; as it is for other programs, made safe for a terminal."""
    path = page.prefix + hit.path
    return f"{printable(path) if page.style.width else path}\n"


def _heading(hit: Hit, page: Page) -> str:
    style = page.style
    place = style.path(printable(page.prefix + hit.path)) + style.lines(f":{hit.start}-{hit.end}")
    fields = [style.link(place, hit.path, hit.start)]
    if hit.symbol:
        fields.append(style.symbol(_clipped(printable(_symbol(hit, page.matcher)), [], _TITLE)[0]))
    if hit.label != "source":
        fields.append(style.mark(f"[{hit.label}]"))
    if not hit.verified:
        # What is not on this machine cannot be looked at: then what was indexed is said.
        at = f"(at {hit.revision[:12]})" if hit.revision else "(stale)"
        fields.append(style.mark(printable(at)))
    if hit.copies:
        fields.append(
            style.dim(f"+{len(hit.copies)} {'copy' if len(hit.copies) == 1 else 'copies'}")
        )
    return "  ".join(fields)


def _symbol(hit: Hit, matcher: Matcher) -> str:
    """The names in a hit, those that are asked about first; of many the first few."""
    names = hit.symbol.split(" ")
    if hit.kind == "section" or len(names) <= _NAMES:
        return hit.symbol
    names.sort(key=lambda name: -len(matcher.terms_in(name)))
    return f"{' '.join(names[:_NAMES])} +{len(names) - _NAMES}"


def _body(hit: Hit, page: Page) -> list[str]:
    part = excerpt(hit.text, hit.start, page.matcher)
    digits = len(str(part.first + len(part.lines) - 1))
    gutter = digits + 4
    width = max(page.style.width - gutter, 2 * _LEAD) if page.style.width else _LONGEST
    out = []
    for number, raw in enumerate(part.lines, start=part.first):
        line = raw.removesuffix("\r").rstrip()
        # Where nothing lights up, matches matter only to a line that is too long.
        matches = page.matcher.spans(line) if page.style.colour or len(line) > width else []
        text, spans = _clipped(line, matches, width)
        label = page.style.dim(f"{number:{digits + 2}}")
        out.append(f"{label}  {_lit(text, spans, page.style)}".rstrip())
    return out


def _clipped(
    line: str, spans: list[tuple[int, int]], width: int
) -> tuple[str, list[tuple[int, int]]]:
    """``line`` within ``width`` characters around its first match, and the spans in it."""
    if len(line) <= width:
        return line, spans
    begin = 0
    if spans and spans[0][1] > width - 1:
        begin = max(0, spans[0][0] - _LEAD)
    end = begin + width - 1 - bool(begin)
    text = ("…" if begin else "") + line[begin:end] + ("…" if end < len(line) else "")
    shift = bool(begin) - begin
    inside = [(max(s, begin) + shift, min(e, end) + shift) for s, e in spans if s < end]
    return text, inside


def _lit(text: str, spans: list[tuple[int, int]], style: Style) -> str:
    """``text`` made safe, its spans lit up."""
    out, last = [], 0
    for start, end in spans:
        out.append(printable(text[last:start]))
        out.append(style.match(printable(text[start:end])))
        last = end
    return "".join((*out, printable(text[last:])))
