"""
The on-disk format: its version, and what each version changed.

Two numbers, because an upgrade has two different consequences.  An index whose
``FORMAT`` differs cannot be read at all and is rebuilt, with one line that says
so.  A newer ``FORMAT`` than ours is refused instead: the user has a newer fiuto
elsewhere, and throwing its index away would make the two fight.

``FORMAT`` ledger:

1. SQLite truth, tantivy postings over chunks and over files, int8 + float16
   vector segments.
"""

from __future__ import annotations

from fiuto.errors import IndexCorrupt, IndexMismatch

__all__ = ["FORMAT", "check_format"]

FORMAT = 1


def check_format(found: int, where: str) -> None:
    """
    Accept only an index of our own format.

    Raises:
        IndexMismatch: a newer fiuto wrote it.
        IndexCorrupt: an older one did; nothing in it is worth migrating.
    """
    if found > FORMAT:
        raise IndexMismatch(
            f"the index in {where} has format {found}, this fiuto reads {FORMAT}: "
            f"upgrade fiuto, or remove the index with 'fiuto forget'"
        )
    if found < FORMAT:
        raise IndexCorrupt(f"the index in {where} has the older format {found}")
