"""A small tree that holds everything a page must not show."""

from __future__ import annotations

import json
from pathlib import Path

HOSTILE_NAME = "docs/<img src=x onerror=alert(1)>.md"
HOSTILE_TEXT = (
    "# </script><script>alert('hostile heading')</script>\n\nQuarantine \u202e lanigiro.\n"
)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

FILES: dict[str, str] = {
    "src/redirects.py": (
        "class Redirects:\n"
        "    def keeps_login(self, old, new):\n"
        '        """Whether the password may be sent to the other site after a redirect."""\n'
        "        if old.host != new.host:\n"
        "            return False\n"
        "        return old.scheme == new.scheme\n"
        "\n"
        "    def follow(self, answer):\n"
        '        """Follow a redirect to where the answer points."""\n'
        "        return self.ask(answer.location)\n"
    ),
    "src/limits.py": (
        "def block_user(user):\n"
        '    """Put a user on cooldown after too many failed tries."""\n'
        "    user.cooldown = True\n"
    ),
    "src/net.go": (
        "package net\n\n// Dial opens a proxy.\nfunc Dial(host string) error {\n\treturn nil\n}\n"
    ),
    "tests/test_redirects.py": (
        "def test_password_is_not_sent_to_another_site_after_a_redirect():\n"
        "    assert not Redirects().keeps_login(old, new)\n"
    ),
    "eval/questions.json": json.dumps(
        [
            {
                "question": "do not send the password to another site after a redirect",
                "target": {"path": "src/redirects.py", "line": 2},
                "grep_phrase": "another site",
            },
            {
                "question": "users who fail too often",
                "target": {"path": "src/limits.py", "symbol": "block_user"},
            },
        ]
    ),
    "README.md": "# Shop\n\nUsers can be blocked.\n",
    HOSTILE_NAME: HOSTILE_TEXT,
    ".env": "PASSWORD=hunter2\n",
    "src/keys.py": f'TOKEN = "{TOKEN}"\n',
}


def make_tree(root: Path) -> Path:
    """The files above, a picture, and two links that lead out."""
    for path, text in FILES.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    (root / "photo.png").write_bytes(b"\x89PNG\x00\x01")
    outside = root.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.py").write_text("def outside():\n    return 'not yours'\n")
    (root / "src" / "linked.py").symlink_to(outside / "secret.py")
    (root / "linked").symlink_to(outside)
    return root
