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

REPEAT: Mapping[Kind, float] = MappingProxyType({"name": 3.0, "phrase": 4.0, "sentence": 0.6})
"""What each further hit of one file pays.  Names and phrases look for files; whole questions
for lines, which may well be the second of a file's."""

WEIGHTS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(
    {
        "name": {
            "lexical": 1.58,
            "file_lexical": 3.38,
            "file_name_words": 1.63,
            "defined": 1.92,
            "type_definition": 2.56,
            "tested": 2.79,
            "size": 1.46,
            "docs": -0.58,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "phrase": {
            "lexical": 1.69,
            "semantic": 0.27,
            "bm25": 0.73,
            "cosine": 1.84,
            "file_bm25": 0.75,
            "file_cosine": 2.30,
            "file_coverage": 2.07,
            "file_name": 1.25,
            "file_name_words": 0.73,
            "defined": 1.42,
            "named": 0.81,
            "tested": 1.75,
            "card": 3.99,
            "size": 1.20,
            "depth": -3.43,
            "first": 0.71,
            "heading": -1.72,
            "nameless": -0.36,
            "short": -1.28,
            "header": -2.31,
            "test": -3.29,
            "docs": -1.74,
            "config": -1.37,
            "example": -1.00,
            "generated": -1.00,
            "vendored": -1.00,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
        "sentence": {
            "semantic": 1.87,
            "file_best": 2.18,
            "file_coverage": 1.67,
            "card": 0.85,
            "size": -0.86,
            "depth": 0.15,
            "nameless": -1.41,
            "short": -0.42,
            "test": -2.43,
            "docs": -1.96,
            "example": -1.00,
            "generated": -1.00,
            "vendored": -1.00,
            "frame": 20.00,
            "wanted": 5.00,
            "quoted": 3.00,
        },
    }
)
"""By kind of question and name; written by ``benchmarks/learn.py``."""
