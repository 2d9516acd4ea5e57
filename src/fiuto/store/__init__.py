"""Keeps what was indexed: one store on disk, one in memory, behind one protocol."""
