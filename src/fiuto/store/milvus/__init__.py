"""
The store on a Milvus cluster: one collection for many repositories, the same protocol.

Rows are never changed, only added and later removed.  Each carries the generation that
brought it; one small row per repository and generation, written last, makes them visible.
So a reader sees whole generations, and a writer or a server that dies in the middle leaves
only rows that nobody sees and the next writer removes.
"""

from fiuto.store.milvus.joint import open_joint
from fiuto.store.milvus.store import open_milvus

__all__ = ["open_joint", "open_milvus"]
