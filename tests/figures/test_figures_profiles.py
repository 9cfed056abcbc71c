"""Profiles, their shape, their estimates, the models beside them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.analysis.profiles import (
    SigmoidPair,
    curvature,
    fit_sigmoid_pair,
    segmented_regression,
    sigmoid,
    throughput_profile,
)
from lab_tools.errors import DataError, InputError
from lab_tools.figures.concavity import concavity_figure
from lab_tools.figures.estimates import (
    estimates_figure,
    segment_choice_figure,
    segments_figure,
    validation_figure,
)
from lab_tools.figures.models import model_profiles_figure
from lab_tools.figures.profile import profile_figure, sigmoid_figure
from lab_tools.figures.utilisation import utilisation_figure
from lab_tools.models import buffer_knee, slow_start_profile


def named(figure, start):
    return next(t for t in figure.data if (t.name or "").startswith(start))


def test_a_profile_shows_mean_band_runs_and_capacity_in_ms_and_gbit(given):
    figure = profile_figure(given.profile, capacity_bps=10e9, runs_bps=given.runs_bps)
    mean = named(figure, "mean")
    assert_allclose(mean.x, 1e3 * given.rtt_s)
    assert_allclose(mean.y, given.profile.mean_bps / 1e9)
    low, high = figure.data[:2]
    assert_allclose(low.y, given.profile.low_bps / 1e9)
    assert_allclose(high.y, given.profile.high_bps / 1e9)
    assert high.name == "95 % confidence"
    assert_allclose(mean.customdata[:, 0], low.y)
    assert_allclose(named(figure, "one run").y, np.concatenate(given.runs_bps) / 1e9)
    assert_allclose(named(figure, "one run").x[:5], 0.4)
    assert list(named(figure, "capacity").y) == [10.0, 10.0]
    assert figure.layout.xaxis.type is None  # concave and convex are seen on a linear axis


def test_a_profile_on_a_log_axis(given):
    assert profile_figure(given.profile, log_rtt=True).layout.xaxis.type == "log"
    at_zero = throughput_profile([0.0, 0.1], [[1e9, 1e9], [1e9, 1e9]])
    with pytest.raises(DataError, match="profile has an RTT of 0"):
        profile_figure(at_zero, log_rtt=True)


def test_a_profile_refuses_other_things(given):
    with pytest.raises(DataError, match="profile"):
        profile_figure([1, 2, 3])
    with pytest.raises(DataError, match="runs_bps"):
        profile_figure(given.profile, runs_bps=[[1e9]])
    with pytest.raises(InputError, match="capacity_bps"):
        profile_figure(given.profile, capacity_bps=-1)


def test_the_sigmoid_pair_meets_its_branches_and_its_interval(given):
    pair = given.pair
    figure = sigmoid_figure(given.profile, pair, 10e9)
    concave, convex = named(figure, "concave"), named(figure, "convex")
    assert_allclose(concave.x[[0, -1]], [0.4, 1e3 * pair.transition_s])
    assert_allclose(convex.x[[0, -1]], [1e3 * pair.transition_s, 366])
    expected = sigmoid(concave.x / 1e3, pair.concave.slope_per_s, pair.concave.midpoint_s)
    assert_allclose(concave.y, 10 * expected)
    transition = named(figure, "transition")
    assert_allclose(transition.x, 1e3 * pair.transition_s)
    strip = figure.layout.shapes[0]
    assert_allclose([strip.x0, strip.x1], [1e3 * pair.low_s, 1e3 * pair.high_s])


def test_a_profile_of_one_shape_has_one_sigmoid():
    rtt_s = [0.01, 0.1, 0.2, 0.3]

    def draw(mean_bps):
        profile = throughput_profile(rtt_s, [[mean, mean] for mean in mean_bps])
        pair = fit_sigmoid_pair(rtt_s, mean_bps, 10e9, noise_bps=0.01e9)
        return [t.name for t in sigmoid_figure(profile, pair, 10e9).data]

    assert "convex sigmoid" not in draw([9.9e9, 9.5e9, 8.5e9, 6e9])
    assert "concave sigmoid" not in draw([4e9, 1e9, 0.4e9, 0.2e9])


def test_a_pair_of_another_profile_is_refused(given):
    short = throughput_profile([0.01, 0.1], [[1e9, 1e9], [1e9, 1e9]])
    with pytest.raises(DataError, match="pair is of other RTTs"):
        sigmoid_figure(short, given.pair, 10e9)
    moved = SigmoidPair(0.5, 0.5, 0.5, given.pair.concave, None, given.pair.split_sse)
    with pytest.raises(DataError, match="pair is of other RTTs"):
        sigmoid_figure(given.profile, moved, 10e9)


def test_regions_and_gaps_of_the_curvature(given):
    figure = concavity_figure(given.profile, given.curvature)
    found = given.curvature
    assert figure.layout.title.text.endswith(found.verdict)
    for shape in set(found.shapes):
        drawn = [t for t in figure.data if t.name == shape and t.fill == "toself"]
        regions = [region for region in found.regions if region.shape == shape]
        assert_allclose([t.x[0] for t in drawn], [1e3 * r.start_rtt_s for r in regions])
        assert_allclose([t.x[2] for t in drawn], [1e3 * r.end_rtt_s for r in regions])
        assert [t.showlegend for t in drawn] == [True] + [False] * (len(drawn) - 1)
        points = next(t for t in figure.data if t.name == shape and t.mode == "markers")
        here = np.array(found.shapes) == shape
        assert_allclose(points.x, 1e3 * found.rtt_s[here])
        unit = 1e9 if "Gbit/s" in figure.layout.yaxis2.title.text else 1e6
        assert_allclose(points.y, found.gap_bps[here] / unit)
        assert_allclose(points.y + points.error_y.array, found.high_bps[here] / unit)
        assert_allclose(points.y - points.error_y.arrayminus, found.low_bps[here] / unit)
    zero = named(figure, "straight line")
    assert list(zero.y) == [0, 0]
    short = throughput_profile([0.01, 0.1], [[1e9, 1e9], [1e9, 1e9]])
    with pytest.raises(DataError, match="curvature is of other RTTs"):
        concavity_figure(short, given.curvature)


def test_estimates_lie_where_they_were_asked_for(given):
    at_s, guess_bps = [0.01, 0.2], [9e9, 5e9]
    figure = estimates_figure(given.profile, at_s, {"isotonic": guess_bps, "linear": guess_bps})
    assert_allclose(named(figure, "isotonic").x, [10, 200])
    assert_allclose(named(figure, "linear").y, [9, 5])
    assert named(figure, "isotonic").line.dash != named(figure, "linear").line.dash
    assert named(figure, "mean").mode == "markers"
    with pytest.raises(DataError, match="estimates_bps"):
        estimates_figure(given.profile, at_s, {})
    with pytest.raises(DataError, match="linear"):
        estimates_figure(given.profile, at_s, {"linear": [1.0]})


def test_the_error_of_estimates(given):
    figure = validation_figure({"linear": given.validation})
    unit = 1e9 if "Gbit/s" in figure.layout.yaxis.title.text else 1e6
    assert_allclose(figure.data[0].y, given.validation.rmse_at_rtt_bps / unit)
    assert_allclose(named(figure, "spread").y, given.validation.noise_bps / unit)
    with pytest.raises(DataError, match="validations has 0"):
        validation_figure({})


def test_segments_pass_their_anchors(given):
    x, runs = [0, 1, 2, 3, 4], [[0], [1, 1.1], [2], [1], [0]]
    fit = segmented_regression(x, runs, segments=2)
    figure = segments_figure(x, runs, fit, ("Distance", "miles"), ("RTT", "ms"))
    assert_allclose(figure.data[0].x, [0, 1, 1, 2, 3, 4])
    assert_allclose(figure.data[0].y, [0, 1, 1.1, 2, 1, 0])
    assert figure.data[1].name == "2 segments"
    assert_allclose(figure.data[1].x, fit.x)
    assert_allclose(figure.data[1].y, fit.y)
    assert figure.layout.xaxis.title.text == "Distance (miles)"


def test_the_chosen_number_of_segments_is_marked_on_its_bound(given):
    choice = given.choice
    risk, bound, best = segment_choice_figure(choice).data
    assert_allclose(risk.y, choice.risk)
    assert_allclose(bound.y, choice.bound)
    assert_allclose([best.x[0], best.y[0]], [choice.segments, choice.bound.min()])


def test_models_beside_a_measurement_with_a_knee(given):
    curves = {n: slow_start_profile(given.rtt_s, 10e9, 1500, 10, n) for n in (1, 10)}
    curves = {f"{n} streams": values for n, values in curves.items()}
    knee_s = float(buffer_knee(10e9, 250e6))
    figure = model_profiles_figure(
        given.rtt_s, curves, measured=given.profile, knees_s={"250 MB": knee_s}
    )
    assert_allclose(named(figure, "10 streams").y, curves["10 streams"] / 1e9)
    assert_allclose(named(figure, "mean").y, given.profile.mean_bps / 1e9)
    assert_allclose(figure.layout.shapes[0].x0, 200)
    assert_allclose(figure.layout.annotations[0].x, 200)
    assert figure.layout.annotations[0].text == "250 MB"
    colours = [t.line.color for t in figure.data if t.line.color]
    assert len(set(colours)) == len(colours)


def test_models_on_log_axes_put_the_knee_where_plotly_wants_it(given):
    figure = model_profiles_figure([0.01, 0.1], {"B": [1e9, 1e8]}, log=True, knees_s={"knee": 0.1})
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    assert figure.layout.showlegend  # a single curve has a name too
    assert_allclose([figure.layout.shapes[0].x0, figure.layout.annotations[0].x], [100, 2])
    with pytest.raises(DataError, match="curves_bps"):
        model_profiles_figure([0.01, 0.1], {})
    with pytest.raises(DataError, match="rtt_s"):
        model_profiles_figure([0.0, 0.1], {"B": [1e9, 1e8]}, log=True)
    with pytest.raises(InputError, match="knee"):
        model_profiles_figure([0.01, 0.1], {"B": [1e9, 1e8]}, knees_s={"knee": 0})


def test_the_areas_of_the_utilisation(given):
    mean_bps = np.array([9.4, 9.3, 9.2, 9.0, 8.2, 5.6, 2.1]) * 1e9
    figure = utilisation_figure(given.rtt_s, mean_bps, 10e9, given.utilisation)
    assert "C<sub>UC</sub> = 0.550" in figure.layout.title.text  # science.md: 0.5496
    assert named(figure, "above the chord").name.endswith("+0.012")  # and +0.0121
    assert_allclose(named(figure, "profile").y, mean_bps / 10e9)
    assert_allclose(named(figure, "chord").y, [0.94, 0.21])
    assert list(named(figure, "unused").y) == [1, 1]
    with pytest.raises(DataError, match="throughput_bps"):
        utilisation_figure(given.rtt_s, mean_bps, 5e9, given.utilisation)


def test_a_shape_that_was_not_found_has_no_points(given):
    rtt_s, mean_bps = given.rtt_s[[0, 3, 6]], [9e9, 8.9e9, 1e9]
    runs_bps = [[mean, mean + 1e6] for mean in mean_bps]
    figure = concavity_figure(throughput_profile(rtt_s, runs_bps), curvature(rtt_s, runs_bps))
    points = [t.name for t in figure.data if t.mode == "markers"]
    assert points == ["concave"]
    assert not [t for t in figure.data if t.name == "convex"]
