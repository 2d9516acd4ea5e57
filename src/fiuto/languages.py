"""
One table: which language a file is written in.

A new language is a row here and, for chunks along its syntax, a row in
:mod:`fiuto.chunk.table`.
"""

from __future__ import annotations

import re
from types import MappingProxyType

__all__ = ["LANGUAGES", "PROSE", "language_of", "language_of_shebang"]

_TABLE: dict[str, str] = {
    "bash": ".sh .bash .zsh .bats .ksh .bashrc .zshrc .bash_profile",
    "c": ".c .h",
    "cpp": ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tpp .cu .cuh",
    "csharp": ".cs .csx",
    "elixir": ".ex .exs",
    "go": ".go",
    "haskell": ".hs .lhs",
    "java": ".java",
    "javascript": ".js .jsx .mjs .cjs",
    "kotlin": ".kt .kts",
    "lua": ".lua",
    "php": ".php .phtml",
    "python": ".py .pyi .pyw .pyx",
    "ruby": ".rb .rake .gemspec .ru Rakefile Gemfile Podfile Vagrantfile",
    "rust": ".rs",
    "scala": ".scala .sc .sbt",
    "swift": ".swift",
    "typescript": ".ts .mts .cts",
    "tsx": ".tsx",
    "zig": ".zig",
    # Known by name, cut by blank lines.
    "ada": ".adb .ads",
    "asm": ".s .asm",
    "batch": ".bat .cmd",
    "clojure": ".clj .cljs .cljc .edn",
    "cmake": ".cmake CMakeLists.txt",
    "css": ".css .scss .sass .less",
    "cuda": ".ptx",
    "d": ".d",
    "dart": ".dart",
    "dockerfile": ".dockerfile Dockerfile Containerfile",
    "erlang": ".erl .hrl",
    "fortran": ".f .f90 .f95 .for",
    "fsharp": ".fs .fsx .fsi",
    "graphql": ".graphql .gql",
    "groovy": ".groovy .gradle Jenkinsfile",
    "hcl": ".tf .hcl",
    "html": ".html .htm .xhtml .vue .svelte .astro .erb .eex .heex .leex .jinja .j2",
    "ini": ".ini .cfg .conf .editorconfig .properties .gitconfig .gitmodules",
    "json": ".json .jsonc .json5 .webmanifest",
    "julia": ".jl",
    "make": ".mk Makefile makefile GNUmakefile",
    "markdown": ".md .markdown .mdx .mdown",
    "nim": ".nim",
    "nix": ".nix",
    "notebook": ".ipynb",
    "objectivec": ".m .mm",
    "ocaml": ".ml .mli",
    "pascal": ".pas .pp",
    "perl": ".pl .pm .t",
    "powershell": ".ps1 .psm1 .psd1",
    "protobuf": ".proto",
    "r": ".r",
    "restructuredtext": ".rst",
    "sql": ".sql",
    "text": ".txt .text .adoc .asciidoc .org .tex .log .csv .tsv"
    " LICENSE NOTICE README CHANGELOG AUTHORS COPYING",
    "toml": ".toml",
    "vim": ".vim .vimrc",
    "xml": ".xml .xsd .xsl .xslt .csproj .props .targets .plist",
    "yaml": ".yaml .yml",
}

LANGUAGES: tuple[str, ...] = tuple(_TABLE)
"""Every language name, as ``--lang`` takes it."""

PROSE: frozenset[str] = frozenset({"markdown", "restructuredtext", "text"})
"""Languages whose files are read by people rather than machines."""

_BY_SUFFIX: MappingProxyType[str, str] = MappingProxyType(
    {s: name for name, row in _TABLE.items() for s in row.split() if s.startswith(".")}
)
_BY_NAME: MappingProxyType[str, str] = MappingProxyType(
    {s: name for name, row in _TABLE.items() for s in row.split() if not s.startswith(".")}
)

_INTERPRETERS: tuple[tuple[str, str], ...] = (
    (r"(ba|z|k|da|a)?sh", "bash"),
    (r"bats", "bash"),
    (r"python[\d.]*|pypy\d?", "python"),
    (r"(node|nodejs|deno|bun)", "javascript"),
    (r"ts-node|tsx", "typescript"),
    (r"ruby|jruby", "ruby"),
    (r"perl", "perl"),
    (r"php\d*", "php"),
    (r"lua(jit)?[\d.]*", "lua"),
    (r"(runhaskell|runghc|stack)", "haskell"),
    (r"elixir", "elixir"),
    (r"(kotlin|kscript)", "kotlin"),
    (r"scala", "scala"),
    (r"swift", "swift"),
    (r"Rscript", "r"),
    (r"make", "make"),
    (r"awk|gawk", "awk"),
)
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+|\w+=\S+\s+)*)?(?:\S*/)?([\w.-]+)")


def language_of(path: str) -> str:
    """
    The language that a path's name tells, or an empty string.

    >>> language_of("src/app.PY"), language_of("docker/Dockerfile.dev"), language_of("run")
    ('python', 'dockerfile', '')
    """
    name = path.rsplit("/", 1)[-1]
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, dot, suffix = name.rpartition(".")
    if dot:
        found = _BY_SUFFIX.get("." + suffix) or _BY_SUFFIX.get("." + suffix.lower())
        if found:
            return found
        # Dockerfile.dev, README.old, Makefile.am: the first part names the kind.
        return _BY_NAME.get(stem.split(".", 1)[0], "")
    return ""


def language_of_shebang(first_line: str) -> str:
    """
    The language of a script by its first line, or an empty string.

    >>> language_of_shebang("#!/usr/bin/env python3")
    'python'
    """
    match = _SHEBANG.match(first_line)
    if match is None:
        return ""
    for pattern, language in _INTERPRETERS:
        if re.fullmatch(pattern, match.group(1)):
            return language
    return ""
