"""
Questions without a judge: each doc comment asks for what it documents.

The sentence becomes the question, the definition its answer, and the comment is
blanked out of a copy of the tree, so that what is found is the code and not the
comment.  Line numbers stay.  A comment is no question where it says the name of
what it documents, or where its words stand somewhere else in the tree as well:
both would make a search for text look like understanding.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from fiuto.engine.comments import DocComment, doc_comments
from fiuto.errors import UsageError
from fiuto.evaluation.prose import names, question
from fiuto.evaluation.targets import Judgments, Place, Question
from fiuto.model import SourceFile

__all__ = ["Masked", "choose", "judgments", "masked_tree"]

_SMALLEST = 3
"""Lines of a definition that is worth finding: a signature alone has nothing to understand."""

_CATEGORY = 10
"""Questions that a language must have to get figures of its own."""

_NOT_COPIED = frozenset({".gitignore", ".fiutoignore", ".ignore"})
"""What they leave out is left out already, and tracked files they name are not."""

_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Masked:
    """A question made of a comment, and where the comment stands."""

    question: Question
    path: str
    first: int
    last: int


def choose(files: Sequence[SourceFile], n: int, seed: int) -> list[Masked]:
    """
    At most ``n`` questions, drawn from the sources alone.

    Args:
        files: every indexed file; where sentences are looked for a second time.
        n: how many.
        seed: of the draw.

    Raises:
        UsageError: no doc comment makes a question.
    """
    found = list(_candidates(files))
    said = Counter(_words(sentence) for _, _, sentence in found)
    random.Random(seed).shuffle(found)  # noqa: S311 - a draw, no secret
    texts = {file.path: _words(file.text) for file in files}
    chosen: list[Masked] = []
    for file, comment, sentence in found:
        words = _words(sentence)
        if said[words] > 1 or _elsewhere(words, file.path, texts):
            continue
        chosen.append(_masked(file, comment, sentence))
        if len(chosen) == n:
            break
    if not chosen:
        raise UsageError(
            "no doc comment of this tree makes a question; write a question file instead "
            "(docs/evaluation.md shows one)"
        )
    return sorted(chosen, key=lambda one: (one.path, one.first))


def _candidates(files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, DocComment, str]]:
    for file in files:
        if file.label != "source":
            continue
        for comment in doc_comments(file.path, file.text, file.language):
            inside = comment.last - comment.first + 1 if comment.first > comment.line else 0
            if comment.end - comment.line + 1 - inside < _SMALLEST:
                continue
            sentence = question(comment.text, comment.name)
            if sentence and not names(sentence, comment.name):
                yield file, comment, sentence


def _masked(file: SourceFile, comment: DocComment, sentence: str) -> Masked:
    place = Place(file.path, comment.line, comment.name)
    asked = Question(
        id=f"{file.path}:{comment.name}: {sentence}",
        text=sentence,
        places=(place,),
        category=file.language,
    )
    return Masked(asked, file.path, comment.first, comment.last)


def _words(text: str) -> str:
    """The words of a text, each between single blanks, so that line breaks do not matter."""
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def _elsewhere(words: str, path: str, texts: dict[str, str]) -> bool:
    """Whether a sentence stands in another file, or twice in its own."""
    return texts[path].count(words.rstrip()) > 1 or any(
        words in text for other, text in texts.items() if other != path
    )


@contextmanager
def masked_tree(
    files: Iterable[SourceFile], chosen: Sequence[Masked], settings: Path
) -> Iterator[Path]:
    """
    A folder with every file of an index, the chosen comments blanked; gone afterwards.

    Args:
        files: every indexed file.
        chosen: whose comments must not be found.
        settings: the ``fiuto.toml`` that the copy is to obey too, if there is one.
    """
    rows: dict[str, set[int]] = {}
    for one in chosen:
        rows.setdefault(one.path, set()).update(range(one.first, one.last + 1))
    with TemporaryDirectory(prefix="fiuto-eval-") as folder:
        root = Path(folder).resolve()
        for file in files:
            if file.path.rsplit("/", 1)[-1] in _NOT_COPIED:
                continue
            path = root / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_blanked(file.text, rows.get(file.path, set())).encode("utf-8"))
        if settings.is_file() and not (root / settings.name).exists():
            (root / settings.name).write_bytes(settings.read_bytes())
        yield root


def _blanked(text: str, rows: set[int]) -> str:
    if not rows:
        return text
    lines = text.split("\n")
    return "\n".join("" if i in rows else line for i, line in enumerate(lines, start=1))


def judgments(chosen: Sequence[Masked], root: Path, seed: int) -> Judgments:
    """The chosen questions as those of a file; languages are categories where several count."""
    plural = "s" * (len(chosen) != 1)
    name = f"{len(chosen)} doc comment{plural} of {root.name} (seed {seed})"
    sizes = Counter(one.question.category for one in chosen)
    large = {language for language, n in sizes.items() if n >= _CATEGORY}
    questions = (one.question for one in chosen)
    if len(large) < 2:
        return Judgments(name, tuple(replace(one, category="") for one in questions))
    kept = (one if one.category in large else replace(one, category="") for one in questions)
    return Judgments(name, tuple(kept))
