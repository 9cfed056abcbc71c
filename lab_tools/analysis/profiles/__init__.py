"""Throughput profiles: throughput over RTT, its band, its shape and its estimates.

``band`` the profile and its confidence band; ``concavity`` concave and convex regions;
``sigmoid`` the sigmoid pair and its transition RTT; ``utilisation`` the utilisation-concavity
coefficient; ``monotone`` isotonic and linear estimates with cross-validation; ``segments`` and
``vc`` segmented regression and its choice of k.
"""

from lab_tools.analysis.profiles.band import Profile, hoeffding_profile, throughput_profile
from lab_tools.analysis.profiles.concavity import Curvature, Region, curvature
from lab_tools.analysis.profiles.monotone import (
    CrossValidation,
    cross_validate,
    isotonic_estimate,
    linear_estimate,
)
from lab_tools.analysis.profiles.segments import (
    Line,
    SegmentChoice,
    Segmented,
    choose_segments,
    least_squares_line,
    segmented_regression,
)
from lab_tools.analysis.profiles.sigmoid import Branch, SigmoidPair, fit_sigmoid_pair, sigmoid
from lab_tools.analysis.profiles.utilisation import UtilisationConcavity, utilisation_concavity
from lab_tools.analysis.profiles.vc import vapnik_bound

__all__ = [
    "Branch",
    "CrossValidation",
    "Curvature",
    "Line",
    "Profile",
    "Region",
    "SegmentChoice",
    "Segmented",
    "SigmoidPair",
    "UtilisationConcavity",
    "choose_segments",
    "cross_validate",
    "curvature",
    "fit_sigmoid_pair",
    "hoeffding_profile",
    "isotonic_estimate",
    "least_squares_line",
    "linear_estimate",
    "segmented_regression",
    "sigmoid",
    "throughput_profile",
    "utilisation_concavity",
    "vapnik_bound",
]
