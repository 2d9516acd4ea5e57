"""
What a list of ranks is worth, and how sure one can be of it.

Pure arithmetic over ranks (1-based, None where the answer was not found), one
value per question.  Means come with intervals and differences with a test,
because ten questions prove little: the figures that say so stand beside the
means, not in a footnote.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "Estimate",
    "bootstrap",
    "hit",
    "holm",
    "mean",
    "ndcg",
    "paired_p_values",
    "reciprocal_rank",
    "wilson",
]

RESAMPLES = 2_000
"""Bootstrap samples; Efron and Tibshirani (1993) ask for 1,000 to 2,000 for 95 % limits."""

FLIPS = 10_000
"""Random sign patterns of the paired test: a p of 0.05 is then known to about ±0.004."""

_EXACT = 13
"""Up to this many questions every sign pattern is tried: 2**13 < FLIPS."""

_COIN = bytes(byte & 1 for byte in range(256))

_Z = statistics.NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure over some questions and its 95 % interval."""

    value: float
    low: float
    high: float


def hit(rank: int | None, k: int) -> float:
    """1.0 where the answer is among the first ``k``, else 0.0."""
    return 1.0 if rank is not None and rank <= k else 0.0


def reciprocal_rank(rank: int | None) -> float:
    """``1 / rank``, 0.0 where there is none."""
    return 0.0 if rank is None else 1.0 / rank


def ndcg(ranks: Sequence[int | None], k: int = 10) -> float:
    """
    nDCG@k of one question with one or more wanted places, all of gain 1.

    Järvelin and Kekäläinen (TOIS 2002), with the discount ``log2(rank + 1)``.

    Args:
        ranks: for each wanted place the rank at which it first appears.
        k: ranks beyond it count nothing.

    >>> ndcg([1]), round(ndcg([2]), 4), ndcg([None])
    (1.0, 0.6309, 0.0)
    """
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank is not None and rank <= k)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(ranks), k) + 1))
    return gained / best if best else 0.0


def mean(values: Sequence[float]) -> float:
    """The mean, 0.0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def wilson(values: Sequence[float]) -> Estimate:
    """
    A share of zeros and ones with Wilson's score interval.

    The bootstrap of ten hits out of ten is the interval [1, 1], which is false
    certainty; Wilson's is [0.72, 1].  Brown, Cai and DasGupta (Statistical
    Science 2001) recommend it for small samples.
    """
    n = len(values)
    if not n:
        return Estimate(0.0, 0.0, 1.0)
    share = mean(values)
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half))


def bootstrap(
    values: Sequence[float],
    seed: int,
    statistic: Callable[[Sequence[float]], float] = mean,
    resamples: int = RESAMPLES,
) -> Estimate:
    """
    ``statistic`` with its percentile bootstrap interval over questions.

    Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.
    The same seed draws the same questions, so columns of one run are resampled
    together.
    """
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    draws = _draws(len(values), seed, resamples)
    drawn = sorted(statistic([values[i] for i in draw]) for draw in draws)
    low, high = drawn[int(0.025 * resamples)], drawn[math.ceil(0.975 * resamples) - 1]
    return Estimate(statistic(values), low, high)


@lru_cache(maxsize=8)
def _draws(n: int, seed: int, resamples: int) -> list[list[int]]:
    """Questions drawn with replacement; kept, because every column asks for the same."""
    rng = random.Random(seed)  # noqa: S311 - statistics, no secret
    return [rng.choices(range(n), k=n) for _ in range(resamples)]


def paired_p_values(
    columns: Mapping[str, Sequence[float]], reference: str, seed: int
) -> dict[str, float]:
    """
    For each other column, the two-sided p that its mean differs from ``reference`` by chance.

    Fisher's randomisation test: under the null hypothesis either column may have
    produced either value of a question, so the sign of each difference is a coin.
    Smucker, Allan and Carterette (CIKM 2007) found it the test to prefer for
    retrieval measures, and Wilcoxon's and the sign test misleading.  Every pattern
    of signs is tried for up to 13 questions, 10,000 random ones beyond.

    Args:
        columns: one value per question, in the same order for every column.
        reference: the column that the others are held against.
        seed: of the random patterns.
    """
    others = [name for name in columns if name != reference]
    n = len(columns[reference])
    if not n:
        return dict.fromkeys(others, 1.0)
    totals = {name: math.fsum(values) for name, values in columns.items()}
    observed = {name: abs(totals[name] - totals[reference]) - 1e-9 for name in others}
    exact = n <= _EXACT
    # Of random patterns the one observed counts as tried too, so that no p is 0.
    tried = 0 if exact else 1
    reached = dict.fromkeys(others, tried)
    for pattern in _every_pattern(n) if exact else _random_patterns(n, seed):
        tried += 1
        # The sum of signed values is linear in the columns: one sum a column is enough.
        signed = {
            name: 2 * sum(itertools.compress(values, pattern)) - totals[name]
            for name, values in columns.items()
        }
        for name in others:
            reached[name] += abs(signed[name] - signed[reference]) >= observed[name]
    return {name: count / tried for name, count in reached.items()}


def _every_pattern(n: int) -> Iterator[Sequence[int]]:
    return itertools.product((0, 1), repeat=n)


def _random_patterns(n: int, seed: int) -> Iterator[Sequence[int]]:
    rng = random.Random(seed)  # noqa: S311 - statistics, no secret
    return (rng.randbytes(n).translate(_COIN) for _ in range(FLIPS))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """
    Corrected for the number of comparisons.

    Holm, "A simple sequentially rejective multiple test procedure" (Scandinavian
    Journal of Statistics 1979).

    >>> holm({"a": 0.01, "b": 0.04})
    {'a': 0.02, 'b': 0.04}
    """
    ordered = sorted(p_values, key=p_values.__getitem__)
    corrected: dict[str, float] = {}
    floor = 0.0
    for i, name in enumerate(ordered):
        floor = max(floor, min(1.0, (len(ordered) - i) * p_values[name]))
        corrected[name] = floor
    return {name: corrected[name] for name in p_values}
