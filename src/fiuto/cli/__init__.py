"""The terminal: what was asked for, in; lines, data and an exit code, out."""
