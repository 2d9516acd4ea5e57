"""Both benchmarks from end to end, on a repository of three files."""

import json

import pytest

from benchmarks import grep_proof, quality

LOCK = '"""Locks."""\n\n\ndef acquire_lock(path):\n    """Take the lock of a path."""\n'
MAIL = '"""Mail."""\n\n\ndef send_mail(address):\n    """Deliver a letter."""\n'


@pytest.fixture
def made(tmp_path):
    """A work tree, both kinds of questions about it, and the list of repositories."""
    tree = tmp_path / "trees" / "tiny"
    for path, text in {
        "src/lock.py": LOCK,
        "src/mail.py": MAIL,
        "tests/test_mail.py": "from mail import send_mail\n\nsend_mail('letter letter letter')\n",
    }.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    write(tmp_path / "repos.json", [
        {"name": "tiny", "github": "me/tiny", "revision": "1", "language": "python",
         "benchmark_root": "src"},
        {"name": "silent", "github": "me/silent", "revision": "1"},
    ])  # fmt: skip
    (tmp_path / "annotations").mkdir()
    write(tmp_path / "annotations/tiny.json", [
        {"query": "acquire lock", "relevant": ["src/lock.py"], "secondary": ["src/mail.py"],
         "category": "semantic"},
        {"query": "send_mail", "relevant": ["src/mail.py"], "secondary": [],
         "category": "symbol"},
        {"query": "penguins", "relevant": ["src/mail.py"], "secondary": [],
         "category": "symbol"},
    ])  # fmt: skip
    (tmp_path / "proof").mkdir()
    target = {"path": "src/mail.py", "symbol": "send_mail", "line": 4}
    write(tmp_path / "proof/tiny.json", [
        {"question": "letter", "question_it": "mail", "target": target, "grep_word_lines": 1},
    ])  # fmt: skip
    return tmp_path


def write(path, data):
    """JSON on disk."""
    path.write_text(json.dumps(data))


def run(main, folder, *extra):
    """Run a benchmark by keywords alone; its exit code and its JSON."""
    out = folder / "out.json"
    out.unlink(missing_ok=True)
    code = main([
        "--checkouts", str(folder / "trees"), "--mode", "lexical", "--embedder", "scripted",
        "--chunker", "lines", "--json", str(out), *extra,
    ])  # fmt: skip
    return code, json.loads(out.read_text()) if out.is_file() else None


def run_quality(folder, *extra):
    """The public set's run over the tiny repository."""
    return run(
        quality.main, folder, "--repos", str(folder / "repos.json"),
        "--annotations", str(folder / "annotations"), *extra,
    )  # fmt: skip


def run_proof(folder, *extra):
    """The grep-proof run over the tiny repository."""
    return run(grep_proof.main, folder, "--questions", str(folder / "proof"), *extra)


def test_quality_from_end_to_end(made, capsys):
    """Two found in first place, one of them with a second target missed, one question lost."""
    code, data = run_quality(made)
    half = 1 / (1 + 0.6309297535714575)

    assert code == 0
    assert data["overall"]["n"] == 3
    assert data["overall"]["ndcg@10"] == pytest.approx((half + 1 + 0) / 3, abs=1e-4)
    assert data["overall"]["mrr"] == pytest.approx(2 / 3, abs=1e-4)
    assert data["by_category"]["symbol"]["hit@5"] == 0.5
    assert data["by_repository"]["tiny"]["files"] == 2
    assert data["settings"]["mode"] == "lexical"
    assert data["machine"]["cores"] >= 1
    assert "tiny " in capsys.readouterr().out
    assert any(w.startswith("silent: no questions") for w in data["warnings"])


def test_ablations_and_ranks(made):
    """Each other way to ask has its figures; ``--each`` shows every question."""
    code, data = run_quality(made, "--ablations", "--each")

    assert code == 0
    assert {"hybrid", "semantic", "lexical, without symbol"} <= set(data["ablations"])
    assert data["ablations"]["semantic"]["n"] == 3
    assert [q["ranks"] for q in data["questions"]] == [[1, None], [1], [None]]


def test_indexes_are_kept(made):
    """With a home the second run finds the index of the first, and the same figures."""
    home = str(made / "home")
    first, second = (run_quality(made, "--home", home)[1] for _ in range(2))

    assert first["overall"] == second["overall"]
    assert (made / "home/quality/tiny").is_dir()


def test_markdown(made):
    """A page with the overall figures, the groups and the machine."""
    page = made / "out.md"
    run_quality(made, "--markdown", str(page))
    text = page.read_text()

    assert "# Public set" in text
    assert "| lexical | 3 |" in text
    assert "| symbol | 2 |" in text
    assert "cores" in text


def test_grep_proof_from_end_to_end(made):
    """The whole checkout answers; labels let the definition win, as a prior or as a filter."""
    code, whole = run_proof(made)
    _, plain = run_proof(made, "--without", "signals")
    _, source = run_proof(made, "--only", "source")

    assert code == 0
    assert whole["by_repository"]["tiny"]["files"] == 3
    assert plain["overall"]["mrr"] == 0.5
    assert whole["overall"]["mrr"] == 1.0
    assert source["overall"]["mrr"] == 1.0
    assert source["by_category"]["word found"]["hit@5"] == 1.0


def test_grep_proof_in_another_language(made, capsys):
    """Only translated questions are asked; a language without any is an error."""
    _, italian = run_proof(made, "--lang", "it")

    assert (italian["settings"]["lang"], italian["overall"]["n"]) == ("it", 1)

    assert run_proof(made, "--lang", "zh") == (2, None)
    assert "no questions in 'zh'" in capsys.readouterr().err


def test_a_missing_work_tree_is_said(made, capsys):
    """One line that says what to run, exit code 2, nothing written."""
    (made / "trees/tiny").rename(made / "trees/other")

    assert run_quality(made) == (2, None)
    assert "run python -m benchmarks.checkouts first" in capsys.readouterr().err


def test_an_unknown_repository(made, capsys):
    """A name that is not in the list is an error that shows the list."""
    assert run_quality(made, "--repository", "nobody") == (2, None)
    assert "no repository is called 'nobody'; known: tiny, silent" in capsys.readouterr().err

    assert run_proof(made, "--repository", "nobody") == (2, None)
    assert "known: tiny" in capsys.readouterr().err


def test_nothing_to_ask(made, capsys):
    """A repository without questions gives no figures."""
    assert run_quality(made, "--repository", "silent") == (2, None)
    assert "nothing to ask" in capsys.readouterr().err
