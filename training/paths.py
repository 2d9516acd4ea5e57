"""Which files of a repository are worth reading, and which of them are tests."""

from __future__ import annotations

import re

from training.grammar import SUFFIXES

__all__ = ["is_prose", "is_test", "language_in", "language_of", "may_be_script", "worth_reading"]

_FOREIGN = re.compile(
    r"(^|/)(_?vendor(ed)?|_vendored|third[-_]?party|3rd[-_]?party|external|externals|extern|extlibs?|deps|"
    r"dependencies|node_modules|bower_components|Pods|Carthage/Checkouts|submodules|thirdparty|"
    r"site-packages|bundled?|contrib/lib|dist|_build|generated|gen|__generated__|snapshots?|"
    r"__snapshots__|fixtures?|testdata|test[-_]data|golden|locales?|i18n|translations|l10n|"
    r"minified|\.git|\.yarn|musl|glibc|libc/include)/",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"(\.min\.|[._-]bundle\.|\.pb\.|_pb2|\.g\.(cs|dart)$|\.designer\.cs$|\.generated\.|_generated\.|"
    r"(^|/)zz_|(build|settings)\.gradle\.kts$|Package(@[\w.-]+)?\.swift$|\.formatter\.exs$|\.gen\.|json\.hpp$|catch(_amalgamated)?\.hpp$|doctest\.h$|sqlite3\.[ch]$|stb_\w+\.h$|"
    r"miniaudio\.h$|parser\.c$|amalgamat|jquery|bootstrap(\.bundle)?\.js$|"
    # Copies of the public benchmark's repositories, by their usual file names.
    r"(^|/)(fmt|nlohmann|absl|hiredis|linenoise|sds|dict|adlist)(/|\.[ch]$)|"
    r"(^|/)(nvm|bats(-core)?|bats-(assert|support|file)|libuv|uv|curl|rack|lazy)/)",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"(^|/)(tests?|specs?|__tests__|testing|unittests?|e2e|it|[\w.-]*[-_.]tests?|"
    r"(android|common|jvm|js|native|integration|functional|unit)-?Tests?|src/[a-z]+Test|"
    r"[A-Z]\w*(Tests|Specs|UnitTests))/"
    r"|(^|/)test_[^/]+\.\w+$|[-_.](test|tests|spec|specs|steps)\.\w+$"
    r"|(?<=[a-z0-9_])(Test|Tests|TestCase|Spec|Specs|Suite|IT)\.\w+$"
    r"|\.bats$|(^|/)(Test|Spec)\w*\.hs$|(^|/)conftest\.py$"
)
_PROSE = re.compile(r"\.(md|mdx|markdown|rst)$", re.IGNORECASE)
_LOG = re.compile(
    r"(^|[/._-])(change(s|log|logs|sets?)?|history|releases?([-_]?notes)?|news|whatsnew|authors|thanks|"
    r"upgrading|upgrade|migrat\w+|versioned_docs)([/._-]|$)",
    re.IGNORECASE,
)
_CPP = re.compile(
    r"^\s*(class \w+|namespace \w*|template\s*<|public:|private:|using \w+)|std::", re.MULTILINE
)
_SHEBANG = re.compile(r"#!.*?\b((?:ba|z|k|da)?sh|python|ruby|lua|php|node|elixir)")
_INTERPRETERS = {"node": "javascript"}


def language_of(path: str) -> str:
    """The language of a file by its suffix, or an empty string."""
    name = path.rsplit("/", 1)[-1]
    return SUFFIXES.get("." + name.rpartition(".")[2], "") if "." in name else ""


def language_in(path: str, text: str) -> str:
    """The language of a file by suffix, a script's first line, or C++ words in a C header."""
    name = language_of(path)
    if name == "c" and path.endswith(".h") and _CPP.search(text):
        return "cpp"
    if not name:
        match = _SHEBANG.match(text)
        found = match.group(1) if match else ""
        return "bash" if found.endswith("sh") else _INTERPRETERS.get(found, found)
    return name


def may_be_script(path: str) -> bool:
    """Whether a file's name leaves it to its first line to say what it is."""
    return "." not in path.rsplit("/", 1)[-1]


def worth_reading(path: str) -> bool:
    """Whether a file is the repository's own, written by people."""
    return not _FOREIGN.search(path) and not _MADE.search(path)


def is_test(path: str) -> bool:
    """Whether a file tests other files."""
    return _TEST.search(path) is not None


def is_prose(path: str) -> bool:
    """Whether a file is documentation whose sections may name code."""
    return bool(_PROSE.search(path)) and not _LOG.search(path)
