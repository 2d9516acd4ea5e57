"""
What fiuto leaves out by name, as tables, and the settings that bend them.

A new dependency folder, lockfile or suffix is one more word in a table here.
"""

from __future__ import annotations

from typing import Self

from fiuto.globs import compile_globs, compile_parents
from fiuto.model import Label
from fiuto.values import dataclass

__all__ = ["HIDDEN_FROM_GIT", "MARKERS", "ScanRules", "folder_is_skipped", "judge_name"]

MEGABYTE = 1_000_000
"""
"Files over 1 MB" is read as 10**6 bytes.

Taken as 2**20 bytes it would give the same 117 files on psf/requests.
"""

HIDDEN_FROM_GIT: frozenset[str] = frozenset(
    """
    node_modules bower_components jspm_packages .venv venv site-packages
    __pycache__ __pypackages__ .eggs .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis
    .ipynb_checkpoints .cache .parcel-cache .turbo .next .nuxt .svelte-kit .angular .gradle
    .terraform .dart_tool .bundle .stack-work dist-newstyle .elixir_ls zig-cache .zig-cache zig-out
    DerivedData .nyc_output htmlcov .serverless .vercel .netlify .hg .svn .bzr .jj dist
    """.split()  # noqa: SIM905 - a table of words
)
"""Folders that never hold a project's own source, so that git need not list them."""

MARKERS: tuple[tuple[str, str], ...] = (
    ("pyvenv.cfg", "a virtual environment"),
    ("CACHEDIR.TAG", "a cache, by its CACHEDIR.TAG"),
)
"""Files that say what the folder is that they stand in."""

_BUILD_PRODUCTS: frozenset[str] = frozenset({"build", "target", "out"})
"""
Folders of build products, unless git tracks something inside.

``lib/std/target/`` of Zig and ``build/`` of Kubernetes are source code.
"""

_FOLDERS: frozenset[str] = _BUILD_PRODUCTS.union(HIDDEN_FROM_GIT)

_LOCKFILES: frozenset[str] = frozenset(
    """
    package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb packages.lock.json
    project.assets.json go.sum go.work.sum Package.resolved Cartfile.resolved
    gradle.lockfile cabal.project.freeze conda-lock.yml .terraform.lock.hcl .pnp.cjs
    """.split()  # noqa: SIM905 - a table of words
)
"""Lockfiles whose name does not end in ``.lock``."""

_IMAGE_SUFFIXES: frozenset[str] = frozenset(
    {"svg", "xpm", "xbm", "eps", "ppm", "pgm", "pbm", "pnm"}
)
"""Images written as text, which the rule about NUL bytes does not catch."""

_BINARY_SUFFIXES: frozenset[str] = frozenset(
    """
    png jpg jpeg gif ico webp bmp tif tiff avif heic psd xcf svgz woff woff2 ttf otf eot ttc
    zip gz bz2 xz zst lz4 br 7z rar tar tgz jar war ear whl egg gem crate deb rpm dmg iso apk nupkg
    so dylib dll exe a o obj lib ko pdb pyc pyo pyd class wasm beam hi rlib rmeta
    mp3 mp4 m4a wav ogg flac avi mov mkv webm pdf doc docx xls xlsx ppt pptx odt ods
    sqlite sqlite3 db npy npz pkl pickle pt pth onnx safetensors gguf parquet arrow h5 tflite mo
    """.split()  # noqa: SIM905 - a table of words
)
"""Files that need not be opened to be known as binary."""


@dataclass(frozen=True, slots=True)
class ScanRules:
    """The settings of a scan; globs are those of :mod:`fiuto.globs`."""

    include: tuple[str, ...] = ()
    """Takes back what the tables of this module skip, never what git or ``exclude`` leaves out."""
    exclude: tuple[str, ...] = ()
    """Leaves out, whatever else says otherwise."""
    max_bytes: int = MEGABYTE
    withhold_secrets: bool = True
    """Whether files with keys, tokens and passwords stay out of the index."""
    worktrees: bool = True
    """Whether linked working trees (``git worktree add``) inside the root are scanned."""
    labels: tuple[tuple[str, Label], ...] = ()
    """Glob and label; the first glob that matches wins over every other rule."""
    article: bool = False
    """The article's rules to the letter: UTF-16 is binary, every build folder is skipped."""

    @classmethod
    def of_article(cls) -> Self:
        """The rules that give the article's 117 files on psf/requests."""
        return cls(withhold_secrets=False, article=True)

    def check(self) -> None:
        """
        Refuse globs that mean nothing before anything is done with them.

        Raises:
            UsageError: naming the first one.
        """
        compile_globs((*self.include, *self.exclude, *(glob for glob, _ in self.labels)))

    def includes(self, path: str) -> bool:
        """Whether ``include`` names this path; a folder ends in ``/``."""
        return bool(self.include) and bool(compile_globs(self.include).match(path))

    def includes_below(self, folder: str) -> bool:
        """Whether ``include`` names something inside this folder."""
        return bool(self.include) and bool(compile_parents(self.include).match(folder))

    def excluded_by(self, path: str) -> str:
        """The first ``exclude`` glob that matches, or an empty string."""
        if not self.exclude or not compile_globs(self.exclude).match(path):
            return ""
        return next(glob for glob in self.exclude if compile_globs((glob,)).match(path))


def folder_is_skipped(name: str, rules: ScanRules, *, tracked: bool) -> bool:
    """Whether folders of this name are left out; ``tracked``: git tracks a file inside."""
    return name in (HIDDEN_FROM_GIT if tracked and not rules.article else _FOLDERS)


def judge_name(name: str, rules: ScanRules) -> str:
    """The reason why files of this name are left out, or an empty string."""
    _, dot, suffix = name.rpartition(".")
    suffix = suffix.lower() if dot else ""
    if suffix == "lock" or name in _LOCKFILES:
        return "lockfile"
    if suffix in _IMAGE_SUFFIXES:
        return "image"
    if suffix in _BINARY_SUFFIXES and not rules.article:
        return "binary"
    return ""
