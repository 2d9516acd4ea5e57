"""Names tell languages."""

import pytest

from fiuto.languages import language_of, language_of_shebang


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"), ("B.PYI", "python"), ("x.H", "c"), ("Dockerfile", "dockerfile"),
        ("docker/Dockerfile.dev", "dockerfile"), ("Makefile.am", "make"), ("Gemfile", "ruby"),
        ("x.tsx", "tsx"), ("noext", ""), (".hidden", ""), ("a.b/c", ""), ("LICENSE", "text"),
        ("CMakeLists.txt", "cmake"), ("n.ipynb", "notebook"), (".bashrc", "bash"),
    ],
)  # fmt: skip
def test_language_of(path, language):
    """By suffix in any case, by whole name, by the name's first part."""
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/bin/sh", "bash"), ("#!/usr/bin/env -S python3 -u", "python"),
        ("#! /usr/bin/env FOO=1 node", "javascript"), ("#!/usr/local/bin/ruby2", ""),
        ("# no", ""), ("#!", ""), ("#!/opt/lua5.4", "lua"),
    ],
)  # fmt: skip
def test_language_of_shebang(line, language):
    """By the interpreter, through env and its options."""
    assert language_of_shebang(line) == language
