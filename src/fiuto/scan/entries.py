"""Directory entries as the walk sees them: links are never followed, and no answer is no error."""

from __future__ import annotations

import os

__all__ = ["is_folder", "is_special", "may_hold_files", "path_order", "target"]


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder itself, not a link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def is_special(entry: os.DirEntry[str]) -> bool:
    """Whether it is a pipe, a socket or a device."""
    try:
        return not (entry.is_symlink() or entry.is_file(follow_symlinks=False))
    except OSError:  # no telling; asking for its size will fail too, and say why
        return False


def path_order(entry: os.DirEntry[str]) -> str:
    """A folder sorts as the paths below it do: ``a-b`` before ``a/b`` before ``a.b``."""
    return f"{entry.name}/" if is_folder(entry) else entry.name


def target(entry: os.DirEntry[str]) -> str:
    """Where a link points, as it is written."""
    try:
        return os.readlink(entry.path)  # noqa: PTH115 - as it is written, not as a path
    except OSError:
        return ""


def may_hold_files(folder: str) -> bool:
    """Whether there is a file below, at any depth, or a folder that does not open."""
    unseen: list[OSError] = []
    below = os.walk(folder, onerror=unseen.append)
    return any(files for _, _, files in below) or bool(unseen)
