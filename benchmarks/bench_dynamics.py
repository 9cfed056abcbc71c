"""Time the analysis of a long trace beside plain loops and nolds, all in one run.

Prints a table of times, ratios and the peak memory of the process after each step. Figures from
different runs or machines are not comparable; ratios within one table are.
"""

import argparse
import resource
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

from lab_tools.analysis.dynamics import (
    find_sawtooth,
    map_curve,
    neighbour_divergence,
    neighbour_ratio_exponent,
    split_phases,
    summarise_trace,
)
from lab_tools.analysis.dynamics.reference import logistic_orbit

INTERVAL_S = 0.001


def long_trace(samples: int, rng: np.random.Generator) -> np.ndarray:
    """Throughput in bit/s: a ramp-up of 5 %, then sawteeth of a thousand samples with noise."""
    trace = rng.normal(0, 1e8, samples)
    trace += 9e9 - 1e9 * ((np.arange(samples) % 1000) / 1000)
    ramp = samples // 20
    trace[:ramp] *= np.linspace(0.01, 1, ramp)
    return np.maximum(trace, 0)


def naive_summary(trace: np.ndarray) -> float:
    """Phases, bins of the Poincaré map and moments in a plain loop."""
    level = float(np.median(trace[trace.size // 2 :]))
    values = trace.tolist()
    start = next(i for i, value in enumerate(values) if value >= 0.9 * level)
    low, high = min(values[start:]), max(values[start:])
    bins = [[0, 0.0, 0.0, 0.0, 0.0] for _ in range(64)]
    total = squares = products = 0.0
    for i in range(start, len(values) - 1):
        now, later = values[i], values[i + 1]
        total += now
        squares += now * now
        products += now * later
        sums = bins[min(int((now - low) / (high - low) * 64), 63)]
        sums[0] += 1
        sums[1] += now
        sums[2] += later
        sums[3] += later * later
        sums[4] += now * later
    return total


def naive_neighbour_ratio(x: np.ndarray, theiler: int = 10) -> float:
    """One-step exponent from nearest neighbours in a plain double loop."""
    values, total, pairs = x.tolist(), 0.0, 0
    for i in range(len(values) - 1):
        nearest, best = -1, float("inf")
        for j in range(len(values) - 1):
            if abs(i - j) > theiler and 0 < abs(values[i] - values[j]) < best:
                nearest, best = j, abs(values[i] - values[j])
        after = abs(values[i + 1] - values[nearest + 1])
        if after > 0:
            total += float(np.log(after / best))
            pairs += 1
    return total / pairs


def nolds_rosenstein(x: np.ndarray) -> float:
    """Rosenstein's exponent by nolds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import nolds
    return float(nolds.lyap_r(x, emb_dim=2, lag=1, min_tsep=10, trajectory_len=6, fit="poly"))


def timed(work: Callable[[], object]) -> float:
    """Seconds of wall time of one call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def peak_megabytes() -> float:
    """Largest resident memory of this process so far."""
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def row(name: str, samples: int, seconds: float, ratio: str = "") -> None:
    """Print one line of the table."""
    print(f"{name:<42}{samples:>12,}{seconds:>10.3f}{ratio:>26}{peak_megabytes():>12.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=10_000_000, help="length of the long trace")
    parser.add_argument("--naive", type=int, default=1_000_000, help="length for the plain loop")
    parser.add_argument("--orbit", type=int, default=2000, help="length for nolds and double loop")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)

    print(f"{'':<42}{'samples':>12}{'time/s':>10}{'ratio':>26}{'peak/MB':>12}")
    trace = long_trace(options.samples, rng)
    row("(trace made)", trace.size, 0.0)
    row("split_phases", trace.size, timed(lambda: split_phases(trace, INTERVAL_S)))
    row("map_curve", trace.size, timed(lambda: map_curve(trace)))
    ours = timed(lambda: summarise_trace(trace, INTERVAL_S, rng))
    row("summarise_trace (segment, map, summarise)", trace.size, ours)
    part = trace[: options.naive]
    naive = timed(lambda: naive_summary(part))
    ratio = naive / part.size / (ours / trace.size)
    row("plain loop: phases, bins, moments only", part.size, naive, f"{ratio:.1f} x per sample")
    times = np.arange(trace.size) * INTERVAL_S
    row("find_sawtooth", trace.size, timed(lambda: find_sawtooth(times, trace + 1)))

    orbit = logistic_orbit(4.0, options.orbit)
    ours = timed(lambda: neighbour_ratio_exponent(orbit, rng))
    row("neighbour_ratio_exponent", orbit.size, ours)
    naive = timed(lambda: naive_neighbour_ratio(orbit))
    row("the same in a plain double loop", orbit.size, naive, f"{naive / ours:.1f} x")
    ours = timed(lambda: neighbour_divergence(orbit, rng))
    row("neighbour_divergence (500 bootstraps)", orbit.size, ours)
    nolds_rosenstein(orbit[:100])  # its import is not timed
    rival = timed(lambda: nolds_rosenstein(orbit))
    row("nolds.lyap_r (no interval)", orbit.size, rival, f"{rival / ours:.1f} x")


if __name__ == "__main__":
    main()
