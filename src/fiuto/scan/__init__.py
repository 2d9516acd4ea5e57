"""Finding and reading files: what belongs to the index, as text, with a label."""

from __future__ import annotations

from fiuto.scan.reasons import REASONS
from fiuto.scan.rules import ScanRules
from fiuto.scan.scanner import FileScanner

__all__ = ["REASONS", "FileScanner", "ScanRules"]
