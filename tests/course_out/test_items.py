"""Item analysis against scipy and published numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lab_tools.course.items import alpha, analyse, discrimination
from lab_tools.errors import DataError

#: S. Chatterjee and B. Price, "Regression Analysis by Example" (1977), the data set that R calls
#: ``attitude``: rating, complaints, privileges, learning, raises, critical, advance.
ATTITUDE = """
43 51 30 39 61 92 45|63 64 51 54 63 73 47|71 70 68 69 76 86 48|61 63 45 47 54 84 35
81 78 56 66 71 83 47|43 55 49 44 54 49 34|58 67 42 56 66 68 35|71 75 50 55 70 66 41
72 82 72 67 71 83 31|67 61 45 47 62 80 41|64 53 53 58 58 67 34|67 60 47 39 59 74 41
69 62 57 42 55 63 25|68 83 83 45 59 77 35|77 77 54 72 79 77 46|81 90 50 72 60 54 36
74 85 64 69 79 79 63|65 60 65 75 55 80 60|65 70 46 57 75 85 46|50 58 68 54 64 78 52
50 40 33 34 43 64 33|64 61 52 62 66 80 41|53 66 52 50 63 80 37|40 37 42 58 50 57 49
63 54 42 48 66 75 33|66 77 66 63 88 76 72|78 75 58 74 80 78 49|48 57 44 45 51 83 38
85 85 71 71 77 74 55|82 82 39 59 64 78 39
"""


def attitude():
    rows = [row.split() for line in ATTITUDE.split("\n") for row in line.split("|") if row]
    return np.array(rows, dtype=float)


def test_alpha_of_a_published_data_set():
    data = attitude()
    assert data.shape == (30, 7)
    # the means that R's summary(attitude) prints
    assert data.mean(axis=0) == pytest.approx(
        [64.63, 66.60, 53.13, 56.37, 64.63, 74.77, 42.93], abs=0.005
    )
    # R's psych::alpha(attitude), as its manual prints it: 0.84, and without each item in turn
    assert round(alpha(data), 2) == 0.84
    names = [str(k) for k in range(7)]
    made = analyse(pd.DataFrame(data, columns=names), dict.fromkeys(names, 100.0))
    without = [round(each.alpha_without, 2) for each in made.items]
    assert without == [0.81, 0.80, 0.83, 0.80, 0.80, 0.86, 0.84]


def test_alpha_is_kuder_and_richardsons_formula_20_for_right_and_wrong():
    answers = (np.random.default_rng(1).random((40, 6)) < np.linspace(0.2, 0.9, 6)).astype(float)
    p, k = answers.mean(axis=0), 6
    total = answers.sum(axis=1).var(ddof=0)
    assert alpha(answers) == pytest.approx(k / (k - 1) * (1 - (p * (1 - p)).sum() / total))


def test_discrimination_is_the_corrected_point_biserial():
    rng = np.random.default_rng(2)
    skill = rng.normal(size=60)
    answers = (skill[:, None] + rng.normal(size=(60, 5)) > 0).astype(float)
    names = list("abcde")
    made = analyse(pd.DataFrame(answers, columns=names), dict.fromkeys(names, 1.0))
    for column, item in enumerate(made.items):
        rest = np.delete(answers, column, axis=1).sum(axis=1)
        wanted = stats.pointbiserialr(answers[:, column].astype(bool), rest).statistic
        assert item.discrimination == pytest.approx(wanted)
        assert item.difficulty == pytest.approx(answers[:, column].mean())


def test_the_ends_are_the_best_and_the_worst():
    # eleven students, 27 % of them are three; only the best seven have the item
    whole = pd.DataFrame({"item": [0.0] * 4 + [2.0] * 7, "rest": np.arange(11.0)})
    made = analyse(whole, {"item": 2.0, "rest": 10.0})
    assert made.items[0].ends == 1.0
    assert made.items[0].full == pytest.approx(7 / 11)
    assert made.items[0].none == pytest.approx(4 / 11)


def test_the_error_of_measurement():
    data = attitude()
    names = [str(k) for k in range(7)]
    made = analyse(pd.DataFrame(data, columns=names), dict.fromkeys(names, 100.0))
    assert made.error == pytest.approx(stats.tstd(data.sum(axis=1)) * (1 - made.alpha) ** 0.5)
    assert made.totals == pytest.approx(data.sum(axis=1))


def test_a_question_that_few_were_graded_in_takes_no_part_in_the_sums():
    scores = pd.DataFrame(
        {"a": [1.0, 0, 1, 0], "b": [1.0, 0, 1, 1], "w": [2.0, np.nan, np.nan, np.nan]}
    )
    made = analyse(scores, {"a": 1.0, "b": 1.0, "w": 2.0})
    assert made.left_out == ("w",)
    assert made.points == 2.0
    assert made.complete == 4
    assert [each.students for each in made.items] == [4, 4, 1]
    assert made.items[2].alpha_without is None


def test_what_is_constant_has_no_correlation():
    assert discrimination(np.ones(5), np.arange(5.0)) is None
    assert alpha(np.ones((5, 3))) is None
    assert alpha(np.ones((5, 1))) is None


@pytest.mark.parametrize("scores", [{"a": [1.0]}, {"a": [np.nan, np.nan]}, {}])
def test_too_little_is_said(scores):
    with pytest.raises(DataError, match="two or more"):
        analyse(pd.DataFrame(scores), {"a": 1.0})
