"""
What a file is for: one ordered table, and the first row that fits wins.

Over the table stand, in this order, the user's own rules (:attr:`ScanRules.labels`)
and ``linguist-generated``, ``linguist-vendored`` and ``linguist-documentation``
in ``.gitattributes``, which can also deny a label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from fiuto.languages import PROSE
from fiuto.model import Label

__all__ = ["TABLE", "label_of"]


@dataclass(frozen=True, slots=True)
class Row:
    """A label and what earns it."""

    label: Label
    by: Literal["path", "name", "language", "content"]
    words: str
    """Alternatives of one expression, for a path, a name, a language or the first lines."""


TABLE: tuple[Row, ...] = (
    # Copies of other people's code, and of this code (working trees made by git and by agents).
    Row(
        "vendored",
        "path",
        r"""
        vendors? vendored _vendor _vendored third[-_]?party 3rd[-_]?party extern externals? deps
        node_modules bower_components site-packages \.yarn/(releases|plugins|sdks) Pods Carthage
        \.claude/worktrees \.worktrees
        """,
    ),
    Row(
        "vendored",
        "name",
        r"""
        jquery([-.]\d[\d.]*)?(\.min|\.slim)*\.js (gradlew|mvnw)(\.(bat|cmd))? \.pnp\.(c|loader\.m)js
        config\.(guess|sub) ltmain\.sh install-sh depcomp
        """,
    ),
    Row("generated", "path", r"__generated__ generated generated-src autogen __snapshots__ dist"),
    Row(
        "generated",
        "name",
        r"""
        .+[-.]min\.(m?js|css) .+\.(js|css|mjs|cjs|ts)\.map .+\.bundle\.js .+\.snap
        .+_pb2(_grpc)?\.pyi? .+\.pb(\.gw|\.validate)?\.(go|cc|h|swift|dart) .+_grpc\.pb\.\w+ .+\.pbobjc\.[hm]
        .+\.(g|freezed|gr|config)\.dart .+\.(designer|g|g\.i)\.cs (zz_|z)generated[._].+
        .+[._](generated|autogen|gen)\.\w+ bindata\.go configure aclocal\.m4 Makefile\.in
        """,
    ),
    Row(
        "generated",
        "content",
        r"""
        \bcode\ generated\ (by|from)\b.*\bdo\ not\ edit\b
        @generated\b
        <auto-?generated\b
        \b(this|the)\ (file|code|class|module|header|document)\ (was|is|has\ been)\ (auto(matically)?[-\ ]?)?generated\b
        \b(auto-?|automatically\ )generated\ (by|from|file|code|with|using)\b
        \bgenerated\b.*\b(do\ not|don't)\ (edit|modify|change)\b
        \b(do\ not|don't)\ (edit|modify|change)\b.*\b(generated|overwritten)\b
        \bgenerated\ by\ (the\ protocol\ buffer\ compiler|cython|swig|bison|flex|antlr|openapi)\b
        """,
    ),
    Row(
        "test",
        "path",
        r"""
        tests? __tests__ __mocks__ specs? test[-_]?data fixtures? testing e2e unit[-_]?tests?
        [\w.-]+[-_.]tests? tests?[-_.][\w.-]+ [A-Z]\w*Tests? androidTest bench benches benchmarks?
        """,
    ),
    Row(
        "test",
        "name",
        r"""
        test_.+\.(py|rb|c|cc|cpp|lua|jl|r|R) .+_tests?\.\w+ .+[-.](test|spec)s?\.\w+ conftest\.py
        .+_spec\.\w+ .*[a-z0-9](Tests?|TestCase|Spec|Suite|IT)\.(java|kt|kts|scala|groovy|cs|swift|php|hs|m|mm)
        Test[A-Z]\w*\.(java|kt|scala|cs|swift) tests?\.(py|rs|hs|js|ts|zig) .+\.bats
        .+_bench\.\w+ .+\.bench\.\w+
        """,
    ),
    Row(
        "example",
        "path",
        r"""
        examples? samples? demos? tutorials? docs?_src snippets cookbook sandbox playgrounds?
        [\w.-]+[-_.](examples?|samples?|demos?) (examples?|samples?)[-_.][\w.-]+
        """,
    ),
    Row("docs", "path", r"docs? documentation javadoc man wiki website rfcs? adrs? changelogs?"),
    Row("docs", "name", r"(LICEN[CS]E|NOTICE|README|CHANGE(S|LOG)|AUTHORS|COPYING|HISTORY)([-.].*)?"),
    Row(
        "config",
        "name",
        r"""
        requirements.*\.(txt|in) constraints.*\.txt setup\.(py|cfg) noxfile\.py CMakeLists\.txt
        .+\.config\.[cm]?[jt]s \.\w+rc(\.[cm]?js)? (Grunt|gulp)file\.[cm]?[jt]s .+\.gradle(\.kts)?
        .+\.sbt Gemfile .+\.gemspec Podfile .+\.podspec Package\.swift mix\.exs rebar\.config
        go\.(mod|work) MANIFEST\.in Procfile Vagrantfile Jenkinsfile \.git\w+ \.(docker|npm|eslint|prettier)ignore
        \.fiutoignore .+\.(csproj|fsproj|vbproj|sln|props|targets|cabal|opam|pro|bazel|bzl) (BUILD|WORKSPACE)
        CODEOWNERS \.env(\..+)?
        """,
    ),
    Row("docs", "language", " ".join(sorted(PROSE))),
    Row("config", "language", r"ini json toml yaml xml make cmake dockerfile nix"),
)
"""Rows in order; every alternative must match a whole folder name, file name or language."""

_COMMENT = re.compile(r"^\W*(?:#|//|/\*|\*|--|<!--|;|%|\"\"\"|'''|rem\b|\.\.)|^\s*<auto", re.IGNORECASE)
"""A line that is a comment in one of the languages."""

_HEADER_LINES = 30
_HEADER_SIZE = 4_000

_WEB = frozenset({"css", "html", "javascript", "json", "typescript"})
_DENSE_WEB = 110
"""Characters a line on average, above which a script or style sheet is minified: linguist's figure."""
_DENSE = 1_000
"""The same for everything else: written code stays far below, data dumps above."""
_MINIFIED_SIZE = 2_000
"""A text this short costs nobody anything, however dense."""


def label_of(path: str, language: str, text: str, linguist: Mapping[str, bool]) -> Label:
    """
    The label of a file.

    Args:
        path: relative to the root.
        language: as :mod:`fiuto.languages` names it.
        text: the whole text.
        linguist: what ``.gitattributes`` says: label -> it is one, or it is none.
    """
    for label in ("vendored", "generated", "docs"):
        if linguist.get(label):
            return label
    folder, _, name = path.rpartition("/")
    subject = {"path": folder, "name": name, "language": language}
    for row in TABLE:
        if linguist.get(row.label) is False:
            continue
        if row.by == "content":
            if _is_minified(text, language) or _says_so(text):
                return row.label
        elif _expression(row).search(subject[row.by]):
            return row.label
    return "source"


def _says_so(text: str) -> bool:
    """Whether a comment among the first lines says that a program wrote this."""
    header = text[:_HEADER_SIZE].split("\n")[:_HEADER_LINES]
    row = next(row for row in TABLE if row.by == "content")
    return any(_COMMENT.match(line) and _expression(row).search(line) for line in header)


def _is_minified(text: str, language: str) -> bool:
    if len(text) < _MINIFIED_SIZE or language in PROSE or language == "notebook":
        return False
    mean = len(text) / (text.count("\n") + 1)
    return mean > (_DENSE_WEB if language in _WEB else _DENSE)


@cache
def _expression(row: Row) -> re.Pattern[str]:
    if row.by == "content":
        lines = [line.strip() for line in row.words.strip().splitlines()]
        return re.compile("|".join(lines).replace("\\ ", " "), re.IGNORECASE)
    words = "|".join(row.words.split())
    if row.by == "path":
        return re.compile(rf"(?:^|/)(?:{words})(?:/|$)")
    return re.compile(rf"\A(?:{words})\Z")
