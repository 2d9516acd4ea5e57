"""Keys and tokens are withheld; code and pages about them are not."""

import pytest

from fiuto.scan.secrets import secret_name, secret_text

# Put together at run time, so that no scanner takes this file for a leak.
BODY = "\n".join(
    "MIIEpAIBAAKCAQEAy8Dbv8prpJ/0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy" for _ in range(3)
)
PRIVATE = "PRIVATE"
HEX = "0f9a3c5e7b1d2468ace13579bdf02468"
RANDOM = "k2J9sQ4xV7bN1mC8zL5tR0wY3uE6iO2pA9dF"


def pem(kind="RSA ", body=BODY):
    """A key in PEM armour."""
    return f"-----BEGIN {kind}{PRIVATE} KEY-----\n{body}\n-----END {kind}{PRIVATE} KEY-----\n"


@pytest.mark.parametrize(
    "path",
    [
        ".env", "deploy/.env", ".env.production", ".env-local", "prod.env", ".ENV",
        "id_rsa", ".ssh/id_ed25519", "putty.ppk", "cert.p12", "release.jks", "pw.kdbx",
        ".git-credentials", ".pgpass", ".htpasswd", ".aws/credentials", "home/.docker/config.json",
        ".kube/config", "terraform.tfstate",
    ],
)  # fmt: skip
def test_names(path):
    """Files that hold secrets by custom (case 14)."""
    assert secret_name(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env.example", ".env.sample", ".env.template", ".env.dist", "example.env", ".envrc",
        "env.py", "environment.md", "id_rsa.pub", "config.json", ".docker/other.json",
        "credentials",
        "test.key", "server.pem", "src/envelope.ts",
    ],
)  # fmt: skip
def test_names_that_are_fine(path):
    """Placeholders, public halves, and what only the content can tell."""
    assert secret_name(path) == ""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("id.pem", pem()),
        ("id.pem", pem("", "MIIE")),
        ("server.key", "Bag Attributes\n" + pem("ENCRYPTED ", "abc")),
        ("notes", "\n" + pem("OPENSSH ", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU=")),
        ("key.asc", pem("PGP ").replace("KEY-", "KEY BLOCK-")),
        ("a.py", f'KEY = """{pem()}"""\n'),
        ("a.json", '{"private_key": "' + pem("").replace("\n", "\\n") + '"}'),
        ("a.go", "k := " + " +\n".join(f'"{line}\\n"' for line in pem("EC ").splitlines())),
        ("a.yml", "key: |\n  " + pem().replace("\n", "\n  ")),
        (".npmrc", "//registry.npmjs.org/:_authToken=abc-def\n"),
        (".npmrc", "_password = c2VjcmV0\n"),
        (".pypirc", "[pypi]\nusername = me\npassword = hunter2\n"),
        (".netrc", "machine example.org\n  login me\n  password hunter2\n"),
        ("a.cfg", "aws_access_key_id = AKIA" + "IOSFODNN7QZRT2KW\n"),
        ("a.py", f"AWS_SECRET_ACCESS_KEY='{RANDOM}/+ab'\n"),
        ("a.py", f"t = 'ghp_{RANDOM}'\n"),
        ("a.py", f"t = 'github_pat_{RANDOM[:22]}_{(RANDOM * 2)[:59]}'\n"),
        ("a.sh", f"TOKEN=glpat-{RANDOM[:20]}\n"),
        ("a.py", f"xoxb-{'123456789012-' * 2}{RANDOM[:24]}\n"),
        ("a.py", f"https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/{RANDOM[:24]}\n"),
        ("a.js", f"key: 'AIza{RANDOM[:35]}'\n"),
        ("a.rb", f"sk_live_{RANDOM[:24]}\n"),
        ("a.py", f"npm_{RANDOM}\n"),
        ("a.py", "hf_" + "kJsQxVbNmCzLtRwYuEiOpAdFgHkJsQxVbN" + "\n"),
        ("README.md", f"t = 'ghp_{RANDOM}'\n"),
        ("a.yml", f"runner: glrt-{RANDOM[:20]}\n"),
        ("a.yml", f"deploy: gldt-{RANDOM[:20]}\n"),
        ("a.py", f"xapp-1-A0{RANDOM[:9].upper()}-1234567890123-{HEX * 2}\n"),
        ("a.py", f"discord.run('M{RANDOM[:24]}.G{RANDOM[:5]}.{RANDOM[:28]}')\n"),
        ("a.py", f"Bot('123456780:AA{RANDOM[:33]}')\n"),
        ("a.py", f"twilio.Client('SK{HEX}')\n"),
        ("a.cfg", f"mailchimp = {HEX}-us12\n"),
        ("a.rb", f"sq0atp-{RANDOM[:22]}\n"),
        ("a.json", f'"client_secret":"GOCSPX-{RANDOM[:28]}"\n'),
        ("a.sh", f"docker login -p dckr_pat_{RANDOM[:27]}\n"),
        ("a.sh", f"VAULT_TOKEN=hvs.{(RANDOM * 3)[:95]}\n"),
        ("a.sh", f"glsa_{RANDOM[:32]}_{HEX[:8]}\n"),
        ("a.sh", f"PMAK-{HEX[:24]}-{(HEX * 2)[:34]}\n"),
        ("a.rb", f"rubygems_{(HEX * 2)[:48]}\n"),
        ("key.txt", "PuTTY-User-Key-" + "File-2: ssh-rsa\nPrivate-Lines: 8\n"),
    ],
)  # fmt: skip
def test_contents(path, text):
    """In configuration, in code, and pasted into documentation (case 14)."""
    assert secret_text(path, text, prose=path.endswith(".md"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", f'if "-----BEGIN RSA {PRIVATE} KEY-----" in text:\n    load_private_key(text)\n'),
        ("a.py", f'BEGIN = "-----BEGIN {PRIVATE} KEY-----"\nEND = "-----END {PRIVATE} KEY-----"\n'),
        ("a.md", f"```\n{pem(body='MIIE...')}```\n"),
        ("ca.pem", "-----BEGIN CERTIFICATE-----\n" + BODY + "\n-----END CERTIFICATE-----\n"),
        ("id.pub", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ me@here\n"),
        (".npmrc", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nsave-exact=true\n"),
        (".npmrc", "# _authToken=abc\n"),
        (".pypirc", "[pypi]\nusername = __token__\n"),
        (".env.example", "AWS_SECRET_ACCESS_KEY=your-secret-here\nGITHUB_TOKEN=ghp_xxxxxxxxxx\n"),
        ("a.py", "t = 'ghp_" + "x" * 36 + "'\n"),
        ("a.py", "aws_secret_access_key = os.environ['AWS_SECRET_ACCESS_KEY']\n"),
        ("a.py", "digest = '" + "a3f5" * 10 + "'\n"),
        ("a.py", f"SKU = 'SK{HEX}'\n"),
        ("a.md", f"twilio: SK{'x' * 32}\n"),
        ("a.md", "A file that begins with PuTTY-User-Key-" + "File-2: is a key.\n"),
        ("a.md", "aws_access_key_id = AKIA" + "IOSFODNN7EXAMPLE\n"),
    ],
)  # fmt: skip
def test_contents_that_are_fine(path, text):
    """Code that deals in keys, public halves, variables and placeholders."""
    assert secret_text(path, text, prose=path.endswith(".md")) == ""


def test_detail_never_quotes_the_secret():
    """The reason must be safe to show and to store."""
    token = f"ghp_{RANDOM}"
    assert token not in secret_text("a.py", token)
    assert secret_text("a.py", token) == "a GitHub token"
