"""Which licence a text is, by the sentences that make it that licence."""

from __future__ import annotations

import re

__all__ = ["PERMISSIVE", "licences_in"]

PERMISSIVE: frozenset[str] = frozenset(
    {
        "MIT",
        "MIT-0",
        "BSD",
        "Apache-2.0",
        "ISC",
        "MPL-2.0",
        "Unlicense",
        "CC0-1.0",
        "Zlib",
        "BSL-1.0",
    }
)
"""Licences whose code may be learnt from. Zlib, BSL-1.0, Unlicense and CC0 ask no more than MIT."""

_SIGNS: tuple[tuple[str, str], ...] = (
    (
        "MIT",
        (
            r"permission is hereby granted, free of charge, to any person obtaining a copy of this "
            r"software.*the above copyright notice"
        ),
    ),
    (
        "MIT-0",
        (
            r"permission is hereby granted, free of charge, to any person obtaining a copy of this "
            r"software(?!.*the above copyright notice)"
        ),
    ),
    (
        "ISC",
        (
            r"permission to use, copy, modify,? and(/or)? distribute this software for any purpose "
            r"with or without fee is hereby granted"
        ),
    ),
    ("BSD", r"redistribution and use (of this software )?in source and binary forms"),
    ("Apache-2.0", r"apache license,? version 2\.0|licensed under the apache license"),
    ("MPL-2.0", r"mozilla public license,? (version|v\.) ?2\.0"),
    ("Unlicense", r"this is free and unencumbered software released into the public domain"),
    ("CC0-1.0", r"cc0 1\.0 universal"),
    ("Zlib", r"altered source versions must be plainly marked as such"),
    ("BSL-1.0", r"boost software license"),
    ("AGPL", r"gnu affero general public license version 3"),
    ("LGPL", r"gnu (lesser|library) general public license version \d"),
    ("GPL", r"gnu general public license version \d"),
    ("BUSL", r"business source license 1\.1"),
    ("SSPL", r"server side public license"),
    ("Elastic", r"elastic license 2\.0"),
    ("Commons-Clause", r"commons clause"),
)


def licences_in(text: str) -> frozenset[str]:
    r"""
    The licences that a LICENSE file holds; empty where none is recognised.

    >>> sorted(licences_in("Apache License\n   Version 2.0, January 2004"))
    ['Apache-2.0']
    """
    flat = re.sub(r"[\s*#>_]+", " ", text.lower()).replace("“", '"')
    flat = re.sub(r"(?<=apache license)[ ,(]+(the )?\(?(?=version)", " ", flat)
    return frozenset(name for name, sign in _SIGNS if re.search(sign, flat))
