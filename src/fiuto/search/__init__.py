"""From a question to ranked hits: parse, retrieve two lists, fuse, rank, verify."""
