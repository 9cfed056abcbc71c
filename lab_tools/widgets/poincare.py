"""Poincaré maps: reference maps whose answers are known, or the samples of a trace."""

from lab_tools.arrays import number
from lab_tools.figures.look import Scale
from lab_tools.widgets.map_explorer import MapExplorer
from lab_tools.widgets.notebook import show, show_still, widgets_on
from lab_tools.widgets.series_explorer import Series, SeriesExplorer

PLAIN = Scale(1.0, "no unit")


def poincare_explorer(
    series: Series | None = None, *, scale: Scale = PLAIN, interval_s: float = 1.0
) -> None:
    """Show a panel for Poincaré maps.

    Without a series: the logistic map, the tent map and the window of an AIMD sender, with sliders
    for the parameter, the start of the orbit and the number of steps, drawn as a cobweb, and the
    exponent from the map's own slope. With one: its map with a slider for the lag, its determinism
    and the exponent of nearest neighbours. Where widgets cannot be shown, a still picture or a
    short table takes the place.

    Parameters
    ----------
    series : samples at even intervals, at least 40, or names and such samples (optional).
    scale : the unit to read them in, such as ``rate_scale(trace)``.
    interval_s : the sampling interval in s.

    Raises
    ------
    DataError : NaN or too few samples. InputError : an interval that is not positive.

    >>> poincare_explorer()
    Map       logistic map
    Growth r  3.9
    Exponent  0.49... per step (mean of ln |slope| along the orbit)
    """
    every_s = number("interval_s", interval_s, above=0)
    panel = MapExplorer() if series is None else SeriesExplorer(series, scale, every_s)
    if widgets_on():
        show(panel.widget, panel.words())
    else:
        show_still(panel.held.figure, panel.words())
