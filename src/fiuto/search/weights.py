"""
How much each list and signal counts, for each kind of question.

A weight of 1 is worth first place in one list.  Learnt by ``benchmarks/learn.py`` from the
public set and the grep-proof set; what each signal is worth stands in ``docs/ranking.md``.
``frame``, ``wanted`` and ``quoted`` answer questions that no set holds: set by hand, high
enough that what was asked for in so many words comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fiuto.search.asked import Kind

__all__ = ["REPEAT", "WEIGHTS"]

REPEAT: Mapping[Kind, float] = MappingProxyType({"name": 3.0, "phrase": 4.0, "sentence": 0.6})
"""What each further hit of one file pays.  Names and phrases look for files; whole questions
for lines, which may well be the second of a file's."""

WEIGHTS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {
        "name": {
            "lexical": 1.53,
            "file_lexical": 2.92,
            "file_best": 0.55,
            "file_name_words": 1.31,
            "defined": 1.64,
            "type_definition": 2.25,
            "own_file": 1.37,
            "tested": 2.87,
            "size": 1.32,
            "test": -0.26,
            "docs": -0.61,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "phrase": {
            "lexical": 1.63,
            "semantic": 0.56,
            "bm25": 0.51,
            "cosine": 0.89,
            "file_bm25": 0.70,
            "file_lexical": 0.58,
            "file_cosine": 1.72,
            "file_best": 1.05,
            "file_coverage": 2.00,
            "file_name": 1.71,
            "file_name_words": 0.88,
            "folder": 1.73,
            "defined": 1.34,
            "named": 0.91,
            "tested": 1.52,
            "card": 3.81,
            "size": 1.02,
            "depth": -3.55,
            "first": 0.65,
            "heading": -1.73,
            "nameless": -0.29,
            "short": -1.50,
            "barrel": 1.15,
            "header": -2.30,
            "legacy": -1.40,
            "test": -3.28,
            "docs": -1.77,
            "example": -1.04,
            "config": -1.44,
            "generated": -0.43,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "sentence": {
            "semantic": 0.46,
            "cosine": 2.01,
            "file_bm25": 0.29,
            "file_best": 1.51,
            "coverage": 0.57,
            "file_coverage": 1.13,
            "card": 0.74,
            "size": -0.72,
            "depth": 0.10,
            "heading": -1.33,
            "nameless": -1.40,
            "short": -0.44,
            "test": -2.45,
            "docs": -1.31,
            "vendored": -0.83,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
    }
)
"""By kind of question and name; written by ``benchmarks/learn.py``."""
