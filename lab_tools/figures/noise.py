"""Diffusion of a trace, and its surrogates."""

import numpy as np
import plotly.graph_objects as go

from lab_tools.analysis.dynamics import Diffusion, SurrogateTest
from lab_tools.arrays import number
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import BLUE, REFERENCE, VERMILLION, Scale, axis, layout


def diffusion_figure(
    diffusion: Diffusion,
    scale: Scale,
    *,
    interval_s: float = 1.0,
    title: str = "Diffusion of a trace",
) -> go.Figure:
    """Draw the root mean square displacement over the lag, log-log, with the fitted power law.

    Parameters
    ----------
    diffusion : from `diffusion_exponent`, in SI units.
    scale : the unit to read displacements in.
    interval_s : sampling interval in seconds.
    title : above the figure.

    Raises
    ------
    DataError : values of other kinds; InputError : an interval that is not positive.

    Source: Mandelbrot and Van Ness, SIAM Review 10 (1968), for the exponent H.

    >>> from lab_tools.analysis.dynamics import diffusion_exponent
    >>> figure = diffusion_figure(diffusion_exponent(np.arange(100.0)), Scale(1, "segments"))
    >>> figure.data[1].name
    'power H = 1.00, r² = 1.000'
    """
    given("diffusion", diffusion, Diffusion)
    given("scale", scale, Scale)
    lag_s = number("interval_s", interval_s, above=0) * diffusion.lag
    displacement = scale.show(np.sqrt(diffusion.mean_square))
    text = hover("Lag", "s", "displacement", scale.unit)
    logs = np.log(lag_s)
    # A least-squares line passes through the middle of its points, here of their logarithms.
    middle = float(np.log(displacement).mean())
    line = np.exp(middle + diffusion.exponent * (logs - logs.mean()))
    name = f"power H = {diffusion.exponent:.2f}, r² = {diffusion.r_squared:.3f}"
    dash = {"color": VERMILLION, "width": 2, "dash": "dash"}
    return go.Figure(
        [
            curve(lag_s, displacement, "measured", BLUE, text, mode="markers"),
            curve(lag_s, line, name, VERMILLION, text, line=dash),
        ],
        layout(
            title,
            axis("Lag", "s", log=True),
            axis("RMS displacement", scale.unit, log=True),
        ),
    )


def surrogates_figure(test: SurrogateTest, *, title: str = "Surrogate-data test") -> go.Figure:
    """Draw the prediction error of a trace beside those of its surrogates.

    The trace is more than linear noise if it is predicted better than (nearly) all of them.

    Parameters
    ----------
    test : from `surrogate_test`.
    title : above the figure, which goes on with the p-value.

    Raises
    ------
    DataError : not such a test.

    Source: Theiler et al., Physica D 58 (1992).

    >>> from lab_tools.analysis.dynamics import SurrogateTest
    >>> figure = surrogates_figure(SurrogateTest(0.1, np.array([0.8, 0.9]), 0.05))
    >>> figure.layout.title.text
    'Surrogate-data test: p = 0.05'
    """
    given("test", test, SurrogateTest)
    text = "prediction error %{x:.4g} standard deviations"
    others = go.Histogram(
        x=test.surrogate_errors,
        name=f"{test.surrogate_errors.size} surrogates",
        marker={"color": REFERENCE},
        nbinsx=20,
        hovertemplate=text + "<br>%{y} surrogates<extra></extra>",
    )
    trace = curve([test.error] * 2, [0, 1], "the trace", VERMILLION, text, yaxis="y2")
    trace.line.width = 4
    figure = go.Figure(
        [others, trace],
        layout(
            f"{title}: p = {test.p_value:.3g}",
            axis("Prediction error", "standard deviations", rangemode="tozero"),
            axis("Surrogates", "number"),
        ),
    )
    return figure.update_layout(
        yaxis2={"overlaying": "y", "visible": False, "range": [0, 1], "fixedrange": True}
    )
