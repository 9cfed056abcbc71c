import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import (
    aimd_utilisation,
    equal_parallel_goodput,
    mathis_goodput,
    parallel_goodput,
)


@settings(max_examples=50, deadline=None)
@given(st.floats(1e-3, 1), st.floats(1e-8, 0.1), st.integers(1, 64))
def test_equal_streams_are_one_stream_with_a_larger_segment(rtt_s, loss, streams):
    total_bps = equal_parallel_goodput(rtt_s, loss, 1460, streams)
    assert total_bps == pytest.approx(parallel_goodput(rtt_s, [loss] * streams, 1460))
    assert total_bps == pytest.approx(mathis_goodput(rtt_s, loss, streams * 1460))


def test_unequal_streams_add_up():
    """Losses of 1, 4 and 9 in 10 000 give shares of 1, 1/2 and 1/3."""
    single_bps = mathis_goodput(0.02, 1e-4, 1460, 1.0)
    total_bps = parallel_goodput(0.02, [1e-4, 4e-4, 9e-4], 1460, 1.0)
    assert total_bps / single_bps == pytest.approx(11 / 6)


def test_utilisation_of_the_paper():
    """Altman et al.: 3 connections use 90 %, 6 almost 95 %; one is the plain sawtooth's 3/4."""
    assert aimd_utilisation([1, 3]) == pytest.approx([0.75, 0.9])
    assert aimd_utilisation(6) == pytest.approx(18 / 19)


def simulated_utilisation(streams, beta, largest_first, losses=20_000):
    """Rates grow together until they fill the link; then one flow cuts its rate to beta times."""
    rng = np.random.default_rng(3)
    rates = rng.random(streams)
    rates /= rates.sum()
    carried = duration = 0.0
    for _ in range(losses):
        victim = rates.argmax() if largest_first else rng.choice(streams, p=rates)
        rates[victim] *= beta
        missing = 1 - rates.sum()
        duration += missing
        carried += missing * (1 - missing / 2)
        rates += missing / streams
        rates /= rates.sum()
    return carried / duration


@pytest.mark.parametrize(("streams", "beta"), [(2, 0.5), (4, 0.5), (3, 0.7)])
@pytest.mark.parametrize("largest_first", [True, False])
def test_utilisation_is_that_of_a_simulation_whoever_loses(streams, beta, largest_first):
    simulated = simulated_utilisation(streams, beta, largest_first)
    assert aimd_utilisation(streams, beta) == pytest.approx(simulated, abs=0.005)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 100), st.floats(0.1, 0.9))
def test_utilisation_grows_with_streams_and_stays_below_one(streams, beta):
    assert aimd_utilisation(streams, beta) < aimd_utilisation(streams + 1, beta) < 1


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match=r"^streams = 0"):
        equal_parallel_goodput(0.1, 0.01, 1460, 0)
    with pytest.raises(InputError, match=r"^streams = 0\.5"):
        aimd_utilisation(0.5)
    with pytest.raises(InputError, match=r"^beta = 1"):
        aimd_utilisation(2, 1)
    with pytest.raises(InputError, match=r"^rtt_s = 0"):
        parallel_goodput(0, [0.1], 1460)
    with pytest.raises(InputError, match=r"^k = 0"):
        parallel_goodput(0.1, [0.1], 1460, 0)
    with pytest.raises(DataError, match=r"^stream_loss has the value 1\.0: it needs values below"):
        parallel_goodput(0.1, [0.1, 1.0], 1460)
    with pytest.raises(DataError, match=r"^stream_loss has 0 values"):
        parallel_goodput(0.1, [], 1460)
    with pytest.raises(DataError, match=r"^stream_loss has shape"):
        parallel_goodput(0.1, [[0.1]], 1460)
