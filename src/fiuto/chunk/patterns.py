"""
Where definitions begin, by the looks of their first line.

For languages without a grammar, and for files that a grammar made nothing of.
Indentation tells what encloses what: that is less than a parser knows, but
people indent their code, and it holds in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from fiuto.chunk.grammars import SCOPES
from fiuto.chunk.packing import Mark
from fiuto.values import dataclass

__all__ = ["PATTERNS", "definitions"]

_MODIFIERS = r"(?:(?:[a-z]+|@\w+(?:\([^)\n]*\))?)[ \t]+)*"
_TYPES = (
    rf"{_MODIFIERS}(class|interface|object|enum|struct|record|trait|protocol|extension|actor"
    r"|union|module|mixin|namespace)[ \t]+(?:class[ \t]+|struct[ \t]+)?([A-Za-z_]\w*)"
)
_METHOD = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async"
    r"|synchronized|external|const|factory)[ \t]+)+()(?:[\w<>\[\],.?]+[ \t]+)*(\w+)[ \t]*\("
)
_RETURNS = r"()(?:[A-Za-z_][\w<>\[\],.?]*[ \t]+)+(\w+)[ \t]*\([^;\n]*\{"
_SQL = (
    r"create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:(?:temp\w*|unique|materialized)[ \t]+)*"
    r"(table|view|function|procedure|index|trigger|type|schema|sequence)[ \t]+"
    r"(?:if[ \t]+not[ \t]+exists[ \t]+)?([\w.\"`\[\]]+)"
)

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "ada": (r"(procedure|function|package|task|type)[ \t]+(?:body[ \t]+)?([\w.]+)",),
    "awk": (r"(function)[ \t]+(\w+)",),
    "batch": (r"():(\w[\w-]*)",),
    "clojure": (r"\((ns|def[\w-]*)[ \t]+(?:\^\S+[ \t]+)?([^\s()\[\]{}]+)",),
    "cmake": (r"(function|macro)[ \t]*\([ \t]*(\w+)",),
    "d": (_TYPES, _RETURNS),
    "dart": (_TYPES, _METHOD, _RETURNS),
    "erlang": (r"-(module)\((\w+)\)", r"()([a-z]\w*)\([^\n]*->"),
    "fortran": (r"(?:\w+[ \t]+)*?(subroutine|function|module|program)[ \t]+(\w+)",),
    "fsharp": (
        r"(let|and|type|module|member)[ \t]+(?:(?:rec|inline|private)[ \t]+)*(?:\w+\.)?([\w']+)",
    ),
    "graphql": (r"(type|interface|enum|input|union|scalar|query|mutation|fragment)[ \t]+(\w+)",),
    "groovy": (_TYPES, _METHOD, rf"{_MODIFIERS}(def)[ \t]+(\w+)[ \t]*\("),
    "hcl": (
        r"(resource|data)[ \t]+(\"[^\"\n]+\"[ \t]+\"[^\"\n]+)\"",
        r"(module|variable|output|provider)[ \t]+\"([^\"\n]+)",
    ),
    "ini": (r"()\[([^\]\n]+)\]",),
    "julia": (
        r"(?:mutable[ \t]+)?(function|struct|module|macro)[ \t]+([\w.!]+)",
        r"(abstract type)[ \t]+(\w+)",
    ),
    "kotlin": (
        _TYPES,
        rf"{_MODIFIERS}(fun)[ \t]+(?:<[^(\n]*>[ \t]*)?(?:[\w<>?*, ]+\.)?(\w+)[ \t]*\(",
        rf"{_MODIFIERS}(typealias)[ \t]+(\w+)",
    ),
    "make": (r"()([\w./%$(){}-]+)[ \t]*::?(?![=:])",),
    "nim": (r"(proc|func|method|template|macro|iterator)[ \t]+`?([\w=+*/<>-]+)",),
    "objectivec": (
        r"@(interface|implementation|protocol)[ \t]+(\w+)",
        r"[-+][ \t]*()\([^)\n]*\)[ \t]*(\w+)",
        _RETURNS,
    ),
    "ocaml": (r"(let|and|type|module|class|val|external)[ \t]+(?:rec[ \t]+|type[ \t]+)*([\w']+)",),
    "pascal": (r"(?:class[ \t]+)?(procedure|function|constructor|destructor)[ \t]+([\w.]+)",),
    "perl": (r"(sub|package)[ \t]+([\w:]+)",),
    "powershell": (r"(function|filter|class|enum)[ \t]+([\w:-]+)",),
    "protobuf": (r"(message|enum|service|rpc|extend)[ \t]+([\w.]+)",),
    "r": (r"()([\w.]+)[ \t]*(?:<-|=)[ \t]*function\b",),
    "sql": (_SQL,),
    "toml": (r"()\[{1,2}([^\]\n]+)\]",),
    "vim": (r"(function|func|def)!?[ \t]+([\w:#.]+)",),
}
"""
Language -> patterns for the start of a line, indentation aside.

The first group is the keyword, which may be empty, the second the name.
"""

_KINDS = {
    "": "function", "abstract_type": "type", "constructor": "constructor", "def": "function",
    "destructor": "method", "filter": "function", "fun": "function", "func": "function",
    "implementation": "class", "iterator": "function", "let": "function", "and": "function",
    "member": "method", "mixin": "class", "ns": "module", "package": "module",
    "proc": "function", "procedure": "function", "rpc": "method", "service": "interface",
    "sub": "function", "subroutine": "function", "typealias": "type", "val": "function",
}  # fmt: skip
"""Keyword -> kind, where they differ."""
_TABLES = frozenset({"hcl", "ini", "make", "toml"})
"""Languages whose entries are no functions."""
_IGNORING_CASE = frozenset({"ada", "batch", "cmake", "fortran", "pascal", "powershell", "sql"})

_LEAD = re.compile(r"[ \t]*(?:#|//|/\*|\*|--|;|%|\(\*|@|\[\w|\"\"\"|'|<!--)")
"""Comments and attributes, which belong to what follows them."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A definition whose inside may still go on."""

    indent: int
    name: str
    kind: str
    unit: int


_OUTSIDE = _Open(-1, "", "module", 0)


@cache
def _compiled(language: str) -> re.Pattern[str]:
    rows = "|".join(f"(?:{row})" for row in PATTERNS[language])
    flags = re.IGNORECASE if language in _IGNORING_CASE else re.NOFLAG
    return re.compile(rf"^([ \t]*)(?:{rows})", flags | re.MULTILINE)


def definitions(text: str, language: str) -> list[Mark]:
    """A mark for each definition that can be seen, and one on row 0."""
    lines = text.split("\n")
    marks = [Mark(0)]
    around: list[_Open] = []
    offset = row = 0
    for unit, match in enumerate(_compiled(language).finditer(text), 1):
        row += text.count("\n", offset, match.start())
        offset = match.start()
        indent = len(match[1].expandtabs(4))
        while around and around[-1].indent >= indent:
            around.pop()
        outer = around[-1] if around else _OUTSIDE
        keyword, name = (group for group in match.groups()[1:] if group is not None)
        if outer.kind not in SCOPES:
            continue  # inside a function
        kind = "section" if language in _TABLES else _kind(keyword)
        if kind == "function" and outer.name and outer.kind != "module":
            kind = "method"
        own = "_".join(name.strip("\"'`").replace('"', "").split())
        full = f"{outer.name}.{own}" if outer.name else own
        around.append(_Open(indent, full, kind, unit))
        start = _lead(lines, row, marks[-1].row)
        group = unit if kind in SCOPES else outer.unit
        mark = Mark(start, [full], kind, outer.name, group, unit)
        if start > marks[-1].row:
            marks.append(mark)
        elif marks[-1].names:
            marks[-1].names.append(full)
        else:
            marks[-1] = mark
    return marks


def _kind(keyword: str) -> str:
    word = "_".join(keyword.lower().split())
    return _KINDS.get(word, "constant" if word.startswith("def") else word)


def _lead(lines: list[str], row: int, after: int) -> int:
    """The first row of the comments directly above."""
    while row - 1 > after and _LEAD.match(lines[row - 1]):
        row -= 1
    return row
