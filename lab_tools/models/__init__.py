"""Closed forms of TCP's throughput: what to expect before anything is measured.

One model a module; every rate is in bit/s, every time in seconds, every size in bytes unless the
name says packets. Arguments are numbers or arrays whose shapes broadcast.
"""

from lab_tools.models.buffer import buffer_knee, buffer_limit
from lab_tools.models.mathis import (
    MATHIS_CONSTANTS,
    PERIODIC_K,
    MathisConstant,
    mathis_goodput,
    mathis_limited_goodput,
    mathis_loss_for,
)
from lab_tools.models.pftk import pftk_full, pftk_short

__all__ = [
    "MATHIS_CONSTANTS",
    "PERIODIC_K",
    "MathisConstant",
    "buffer_knee",
    "buffer_limit",
    "mathis_goodput",
    "mathis_limited_goodput",
    "mathis_loss_for",
    "pftk_full",
    "pftk_short",
]
