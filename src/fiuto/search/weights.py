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
            "lexical": 1.44,
            "file_lexical": 3.08,
            "file_best": 0.94,
            "file_name_words": 1.55,
            "defined": 1.77,
            "type_definition": 2.54,
            "tested": 2.77,
            "size": 1.45,
            "test": -0.24,
            "docs": -0.52,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "phrase": {
            "lexical": 1.62,
            "semantic": 0.47,
            "bm25": 0.61,
            "cosine": 1.23,
            "file_bm25": 0.55,
            "file_lexical": 0.57,
            "file_cosine": 1.54,
            "file_best": 1.34,
            "file_coverage": 2.04,
            "file_name": 1.20,
            "file_name_words": 0.73,
            "folder": 1.40,
            "defined": 1.35,
            "named": 0.75,
            "tested": 1.46,
            "card": 3.73,
            "size": 1.17,
            "depth": -3.44,
            "first": 0.66,
            "heading": -1.58,
            "nameless": -0.26,
            "short": -1.35,
            "barrel": 1.22,
            "header": -2.31,
            "legacy": -1.34,
            "test": -3.35,
            "docs": -1.60,
            "example": -1.00,
            "config": -1.46,
            "generated": -1.00,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "sentence": {
            "semantic": 0.33,
            "cosine": 2.15,
            "file_bm25": 0.32,
            "file_best": 1.31,
            "file_coverage": 1.46,
            "card": 0.18,
            "symbol_card": 1.14,
            "size": -0.64,
            "depth": 0.13,
            "heading": -1.25,
            "nameless": -1.35,
            "short": -0.46,
            "test": -2.41,
            "docs": -1.25,
            "vendored": -0.83,
            "generated": -1.00,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
    }
)
"""By kind of question and name; written by ``benchmarks/learn.py``."""
