"""Closed forms of TCP's throughput: what to expect before anything is measured.

One model a module; every rate is in bit/s, every time in seconds, every size in bytes unless the
name says packets. Arguments are numbers or arrays whose shapes broadcast; numbers alone give a
number.
"""

from lab_tools.models.altman import aimd_utilisation
from lab_tools.models.bbr import BBR_V1, BBR_V3, BbrConstants, bbr_goodput
from lab_tools.models.buffer import buffer_knee, buffer_limit, router_buffer
from lab_tools.models.cubic import (
    CUBIC_BETA,
    CUBIC_C,
    cubic_loss_for,
    cubic_mean_window,
    cubic_operating_window,
    cubic_recovery_time,
    cubic_window,
)
from lab_tools.models.efficiency import link_efficiency, mss_for_mtu
from lab_tools.models.hacker import equal_parallel_goodput, parallel_goodput
from lab_tools.models.hstcp import (
    hstcp_decrease,
    hstcp_increase,
    hstcp_loss_for,
    hstcp_mean_window,
    hstcp_recovery_time,
)
from lab_tools.models.htcp import (
    htcp_backoff,
    htcp_increase,
    htcp_mean_window,
    htcp_recovery_time,
)
from lab_tools.models.mathis import (
    MATHIS_CONSTANTS,
    PERIODIC_K,
    MathisConstant,
    mathis_goodput,
    mathis_limited_goodput,
    mathis_loss_for,
)
from lab_tools.models.pftk import pftk_full, pftk_short
from lab_tools.models.rampup import rampup_goodput, slow_start_profile
from lab_tools.models.reno import (
    RENO_K_RFC,
    aimd_mean_window,
    reno_loss_for,
    reno_mean_window,
    reno_recovery_time,
)
from lab_tools.models.scalable import (
    scalable_mean_window,
    scalable_operating_window,
    scalable_recovery_time,
)
from lab_tools.models.slow_start import slow_start_packets, slow_start_time
from lab_tools.models.window import window_for, window_goodput

__all__ = [
    "BBR_V1",
    "BBR_V3",
    "CUBIC_BETA",
    "CUBIC_C",
    "MATHIS_CONSTANTS",
    "PERIODIC_K",
    "RENO_K_RFC",
    "BbrConstants",
    "MathisConstant",
    "aimd_mean_window",
    "aimd_utilisation",
    "bbr_goodput",
    "buffer_knee",
    "buffer_limit",
    "cubic_loss_for",
    "cubic_mean_window",
    "cubic_operating_window",
    "cubic_recovery_time",
    "cubic_window",
    "equal_parallel_goodput",
    "hstcp_decrease",
    "hstcp_increase",
    "hstcp_loss_for",
    "hstcp_mean_window",
    "hstcp_recovery_time",
    "htcp_backoff",
    "htcp_increase",
    "htcp_mean_window",
    "htcp_recovery_time",
    "link_efficiency",
    "mathis_goodput",
    "mathis_limited_goodput",
    "mathis_loss_for",
    "mss_for_mtu",
    "parallel_goodput",
    "pftk_full",
    "pftk_short",
    "rampup_goodput",
    "reno_loss_for",
    "reno_mean_window",
    "reno_recovery_time",
    "router_buffer",
    "scalable_mean_window",
    "scalable_operating_window",
    "scalable_recovery_time",
    "slow_start_packets",
    "slow_start_profile",
    "slow_start_time",
    "window_for",
    "window_goodput",
]
