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
            "lexical": 1.91,
            "semantic": 1.53,
            "bm25": 1.31,
            "file_cosine": 3.04,
            "file_coverage": 2.20,
            "file_name": 1.41,
            "defined": 1.29,
            "named": 0.62,
            "tested": 1.69,
            "card": 4.30,
            "depth": -3.58,
            "first": 0.84,
            "header": -2.22,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "test": -3.29,
            "docs": -3.10,
            "example": -1.00,
            "config": -1.35,
            "generated": -1.00,
            "vendored": -1.00,
        },
        "how": {
            "lexical": 1.90,
            "semantic": 1.64,
            "bm25": 1.54,
            "file_cosine": 3.29,
            "file_coverage": 2.35,
            "file_name": 1.15,
            "defined": 1.30,
            "named": 0.83,
            "tested": 1.98,
            "card": 4.55,
            "depth": -3.71,
            "first": 0.47,
            "header": -2.28,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "test": -3.37,
            "docs": -3.27,
            "example": -1.00,
            "config": -1.43,
            "generated": -1.00,
            "vendored": -1.00,
        },
        "sentence": {
            "semantic": 1.82,
            "file_best": 2.15,
            "file_coverage": 1.54,
            "card": 0.54,
            "size": -1.11,
            "nameless": -1.50,
            "short": -0.46,
            "quoted": 3.00,
            "frame": 20.00,
            "wanted": 5.00,
            "test": -2.49,
            "docs": -1.97,
            "example": -1.00,
            "generated": -1.00,
            "vendored": -1.00,
        },
    }
)
"""By kind of question and name; written by ``benchmarks/learn.py``."""
