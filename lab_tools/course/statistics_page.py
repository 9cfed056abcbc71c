"""A lab's statistics as one page that needs no network and names nobody."""

import html

import numpy as np

from lab_tools.course import page
from lab_tools.course.items import Analysis
from lab_tools.course.statistics import Statistics, ratios
from lab_tools.course.statistics_figures import outcomes, predictions, separation, totals

#: Fewer students than this, and a correlation says next to nothing.
_FEW = 30
_KINDS = {
    "blank": "blank",
    "missing": "handed in nothing",
    "not graded": "not graded",
    "crashed": "crashed",
    "unreadable": "unreadable",
    "failed": "failed, for a fault of the course",
    "suspect": "suspect",
}
_STYLE = "td:last-child { min-width: 9rem; }"
_COLUMNS = (
    "question",
    "points",
    "mean",
    "p",
    "full",
    "none",
    "no answer",
    "item–rest r",
    "D",
    "α without",
    "remark",
)


def make(statistics: Statistics) -> str:
    """Return the page."""
    analysis = statistics.analysis
    drawn = [totals(analysis), outcomes(statistics), separation(analysis)]
    if statistics.predicted:
        drawn.append(predictions(statistics.predicted))
    figures = page.figures(drawn)
    parts = [
        f"<h1>Statistics of {html.escape(statistics.lab)}</h1>\n",
        f"<p class='soft'>{html.escape(_counted(statistics))}</p>\n",
        page.tiles(_tiles(statistics)),
        figures[0],
        f"<h2>Questions</h2>\n{figures[1]}",
        figures[2],
        _explained(analysis),
        page.table(_COLUMNS, _rows(statistics), numbers=range(1, 10)),
    ]
    if statistics.predicted:
        parts += ["<h2>Predicted and found</h2>\n", _surprise(statistics), figures[3]]
    body = "".join(parts) + page.painter()
    return page.page(f"Statistics of {statistics.lab}", body, style=_STYLE)


def _counted(statistics: Statistics) -> str:
    left = ", ".join(
        f"{statistics.counts[kind]} {words}"
        for kind, words in _KINDS.items()
        if statistics.counts.get(kind)
    )
    out = f" Left out: {left}." if left else ""
    few = statistics.counts["counted"] < _FEW
    rough = " With so few, correlations are rough." if few else ""
    return f"{statistics.counts['counted']} submissions.{out}{rough}"


def _tiles(statistics: Statistics) -> list[tuple[str, str]]:
    analysis = statistics.analysis
    made = [("submissions", str(statistics.counts["counted"]))]
    if len(analysis.totals):
        spread = np.quantile(analysis.totals, [0.25, 0.5, 0.75])
        made += [
            (f"mean of {analysis.points:g} points", f"{analysis.totals.mean():.1f}"),
            (f"median; half are in {spread[0]:.1f}–{spread[2]:.1f}", f"{spread[1]:.1f}"),
        ]
    made.append(("Cronbach’s α", _number(analysis.alpha)))
    if analysis.error is not None:
        made.append(("standard error of a score, points", f"{analysis.error:.1f}"))
    return made


def _surprise(statistics: Statistics) -> str:
    lines = []
    for each in statistics.predicted:
        many = ratios(each)
        if not len(many):
            continue
        near = float((np.abs(np.log(many)) <= np.log(1.25)).mean())
        lines.append(
            f"<li>{html.escape(each.name)}: the median student found {np.median(many):.3g} times "
            f"what they had predicted; {near:.0%} were within a quarter.</li>\n"
        )
    return f"<ul>{''.join(lines)}</ul>\n" if lines else ""


def _explained(analysis: Analysis) -> str:
    left = ""
    if analysis.left_out:
        names = html.escape(", ".join(analysis.left_out))
        left = f" Too few are graded in {names}: no sum counts it."
    return (
        "<p class='soft'><b>p</b> is the mean over the points: 1 is a question that everybody can "
        "do. <b>Full</b> and <b>none</b> are the students with all points and without any. "
        "<b>Item–rest r</b> is the correlation with the sum of the other questions (for right or "
        "wrong, the corrected point-biserial); 0.4 is very good, under 0.2 is poor. <b>D</b> is p "
        "of the best 27&nbsp;% minus p of the last. <b>α without</b> is Cronbach’s α of the "
        f"others: a question that it rises without measures something else.{left}</p>\n"
    )


def _rows(statistics: Statistics) -> list[list[str]]:
    return [
        [
            item.name,
            f"{item.points:g}",
            f"{item.mean:.2f}",
            f"{item.difficulty:.2f}",
            f"{item.full:.0%}",
            f"{item.none:.0%}",
            str(statistics.unanswered.get(item.name, "–")),
            _number(item.discrimination),
            _number(item.ends),
            _number(item.alpha_without),
            item.words,
        ]
        for item in statistics.analysis.items
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("-", "−")
