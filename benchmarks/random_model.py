"""
Makes a Model2Vec folder with random vectors, for measuring time and never quality.

``python random_model.py OUT --text DIR`` in an environment that has model2vec.  The
shape is that of published code models (62,000 × 256, float32); the vocabulary is learnt from
the texts of ``DIR``, so that code is cut into as many tokens as by a model made for code.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

ROWS, WIDTH = 62_000, 256
_MOST_TEXT = 24_000_000
"""Characters the vocabulary is learnt from; some ten seconds."""


def texts(folder: Path):  # noqa: ANN201 - runs where nothing of fiuto is installed
    """Texts of ``folder``, up to a limit, a few megabytes of each repository."""
    left = _MOST_TEXT
    for repository in sorted(folder.iterdir()):
        room = _MOST_TEXT // 10
        for path in sorted(repository.rglob("*")) if repository.is_dir() else ():
            if ".git" in path.parts or not path.is_file() or path.stat().st_size > 300_000:
                continue
            try:
                text = path.read_text("utf-8")
            except (UnicodeDecodeError, OSError):
                continue
            yield text
            room -= len(text)
            left -= len(text)
            if left < 0:
                return
            if room < 0:
                break


def main() -> None:
    """Make it; an existing folder is left as it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--text", type=Path, required=True)
    given = parser.parse_args()
    if given.out.is_dir():
        return
    import numpy as np  # noqa: PLC0415 - there only in the peers' environment
    from model2vec import StaticModel  # noqa: PLC0415
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers  # noqa: PLC0415

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]"]
    trainer = trainers.WordPieceTrainer(
        vocab_size=ROWS, special_tokens=special, show_progress=False, min_frequency=1
    )
    tokenizer.train_from_iterator(texts(given.text), trainer)
    missing = ROWS - tokenizer.get_vocab_size()
    known = tokenizer.get_vocab()
    names = (f"filler{n}" for n in itertools.count())
    tokenizer.add_tokens(
        list(itertools.islice((name for name in names if name not in known), max(0, missing)))
    )
    rows = np.random.default_rng(0).standard_normal((tokenizer.get_vocab_size(), WIDTH))
    model = StaticModel(rows.astype(np.float32), tokenizer, normalize=True)
    part = given.out.with_name(given.out.name + ".part")
    model.save_pretrained(part)
    part.rename(given.out)
    print(f"{given.out}: {rows.shape}", file=sys.stderr)


if __name__ == "__main__":
    main()
