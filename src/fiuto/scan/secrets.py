"""
Keys, tokens and passwords, by file name and by content.

What is found here stays out of the index unless the user asks for it, so a
wrong alarm costs a file: each pattern is one that its issuer gives a fixed
shape, and most must be long and mixed enough to be no placeholder.  The shapes
are those that the issuers publish and that gitleaks, detect-secrets and
GitHub's secret scanning look for.  A detail names the kind, never the value.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["secret_name", "secret_text"]

_NAMES: dict[str, str] = {
    "id_rsa": "a private SSH key",
    "id_dsa": "a private SSH key",
    "id_ecdsa": "a private SSH key",
    "id_ecdsa_sk": "a private SSH key",
    "id_ed25519": "a private SSH key",
    "id_ed25519_sk": "a private SSH key",
    ".git-credentials": "stored git passwords",
    ".pgpass": "PostgreSQL passwords",
    ".my.cnf": "MySQL passwords",
    ".htpasswd": "password hashes",
    ".dockercfg": "registry passwords",
}
"""File name -> what it holds."""

_PLACES: dict[tuple[str, str], str] = {
    (".aws", "credentials"): "AWS keys",
    (".docker", "config.json"): "registry passwords",
    (".kube", "config"): "cluster keys",
}
"""Folder and file name -> what it holds."""

_SUFFIXES: dict[str, str] = {
    "ppk": "a private SSH key",
    "p12": "a key store",
    "pfx": "a key store",
    "jks": "a key store",
    "keystore": "a key store",
    "kdbx": "a password store",
    "agekey": "a private age key",
    "tfstate": "Terraform state, which holds secrets in the clear",
}

_ENVIRONMENT = re.compile(r"\.env(?:[._-].+)?|.+\.env", re.IGNORECASE)
_PLACEHOLDERS = re.compile(
    r"(?:^|[._-])(?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema|placeholders?)"
    r"(?:[._-]|$)",
    re.IGNORECASE,
)

_KEY = r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
_KEY_FILES = frozenset({"pem", "key", "asc", "pk8", "priv"})
_LONE_KEY = rf"\s*{_KEY}"
_KEY_WITH_BODY = (
    rf"{_KEY}(?:[\s\"'+,>|#*]|\\[rn]|[\w-]+: [^\n]+\n)*"
    r"(?:[A-Za-z0-9+/=]{20,}(?:[\s\"'+,|#*]|\\[rn])*){2}"
)
"""A header alone is code that deals in keys; a key has a body, perhaps in quotes."""

_TOKENS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "an AWS access key",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"\bA(?:KI|SI|BI|CC)A[A-Z2-7]{16}\b",
    ),
    ("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,}\b"),
    ("a GitHub token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    (
        "a GitLab token",
        (
            "glpat-",
            "gldt-",
            "glft-",
            "glsoat-",
            "glrt-",
            "glcbt-",
            "glimt-",
            "glptt-",
            "glagent-",
            "gloas-",
        ),
        r"\bgl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-[\w-]{20,}",
    ),
    ("a Slack token", ("xox",), r"\bxox[abeoprs]-(?:\d{9,14}-){1,3}[A-Za-z0-9-]{10,}"),
    (
        "a Slack webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows)/T\w{7,}/\w{8,}/\w{16,}",
    ),
    ("a Slack token", ("xapp-",), r"\bxapp-\d-[A-Z0-9]{9,}-\d{9,}-[a-f0-9]{32,}"),
    ("a Telegram token", (":AA",), r"\b\d{8,10}:AA[\w-]{33}(?![\w-])"),
    ("a Mailchimp key", ("-us",), r"\b[a-f0-9]{32}-us\d{1,2}\b"),
    ("a Square token", ("sq0",), r"\bsq0(?:atp-[\w-]{22}|csp-[\w-]{43})(?![\w-])"),
    ("a Google client secret", ("GOCSPX-",), r"\bGOCSPX-[\w-]{28}(?![\w-])"),
    ("a Docker token", ("dckr_pat_",), r"\bdckr_pat_[\w-]{27}(?![\w-])"),
    ("a Vault token", ("hvs.",), r"\bhvs\.[\w-]{90,}"),
    ("a Grafana token", ("glsa_",), r"\bglsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\b"),
    ("a Postman key", ("PMAK-",), r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    ("a RubyGems key", ("rubygems_",), r"\brubygems_[a-f0-9]{48}\b"),
    ("a private SSH key", ("PuTTY-User-Key-File-",), r"(?m)^Private-Lines: \d"),
    ("a Google API key", ("AIza",), r"\bAIza[\w-]{35}(?![\w-])"),
    ("a Stripe key", ("k_live_",), r"\b[rs]k_live_[A-Za-z0-9]{20,}"),
    ("an OpenAI key", ("T3BlbkFJ",), r"\bsk-[\w-]{16,}T3BlbkFJ[\w-]{16,}"),
    ("an Anthropic key", ("sk-ant-",), r"\bsk-ant-(?:api|admin)\d\d-[\w-]{80,}"),
    ("an npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a PyPI token", ("pypi-",), r"\bpypi-AgE[\w-]{50,}"),
    ("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z]{34}\b"),
    ("a SendGrid key", ("SG.",), r"\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])"),
    ("a DigitalOcean token", ("_v1_",), r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    ("a Shopify token", ("shp",), r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    ("a Databricks token", ("dapi",), r"\bdapi[a-f0-9]{32}\b"),
    ("an Azure storage key", ("AccountKey=",), r"AccountKey=[A-Za-z0-9+/]{86}=="),
    ("a private age key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
)
"""What it is, words of which one stands in it (a fast search), and its shape."""

_BESIDE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "an AWS secret key",
        ("secret", "SECRET", "Secret"),
        r"(?i)aws_?secret_?(?:access_?)?key\w*[\"']?\s*[=:,]>?\s*[\"']?[A-Z0-9/+]{40}\b",
    ),
    (
        "a Discord token",
        ("discord", "Discord", "DISCORD"),
        r"\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])",
    ),
    ("a Twilio key", ("twilio", "Twilio", "TWILIO"), r"\bSK[a-f0-9]{32}\b"),
)
"""The same, where the word stands somewhere else in the file."""

_SHORTEST = 20
"""Characters of the shortest token; whatever matches a pattern has a run of so many."""
_OTHERS = bytes(
    code if chr(code).isalnum() or chr(code) in "_-/+.:=" else ord(" ") for code in range(128)
) + bytes(range(128, 256))
"""A blank for each ASCII character that stands in no token."""

_IN_FILES: dict[str, tuple[str, str]] = {
    ".npmrc": ("an npm password", r"(?m)^[^#;\n]*_(?:authToken|auth|password)\s*=\s*[^\s$]"),
    ".yarnrc.yml": ("an npm token", r"(?m)^\s*npmAuth(?:Token|Ident):\s*[\"']?[^\s\"'$]"),
    ".pypirc": ("a PyPI password", r"(?m)^\s*password\s*[:=]\s*[^\s$%<]"),
    ".netrc": ("stored passwords", r"(?m)(?:^|\s)password\s+\S"),
    "_netrc": ("stored passwords", r"(?m)(?:^|\s)password\s+\S"),
}
"""File name -> what it holds where the pattern matches; ``$NAME`` stands for no secret."""

_REPEATED = re.compile(r"([\w-])\1{7}")
_MADE_UP = re.compile(r"EXAMPLE|123456789|abcdefgh", re.IGNORECASE)
"""No secret anywhere, and no secret in a page of documentation."""


def secret_name(path: str) -> str:
    """
    What a file holds by its name alone, or an empty string.

    >>> secret_name("deploy/.env"), secret_name(".env.example")
    ('settings of an environment', '')
    """
    above, _, name = path.rpartition("/")
    if ".env" in name.lower() and _ENVIRONMENT.fullmatch(name):
        return "" if _PLACEHOLDERS.search(name) else "settings of an environment"
    _, dot, suffix = name.rpartition(".")
    found = _NAMES.get(name) or (dot and _SUFFIXES.get(suffix.lower()))
    return found or _PLACES.get((above.rpartition("/")[2], name), "")


def secret_text(path: str, text: str, *, prose: bool = False) -> str:
    """
    What a file holds by its content, or an empty string.

    Args:
        path: its name matters for ``.npmrc``, ``.pypirc`` and ``.netrc``.
        text: the whole text.
        prose: it is documentation, where values made up for show are no secrets.
    """
    name = path.rpartition("/")[2]
    what, pattern = _IN_FILES.get(name, ("", ""))
    if pattern and _found(pattern, text):
        return what
    if "PRIVATE KEY" in text and _holds_key(name, text):
        return "a private key"
    # Runs as long as a token are a tenth of a text: words are looked for in a tenth of the time.
    runs = [run for run in _runs(text) if len(run) >= _SHORTEST]
    if not runs:
        return ""
    shown = b" ".join(runs).decode("utf-8", "replace")
    for where, kinds in ((shown, _TOKENS), (text, _BESIDE)):
        for what, hints, pattern in kinds:
            if any(hint in where for hint in hints):
                for token in _compiled(pattern).finditer(text):
                    if not _is_placeholder(token.group(), prose=prose):
                        return what
    return ""


def _runs(text: str) -> list[bytes]:
    """The text without what stands in no token."""
    return text.encode("utf-8", "surrogatepass").translate(_OTHERS).split()


def _holds_key(name: str, text: str) -> bool:
    if name.rpartition(".")[2].lower() in _KEY_FILES:
        return _found(_KEY, text)
    return bool(_compiled(_LONE_KEY).match(text)) or _found(_KEY_WITH_BODY, text)


def _is_placeholder(token: str, *, prose: bool) -> bool:
    return bool(_REPEATED.search(token) or (prose and _MADE_UP.search(token)))


def _found(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
