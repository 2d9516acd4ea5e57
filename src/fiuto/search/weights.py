"""
How much each list and signal counts, for each kind of question.

A weight of 1 is worth first place in one list.  Learnt by ``benchmarks/learn.py`` from the
public set and the grep-proof set; what each signal is worth stands in ``docs/ranking.md``.
``frame``, ``wanted`` and ``quoted`` answer questions that no set holds: set by hand, high
enough that what was asked for in so many words comes first.  So is ``generated``, low enough
that what a tool wrote comes after what a person wrote: the sets hold hardly any such file.
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
            "file_name_words": 1.30,
            "defined": 1.64,
            "type_definition": 2.25,
            "tested": 2.87,
            "size": 1.32,
            "test": -0.26,
            "docs": -0.62,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "phrase": {
            "lexical": 1.82,
            "semantic": 0.55,
            "bm25": 0.44,
            "cosine": 0.88,
            "file_bm25": 0.71,
            "file_lexical": 0.59,
            "file_cosine": 1.69,
            "file_best": 1.10,
            "file_coverage": 1.93,
            "file_name": 1.73,
            "file_name_words": 0.85,
            "folder": 1.75,
            "defined": 1.34,
            "named": 0.87,
            "tested": 1.52,
            "card": 3.67,
            "size": 1.07,
            "depth": -3.43,
            "first": 0.66,
            "heading": -1.74,
            "nameless": -0.27,
            "short": -1.50,
            "barrel": 1.15,
            "header": -2.32,
            "legacy": -1.41,
            "test": -3.31,
            "docs": -1.79,
            "example": -1.06,
            "config": -1.45,
            "generated": -1.00,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "sentence": {
            "semantic": 0.48,
            "cosine": 2.01,
            "file_bm25": 0.39,
            "file_best": 1.49,
            "file_coverage": 1.23,
            "card": 0.85,
            "symbol_card": 0.5,
            "size": -0.79,
            "depth": 0.05,
            "heading": -1.33,
            "nameless": -1.36,
            "short": -0.42,
            "test": -2.41,
            "docs": -1.30,
            "vendored": -0.80,
            "generated": -1.00,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
    }
)
"""By kind of question and name; written by ``benchmarks/learn.py``."""
