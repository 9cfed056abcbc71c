"""Classical item analysis: how hard each question is, and how well it tells students apart.

Sources: L. Crocker and J. Algina, "Introduction to Classical and Modern Test Theory" (1986),
chapters 5, 7 and 14; L. J. Cronbach, "Coefficient alpha and the internal structure of tests",
Psychometrika 16 (1951) 297; R. L. Ebel and D. A. Frisbie, "Essentials of Educational Measurement",
5th ed. (1991), chapter 13, for the words about discrimination.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lab_tools.arrays import FloatArray
from lab_tools.errors import DataError

#: Kelley (1939): with 27 % at each end the difference of two groups is measured best.
_END = 0.27
#: A question that fewer than this part of the class has a score for takes no part in alpha.
_ENOUGH = 0.8


@dataclass(frozen=True)
class Item:
    """One question.

    Parameters
    ----------
    name : of the task.
    points : most that it gives.
    students : how many have a score.
    mean, sd : of the scores, in points; sd with n − 1.
    difficulty : the p-value of item analysis, mean/points: 1 is a question that everybody can do.
    full, none : part of the students with all points, and with none.
    discrimination : correlation of the score with the sum of the other questions' scores (for a
        question of right or wrong: the corrected point-biserial); None where either is constant.
    ends : difficulty of the upper 27 % of the class minus that of the lower 27 %.
    alpha_without : Cronbach's alpha of the other questions, or None.
    """

    name: str
    points: float
    students: int
    mean: float
    sd: float | None
    difficulty: float
    full: float
    none: float
    discrimination: float | None
    ends: float | None
    alpha_without: float | None

    @property
    def words(self) -> str:
        """What to do about it, by the usual limits of difficulty and discrimination."""
        said = []
        if self.difficulty > 0.9:
            said.append("nearly everybody can do it")
        elif self.difficulty < 0.3:
            said.append("hard: was it taught, and is the text clear?")
        if self.discrimination is not None and self.discrimination < 0:
            said.append("good students lose it: look at the check and the text")
        elif self.discrimination is not None and self.discrimination < 0.2:
            said.append("tells little about the rest")
        return "; ".join(said)


@dataclass(frozen=True)
class Analysis:
    """A lab's questions together.

    Parameters
    ----------
    items : the questions.
    totals : every student's sum, in points.
    points : most that the questions give.
    complete : how many students have a score in every question that alpha is of.
    alpha : Cronbach's alpha, or None.
    error : standard error of measurement, sd·√(1 − alpha), in points, or None.
    left_out : questions that too few have a score for; they are in no sum.
    """

    items: tuple[Item, ...]
    totals: FloatArray
    points: float
    complete: int
    alpha: float | None
    error: float | None
    left_out: tuple[str, ...]


def analyse(scores: pd.DataFrame, points: Mapping[str, float]) -> Analysis:
    """Analyse the questions of a lab.

    Parameters
    ----------
    scores : a row for each student, a column for each question, in points; NaN where there is no
        score.
    points : question to the most that it gives.

    Raises
    ------
    DataError : fewer than two students, or no question with a score.
    """
    names = [str(name) for name in scores]
    graded = scores.set_axis(names, axis="columns").dropna(how="all", axis="columns")
    if len(scores) < 2 or graded.empty:
        raise DataError("scores", f"has {len(scores)} students", "two or more, with scores")
    counts = graded.notna().mean()
    known = [name for name in names if name in graded]
    kept = [name for name in known if float(counts[name]) >= _ENOUGH]
    if not kept:
        raise DataError("scores", "has no question that most have a score for", "one or more")
    whole = graded[kept].dropna()
    value = alpha(whole.to_numpy(float))
    totals = whole.sum(axis="columns").to_numpy(float)
    error = None
    if value is not None and value <= 1 and len(totals) > 1:
        error = float(totals.std(ddof=1) * np.sqrt(1 - value))
    items = [_item(name, graded[name].dropna(), whole, points[name]) for name in known]
    return Analysis(
        items=tuple(items),
        totals=totals,
        points=float(sum(points[name] for name in kept)),
        complete=len(whole),
        alpha=value,
        error=error,
        left_out=tuple(name for name in names if name not in kept),
    )


def alpha(scores: FloatArray) -> float | None:
    """Return Cronbach's alpha, k/(k − 1)·(1 − Σ var(item)/var(sum)) (Cronbach 1951, Eq. 2).

    Parameters
    ----------
    scores : students × questions, without gaps.

    Returns
    -------
    None for fewer than two students or questions, or where all sums are the same.
    """
    students, questions = scores.shape
    if students < 2 or questions < 2:
        return None
    total = float(scores.sum(axis=1).var(ddof=1))
    if total <= 1e-12:
        return None
    parts = float(scores.var(axis=0, ddof=1).sum())
    return questions / (questions - 1) * (1 - parts / total)


def discrimination(item: FloatArray, rest: FloatArray) -> float | None:
    """Return Pearson's correlation of a question with the rest; None if one is constant.

    For a question of 0 or 1 it is the point-biserial correlation.
    """
    if len(item) < 3 or np.ptp(item) < 1e-12 or np.ptp(rest) < 1e-12:
        return None
    return float(np.corrcoef(item, rest)[0, 1])


def _item(name: str, given: pd.Series, whole: pd.DataFrame, points: float) -> Item:
    values = given.to_numpy(float)
    others = whole.drop(columns=name, errors="ignore")
    both = others.index.intersection(given.index)
    rest = others.loc[both].sum(axis="columns").to_numpy(float)
    item = given.loc[both].to_numpy(float)
    has_rest = others.shape[1] > 0
    return Item(
        name=name,
        points=points,
        students=len(values),
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)) if len(values) > 1 else None,
        difficulty=float(values.mean() / points) if points else float("nan"),
        full=float((values >= points - 1e-9).mean()),
        none=float((values <= 1e-9).mean()),
        discrimination=discrimination(item, rest) if has_rest else None,
        ends=_ends(item, rest, points) if has_rest else None,
        alpha_without=alpha(others.to_numpy(float)) if name in whole else None,
    )


def _ends(item: FloatArray, rest: FloatArray, points: float) -> float | None:
    """Return the difference between the upper and the lower 27 %, sorted by the whole sum."""
    size = round(_END * len(item))
    if size < 1 or not points:
        return None
    order = np.argsort(item + rest, kind="stable")
    return float((item[order[-size:]].mean() - item[order[:size]].mean()) / points)
