"""The public names are what they were promised to be, and cost nothing until used."""

import subprocess
import sys

import fiuto


def test_every_public_name_is_there():
    """__all__, dir() and attributes agree."""
    assert dir(fiuto) == fiuto.__all__ == sorted(fiuto.__all__, key=str)
    for name in fiuto.__all__:
        assert getattr(fiuto, name) is not None


def test_unknown_names_are_unknown():
    """Laziness does not invent attributes."""
    assert not hasattr(fiuto, "nothing_of_the_sort")


def test_importing_the_package_imports_no_engine():
    """`import fiuto` is free."""
    code = "import sys, fiuto; print(sorted(m for m in sys.modules if m.startswith('fiuto.')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
