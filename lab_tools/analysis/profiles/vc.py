"""Vapnik's bound on the error of an estimate on data it has not seen."""

import math

from lab_tools.arrays import number, whole


def vapnik_bound(
    empirical_risk: float, vc_dimension: int, samples: int, *, confidence: float = 0.95
) -> float:
    """Upper bound on the expected loss of an estimator chosen for its empirical loss.

    For a loss within [0, 1], with probability 1 - η (confidence) for the whole class at once:
    R <= R_e + (E / 2) (1 + sqrt(1 + 4 R_e / E)), E = (4 / n) [h (ln(2 n / h) + 1) - ln(η / 4)]
    (Vapnik, "The nature of statistical learning theory", 1995, section 3.7; recalled, not
    compared with the page). A result above 1 says nothing.

    Parameters
    ----------
    empirical_risk : R_e, mean loss on the data, in [0, 1].
    vc_dimension : h, the Vapnik-Chervonenkis dimension of the class, 1 or more.
    samples : n, the number of measurements, more than h.
    confidence : 1 - η, in (0, 1).

    Raises
    ------
    InputError : an argument out of range.

    >>> round(vapnik_bound(0.01, 2, 1000), 4)
    0.0998
    """
    risk = number("empirical_risk", empirical_risk, low=0, high=1)
    h = whole("vc_dimension", vc_dimension, low=1)
    n = whole("samples", samples, low=h + 1)
    missed = 1 - number("confidence", confidence, above=0, below=1)
    capacity = 4 / n * (h * (math.log(2 * n / h) + 1) - math.log(missed / 4))
    return risk + capacity / 2 * (1 + math.sqrt(1 + 4 * risk / capacity))
