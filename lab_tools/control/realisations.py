"""Two ways to set a rate ``W / T``: change the window W, or change the cycle time T."""

from lab_tools.arrays import number
from lab_tools.control.robbins_monro import step_size


def window_step(
    window_bits: float,
    cycle_s: float,
    goodput_bps: float,
    target_bps: float,
    n: int,
    a: float,
    alpha: float,
    smallest_bits: float = 12_000.0,
) -> float:
    """The next window when a source sends one window in each fixed cycle.

    ``W_(n+1) = W_n - (a T / n^alpha) (g_n - g*)``: the Robbins–Monro step on the rate ``W / T``,
    multiplied by T. Reconstructed from the damaged formula in Rao's talk of 2003.

    Parameters
    ----------
    window_bits : W_n, above 0.
    cycle_s : T, from the start of one window to the start of the next, above 0.
    goodput_bps, target_bps : g_n (0 or more) and g* (above 0).
    n, a, alpha : as in `step_size`.
    smallest_bits : lower bound of the window; by default one packet of 1500 bytes.

    Raises
    ------
    InputError : a value out of range.

    >>> window_step(2e5, cycle_s=0.1, goodput_bps=1.5e6, target_bps=1e6, n=1, a=0.8, alpha=0.8)
    160000.0
    """
    window = number("window_bits", window_bits, above=0)
    cycle = number("cycle_s", cycle_s, above=0)
    error = number("goodput_bps", goodput_bps, low=0) - number("target_bps", target_bps, above=0)
    following = window - step_size(n, a, alpha) * cycle * error
    return max(following, number("smallest_bits", smallest_bits, above=0))


def sleep_step(
    window_bits: float,
    cycle_s: float,
    goodput_bps: float,
    target_bps: float,
    n: int,
    a: float,
    alpha: float,
    longest_s: float = 1.0,
) -> float:
    """The next cycle time when a source sends a fixed window and then sleeps.

    ``T_(n+1) = 1 / (1/T_n - (a/W) (g_n - g*) / n^alpha)``: the Robbins–Monro step on the rate
    ``W / T``, divided by W and inverted. Reconstructed from the damaged formula in Rao's talk of
    2003.

    Parameters
    ----------
    window_bits : W, above 0.
    cycle_s : T_n, above 0.
    goodput_bps, target_bps : g_n (0 or more) and g* (above 0).
    n, a, alpha : as in `step_size`.
    longest_s : upper bound of the cycle time, also where the step asks for a negative rate.

    Raises
    ------
    InputError : a value out of range.

    >>> sleep_step(2e5, cycle_s=0.1, goodput_bps=1.5e6, target_bps=1e6, n=1, a=0.8, alpha=0.8)
    0.125
    """
    window = number("window_bits", window_bits, above=0)
    cycle = number("cycle_s", cycle_s, above=0)
    error = number("goodput_bps", goodput_bps, low=0) - number("target_bps", target_bps, above=0)
    longest = number("longest_s", longest_s, above=0)
    cycles_per_s = 1.0 / cycle - step_size(n, a, alpha) / window * error
    return 1.0 / max(cycles_per_s, 1.0 / longest)
