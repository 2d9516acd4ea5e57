"""The HTML page: whole, safe, and asking the network for nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from fiuto.evaluation.charts import curves, scatter
from fiuto.evaluation.page import page

RANKS = {"fair grep": [2, None, 300], "BM25": [7, 30, 1], "fiuto static": [1, 4, 2]}
VOID = {"meta", "path", "circle"}


class Checked(HTMLParser):
    """Collects tags and text, and checks that what opens is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.words = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID or tag in {"path", "circle"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_is_whole_and_alone(made):
    """Every tag closed, no script, no link, no picture, nothing fetched."""
    found = Checked(page(made(RANKS)))

    assert not {"script", "link", "img", "iframe", "a"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name in {"src", "href"} or name[:2] == "on"]
    assert "http" not in page(made(RANKS)).replace("http-equiv", "")
    assert found.tags.count("svg") == 1 + 2
    assert any("3 questions are few" in word for word in found.words)


def test_ranks_are_shaded(made):
    """First place is the strongest, what was not found the last shade."""
    html = page(made(RANKS))

    for shade, rank in (("h1", 1), ("h2", 2), ("h3", 7), ("h4", 30), ("h6", 300), ("h7", "none")):
        assert f'<td class="rank {shade}">{rank}</td>' in html


def test_questions_cannot_break_out(made):
    """What stands in a question file is text."""
    run = made(RANKS)
    scope = run.scopes[0]
    evil = '</td><script>alert("x")</script>'
    first = replace(scope.rows[0], question=replace(scope.rows[0].question, text=evil))
    run = replace(
        run, title=evil, warnings=(evil,),
        scopes=(replace(scope, name=evil, rows=(first, *scope.rows[1:])),),
    )  # fmt: skip

    found = Checked(page(run))

    assert "script" not in found.tags
    assert any(evil in word for word in found.words)


def test_curves_rise_to_what_was_found(made):
    """A column's line ends at its share of answers within the first hundred."""
    run = made(RANKS)
    drawn = curves(run, run.scopes[0])

    heights = {
        name: [float(y) for y in re.findall(r"[V,]([\d.]+)", path)]
        for path, name in re.findall(r'<path class="line[^"]*" d="([^"]*)"><title>([^<]*)<', drawn)
    }
    assert list(heights) == list(RANKS)
    for ys in heights.values():
        assert ys == sorted(ys, reverse=True)
    # 360 pixels less 14 above and 40 below: all found is at 14, a third at 218.
    assert heights["fiuto static"][-1] == 14.0
    assert heights["fair grep"][-1] == 218.0
    assert "fair grep 33%" in drawn


def test_points_lie_on_the_side_of_the_winner(made):
    """Under the diagonal where the reference is better, coloured alike."""
    run = made({"BM25": [10, 1, None, 3], "fiuto static": [1, 10, 2, 3]})
    drawn = scatter(run.scopes[0], "fiuto static", "BM25")

    points = [
        (kind, float(x), float(y))
        for kind, x, y in re.findall(r'<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)"', drawn)
    ]
    assert [kind for kind, _, _ in points] == ["won", "lost", "won", "even"]
    for kind, x, y in points:
        right, up = x - 34, 230 - 34 - y
        assert {"won": right > up, "lost": right < up, "even": abs(right - up) < 0.2}[kind]
    assert "<title>question 2\nBM25 none, fiuto static 2</title>" in drawn


def test_many_questions_fold_away(made):
    """Two hundred rows of ranks wait behind a line to click on, after the figures."""
    html = page(made({"BM25": [3] * 60, "fiuto static": [1] * 60}))

    assert Checked(html).tags.count("details") == 1
    assert html.index("<details>") > html.index("against each other column")
    assert "<details>" not in page(made(RANKS))
