"""Analysis values to draw, and one figure of each kind."""

from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest

from lab_tools import models
from lab_tools.analysis import dynamics, fairness, profiles, queues
from lab_tools.analysis.dynamics import reference
from lab_tools.control import convergence_exponent, maximise_goodput, stabilise_goodput
from lab_tools.duality import (
    RedLoop,
    dual_gradient,
    fast_trajectory,
    maximise_utility,
    phase_crossing,
    vegas_joining,
)
from lab_tools.figures import (
    calendar,
    concavity,
    control,
    duality,
    estimates,
    exponents,
    loop,
    maps,
    network,
    noise,
    payoff,
    pipeline,
    profile,
    utilisation,
    windows,
)
from lab_tools.figures import fairness as shares
from lab_tools.figures import models as model_figures
from lab_tools.figures import queues as delays
from lab_tools.figures.look import Scale, rate_scale
from lab_tools.games import DefenceGame, cheapest_attack, payoff_surface, ratio_equilibrium
from lab_tools.reservation import LinkCalendar, all_starts, reservation_graph
from lab_tools.transfer import Stage, block_schedule, pipeline_rate

RTT_S = np.array([0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366])
MEAN_BPS = np.array([9.4, 9.3, 9.2, 9.0, 8.2, 5.6, 2.1]) * 1e9


@pytest.fixture(scope="session")
def given() -> SimpleNamespace:
    """Analysis values of small, plain examples."""
    rng = np.random.default_rng(1)
    runs_bps = [mean + rng.normal(0, 0.1e9, 5) for mean in MEAN_BPS]
    measured = profiles.throughput_profile(RTT_S, runs_bps)
    orbit = reference.logistic_orbit(3.9, 400)
    time_s = np.arange(0, 40, 0.1)
    cwnd = reference.surrogate_aimd_orbit(40.0, time_s.size, start=10.0)
    graph = reservation_graph(
        [
            ("ORNL", "CHI", LinkCalendar((0, 4, 10), (10e9, 2e9))),
            ("CHI", "SEA", LinkCalendar((0, 2, 6, 10), (4e9, 10e9, 0))),
        ]
    )
    trace_bps = np.array([1e9, 4e9, 10e9, 9e9, 10e9, 10e9])
    stages = [Stage("read", 32e9), Stage("network", 9e9), Stage("write", 12e9)]
    red = RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4)
    routes = [[1, 1, 0], [1, 0, 1]]
    n = np.arange(1, 101)
    return SimpleNamespace(
        rtt_s=RTT_S,
        runs_bps=runs_bps,
        profile=measured,
        pair=profiles.fit_sigmoid_pair(RTT_S, measured.mean_bps, 10e9, noise_bps=0.1e9),
        curvature=profiles.curvature(RTT_S, runs_bps),
        validation=profiles.cross_validate(RTT_S, runs_bps, "linear"),
        choice=profiles.choose_segments(RTT_S, runs_bps, loss_scale=10e9),
        utilisation=profiles.utilisation_concavity(RTT_S, MEAN_BPS, 10e9),
        orbit=orbit,
        points=dynamics.poincare_map(orbit),
        map_curve=dynamics.map_curve(orbit, bins=16),
        divergence=dynamics.neighbour_divergence(orbit, rng),
        exponent=dynamics.Exponent(0.5, 0.4, 0.7, 100),
        shells=dynamics.time_dependent_exponents(orbit, dimension=1, lag=1, steps=5),
        diffusion=dynamics.diffusion_exponent(np.cumsum(rng.normal(size=400))),
        surrogates=dynamics.SurrogateTest(0.1, np.array([0.7, 0.8, 0.9]), 0.25),
        time_s=time_s,
        cwnd=cwnd,
        teeth=dynamics.find_sawtooth(time_s, cwnd),
        trace_bps=trace_bps,
        phases=dynamics.split_phases(trace_bps, 1.0),
        bias=fairness.rtt_bias_exponent([0.02, 0.04], [[8e6, 4e6], [9e6, 3e6]]),
        bloat=queues.bufferbloat([0.02, 0.02, 0.03], [0.1, 0.09, 0.1]),
        surface=payoff_surface(
            DefenceGame(100, 50, (1.0,), (1.0,)), np.linspace(5, 45, 9), np.linspace(2, 22, 6)
        ),
        equilibrium=ratio_equilibrium(100, 50),
        plan=cheapest_attack([4, 16], fibre_cost=6, server_cost=1, disable=18),
        graph=graph,
        starts=all_starts(graph, "ORNL", "SEA", 4e9, 2),
        trajectory=stabilise_goodput(lambda rate: 0.8 * rate, 1e6, 2e6, 20, highest_bps=10e6),
        climb=maximise_goodput(
            lambda r: max(0.0, 5e6 - (r - 6e6) ** 2 / 4e6), 2e6, 20, 20e6, a_bps=3e6, c_bps=1e6
        ),
        n=n,
        fit=convergence_exponent(n, 5.0 / n),
        vegas=vegas_joining(6000, 2000, 0.010, sources=5),
        fast=fast_trajectory(100, [20, 40], [0.1, 0.2], [1, 1], steps=40),
        dual=dual_gradient(routes, [1, 1], [1, 1, 1], step=0.3, iterations=60, highest_rate=1.0),
        allocation=maximise_utility(routes, [1, 1], [1, 1, 1]),
        red=red,
        crossings=[phase_crossing(red, rtt_s) for rtt_s in (0.05, 0.2)],
        pipeline=pipeline_rate(stages, flows=1, block_bytes=1e6, buffers=4),
        schedule=block_schedule([1.0, 2.0], blocks=3, buffers=1),
    )


@pytest.fixture(scope="session")
def gallery(given: SimpleNamespace) -> dict[str, go.Figure]:
    """One figure of each kind, by the name of its function."""
    g = given
    limit_bps = np.minimum(10e9, models.buffer_limit(RTT_S, 250e6))
    figures = {
        profile.profile_figure: (g.profile,),
        profile.sigmoid_figure: (g.profile, g.pair, 10e9),
        concavity.concavity_figure: (g.profile, g.curvature),
        estimates.estimates_figure: (g.profile, RTT_S, {"linear": MEAN_BPS}),
        estimates.validation_figure: ({"linear": g.validation},),
        estimates.segments_figure: (
            (RTT_S, g.runs_bps, g.choice.fit, ("RTT", "s"), ("Rate", "bit/s"))
        ),
        estimates.segment_choice_figure: (g.choice,),
        model_figures.model_profiles_figure: (RTT_S, {"250 MB": limit_bps}),
        utilisation.utilisation_figure: (RTT_S, MEAN_BPS, 10e9, g.utilisation),
        maps.poincare_figure: (g.points, Scale(1.0, "segments")),
        maps.cobweb_figure: (g.orbit[:5], [0, 0.5, 1], [0, 0.975, 0], ("State", "no unit")),
        exponents.divergence_figure: (g.divergence, g.exponent),
        exponents.shells_figure: (g.shells,),
        exponents.exponents_figure: ({"derivative": g.exponent},),
        noise.diffusion_figure: (g.diffusion, rate_scale(1e9)),
        noise.surrogates_figure: (g.surrogates,),
        windows.phases_figure: (g.trace_bps, 1.0, g.phases),
        windows.sawtooth_figure: (g.time_s, g.cwnd, g.teeth),
        shares.shares_figure: ([8e6, 2e6],),
        shares.rtt_bias_figure: ([0.02, 0.04], [[8e6, 4e6], [9e6, 3e6]], g.bias),
        delays.queue_delay_figure: ([0.0, 1.0], [0.0, 0.03]),
        delays.bufferbloat_figure: ([0.02, 0.02, 0.03], [0.1, 0.09, 0.1], g.bloat),
        payoff.payoff_figure: (g.surface, g.equilibrium),
        payoff.bimatrix_figure: (
            [[5, 2], [8, 3]],
            [[5, 8], [2, 3]],
            ["cubic", "bbr"],
            ["cubic", "bbr"],
        ),
        payoff.population_figure: ([6e6, 4e6], [3e6, 3e6], [2], ("bbr", "cubic")),
        network.dumbbell_figure: (1e9, 0.04, 5e6),
        network.sites_figure: ([4, 16], g.plan),
        calendar.calendar_figure: (g.graph,),
        control.trajectory_figure: (g.trajectory, 2e6),
        control.climb_figure: (g.climb,),
        control.convergence_figure: (g.n, 5.0 / g.n, g.fit),
        duality.vegas_figure: (g.vegas,),
        duality.windows_figure: (g.fast,),
        duality.dual_figure: (g.dual,),
        loop.nyquist_figure: (g.red, [0.05, 0.2]),
        loop.crossing_figure: ([0.05, 0.2], g.crossings),
        pipeline.pipeline_figure: (["read", "network", "write"], g.pipeline),
        pipeline.schedule_figure: (g.schedule, ["read", "send"]),
    }
    return {draw.__name__: draw(*arguments) for draw, arguments in figures.items()}
