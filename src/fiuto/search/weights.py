"""
How much each list and signal counts, for each kind of question.

A weight of 1 is worth first place in one list.  Learnt by ``benchmarks/learn.py`` from the
public set and the grep-proof set; what each signal is worth stands in ``docs/ranking.md``.
``frame``, ``wanted`` and ``quoted`` answer questions that no set holds: set by hand, high
enough that what was asked for in so many words comes first.  So are ``example``, ``generated``
and ``vendored``, low enough that what others or a tool wrote comes after the project's own
code: the sets hold hardly any such file.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fiuto.search.asked import Kind

__all__ = ["REPEAT", "WEIGHTS"]

REPEAT: Mapping[Kind, float] = MappingProxyType(
    {"name": 3.0, "phrase": 4.0, "how": 4.0, "sentence": 0.6}
)
"""What each further hit of one file pays.  Names and phrases look for files; whole questions
for lines, which may well be the second of a file's."""

WEIGHTS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {
        "name": {
            "lexical": 1.58,
            "file_lexical": 3.38,
            "file_name_words": 1.63,
            "defined": 1.91,
            "type_definition": 2.57,
            "passed_on": 10.00,
            "tested": 2.79,
            "size": 1.46,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "docs": -0.58,
        },
        "phrase": {
            "lexical": 1.69,
            "semantic": 0.47,
            "bm25": 0.81,
            "cosine": 1.51,
            "file_bm25": 0.49,
            "file_cosine": 2.26,
            "file_coverage": 1.96,
            "file_name": 1.34,
            "file_name_words": 0.62,
            "defined": 1.37,
            "named": 0.71,
            "tested": 1.67,
            "card": 4.10,
            "size": 1.36,
            "depth": -3.34,
            "first": 0.82,
            "heading": -1.78,
            "nameless": -0.19,
            "short": -1.26,
            "header": -2.20,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "test": -3.28,
            "docs": -1.82,
            "example": -1.00,
            "config": -1.15,
            "generated": -1.00,
            "vendored": -1.00,
        },
        "how": {
            "lexical": 1.64,
            "semantic": 0.53,
            "bm25": 1.02,
            "cosine": 1.62,
            "file_bm25": 0.84,
            "file_cosine": 2.47,
            "file_coverage": 2.07,
            "file_name": 1.08,
            "file_name_words": 0.81,
            "defined": 1.24,
            "named": 0.97,
            "tested": 1.95,
            "card": 4.32,
            "size": 1.52,
            "depth": -3.46,
            "first": 0.54,
            "heading": -1.88,
            "nameless": -0.35,
            "short": -1.27,
            "header": -2.25,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "test": -3.37,
            "docs": -1.92,
            "example": -1.00,
            "config": -1.22,
            "generated": -1.00,
            "vendored": -1.00,
        },
        "sentence": {
            "semantic": 1.82,
            "file_best": 2.15,
            "file_coverage": 1.54,
            "card": 0.54,
            "size": -1.11,
            "depth": 0.24,
            "nameless": -1.49,
            "short": -0.45,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "test": -2.49,
            "docs": -1.94,
            "example": -1.00,
            "generated": -1.00,
            "vendored": -1.00,
        },
    }
)
"""By kind of question and name; written by ``benchmarks/learn.py``."""
