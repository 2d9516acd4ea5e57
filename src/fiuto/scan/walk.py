"""
The ordered walk: every entry of the tree is found, or skipped with a reason.

One pass over the folders, guided by git's table of names, so that a file that
git lists but nobody can find, lists twice, or reaches by a link is dealt with
by what lies on disk.  What decides, first rule first:

1. ``.git`` is not part of the tree.  Pipes, sockets and devices are *special*.
2. A folder of fiuto's own list (``rules.py``), or one marked as a virtual
   environment or a cache, is skipped whole as *folder*.  ``include`` takes it
   back; so do tracked files in a folder of build products.
3. What git ignores is *ignored*, whatever ``include`` says.  Where git does not
   answer, the ``.gitignore`` files from the top of the work tree down decide.
4. Links are *link* and never followed; only the root itself may be one.
5. ``exclude`` leaves out, and so does a ``.fiutoignore``, as *excluded*.
6. Submodules and repositories inside are walked by their own git; an empty
   submodule is *submodule-absent*.
7. Names: *encoding* (not Unicode), *secret*, then *lockfile*, *image* and
   *binary*; ``include`` takes back the last three.
8. Size: *too-big*.  All that needs the content is left to the reader.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fiuto.errors import UsageError
from fiuto.model import Found, Skipped
from fiuto.scan import git
from fiuto.scan.entries import is_folder, is_special, may_hold_files, path_order, target
from fiuto.scan.glance import Seen, names_of, stamp_of
from fiuto.scan.ignore import IgnoreFile, ignore_files_above, ignored_by, read_ignore_file
from fiuto.scan.reasons import skip
from fiuto.scan.rules import HIDDEN_FROM_GIT, MARKERS, ScanRules, folder_is_skipped, judge_name
from fiuto.scan.scope import Scope
from fiuto.scan.secrets import secret_name

__all__ = ["walk"]

_UNDECODED = re.compile("[\ud800-\udfff]")
"""What Python puts in the place of bytes that are no text in a file name."""


_IgnoreFiles: TypeAlias = tuple[IgnoreFile, ...]


class _Folder(NamedTuple):
    """An open folder on the way down."""

    path: str
    """Relative to the root, with a ``/`` at its end; empty for the root."""
    scope: Scope
    entries: Iterator[os.DirEntry[str]]
    gitignores: _IgnoreFiles
    """Asked only where the scope has no listing."""
    fiutoignores: _IgnoreFiles
    partly: bool
    """Skipped but for what ``include`` names inside."""


def walk(
    root: str, rules: ScanRules, only: str = "", seen: Seen | None = None
) -> Iterator[Found | Skipped]:
    """
    Every entry below ``root`` once, in path order; a skipped folder ends in ``/``.

    What is ignored is passed over in silence, as git does, unless nothing at all
    is found: then it is the answer to "why".

    Args:
        root: an existing folder.
        rules: what to leave out.
        only: go no other way than towards this path, and name it if it is ignored.
        seen: takes what decided, for who wants to know later whether it still holds.

    Raises:
        UsageError: ``root`` is not a folder, or a glob of the rules means nothing.
    """
    rules.check()
    if not Path(root).is_dir():
        raise UsageError(f"{root} is not a folder; give a folder to scan")
    if only:
        yield from _Walker(root, rules, only.split("/"), name_ignored=True).run()
        return
    outcomes = _Walker(root, rules, seen=seen).run()
    before: list[Skipped] = []
    for outcome in outcomes:
        if isinstance(outcome, Found):
            yield from before
            yield outcome
            yield from outcomes
            return
        before.append(outcome)
    yield from _Walker(root, rules, name_ignored=True).run()


class _Walker:
    """Decides on one entry at a time; holds what is the same for the whole walk."""

    def __init__(
        self,
        root: str,
        rules: ScanRules,
        way: Sequence[str] = (),
        *,
        name_ignored: bool = False,
        seen: Seen | None = None,
    ) -> None:
        self._root = root.rstrip("/") + "/"
        self._rules = rules
        self._way = way
        self._name_ignored = name_ignored
        self._seen = seen or Seen()
        # Spares git the listing of node_modules; but what it hides, include could not take back.
        self._hidden = () if rules.include else HIDDEN_FROM_GIT

    def run(self) -> Iterator[Found | Skipped]:
        """Walk without recursion: folders may lie deeper than Python's stack."""
        pending: list[_Folder] = []
        outcomes: Iterable[_Folder | Found | Skipped] = (self._open_root(),)
        while True:
            for outcome in outcomes:
                if isinstance(outcome, _Folder):
                    pending.append(outcome)
                elif self._name_ignored or getattr(outcome, "reason", "") != "ignored":
                    yield outcome
            entry = None
            while pending and entry is None:
                entry = next(pending[-1].entries, None)
                if entry is None:
                    pending.pop()
            if entry is None:
                return
            outcomes = self._judge(pending[-1], entry)

    def _open_root(self) -> _Folder | Skipped:
        top = git.work_tree(self._root)
        scope = self._scope("", top) if top else Scope()
        above = ignore_files_above(self._root, top) if top and scope.listing is None else ()
        return self._open("", scope, above, (), partly=False)

    def _scope(self, path: str, top: str) -> Scope:
        """What git lists from ``path`` on; where it does not answer, a later answer would count."""
        listing = git.list_files(self._root + path, top, self._hidden)
        if listing is None:
            self._seen.lasting = False
        else:
            self._seen.listings[path] = listing.digest
        return Scope(path, listing)

    def _judge(
        self, folder: _Folder, entry: os.DirEntry[str]
    ) -> Iterable[_Folder | Found | Skipped]:
        """What becomes of an entry: nothing, one outcome, or a skipped folder and the way in."""
        if entry.name == ".git":
            return ()
        if is_folder(entry):
            return self._judge_folder(folder, entry.name, f"{folder.path}{entry.name}/")
        path = folder.path + entry.name
        included = self._rules.includes(path)
        if folder.partly and not included:
            return ()
        outcome = self._judge_file(folder, entry, path, included=included)
        self._seen.outcomes.append(outcome)
        return (outcome,)

    def _judge_folder(self, folder: _Folder, name: str, path: str) -> Iterator[_Folder | Skipped]:
        rules = self._rules
        included = rules.includes(path)
        partly = folder.partly and not included
        tracked = folder.scope.is_tracked(path)
        if not partly and not included and folder_is_skipped(name, rules, tracked=tracked):
            yield skip(path, "folder")
            partly = True
        if partly and not rules.includes_below(path):
            return
        skipped = self._ignored(folder, name, path) or self._left_out(folder, path)
        if skipped is None:
            yield self._enter(folder, name, path, partly=partly)
        elif not partly:
            yield skipped

    def _enter(self, folder: _Folder, name: str, path: str, *, partly: bool) -> _Folder | Skipped:
        scope, gitignores = folder.scope, folder.gitignores
        if name in scope.known(folder.path) and not scope.is_listed(path):
            # Git names it but nothing in it: a submodule, or another repository.
            scope, gitignores = Scope(path), ()
        return self._open(path, scope, gitignores, folder.fiutoignores, partly=partly)

    def _judge_file(
        self, folder: _Folder, entry: os.DirEntry[str], path: str, *, included: bool
    ) -> Found | Skipped:
        if is_special(entry):
            return skip(path, "special")
        skipped = self._ignored(folder, entry.name, path)
        if skipped is None and entry.is_symlink():
            skipped = skip(path, "link", f"to {target(entry)}")
        if skipped is None:
            skipped = self._left_out(folder, path)
        if skipped is None:
            skipped = self._named(entry.name, path, included=included)
        return skipped or self._measured(entry, path)

    def _ignored(self, folder: _Folder, name: str, path: str) -> Skipped | None:
        """What git says, or the ignore files in its place."""
        scope = folder.scope
        if scope.listing is None:
            where = ignored_by(folder.gitignores, path)
            return skip(path, "ignored", where) if where else None
        if name in scope.known(folder.path):
            return None
        if path.endswith("/"):
            if scope.is_listed(path):
                return None
            # Git lists no empty folders; there is nothing to say of them.
            if self._name_ignored and not may_hold_files(self._root + path):
                return None
        return skip(path, "ignored")

    def _left_out(self, folder: _Folder, path: str) -> Skipped | None:
        glob = self._rules.excluded_by(path)
        where = f"--exclude {glob}" if glob else ignored_by(folder.fiutoignores, path)
        if where:
            return skip(path, "excluded", where)
        if not path.isascii() and _UNDECODED.search(path):
            return skip(path, "encoding", "the name is not Unicode")
        return None

    def _named(self, name: str, path: str, *, included: bool) -> Skipped | None:
        what = secret_name(path) if self._rules.withhold_secrets else ""
        if what:
            return skip(path, "secret", what)
        reason = "" if included else judge_name(name, self._rules)
        return skip(path, reason) if reason else None

    def _measured(self, entry: os.DirEntry[str], path: str) -> Found | Skipped:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return skip(path, "missing")
        except OSError as error:
            return skip(path, "unreadable", error.strerror or "")
        if status.st_size > self._rules.max_bytes:
            return skip(path, "too-big", f"{status.st_size:,} bytes")
        return Found(path, stamp_of(status))

    def _open(
        self,
        path: str,
        scope: Scope,
        gitignores: _IgnoreFiles,
        fiutoignores: _IgnoreFiles,
        *,
        partly: bool,
    ) -> _Folder | Skipped:
        absolute = self._root + path
        before = self._seen.look(absolute)
        try:
            with os.scandir(absolute) as entries:
                found = sorted(entries, key=path_order)
        except OSError as error:
            return skip(path or "./", "unreadable", error.strerror or "")
        self._seen.folders[path] = (before, names_of(found))
        names = {entry.name for entry in found}
        marked = self._marked(path, names, tracked=scope.is_tracked(path))
        if marked:
            return skip(path, "folder", marked)
        if path and scope.listing is None and ".git" in names:
            if not self._rules.worktrees and git.is_linked_worktree(absolute):
                return skip(path, "worktree")
            scope = self._scope(path, absolute)
            gitignores = ()
        elif path and scope.folder == path:
            return skip(path, "submodule-absent")
        if scope.listing is None and ".gitignore" in names:
            gitignores = self._with(gitignores, path, ".gitignore")
        if ".fiutoignore" in names:
            fiutoignores = self._with(fiutoignores, path, ".fiutoignore")
        if self._way:
            found = [e for e in found if [e.name] == self._way[path.count("/") :][:1]]
        return _Folder(path, scope, iter(found), gitignores, fiutoignores, partly)

    def _marked(self, path: str, names: set[str], *, tracked: bool) -> str:
        """What a marker file says this folder is, where nobody wants it all the same."""
        if not path or tracked or self._rules.article or self._rules.includes(path):
            return ""
        return next((what for marker, what in MARKERS if marker in names), "")

    def _with(self, files: _IgnoreFiles, folder: str, name: str) -> _IgnoreFiles:
        path = folder + name
        self._seen.read[path] = self._seen.look(self._root + path)
        file = read_ignore_file(self._root + path, path, folder)
        return files if file is None else (*files, file)
