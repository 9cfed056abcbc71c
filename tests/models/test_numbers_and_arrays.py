"""Every model takes numbers or arrays: numbers give a number, arrays an array of their shape."""

import pytest

from lab_tools import models

CALLS = {
    "aimd_mean_window": (0.01,),
    "aimd_utilisation": (3,),
    "bbr_goodput": (0.1, 0.01, 1e9),
    "buffer_knee": (1e9, 1e6),
    "buffer_limit": (0.1, 1e6),
    "cubic_loss_for": (0.1, 1000),
    "cubic_mean_window": (0.1, 0.01),
    "cubic_operating_window": (0.1, 0.01),
    "cubic_recovery_time": (1000,),
    "cubic_window": (1, 1000),
    "equal_parallel_goodput": (0.1, 0.01, 1460, 4),
    "hstcp_decrease": (1000,),
    "hstcp_increase": (1000,),
    "hstcp_loss_for": (1000,),
    "hstcp_mean_window": (0.01,),
    "hstcp_recovery_time": (0.1, 1000),
    "htcp_backoff": (0.1, 0.15),
    "htcp_increase": (2, 0.1),
    "htcp_mean_window": (0.1, 0.01),
    "htcp_recovery_time": (0.1, 1000),
    "link_efficiency": (1448,),
    "mathis_goodput": (0.1, 0.01, 1460),
    "mathis_limited_goodput": (0.1, 0.01, 1460, 1e9),
    "mathis_loss_for": (1e9, 0.1, 1460),
    "mss_for_mtu": (1500,),
    "pftk_full": (0.1, 0.01, 1460),
    "pftk_short": (0.1, 0.01, 1460),
    "rampup_goodput": (1e9, 1e8, 0.1),
    "reno_loss_for": (1000,),
    "reno_mean_window": (0.01,),
    "reno_recovery_time": (0.1, 1000),
    "router_buffer": (1e9, 0.1),
    "scalable_mean_window": (0.01,),
    "scalable_operating_window": (0.01,),
    "scalable_recovery_time": (0.1,),
    "slow_start_packets": (1000,),
    "slow_start_profile": (0.1, 1e9, 1460, 10),
    "slow_start_time": (0.1, 1e9, 1460),
    "window_for": (1e9, 0.1, 1460),
    "window_goodput": (1000, 0.1, 1460),
}
ONE_NUMBER = {"parallel_goodput"}  # takes the losses of all streams, gives their sum


def test_every_model_is_listed():
    functions = {name for name in models.__all__ if name.islower()}
    assert functions == set(CALLS) | ONE_NUMBER


@pytest.mark.parametrize(("name", "arguments"), CALLS.items())
def test_numbers_give_a_number_and_arrays_an_array(name, arguments):
    model = getattr(models, name)
    number = model(*arguments)
    assert isinstance(number, float)
    first, *others = arguments
    array = model([[first], [first]], *others)
    assert array.shape == (2, 1)
    assert array.ravel() == pytest.approx([number, number])
