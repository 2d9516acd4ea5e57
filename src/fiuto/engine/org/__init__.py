"""Many repositories from one list: fetched, indexed by plain worker processes, searched as one."""

from fiuto.engine.org.listing import Entry, read_list, shard_of
from fiuto.engine.org.runner import Org, open_org
from fiuto.store.table import Row

__all__ = ["Entry", "Org", "Row", "open_org", "read_list", "shard_of"]
