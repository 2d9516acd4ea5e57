"""What the tests of the scan ask of a folder."""

from fiuto.model import Found, Skipped
from fiuto.scan import FileScanner, ScanRules


def outcomes(root, **rules):
    """Path -> "found", or the reason; in the order of the walk."""
    return {
        o.path: "found" if isinstance(o, Found) else o.reason
        for o in FileScanner(root, ScanRules(**rules)).walk()
    }


def found(root, **rules):
    """The paths that were found, in order."""
    return [path for path, outcome in outcomes(root, **rules).items() if outcome == "found"]


def read(root, path, **rules):
    """The file at ``path``, read; a file that the walk skipped is an error."""
    scanner = FileScanner(root, ScanRules(**rules))
    match = [o for o in scanner.walk() if o.path == path]
    assert len(match) == 1, f"{path} came {len(match)} times"
    assert not isinstance(match[0], Skipped), match[0]
    return scanner.read(match[0])
