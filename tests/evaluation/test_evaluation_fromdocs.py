"""Questions out of doc comments, asked of a copy that does not hold them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fiuto.errors import UsageError
from fiuto.evaluation.fromdocs import Masked, choose, judgments, masked_tree
from fiuto.evaluation.indexes import Wanted
from fiuto.evaluation.measure import measure_docs
from fiuto.evaluation.runner import Asking
from fiuto.evaluation.scopes import parse_scope
from fiuto.evaluation.targets import Place, Question
from fiuto.model import SourceFile, Stamp

CART = '''class Cart:
    def add(self, item):
        """Put something into the basket that the customer holds."""
        self.items.append(item)
        return item

    def clear(self):
        """Clear everything that lies in the basket right now."""
        self.items = []
        return self
'''
BODY = "\n    x = 1\n    return x\n"


def file(path, text, label="source", language="python"):
    """As the scan reads it."""
    return SourceFile(path, text, Stamp(0, 0, 0, 0), "", language, label)


def documented(name, sentence):
    """A function of three lines and a docstring."""
    return f'def {name}():\n    """{sentence}"""{BODY}'


def asked(files, n=200, seed=0):
    """The questions alone."""
    return [one.question.text for one in choose(files, n, seed)]


def test_a_comment_becomes_a_question():
    """The sentence asks, the definition answers, the comment's lines are noted."""
    (one,) = choose([file("cart.py", CART)], 200, 0)

    assert one.question.text == "Put something into the basket that the customer holds."
    assert one.question.places == (Place("cart.py", 2, "add"),)
    assert one.question.category == "python"
    assert (one.path, one.first, one.last) == ("cart.py", 3, 3)


def test_only_sources_are_asked_about():
    """A test's docstring says what it tests, a vendored file is not ours."""
    files = [
        file("a.py", CART),
        file("t.py", documented("x", "Refuse what the user may not do."), "test"),
    ]

    assert len(asked(files)) == 1


def test_what_stands_elsewhere_is_no_question():
    """In a page, in another comment, or twice in its own file: text search would find it."""
    sentence = "Wait until the other side has read everything."
    only = documented("f", sentence)

    assert asked([file("a.py", only), file("a.md", "wait until the other side: no", "docs")])
    with pytest.raises(UsageError):
        choose(
            [
                file("a.py", only),
                file("a.md", "So *wait* until the\nother side has read everything!"),
            ],
            9,
            0,
        )
    with pytest.raises(UsageError):
        choose([file("a.py", only), file("b.py", documented("g", sentence))], 9, 0)
    with pytest.raises(UsageError):
        choose([file("a.py", only + f"# {sentence}\n")], 9, 0)


def test_one_liners_and_names_are_no_questions():
    """There must be something to understand, and the name must not give it away."""
    with pytest.raises(UsageError, match="no doc comment of this tree makes a question"):
        choose(
            [file("a.py", 'def f():\n    """Give back the number of the day."""\n    g()\n')], 9, 0
        )
    with pytest.raises(UsageError):
        choose(
            [file("a.py", documented("day_number", "The day number that the user has set."))], 9, 0
        )


def test_the_draw_is_repeatable():
    """The same seed draws the same questions, another seed others, in the order of the tree."""
    files = [
        file(f"m{i}.py", documented("f", f"Do the thing that is called number w{i} here."))
        for i in range(60)
    ]

    first, again, other = (asked(files, 20, seed) for seed in (1, 1, 2))

    assert first == again != other
    assert len(first) == 20
    places = [one.path for one in choose(files, 20, 1)]
    assert places == sorted(places)


def test_the_copy_is_the_tree_without_the_comments(tmp_path):
    """Lines keep their numbers; ignore files stay behind; the copy is gone afterwards."""
    settings = tmp_path / "fiuto.toml"
    settings.write_text("k = 3\n", "utf-8")
    files = [file("src/cart.py", CART), file(".gitignore", "src/\n"), file("a.md", "größe\r\n")]
    chosen = choose(files, 200, 0)

    with masked_tree(files, chosen, settings) as root:
        copied = (root / "src/cart.py").read_text("utf-8").split("\n")
        names = sorted(path.name for path in root.rglob("*") if path.is_file())
        page = (root / "a.md").read_bytes()

    assert names == ["a.md", "cart.py", "fiuto.toml"]
    assert copied == ["" if i == 3 else line for i, line in enumerate(CART.split("\n"), start=1)]
    assert page == "größe\r\n".encode()
    assert not root.exists()


def test_from_a_folder_to_a_run(tree, home):
    """The folder keeps its comments, the run speaks of the folder, no index of the copy stays."""
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}

    run = measure_docs(tree, 200, Wanted(), Asking((parse_scope("all"),), seed=4))

    assert run.title == "2 doc comments of shop (seed 4)"
    assert run.root == str(tree)
    assert [row.question.places[0].symbol for row in run.scopes[0].rows] == [
        "add",
        "check_password",
    ]
    # The sentence's words stood in the comment alone: without it, words find nothing.
    assert run.scopes[0].rows[0].cells["BM25"].rank is None
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before
    assert list(home.glob("eval/*/roots/*")) == []
    assert list(home.glob("roots/*")) == []


def test_judgments_say_where_they_come_from(tmp_path):
    """In place of a file's name."""
    chosen = choose([file("cart.py", CART)], 200, 7)

    assert judgments(chosen, tmp_path / "shop", 7).name == "1 doc comment of shop (seed 7)"


def test_languages_are_categories_where_several_count():
    """Ten questions each; a handful in a third language get no figures of their own."""

    def many(language, n):
        return [file(f"{language}{i}", "", language=language) for i in range(n)]

    def categories(*counts):
        made = [
            Masked(Question(one.path, one.path, (), one.language), one.path, 1, 1)
            for language, n in counts
            for one in many(language, n)
        ]
        found = judgments(made, Path("shop"), 0).questions
        return Counter(question.category for question in found)

    assert categories(("python", 40), ("go", 9)) == {"": 49}
    assert categories(("python", 40), ("go", 10), ("c", 3)) == {"python": 40, "go": 10, "": 3}
