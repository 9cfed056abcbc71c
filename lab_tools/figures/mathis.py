"""Measured goodput against the laws of Mathis and PFTK, on logarithmic axes."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError, UnknownNameError
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import BLUE, GREEN, VERMILLION, Scale, axis, layout, rate_scale
from lab_tools.models import PERIODIC_K, mathis_goodput, pftk_full

POINTS = 100
#: How far the lines go beyond the first and the last point, as a factor.
MARGIN = 1.5
_AXES = {"loss": ("Loss", Scale(1e-2, "%")), "rtt": ("RTT", Scale(1e-3, "ms"))}


def mathis_figure(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    mss_bytes: float,
    goodput_bps: ArrayLike,
    *,
    over: str = "loss",
    k: float = PERIODIC_K,
    title: str = "",
) -> go.Figure:
    """Draw goodput measured over loss or over RTT with the lines of Mathis and PFTK.

    What is not on the axis must be the same for all points. PFTK takes a timeout of four RTTs.

    Parameters
    ----------
    rtt_s, loss, goodput_bps : one value for each point, in seconds, as a fraction, in bit/s.
    mss_bytes : payload of a full segment, in bytes.
    over : ``"loss"`` or ``"rtt"``, what the horizontal axis shows.
    k : constant of the line of Mathis.
    title : above the figure; without one, a title that says what it shows.

    Raises
    ------
    UnknownNameError : another axis.
    DataError : arrays of other lengths, or points that differ in what is not on the axis.

    Source: Mathis et al. 1997; Padhye et al. 1998.

    >>> figure = mathis_figure([0.02, 0.02], [1e-3, 4e-3], 1448, [23e6, 11e6])
    >>> [part.name for part in figure.data]
    ['Mathis, k = 1.225', 'PFTK', 'measured']
    """
    if over not in _AXES:
        raise UnknownNameError("over", over, _AXES)
    values = {"rtt": vector("rtt_s", rtt_s), "loss": vector("loss", loss)}
    goodput = vector("goodput_bps", goodput_bps)
    _same_length(goodput, **values)
    other = next(name for name in values if name != over)
    if not np.allclose(values[other], values[other][0], rtol=1e-6):
        raise DataError(other, "differs between the points", "the same value everywhere")
    x = values[over]
    line = np.geomspace(x.min() / MARGIN, x.max() * MARGIN, POINTS)
    rtts, losses = (line, values["loss"][0]) if over == "rtt" else (values["rtt"][0], line)
    name, x_scale = _AXES[over]
    y_scale = rate_scale(goodput)
    text = hover(name, x_scale.unit, "Goodput", y_scale.unit)
    at = x_scale.show(line)
    mathis = y_scale.show(mathis_goodput(rtts, losses, mss_bytes, k))
    pftk = y_scale.show(pftk_full(rtts, losses, mss_bytes))
    dashed = {"color": GREEN, "width": 2, "dash": "dash"}
    return go.Figure(
        [
            curve(at, mathis, f"Mathis, k = {k:.4g}", VERMILLION, text),
            curve(at, pftk, "PFTK", GREEN, text, line=dashed),
            _points(x_scale.show(x), y_scale.show(goodput), text),
        ],
        layout(
            title or f"Goodput of one stream over {name if over == 'rtt' else name.lower()}",
            axis(name, x_scale.unit, log=True),
            axis("Goodput", y_scale.unit, log=True),
        ),
    )


def mathis_collapse(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    mss_bytes: ArrayLike,
    goodput_bps: ArrayLike,
    *,
    k: float = PERIODIC_K,
    title: str = "One law for every path",
) -> go.Figure:
    """Draw all points over MSS/(RTT √loss): where the law of Mathis holds they lie on one line.

    Parameters
    ----------
    rtt_s, loss, mss_bytes, goodput_bps : one value for each point, in seconds, as a fraction, in
        bytes, in bit/s.
    k : constant of the line.
    title : above the figure.

    Raises
    ------
    DataError : arrays of other lengths.
    InputError : a constant that is not positive.

    Source: Eq. 3 of Mathis et al. 1997.

    >>> figure = mathis_collapse([0.02, 0.04], [1e-3, 1e-3], [1448, 8948], [23e6, 70e6])
    >>> figure.layout.yaxis.title.text
    'Goodput (Mbit/s)'
    """
    number("k", k, above=0)
    goodput = vector("goodput_bps", goodput_bps)
    values = {
        "rtt_s": vector("rtt_s", rtt_s),
        "loss": vector("loss", loss),
        "mss_bytes": vector("mss_bytes", mss_bytes),
    }
    _same_length(goodput, **values)
    x = mathis_goodput(values["rtt_s"], values["loss"], values["mss_bytes"], 1.0)
    scale = rate_scale(np.median(goodput))
    text = hover("MSS/(RTT √p)", scale.unit, "Goodput", scale.unit)
    ends = scale.show([x.min() / MARGIN, x.max() * MARGIN])
    return go.Figure(
        [
            reference(ends, k * ends, f"k = {k:.4g}"),
            _points(scale.show(x), scale.show(goodput), text),
        ],
        layout(
            title,
            axis("MSS/(RTT √loss)", scale.unit, log=True),
            axis("Goodput", scale.unit, log=True),
        ),
    )


def _points(x: FloatArray, y: FloatArray, text: str) -> go.Scatter:
    marker = {"color": BLUE, "size": 11, "line": {"color": "white", "width": 1}}
    return curve(x, y, "measured", BLUE, text, mode="markers", marker=marker)


def _same_length(goodput: FloatArray, **others: FloatArray) -> None:
    for name, values in others.items():
        if values.size != goodput.size:
            raise DataError(name, f"has {values.size} values", f"{goodput.size}, one a point")
